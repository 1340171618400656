//! `TensorZero`'s `tensorzero_extra_content`: data that chat completions have no field for, such as the model's thoughts. In
//! a stream, each chunk has a piece of one item.
//! <https://github.com/tensorzero/tensorzero>

use super::{REASONING, ReasoningReader, begin_paragraph};
use crate::accumulator::{Builder, Place, Slot};
use crate::collect::Collect;
use crate::json::{Field, Object, RawJson, Value};
use crate::provider::{ANTHROPIC_FORMAT, OPENAI_FORMAT};

/// Names of the list: the current one, and an older one.
pub(crate) const EXTRA_CONTENT: &[&str] =
    &["tensorzero_extra_content", "tensorzero_extra_content_experimental"];

/// Slot of the first thought: after all blocks.
const THOUGHTS: u64 = 1 << 33;

/// Joins the pieces of a stream, which have ids, into the items of a complete body.
pub(in super::super) fn join_thoughts(message: &mut Object) {
    for name in EXTRA_CONTENT {
        let list = message.get(name);
        let Some(document) = list.as_ref().and_then(RawJson::document) else { continue };
        let mut joined: Vec<JoinedItem> = Vec::new();
        for piece in document.root().items() {
            let index = piece.get_unsigned("insert_index");
            let is_piece = is_thought(piece) && piece.get("id").is_some();
            let open_thought =
                joined.last_mut().filter(|begun| is_piece && begun.is_thought && begun.index == index);
            if let Some(begun) = open_thought {
                begun.add(piece);
                continue;
            }
            let mut thought = JoinedItem { index, is_thought: is_piece, ..JoinedItem::default() };
            thought.add(piece);
            joined.push(thought);
        }
        let joined = joined.into_iter().map(JoinedItem::into_json).collect_vec();
        message.set(name, RawJson::of(&joined));
    }
}

/// A thought joined from pieces, or another item.
#[derive(Default)]
struct JoinedItem {
    index: Option<u64>,
    is_thought: bool,
    members: Object,
    /// Parts of the summary, with their ids.
    summary: Vec<(Option<String>, String)>,
}

impl JoinedItem {
    fn add(&mut self, piece: Value<'_>) {
        if !self.is_thought {
            return self.members.put_all(piece);
        }
        for name in ["text", "signature"] {
            match piece.get(name).text() {
                Some(text) => self.members.join(name, &text),
                None => piece.get(name).into_iter().for_each(|value| self.members.put(name, value)),
            }
        }
        self.members.put_others(piece, &["text", "signature", "id", "summary_id", "summary_text"]);
        let Some(text) = piece.get_text("summary_text") else { return };
        let id = piece.get_string("summary_id");
        match self.summary.last_mut().filter(|(known, _)| *known == id) {
            Some((_, known)) => known.push_str(&text),
            None => self.summary.push((id, text.into_owned())),
        }
    }

    fn into_json(mut self) -> RawJson {
        for (_, text) in self.summary {
            let mut part = Object::default();
            part.set("type", RawJson::string("summary_text"));
            part.set("text", RawJson::string(&text));
            self.members.add_item("summary", RawJson::of(&part));
        }
        RawJson::of(&self.members)
    }
}

/// Returns the name of the signature's format in `reasoning_details`.
pub(crate) fn format_of_thought(thought: Value<'_>) -> Option<&'static str> {
    match thought.first_non_empty(&["provider_type", "_internal_provider_type"])? {
        "openai" => Some(OPENAI_FORMAT),
        name if name.ends_with("anthropic") => Some(ANTHROPIC_FORMAT),
        _ => None,
    }
}

fn is_thought(item: Value<'_>) -> bool {
    item.get("type").is_some_and(|kind| kind.is("thought"))
}

impl ReasoningReader {
    /// Reads thoughts or pieces of them, and returns their text. They also stay in the members of the message.
    pub(super) fn read_thoughts(&mut self, list: Value<'_>, out: &mut Builder) -> String {
        let mut emitted = String::new();
        for (position, thought) in list.items().enumerate() {
            if out.is_halted() {
                break;
            }
            if is_thought(thought) {
                let index = thought.get_unsigned("insert_index").unwrap_or(position as u64);
                let place =
                    Place { choice: self.choice, slot: Slot(REASONING, THOUGHTS.saturating_add(index)) };
                let known = out.reasoning_at(place).len();
                self.read_thought(thought, place, out);
                emitted.push_str(out.reasoning_at(place).get(known..).unwrap_or_default());
            }
        }
        emitted
    }

    fn read_thought(&mut self, thought: Value<'_>, place: Place, out: &mut Builder) {
        let format = format_of_thought(thought);
        let text = thought.get("text").fragment();
        self.has_text = true;
        match &text {
            Some(text) if !text.is_empty() => out.push_reasoning(place, text),
            _ => self.read_summary(thought, place, out),
        }
        // A thinking block has a text, which may be empty; an encrypted block has none.
        let is_thinking = text.is_some()
            || !out.reasoning_at(place).is_empty()
            || out.reasoning_view(place).format.is_some();
        let signature = thought.get_non_empty("signature");
        if let Some(format) = format.filter(|_| is_thinking || signature.is_some()) {
            out.set_reasoning_format(place, format);
        }
        let Some(signature) = signature else { return };
        match format {
            Some(OPENAI_FORMAT) => out.set_encrypted(place, signature),
            Some(_) if !is_thinking => out.push_encrypted(place, signature),
            _ => out.push_signature(place, signature),
        }
    }

    /// Reads the parts of a summary as paragraphs: a list of parts, or a piece of one in a stream.
    fn read_summary(&mut self, thought: Value<'_>, place: Place, out: &mut Builder) {
        for part in thought.get_items("summary") {
            let text = part.get_text("text").unwrap_or_default();
            Self::emit_summary(&text, true, place, out);
        }
        if let Some(piece) = thought.get_text("summary_text") {
            let id = thought.get_string("summary_id");
            Self::emit_summary(&piece, id != self.summary, place, out);
            self.summary = id;
        }
    }

    fn emit_summary(text: &str, begins: bool, place: Place, out: &mut Builder) {
        if !text.is_empty() {
            if begins {
                begin_paragraph(place, out);
            }
            out.push_reasoning(place, &text.into());
        }
    }
}
