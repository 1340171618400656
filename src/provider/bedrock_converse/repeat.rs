//! Events that differ from the one before in nothing but a piece of text.

use super::block::BlockKind;
use super::blocks::Blocks;
use super::event::delta_of;
use crate::provider::{Event, Growing, Repeat, Shape, Target};

/// A kind of delta that may be repeated.
struct Repeated {
    kind: BlockKind,
    growing: Growing,
    /// The member of the delta, and its own member that has the text, if it is an object.
    path: &'static [&'static str],
    /// Where the text is, by the form of the event: named, or as the member of an object.
    shapes: [Shape; 2],
}

const fn shape(path: &'static [&'static str], ignored: &'static [&'static str]) -> Shape {
    Shape { path, ignored, usage: None }
}

/// What deltas repeat.
static REPEATED: [Repeated; 3] = [
    Repeated {
        kind: BlockKind::Text,
        growing: Growing::Text,
        path: &["text"],
        shapes: [shape(&["delta", "text"], &["p"]), shape(&["contentBlockDelta", "delta", "text"], &[])],
    },
    Repeated {
        kind: BlockKind::Reasoning,
        growing: Growing::Reasoning,
        path: &["reasoningContent", "text"],
        shapes: [
            shape(&["delta", "reasoningContent", "text"], &["p"]),
            shape(&["contentBlockDelta", "delta", "reasoningContent", "text"], &[]),
        ],
    },
    Repeated {
        kind: BlockKind::Call,
        growing: Growing::Arguments,
        path: &["toolUse", "input"],
        shapes: [
            shape(&["delta", "toolUse", "input"], &["p"]),
            shape(&["contentBlockDelta", "delta", "toolUse", "input"], &[]),
        ],
    },
];

/// Whether the event that was read last may come again with another text.
pub(super) fn repeatable(event: &Event<'_>, blocks: &Blocks) -> Option<Repeat> {
    let inner = delta_of(event)?;
    let delta =
        inner.get("delta").filter(|_| inner.has_only(&["contentBlockIndex", "delta", "p", "type"]))?;
    let is_named = inner.node() == event.body.node();
    if !is_named && (!event.body.has_only(&["contentBlockDelta"]) || inner.get("p").is_some()) {
        return None;
    }
    let repeated = REPEATED.iter().find(|repeated| match repeated.path {
        [name, inner] => delta.get(name).is_some_and(|content| content.get(inner).is_some()),
        [name] => delta.get(name).is_some(),
        _ => false,
    })?;
    let is_plain = match repeated.path {
        ["text"] => delta.has_only(&["text"]),
        ["reasoningContent", _] => {
            delta.has_only(&["reasoningContent"]) && delta.get("reasoningContent")?.has_only(&["text"])
        }
        _ => delta.has_only(&["toolUse"]) && delta.get("toolUse")?.has_only(&["input"]),
    };
    let shape = repeated.shapes.get(usize::from(!is_named))?;
    shape.text_of(event.body)?.non_empty().filter(|_| is_plain)?;
    let place = blocks.growing(inner.get("contentBlockIndex"), repeated.kind)?;
    // Another event may begin another block with the same index.
    Some(Repeat { shape, target: Target::new(place, repeated.growing), is_alone: true })
}
