//! Text and arguments that a server sends again, in whole or in part, or spelt in another way, are read alike at any
//! cut.

use proptest::prelude::*;
use proptest::sample::select;
use respool::StreamOptions;
use serde_json::{Value as Json, json};

use crate::corpus::streams::{read_bytes, read_events};
use crate::corpus::wire;

/// Fragments of arguments, and whole ones.
const PIECES: [&str; 23] = [
    "{",
    "{\"a\":",
    "{\"a\"",
    "1",
    "}",
    "{\"a\":1}",
    "{\"a\": 1}",
    "{\"a\":12}",
    "{\"a\": 1, \"b\": 2}",
    "{\"a\":1}{\"a\":1}",
    "\"{\\\"a\\\":1}\"",
    "\"",
    "\"x\"",
    ":",
    " ",
    "{}",
    " {}",
    "\n{\"a\":1}",
    "[1]",
    "[",
    "]",
    "null",
    ",\"b\":2",
];

/// Returns the events of a call that starts with some arguments, followed by fragments.
type Layout = fn(start: &str, pieces: &[&str]) -> Vec<Json>;

const LAYOUTS: [Layout; 3] = [chat, anthropic, responses];

fn chat(start: &str, pieces: &[&str]) -> Vec<Json> {
    let chunk =
        |call: Json| json!({ "id": "c", "choices": [{ "index": 0, "delta": { "tool_calls": [call] } }] });
    let mut events =
        vec![chunk(json!({ "index": 0, "id": "k", "function": { "name": "f", "arguments": start } }))];
    events
        .extend(pieces.iter().map(|piece| chunk(json!({ "index": 0, "function": { "arguments": piece } }))));
    events.push(json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "tool_calls" }] }));
    events
}

fn anthropic(start: &str, pieces: &[&str]) -> Vec<Json> {
    let input: Json = serde_json::from_str(start).unwrap_or_else(|_| json!({}));
    let block = json!({ "type": "tool_use", "id": "k", "name": "f", "input": input });
    let mut events = vec![
        json!({ "type": "message_start", "message": { "id": "m", "type": "message", "role": "assistant", "content": [] } }),
        json!({ "type": "content_block_start", "index": 0, "content_block": block }),
    ];
    events.extend(pieces.iter().map(|piece| {
        json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "input_json_delta", "partial_json": piece } })
    }));
    events.push(json!({ "type": "content_block_stop", "index": 0 }));
    events.push(json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use" } }));
    events.push(json!({ "type": "message_stop" }));
    events
}

fn responses(start: &str, pieces: &[&str]) -> Vec<Json> {
    let item = json!({ "type": "function_call", "id": "i", "call_id": "k", "name": "f", "arguments": start });
    let mut events = vec![
        json!({ "type": "response.created", "response": { "id": "r", "object": "response", "status": "in_progress", "output": [] } }),
        json!({ "type": "response.output_item.added", "output_index": 0, "item": item }),
    ];
    events.extend(pieces.iter().map(|piece| {
        json!({ "type": "response.function_call_arguments.delta", "item_id": "i", "output_index": 0, "delta": piece })
    }));
    events.push(json!({ "type": "response.completed", "response": { "id": "r", "object": "response", "status": "completed" } }));
    events
}

const TEXT: &str = "Let us see: high water is at nine, at nine in the morning.";

/// A delta with text, and the index of its part.
fn texts() -> impl Strategy<Value = Vec<(String, u64)>> {
    let piece = prop_oneof![
        3 => (0..TEXT.len(), 0..TEXT.len()).prop_map(|(a, b)| TEXT[a.min(b)..a.max(b)].to_owned()),
        3 => (1..=TEXT.len()).prop_map(|end| TEXT[..end].to_owned()),
        1 => Just(TEXT.to_owned()),
    ];
    prop::collection::vec((piece, prop_oneof![5 => Just(0), 1 => Just(1)]), 1..7)
}

/// Returns the events of a text, reasoning or refusal of Responses. It starts with some text, unless it isn't announced.
fn responses_text(kind: usize, start: &str, pieces: &[(String, u64)]) -> Vec<Json> {
    let (item, part, member, event) = [
        ("message", "output_text", "text", "output_text"),
        ("reasoning", "reasoning_text", "text", "reasoning_text"),
        ("message", "refusal", "refusal", "refusal"),
    ][kind % 3];
    let started = json!({ "type": part, member: start });
    let content = if kind < 3 { json!([]) } else { json!([started]) };
    let mut events = vec![
        json!({ "type": "response.created", "response": { "id": "r", "object": "response", "status": "in_progress", "output": [] } }),
    ];
    if kind < 6 {
        events.extend([
            json!({ "type": "response.output_item.added", "output_index": 0, "item": { "type": item, "id": "i", "content": content } }),
            json!({ "type": "response.content_part.added", "item_id": "i", "output_index": 0, "content_index": 0, "part": started }),
        ]);
    }
    events.extend(pieces.iter().map(|(piece, index)| {
        json!({ "type": format!("response.{event}.delta"), "item_id": "i", "output_index": 0, "content_index": index, "delta": piece })
    }));
    events.push(json!({ "type": "response.completed", "response": { "id": "r", "object": "response", "status": "completed" } }));
    events
}

/// Returns the events of text or reasoning in chat completions.
fn chat_text(kind: usize, start: &str, pieces: &[(String, u64)]) -> Vec<Json> {
    let member = ["content", "reasoning_content", "reasoning"][kind % 3];
    let chunk = |text: &str, index: u64| json!({ "id": "c", "choices": [{ "index": index, "delta": { member: text } }] });
    let mut events = vec![chunk(start, 0)];
    events.extend(pieces.iter().map(|(piece, index)| chunk(piece, *index)));
    events.push(json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] }));
    events
}

/// An entry of a list of tool calls.
fn entry() -> impl Strategy<Value = Json> {
    let index = prop_oneof![4 => Just(json!(0)), 2 => Just(json!(1)), 1 => Just(Json::Null)];
    let id = prop_oneof![4 => Just(Json::Null), 1 => Just(json!("k")), 1 => Just(json!("l"))];
    let name = prop_oneof![4 => Just(Json::Null), 1 => Just(json!("f")), 1 => Just(json!("g"))];
    let arguments = prop_oneof![1 => Just(""), 6 => select(&PIECES[..])];
    (index, id, name, arguments).prop_map(|(index, id, name, arguments)| {
        json!({ "index": index, "id": id, "function": { "name": name, "arguments": arguments } })
    })
}

/// Fails unless the result is the same for one read, for one event a read, and for objects.
fn check(events: &[Json]) -> Result<(), TestCaseError> {
    let events: Vec<String> = events.iter().map(Json::to_string).collect();
    let text = wire::sse(&events);
    let shown = |result| serde_json::to_string_pretty(&result).unwrap();
    let whole = shown(read_bytes(StreamOptions::default(), [text.as_bytes()]).result);
    let each = read_bytes(StreamOptions::default(), text.split_inclusive("\n\n").map(str::as_bytes)).result;
    prop_assert_eq!(&whole, &shown(each), "one event a read");
    let objects = read_events(StreamOptions::default(), &events).result;
    prop_assert_eq!(&whole, &shown(objects), "objects");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(2_000), ..ProptestConfig::default() })]

    #[test]
    fn of_arguments(
        layout in 0..LAYOUTS.len(),
        start in prop_oneof![2 => Just(""), 1 => select(&PIECES[..])],
        pieces in prop::collection::vec(select(&PIECES[..]), 1..7),
    ) {
        check(&LAYOUTS[layout](start, &pieces))?;
    }

    #[test]
    fn of_calls(entries in prop::collection::vec(entry(), 1..9)) {
        let mut events = chat("", &[]);
        events.splice(1..1, entries.iter().map(|entry| {
            json!({ "id": "c", "choices": [{ "index": 0, "delta": { "tool_calls": [entry] } }] })
        }));
        check(&events)?;
    }

    #[test]
    fn of_text(kind in 0..15_usize, end in prop_oneof![Just(0), 0..12_usize], pieces in texts()) {
        let start = &TEXT[..end];
        check(&if kind < 9 { responses_text(kind, start, &pieces) } else { chat_text(kind, start, &pieces) })?;
    }
}
