//! Complete messages: as a body, and at the end of a stream, where they usually repeat the deltas.

use super::ENTRY;
use crate::accumulator::{Builder, Recording};
use crate::json::Document;
use crate::model::{Ending, Limits, StreamResult, ToolCallStatus, WarningCode};
use crate::provider::Event;

/// Reads a delta with this text, and then a whole message at the end.
fn read(delta: &str, message: &str) -> StreamResult {
    let mut out = Builder::new(Limits::default(), Recording::EachEvent);
    let mut reader = (ENTRY.reader)();
    let events = [
        [r#"{"choices":[{"index":0,"delta":{"content":""#, delta, r#""}}]}"#].concat(),
        [r#"{"choices":[{"index":0,"delta":{},"message":"#, message, r#","finish_reason":"stop"}]}"#]
            .concat(),
    ];
    for event in events {
        let tape = Document::parse(&event, 64).unwrap();
        reader.read(&Event::new(None, tape.root()), &mut out);
    }
    let fields = reader.fields(&out);
    out.result(Ending::Open, fields)
}

#[test]
fn a_final_message_adds_missing_content() {
    for (delta, message) in [
        ("Low water.", r#"{"content":"Low water."}"#),
        ("Low ", r#"{"content":"Low water."}"#),
        ("Low water.", r#"{"content":"Low"}"#),
        ("Low water.", r#"{"content":""}"#),
        ("Low water.", r#"{"content":null}"#),
        ("Low water.", r#"{"content":[{"type":"text","text":"Low water."}]}"#),
    ] {
        let result = read(delta, message);
        assert_eq!((result.text.as_str(), result.warnings.len()), ("Low water.", 0), "{message}");
    }
}

#[test]
fn a_different_final_message_is_a_warning() {
    let result = read("Low water.", r#"{"content":"High water."}"#);
    assert_eq!(result.text, "Low water.");
    assert_eq!(result.warnings[0].code, WarningCode::Mismatch);
}

#[test]
fn the_token_limit_truncates_only_the_last_call() {
    let event = r#"{"choices":[{"index":0,"finish_reason":"length","message":{"role":"assistant","tool_calls":[
        {"id":"a","type":"custom","custom":{"name":"draw","input":"a \"boat"}},
        {"id":"b","type":"custom","custom":{"name":"draw","input":"a \"mast"}}]}}]}"#;
    let tape = Document::parse(event, 64).unwrap();
    let mut out = Builder::new(Limits::default(), Recording::EachEvent);
    let mut reader = (ENTRY.reader)();
    reader.read(&Event::new(None, tape.root()), &mut out);
    out.close_input();
    let result = out.result(Ending::Complete, reader.fields(&out));
    let calls = result.tool_calls.iter().zip(&result.tool_call_status);
    let results: Vec<_> = calls.map(|(call, status)| (call.arguments.as_str(), *status)).collect();
    let whole = (r#""a \"boat""#, ToolCallStatus::Complete);
    assert_eq!(results, [whole, (r#""a \"mast"#, ToolCallStatus::Truncated)]);
}

/// The types of the deltas of each of these chunks.
fn types_of(chunks: &[&str]) -> Vec<String> {
    let mut out = Builder::new(Limits::default(), Recording::EachEvent);
    let mut reader = (ENTRY.reader)();
    let mut types = |chunk: &&str| {
        let tape = Document::parse(chunk, 64).unwrap();
        reader.read(&Event::new(None, tape.root()), &mut out);
        let deltas = out.take_deltas();
        let types = deltas.iter().map(|delta| serde_json::to_value(delta).unwrap()["type"].clone());
        types.map(|kind| kind.as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    chunks.iter().map(&mut types).collect()
}

const CALL: &str = r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"now","arguments":""}}]}}]}"#;
const END: &str = r#"{"choices":[{"index":0,"delta":{"tool_calls":null},"finish_reason":"tool_calls"}]}"#;
const USAGE: &str = r#"{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}"#;

#[test]
fn a_call_without_arguments_starts_at_the_finish_reason() {
    assert_eq!(types_of(&[CALL, END, USAGE]), ["", "tool-call-start", "tool-call-end finish usage"]);
    assert_eq!(types_of(&[CALL, END, END, USAGE]), ["", "tool-call-start", "tool-call-end finish", "usage"]);
    let end = END.replace("]}", r#"],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#);
    assert_eq!(types_of(&[CALL, &end]), ["", "tool-call-start tool-call-end finish usage"]);
    let legacy = CALL.replace(r#""tool_calls":[{"index":0,"id":"a","function":"#, r#""function_call":"#);
    let legacy = legacy.replace("}}]}}]}", "}}}]}");
    assert_eq!(types_of(&[&legacy, END, USAGE]), ["", "tool-call-start", "tool-call-end finish usage"]);
}

#[test]
fn a_call_whose_arguments_may_follow_the_finish_reason_is_held_back() {
    let rest = CALL
        .replace(r#""id":"a","function":{"name":"now","arguments":"""#, r#""function":{"arguments":"{}""#);
    assert_eq!(types_of(&[CALL, END, &rest]), ["", "tool-call-start", ""]);
    assert_eq!(
        types_of(&[CALL, END, &rest, END]),
        ["", "tool-call-start", "", "tool-call-delta tool-call-end finish"]
    );
}

#[test]
fn truncated_content_ends_at_the_finish_reason() {
    for arguments in ["", r#"{\"amount\":"#] {
        for reason in ["length", "content_filter"] {
            let call = CALL.replace(r#""arguments":"""#, &[r#""arguments":""#, arguments, "\""].concat());
            let types = types_of(&[&call, &END.replace(r#"n":"tool_calls"#, &[r#"n":""#, reason].concat())]);
            assert!(types[1].ends_with("tool-call-end finish"), "{types:?}");
        }
    }
}
