//! Events that differ from the previous one only in a piece of text.

use super::steps::Steps;
use crate::provider::{Event, Growing, Repeat, Shape, Target};

const fn shape(path: &'static [&'static str]) -> Shape {
    Shape { path, ignored: &[], usage: None }
}

static TEXT: Shape = shape(&["delta", "text"]);
static SUMMARY: Shape = shape(&["delta", "content", "text"]);
static ARGUMENTS: Shape = shape(&["delta", "arguments"]);

/// Returns how the event that was read last can be repeated with another text. Events with an `event_id` can't be: each
/// has another id, and the last one is kept.
pub(super) fn repeatable(event: &Event<'_>, steps: &Steps) -> Option<Repeat> {
    let body = event.body;
    let delta = body.get("delta").filter(|_| body.has_only(&["event_type", "index", "delta"]))?;
    if event.kind()? != "step.delta" {
        return None;
    }
    let name = delta.get_non_empty("type")?;
    let (shape, growing) = match name {
        "text" if delta.has_only(&["type", "text"]) => (&TEXT, Growing::Text),
        "thought_summary" if delta.has_only(&["type", "content"]) => {
            let content = delta.get("content").filter(|content| content.has_only(&["type", "text"]))?;
            content.get("type").filter(|kind| kind.is("text"))?;
            (&SUMMARY, Growing::Reasoning)
        }
        "arguments_delta" if delta.has_only(&["type", "arguments"]) => (&ARGUMENTS, Growing::Arguments),
        _ => return None,
    };
    shape.text_of(body)?.non_empty()?;
    let place = steps.append_place(body.get_unsigned("index"), name)?;
    // Another event may begin a step with the same index, or another content item.
    Some(Repeat { shape, target: Target::new(place, growing), is_alone: true })
}
