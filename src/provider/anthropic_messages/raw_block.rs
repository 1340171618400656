//! Content blocks in the provider's form.

use super::block_kind::BlockKind;
use crate::accumulator::{Builder, Place};
use crate::json::{Kind, Object, RawJson, Value};
use crate::save::state;

/// Members of text and thinking blocks that are streamed. Their content is in the answer, and is inserted when
/// the block is written, so no text is stored twice.
const STREAMED_MEMBERS: [&str; 4] = ["text", "citations", "thinking", "signature"];

/// A block in the provider's form.
pub(super) enum RawBlock {
    /// The complete block, as sent.
    Whole(RawJson),
    /// Members from the start of the block and from deltas, without content that is in the answer.
    Streamed(Object),
}

state! { enum RawBlock { 0 Whole(raw), 1 Streamed(members) } }

impl RawBlock {
    /// Creates a block from its start.
    pub(super) fn start(block: Value<'_>, kind: &BlockKind) -> Self {
        let grows = matches!(kind, BlockKind::Text | BlockKind::Thinking);
        let mut members = Object::default();
        for (name, value) in block.others(&[]) {
            match value.kind() {
                Kind::String if grows && STREAMED_MEMBERS.contains(&&*name) => {
                    members.set(&name, RawJson::string(""));
                }
                Kind::Array if grows && STREAMED_MEMBERS.contains(&&*name) => {
                    members.set(&name, RawJson::valid("[]"));
                }
                _ => members.append(&name, value),
            }
        }
        Self::Streamed(members)
    }

    /// Creates a block of this type whose start is missing.
    pub(super) fn without_start(kind: &str) -> Self {
        let mut members = Object::default();
        members.set("type", RawJson::string(kind));
        Self::Streamed(members)
    }

    /// Appends the members of a delta that aren't in `known`. Returns `false` if the block is complete or the delta
    /// isn't an object.
    pub(super) fn append(&mut self, delta: Value<'_>, known: &'static [&'static str]) -> bool {
        let Self::Streamed(members) = self else { return false };
        for (name, value) in delta.others(known) {
            // Each delta of a compaction has the complete value.
            if name == "encrypted_content" && value.kind() == Kind::String {
                members.set_value(&name, value);
            } else {
                members.append(&name, value);
            }
        }
        delta.is_object()
    }

    /// Returns a member of a streamed block.
    pub(super) fn member(&self, name: &str) -> Option<RawJson> {
        match self {
            Self::Whole(_) => None,
            Self::Streamed(members) => members.get(name),
        }
    }

    /// Returns the block as sent, or its start with the deltas applied.
    pub(super) fn to_raw(&self, kind: &BlockKind, place: Place, out: &Builder) -> RawJson {
        let mut members = match self {
            Self::Whole(raw) => return raw.clone(),
            Self::Streamed(members) => members.clone(),
        };
        match kind {
            BlockKind::Text => write_text(&mut members, place, out),
            BlockKind::Thinking => write_thinking(&mut members, place, out),
            _ => {}
        }
        let input = match kind {
            BlockKind::ToolUse(input) => input.is_streamed().then(|| out.parsed_arguments_at(place)),
            BlockKind::ServerCall(call) => call.streamed_input().map(json_or_string),
            _ => None,
        };
        if let Some(input) = input {
            members.set("input", input);
        }
        RawJson::of(&members)
    }
}

/// Returns a text block with the text that a block of another kind received; `None` if it is only white space, which
/// the API rejects.
pub(super) fn misplaced_text(place: Place, out: &Builder) -> Option<RawJson> {
    if out.text_at(place).trim_ascii().is_empty() {
        return None;
    }
    let mut members = Object::default();
    members.set("type", RawJson::valid("\"text\""));
    write_text(&mut members, place, out);
    Some(RawJson::of(&members))
}

/// Returns a thinking block with the thinking that a block of another kind received.
pub(super) fn misplaced_thinking(place: Place, out: &Builder) -> Option<RawJson> {
    if out.reasoning_at(place).is_empty() && out.signature_at(place).is_none() {
        return None;
    }
    let mut members = Object::default();
    members.set("type", RawJson::valid("\"thinking\""));
    members.set("thinking", RawJson::string(""));
    write_thinking(&mut members, place, out);
    Some(RawJson::of(&members))
}

fn write_thinking(members: &mut Object, place: Place, out: &Builder) {
    let signature = out.signature_at(place).unwrap_or_default();
    for (name, text) in [("thinking", out.reasoning_at(place)), ("signature", signature)] {
        if !text.is_empty() {
            members.set(name, RawJson::string(text));
        }
    }
}

fn write_text(members: &mut Object, place: Place, out: &Builder) {
    let (text, citations) = (out.text_at(place), out.annotations_at(place));
    if !text.is_empty() {
        members.set("text", RawJson::string(text));
    }
    if !citations.is_empty() {
        members.set("citations", RawJson::of(citations));
    }
}

/// Parses JSON text; returns it as a string while it isn't valid JSON.
pub(super) fn json_or_string(text: &str) -> RawJson {
    RawJson::parse(text).unwrap_or_else(|| RawJson::string(text))
}
