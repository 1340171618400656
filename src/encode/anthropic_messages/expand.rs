//! Converts a complete message to the events of a stream.

use crate::encode::json::{EMPTY_LIST, Json, NULL};
use crate::encode::writer::NativeEvent;
use crate::json::{Object, RawJson, Value};

/// Texts of blocks that are sent in deltas: the type of the block, the member, and the type of the delta.
const TEXTS: [(&str, &str, &str); 3] = [
    ("text", "text", "text_delta"),
    ("thinking", "thinking", "thinking_delta"),
    ("thinking", "signature", "signature_delta"),
];

pub(super) fn expand(message: Value<'_>) -> Vec<NativeEvent> {
    let mut begun = Object::default();
    begun.put_all(message);
    begun.set("content", RawJson::of(&EMPTY_LIST));
    let mut delta = Object::default();
    for name in ["stop_reason", "stop_sequence"] {
        delta.set(name, message.get(name).and_then(Value::raw).unwrap_or_else(|| RawJson::of(&NULL)));
        begun.set(name, RawJson::of(&NULL));
    }
    let mut events = Vec::new();
    add(&mut events, "message_start", &[("message", RawJson::of(&begun))]);
    for (index, block) in (0..).zip(message.get_items("content")) {
        add_block(index, block, &mut events);
    }
    let mut members = vec![("delta", RawJson::of(&delta))];
    members.extend(message.get("usage").and_then(Value::raw).map(|usage| ("usage", usage)));
    add(&mut events, "message_delta", &members);
    add(&mut events, "message_stop", &[]);
    events
}

fn add(events: &mut Vec<NativeEvent>, name: &str, members: &[(&str, RawJson)]) {
    let mut event = Object::default();
    event.set("type", RawJson::string(name));
    for (name, value) in members {
        event.set(name, value.clone());
    }
    events.push((name.to_owned(), event.to_json()));
}

fn add_block(index: u64, block: Value<'_>, events: &mut Vec<NativeEvent>) {
    let kind = block.get_text("type").unwrap_or_default();
    let mut begun = Object::default();
    begun.put_all(block);
    let mut deltas = Vec::new();
    let mut delta = |kind: &str, member: &str, value: RawJson| {
        let mut delta = Object::default();
        delta.set("type", RawJson::string(kind));
        delta.set(member, value);
        deltas.push(RawJson::of(&delta));
    };
    for (of, member, name) in TEXTS {
        if let Some(text) = block.get(member).filter(|_| kind == of).and_then(Value::raw) {
            begun.set(member, RawJson::string(""));
            delta(name, member, text);
        }
    }
    if kind == "text" && block.get_items("citations").next().is_some() {
        begun.set("citations", RawJson::of(&EMPTY_LIST));
        block
            .get_items("citations")
            .filter_map(Value::raw)
            .for_each(|it| delta("citations_delta", "citation", it));
    }
    if let Some(input) = block.get("input").filter(|_| kind.ends_with("tool_use")).and_then(Value::compact) {
        begun.set("input", RawJson::of(&Json("{}")));
        delta("input_json_delta", "partial_json", RawJson::string(&input));
    }
    let index = ("index", RawJson::of(&index));
    add(events, "content_block_start", &[index.clone(), ("content_block", RawJson::of(&begun))]);
    for delta in deltas {
        add(events, "content_block_delta", &[index.clone(), ("delta", delta)]);
    }
    add(events, "content_block_stop", &[index]);
}
