//! How the end of a stream, or a structured call, decides about a call in the text.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use respool::json::Document;
use respool::model::{StreamResult, ToolCallStatus};
use respool::text::TextOptions;
use respool::{StreamAccumulator, StreamOptions};
use serde_json::{Value, json};

/// Reads a text in two pieces, and then another delta and a finish reason.
fn read(pieces: [&str; 2], delta: &Value, reason: Option<&str>) -> StreamResult {
    let parameters = json!({ "type": "object", "properties": { "at": {}, "only": {} }, "required": ["at"] });
    let tools = json!([{ "name": "sweep", "parameters": parameters }, { "name": "list" }]);
    let options = json!({ "tools": tools, "formats": ["auto"] }).to_string();
    let text = TextOptions::new(Document::parse(&options, 64).unwrap().root()).unwrap();
    let options = StreamOptions { text: Some(text.into()), ..StreamOptions::default() };
    let mut stream = StreamAccumulator::new(options).unwrap();
    let [first, second] = pieces.map(|content| json!({ "content": content }));
    for (delta, reason) in [(&first, None), (&second, None), (delta, reason)] {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": reason });
        stream.push_bytes(format!("data: {}\n\n", json!({ "choices": [choice] })).as_bytes()).unwrap();
    }
    stream.finish()
}

fn cuts(text: &str) -> impl Iterator<Item = [&str; 2]> {
    text.char_indices().map(|(at, _)| text.split_at(at).into())
}

/// Calls without their end, between two arguments.
const OPEN: &[&str] = &[
    "<tool_call>\n<function=sweep>\n<parameter=at>\n7\n</parameter>\n",
    "<tool_call>sweep<arg_key>at</arg_key><arg_value>7</arg_value>",
    "<minimax:tool_call>\n<invoke name=\"sweep\">\n<parameter name=\"at\">7</parameter>\n",
    "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"sweep\">\n<｜DSML｜parameter name=\"at\">7</｜DSML｜parameter>",
    "<|open|>tools<|sep|><|open|>call tool=\"sweep\"<|sep|><|open|>argument key=\"at\"<|sep|>7<|close|>argument<|sep|>",
];

#[test]
fn a_call_that_is_cut_off_between_its_arguments_is_truncated() {
    for text in OPEN {
        for pieces in cuts(text) {
            for (reason, status) in [
                (Some("stop"), ToolCallStatus::Complete),
                (Some("length"), ToolCallStatus::Truncated),
                (None, ToolCallStatus::Truncated),
            ] {
                let result = read(pieces, &json!({}), reason);
                assert_eq!(result.tool_call_status, [status], "{pieces:?} {reason:?}");
            }
        }
    }
}

#[test]
fn a_name_that_is_cut_off_is_not_a_call() {
    for text in ["[TOOL_CALLS]list", "<tool_call>list\n"] {
        for pieces in cuts(text) {
            for (reason, count) in [(Some("stop"), 1), (Some("length"), 0), (None, 0)] {
                let result = read(pieces, &json!({}), reason);
                assert_eq!(result.tool_calls.len(), count, "{pieces:?} {reason:?}");
                assert_eq!(result.text, if count == 0 { text } else { "" });
            }
        }
    }
    let closed = "[TOOL_CALLS]list</s>";
    assert_eq!(read([closed, ""], &json!({}), Some("length")).tool_calls.len(), 1, "its end has arrived");
}

/// What a server leaves of a call that it sends as a structured one.
const LEFT: &[&str] = &[
    "<｜DSML｜function_calls",
    "<｜DSML｜tool_calls>\n",
    "<tool_call>",
    "<tool_ca",
    "<tool_call>\n<function=",
    "[TOOL_CALLS]",
    "<|tool_calls_section_begin|><|tool_call_begin|>",
    "<minimax:tool_call>\n<invoke name=",
];

#[test]
fn an_opener_before_a_structured_call_is_not_text() {
    let function = json!({ "name": "list", "arguments": "{}" });
    let call = json!({ "tool_calls": [{ "index": 0, "id": "a", "type": "function", "function": function }] });
    for (left, text) in LEFT.iter().map(|left| (*left, "")).chain([
        ("a < b", "a < b"),
        ("Use `<tool_call>", "Use `<tool_call>"),
        ("It is fun", "It is fun"),
        ("<table", "<table"),
    ]) {
        let all = ["Let me see.\n\n", left].concat();
        for pieces in cuts(&all) {
            let result = read(pieces, &call, Some("tool_calls"));
            assert_eq!(result.text, ["Let me see.\n\n", text].concat(), "{pieces:?}");
            assert_eq!(result.tool_calls.len(), 1, "{pieces:?}");
        }
    }
}
