//! Calls in the text of several choices that arrive in turns.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use respool::json::Document;
use respool::text::TextOptions;
use respool::{StreamAccumulator, StreamOptions};
use serde_json::json;

#[test]
fn each_choice_keeps_the_arguments_of_its_call() {
    let options =
        json!({ "tools": [{ "name": "tide" }, { "name": "wind" }], "formats": ["auto"] }).to_string();
    let text = TextOptions::new(Document::parse(&options, 64).unwrap().root()).unwrap();
    let options = StreamOptions { text: Some(text.into()), ..StreamOptions::default() };
    let mut stream = StreamAccumulator::new(options).unwrap();
    let texts = [
        "<tool_call><function=tide><parameter=at>1</parameter></function></tool_call>",
        "<tool_call><function=wind><parameter=at>2</parameter></function></tool_call>",
    ];
    let count = texts[0].len();
    for from in (0..count).step_by(4) {
        for (index, text) in texts.iter().enumerate() {
            let content = text.get(from..count.min(from + 4)).unwrap();
            let choices = json!([{ "index": index, "delta": { "content": content }, "finish_reason": null }]);
            stream.push_bytes(format!("data: {}\n\n", json!({ "choices": choices })).as_bytes()).unwrap();
        }
    }
    let response = stream.finish().response;
    let calls = response.choices.iter().flat_map(|choice| &choice.tool_calls);
    let calls: Vec<String> = calls.map(|call| format!("{} {:?}", call.name, call.arguments)).collect();
    assert_eq!(calls, [r#"tide {"at":"1"}"#, r#"wind {"at":"2"}"#]);
}
