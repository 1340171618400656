//! Lines that differ from the one before in nothing but a piece of text.

use super::reader::{reasoning_place, text_place};
use crate::accumulator::Builder;
use crate::json::{Fragment, Value};
use crate::provider::{Repeat, Shape, Target};

/// The kinds of targets.
const TEXT: u8 = 0;
const THINKING: u8 = 1;

const fn shape(path: &'static [&'static str]) -> Shape {
    Shape { path, ignored: &["created_at"], usage: None }
}

/// Members of a line whose text may be repeated.
const KNOWN: &[&str] = &["model", "created_at", "message", "response", "thinking", "done"];

/// The ways to the text, and what it is.
static SHAPES: [(Shape, u8); 4] = [
    (shape(&["message", "content"]), TEXT),
    (shape(&["message", "thinking"]), THINKING),
    (shape(&["response"]), TEXT),
    (shape(&["thinking"]), THINKING),
];

/// Whether the line that was read last may come again with another text.
pub(super) fn repeatable(line: Value<'_>) -> Option<Repeat> {
    let is_open = line.get("done").and_then(Value::boolean) == Some(false);
    let is_plain =
        line.get("message").is_none_or(|message| message.has_only(&["role", "content", "thinking"]));
    if !is_open || !is_plain || !line.has_only(KNOWN) {
        return None;
    }
    let mut filled = SHAPES.iter().filter(|(shape, _)| shape.text_of(line).and_then(Value::label).is_some());
    let (shape, kind) = filled.next().filter(|_| filled.next().is_none())?;
    let place = if *kind == TEXT { text_place() } else { reasoning_place() };
    Some(Repeat { shape, target: Target { place, kind: *kind, is_call: false }, is_alone: true })
}

/// Reads a line again with this text.
pub(super) fn repeat(target: &Target, text: &Fragment<'_>, out: &mut Builder) {
    match target.kind {
        TEXT => out.push_text(target.place, text),
        _ => out.push_reasoning(target.place, text),
    }
}
