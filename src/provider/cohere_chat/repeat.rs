//! Events that differ from the one before in nothing but a piece of text.

use super::reader::{Reader, plan_place};
use crate::accumulator::Builder;
use crate::json::{Fragment, Value};
use crate::provider::{Repeat, Shape, Target};

/// The kinds of targets: what an event has more of.
const TEXT: u8 = 0;
const THINKING: u8 = 1;
const PLANNED: u8 = 2;
const ARGUMENTS: u8 = 3;

const fn shape(path: &'static [&'static str]) -> Shape {
    Shape { path, ignored: &[], usage: None }
}

/// Where the text is, by the kind of the target.
static SHAPES: [Shape; 4] = [
    shape(&["delta", "message", "content", "text"]),
    shape(&["delta", "message", "content", "thinking"]),
    shape(&["delta", "message", "tool_plan"]),
    shape(&["delta", "message", "tool_calls", "function", "arguments"]),
];

/// Whether the event that was read last may come again with another text.
pub(super) fn repeatable(event: Value<'_>, reader: &Reader) -> Option<Repeat> {
    let delta = event.get("delta").filter(|_| event.has_only(&["type", "index", "delta"]))?;
    let message = delta.get("message").filter(|_| delta.has_only(&["message"]))?;
    let index = event.get_unsigned("index");
    let (kind, place) = match event.get_label("type")? {
        "content-delta" => {
            let content = message.get("content").filter(|_| message.has_only(&["content"]))?;
            let kind = match (content.get("text"), content.get("thinking")) {
                (Some(_), None) if content.has_only(&["type", "text"]) => TEXT,
                (None, Some(_)) if content.has_only(&["type", "thinking"]) => THINKING,
                _ => return None,
            };
            (kind, reader.blocks.growing(index)?)
        }
        "tool-plan-delta" if message.has_only(&["tool_plan"]) => (PLANNED, plan_place()),
        "tool-call-delta" => {
            let call = message.get("tool_calls").filter(|_| message.has_only(&["tool_calls"]))?;
            let function = call.get("function").filter(|_| call.has_only(&["function"]))?;
            (ARGUMENTS, reader.calls.growing(index).filter(|_| function.has_only(&["arguments"]))?)
        }
        _ => return None,
    };
    let shape = SHAPES.get(usize::from(kind))?;
    shape.text_of(event)?.label()?;
    // Another event may begin a block or a call with the same index.
    Some(Repeat { shape, target: Target { place, kind, is_call: kind == ARGUMENTS }, is_alone: true })
}

/// Reads an event again with this text.
pub(super) fn repeat(target: &Target, text: &Fragment<'_>, out: &mut Builder) {
    match target.kind {
        TEXT => out.push_text(target.place, text),
        ARGUMENTS => out.push_arguments(target.place, text),
        _ => out.push_reasoning(target.place, text),
    }
}
