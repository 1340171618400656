//! Events that differ from the previous one only in a piece of text.

use super::block::BlockKind;
use super::blocks::Blocks;
use super::event::delta_of;
use crate::provider::{Event, Growing, Repeat, Shape, Target};

/// A kind of delta that can be repeated.
struct Repeated {
    kind: BlockKind,
    growing: Growing,
    /// Member of the delta, and, if that is an object, the member inside it that contains the text.
    path: &'static [&'static str],
    /// Position of the text in a named event, and in an event that is a member of an object.
    shapes: [Shape; 2],
}

const fn shape(path: &'static [&'static str], ignored: &'static [&'static str]) -> Shape {
    Shape { path, ignored, usage: None }
}

/// The kinds of delta that can be repeated.
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

/// Returns how the event that was read last can be repeated with another text.
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
    let place = blocks.append_place(inner.get("contentBlockIndex"), repeated.kind)?;
    // Another event may begin another block with the same index.
    Some(Repeat { shape, target: Target::new(place, repeated.growing), is_alone: true })
}
