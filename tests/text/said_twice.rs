//! What a server says twice is there once, also where text is searched.

use respool::json::Document;
use respool::model::{StreamResult, WarningCode};
use respool::text::TextOptions;
use respool::{StreamAccumulator, StreamOptions};
use serde_json::{Value, json};

fn read(events: &[Value]) -> StreamResult {
    let options = json!({ "tools": [{ "name": "tide" }], "formats": ["auto"], "tags": ["*"] }).to_string();
    let text = TextOptions::new(Document::parse(&options, 64).unwrap().root()).unwrap();
    let options = StreamOptions { text: Some(text.into()), ..StreamOptions::default() };
    let mut stream = StreamAccumulator::new(options).unwrap();
    for event in events {
        stream.push_bytes(format!("data: {event}\n\n").as_bytes()).unwrap();
    }
    stream.finish()
}

#[test]
fn a_body_that_comes_again_with_a_call_in_its_text_is_no_other_one() {
    let body = |text: &str| {
        json!({ "model": "m", "created_at": "2026-01-01T00:00:00Z", "done": true, "done_reason": "stop",
            "message": { "role": "assistant", "content": text } })
    };
    let call = "<tool_call>{\"name\": \"tide\", \"arguments\": {}}</tool_call>";
    let result = read(&[body(call), body(call)]);
    assert_eq!((&*result.text, result.tool_calls.len()), ("", 1));
    assert!(result.warnings.is_empty(), "{:?}", result.warnings);
    let result =
        read(&[body(call), body("<tool_call>{\"name\": \"tide\", \"arguments\": {\"a\": 1}}</tool_call>")]);
    assert_eq!(result.tool_calls.len(), 1);
    let [warning] = &*result.warnings else { panic!("{:?}", result.warnings) };
    assert_eq!(warning.code, WarningCode::Mismatch);
    assert!(warning.message.contains("tool calls"), "{}", warning.message);
}
