//! Events that differ from the previous one only in a piece of text.

use super::reader::Reader;
use crate::json::Value;
use crate::provider::{Growing, Repeat, Shape, Target};

const fn shape(path: &'static [&'static str]) -> Shape {
    Shape { path, ignored: &[], usage: None }
}

static TEXT: Shape = shape(&["delta", "message", "content", "text"]);
static THINKING: Shape = shape(&["delta", "message", "content", "thinking"]);
static TOOL_PLAN: Shape = shape(&["delta", "message", "tool_plan"]);
static ARGUMENTS: Shape = shape(&["delta", "message", "tool_calls", "function", "arguments"]);

/// Returns how the event that was read last can be repeated with another text.
pub(super) fn repeatable(event: Value<'_>, reader: &Reader) -> Option<Repeat> {
    let delta = event.get("delta").filter(|_| event.has_only(&["type", "index", "delta"]))?;
    let message = delta.get("message").filter(|_| delta.has_only(&["message"]))?;
    let index = event.get_unsigned("index");
    let (shape, growing, place) = match event.get_non_empty("type")? {
        "content-delta" => {
            let content = message.get("content").filter(|_| message.has_only(&["content"]))?;
            let (shape, growing) = match (content.get("text"), content.get("thinking")) {
                (Some(_), None) if content.has_only(&["type", "text"]) => (&TEXT, Growing::Text),
                (None, Some(_)) if content.has_only(&["type", "thinking"]) => (&THINKING, Growing::Reasoning),
                _ => return None,
            };
            (shape, growing, reader.blocks.append_place(index)?)
        }
        "tool-plan-delta" if message.has_only(&["tool_plan"]) => {
            (&TOOL_PLAN, Growing::Reasoning, reader.blocks.started_plan_place()?)
        }
        "tool-call-delta" => {
            let call = message.get("tool_calls").filter(|_| message.has_only(&["tool_calls"]))?;
            let function = call.get("function").filter(|_| call.has_only(&["function"]))?;
            let place = reader.calls.append_place(index).filter(|_| function.has_only(&["arguments"]))?;
            (&ARGUMENTS, Growing::Arguments, place)
        }
        _ => return None,
    };
    shape.text_of(event)?.non_empty()?;
    // Another event may begin a block or a call with the same index.
    Some(Repeat { shape, target: Target::new(place, growing), is_alone: true })
}
