//! Content that a server sends twice appears once, even if the text is searched.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

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

/// Returns the reasoning of a stream with this reasoning in a field, and then text in these pieces.
fn reasoning(field: &str, pieces: &[&str]) -> String {
    let delta = |delta: Value| json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] });
    let mut events = vec![delta(json!({ "reasoning_content": field }))];
    events.extend(pieces.iter().map(|piece| delta(json!({ "content": piece }))));
    events.push(json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] }));
    let result = read(&events);
    assert_eq!(result.text, "Ebb.");
    result.reasoning
}

#[test]
fn reasoning_in_a_field_and_between_tags_is_the_same_at_every_cut() {
    for (field, text, expected) in [
        ("Ebb or flow?", "<think>Ebb or flow?</think>Ebb.", "Ebb or flow?"),
        ("\nEbb or flow?\n", "<think>\nEbb or flow?\n\n</think>Ebb.", "\nEbb or flow?\n"),
        ("Ebb or", "<think>Ebb or flow?</think>Ebb.", "Ebb or flow?"),
        ("Ebb or", "<think>Ebb or \n flow? Who knows?</think>Ebb.", "Ebb or \n flow? Who knows?"),
        ("Ebb or \n", "<think>Ebb or flow?</think>Ebb.", "Ebb or \nflow?"),
        ("Ebb or flow?", "<think>Ebb it is.</think>Ebb.", "Ebb or flow?Ebb it is."),
        ("Ebb ", "<think>Ebb  \n </think>Ebb.", "Ebb "),
    ] {
        for cut in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
            let (one, two) = text.split_at(cut);
            assert_eq!(reasoning(field, &[one, two]), expected, "{one:?} {two:?}");
        }
        let pieces: Vec<&str> = text.split_inclusive(|_| true).collect();
        assert_eq!(reasoning(field, &pieces), expected, "{text:?}");
    }
}

#[test]
fn a_repeated_body_with_a_call_in_its_text_is_not_a_second_answer() {
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
