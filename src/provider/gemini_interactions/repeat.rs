//! Events that differ from the one before in nothing but a piece of text.

use super::steps::Steps;
use crate::accumulator::Builder;
use crate::json::Fragment;
use crate::provider::{Event, Repeat, Shape, Target};

/// The kinds of targets: what an event has more of.
const TEXT: u8 = 0;
const SUMMARY: u8 = 1;
const ARGUMENTS: u8 = 2;

const fn shape(path: &'static [&'static str]) -> Shape {
    Shape { path, ignored: &[], usage: None }
}

/// Where the text is, by the kind of the target.
static SHAPES: [Shape; 3] =
    [shape(&["delta", "text"]), shape(&["delta", "content", "text"]), shape(&["delta", "arguments"])];

/// Whether the event that was read last may come again with another text. One with an `event_id` may not: each has
/// another, and the last one is kept.
pub(super) fn repeatable(event: &Event<'_>, steps: &Steps) -> Option<Repeat> {
    let body = event.body;
    let delta = body.get("delta").filter(|_| body.has_only(&["event_type", "index", "delta"]))?;
    if event.label()? != "step.delta" {
        return None;
    }
    let name = delta.get_label("type")?;
    let kind = match name {
        "text" if delta.has_only(&["type", "text"]) => TEXT,
        "thought_summary" if delta.has_only(&["type", "content"]) => {
            let content = delta.get("content").filter(|content| content.has_only(&["type", "text"]))?;
            content.get("type").filter(|kind| kind.is("text"))?;
            SUMMARY
        }
        "arguments_delta" if delta.has_only(&["type", "arguments"]) => ARGUMENTS,
        _ => return None,
    };
    let shape = SHAPES.get(usize::from(kind))?;
    shape.text_of(body)?.label()?;
    let place = steps.growing(body.get_unsigned("index"), name)?;
    // Another event may begin a step with the same index, or another content.
    Some(Repeat { shape, target: Target { place, kind, is_call: kind == ARGUMENTS }, is_alone: true })
}

/// Reads an event again with this text.
pub(super) fn repeat(target: &Target, text: &Fragment<'_>, out: &mut Builder) {
    match target.kind {
        TEXT => out.push_text(target.place, text),
        SUMMARY => out.push_reasoning(target.place, text),
        _ => out.push_arguments(target.place, text),
    }
}
