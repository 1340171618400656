//! Whole messages: as a body, and at the end of a stream, where they usually repeat what the deltas said.

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
fn a_message_at_the_end_adds_what_the_deltas_lack() {
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
fn another_message_at_the_end_is_a_warning() {
    let result = read("Low water.", r#"{"content":"High water."}"#);
    assert_eq!(result.text, "Low water.");
    assert_eq!(result.warnings[0].code, WarningCode::Mismatch);
}

#[test]
fn only_the_last_call_is_cut_off_by_the_token_limit() {
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
    let told: Vec<_> = calls.map(|(call, status)| (call.arguments.as_str(), *status)).collect();
    let whole = (r#""a \"boat""#, ToolCallStatus::Complete);
    assert_eq!(told, [whole, (r#""a \"mast"#, ToolCallStatus::Truncated)]);
}
