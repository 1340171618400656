//! Converts a complete response to the events of a stream.

use crate::encode::json::{EMPTY_LIST, NULL};
use crate::encode::writer::NativeEvent;
use crate::json::{Object, RawJson, Value};

/// Texts that are sent in deltas: the type of the item or part, the member, and the beginning of the event types.
static TEXTS: [(&str, &str, &str); 5] = [
    ("output_text", "text", "response.output_text"),
    ("refusal", "refusal", "response.refusal"),
    ("summary_text", "text", "response.reasoning_summary_text"),
    ("function_call", "arguments", "response.function_call_arguments"),
    ("custom_tool_call", "input", "response.custom_tool_call_input"),
];

/// Parts of items: the type of the item, the list of parts, the name of the index, and the beginning of the event
/// types.
static PARTS: [(&str, &str, &str, &str); 2] = [
    ("message", "content", "content_index", "response.content_part"),
    ("reasoning", "summary", "summary_index", "response.reasoning_summary_part"),
];

pub(super) fn expand(response: Value<'_>) -> Vec<NativeEvent> {
    let mut begun = Object::default();
    begun.put_all(response);
    begun.set("status", RawJson::string("in_progress"));
    begun.set("output", RawJson::of(&EMPTY_LIST));
    begun.set("usage", RawJson::of(&NULL));
    let mut events = Events::default();
    for name in ["response.created", "response.in_progress"] {
        events.add(name, &Object::default(), &[("response", RawJson::of(&begun))]);
    }
    for (index, item) in (0_u64..).zip(response.get_items("output")) {
        events.add_item(index, item);
    }
    let is_incomplete = response.get("status").is_some_and(|status| status.is("incomplete"));
    let name = if is_incomplete { "response.incomplete" } else { "response.completed" };
    if let Some(response) = response.raw() {
        events.add(name, &Object::default(), &[("response", response)]);
    }
    events.list
}

#[derive(Default)]
struct Events {
    list: Vec<NativeEvent>,
}

impl Events {
    /// Adds an event. `at` has the members that say where it belongs.
    fn add(&mut self, name: &str, at: &Object, members: &[(&str, RawJson)]) {
        let mut event = Object::default();
        event.set("type", RawJson::string(name));
        event.set("sequence_number", RawJson::of(&(self.list.len() as u64)));
        event.set_all(at);
        for (name, value) in members {
            event.set(name, value.clone());
        }
        self.list.push((name.to_owned(), event.to_json()));
    }

    fn add_item(&mut self, index: u64, item: Value<'_>) {
        let kind = item.get_text("type").unwrap_or_default();
        let parts = PARTS.iter().find(|(of, ..)| *of == kind);
        let mut at = Object::default();
        at.set("output_index", RawJson::of(&index));
        let mut begun = without_text(item);
        if item.get("status").is_some() {
            begun.set("status", RawJson::string("in_progress"));
        }
        if let Some((_, list, ..)) = parts {
            begun.set(list, RawJson::of(&EMPTY_LIST));
        }
        self.add("response.output_item.added", &at, &[("item", RawJson::of(&begun))]);
        let mut inside = Object::default();
        if let Some(id) = item.get("id").and_then(Value::raw) {
            inside.set("item_id", id);
        }
        inside.set_all(&at);
        self.add_text(item, &inside);
        if let Some((_, list, number, stem)) = parts {
            for (index, part) in (0_u64..).zip(item.get_items(list)) {
                inside.set(number, RawJson::of(&index));
                self.add(&[stem, ".added"].concat(), &inside, &[("part", RawJson::of(&without_text(part)))]);
                self.add_text(part, &inside);
                self.add(&[stem, ".done"].concat(), &inside, &[("part", RawJson::of(&part.raw()))]);
            }
        }
        self.add("response.output_item.done", &at, &[("item", RawJson::of(&item.raw()))]);
    }

    /// Adds the text of an item or a part, and its annotations.
    fn add_text(&mut self, of: Value<'_>, at: &Object) {
        let Some((_, member, stem)) = texts_of(of) else { return };
        let Some(text) = of.get(member).and_then(Value::raw) else { return };
        self.add(&[stem, ".delta"].concat(), at, &[("delta", text.clone())]);
        for (index, annotation) in (0_u64..).zip(of.get_items("annotations").filter_map(Value::raw)) {
            let members = [("annotation_index", RawJson::of(&index)), ("annotation", annotation)];
            self.add("response.output_text.annotation.added", at, &members);
        }
        self.add(&[stem, ".done"].concat(), at, &[(member, text)]);
    }
}

fn texts_of(of: Value<'_>) -> Option<&'static (&'static str, &'static str, &'static str)> {
    let kind = of.get("type")?;
    TEXTS.iter().find(|(of, ..)| kind.is(of))
}

/// Returns an item or a part in its state before its text.
fn without_text(of: Value<'_>) -> Object {
    let mut begun = Object::default();
    begun.put_all(of);
    if let Some((_, member, _)) = texts_of(of) {
        begun.set(member, RawJson::string(""));
    }
    if of.get("annotations").is_some() {
        begun.set("annotations", RawJson::of(&EMPTY_LIST));
    }
    begun
}
