//! Converts a complete chat completion to the chunks of a stream.

use crate::collect::Collect;
use crate::encode::json::{EMPTY_LIST, NULL};
use crate::encode::writer::NativeEvent;
use crate::json::{Object, RawJson, Value};

/// Returns a chunk with all choices, and one with the usage.
pub(super) fn expand(body: Value<'_>) -> Vec<NativeEvent> {
    let mut chunk = Object::default();
    chunk.put_all(body);
    chunk.set("object", RawJson::string("chat.completion.chunk"));
    let usage = body.get("usage").and_then(Value::raw);
    if usage.is_some() {
        chunk.set("usage", RawJson::of(&NULL));
    }
    let choices = body.get_items("choices").map(to_streamed_choice).collect_vec();
    chunk.set("choices", RawJson::of(&choices));
    let mut events = vec![(String::new(), chunk.to_json())];
    if let Some(usage) = usage {
        chunk.set("choices", RawJson::of(&EMPTY_LIST));
        chunk.set("usage", usage);
        events.push((String::new(), chunk.to_json()));
    }
    events
}

/// Returns a choice with its message as a delta.
fn to_streamed_choice(choice: Value<'_>) -> RawJson {
    let mut written = Object::default();
    for (name, value) in choice.others(&[]) {
        if name == "message" {
            written.set("delta", to_delta(value));
        } else if let Some(raw) = value.raw() {
            written.set(&name, raw);
        }
    }
    RawJson::of(&written)
}

fn to_delta(message: Value<'_>) -> RawJson {
    let mut delta = Object::default();
    delta.put_all(message);
    let calls = (0_u64..).zip(message.get_items("tool_calls")).map(|(index, call)| {
        let mut numbered = Object::default();
        numbered.set("index", RawJson::of(&index));
        numbered.put_all(call);
        RawJson::of(&numbered)
    });
    let calls = calls.collect_vec();
    if !calls.is_empty() {
        delta.set("tool_calls", RawJson::of(&calls));
    }
    RawJson::of(&delta)
}
