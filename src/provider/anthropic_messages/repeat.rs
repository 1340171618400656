//! Deltas of a block that differ from the previous one only in their text.

use super::block::deltas::Delta;
use super::block_kind::DeltaKind;
use super::blocks::Blocks;
use crate::provider::{Event, Growing, Repeat, Shape, Target};

/// A kind of delta that may be repeated.
struct Repeated {
    kind: DeltaKind,
    growing: Growing,
    shape: Shape,
    /// Members that its `delta` may have.
    known: &'static [&'static str],
}

/// Kinds of deltas that may be repeated.
static REPEATED: [Repeated; 3] = [
    Repeated {
        kind: DeltaKind::Text,
        growing: Growing::Text,
        shape: Shape { path: &["delta", "text"], ignored: &[], usage: None },
        known: &["type", "text"],
    },
    Repeated {
        kind: DeltaKind::Thinking,
        growing: Growing::Reasoning,
        shape: Shape { path: &["delta", "thinking"], ignored: &[], usage: None },
        known: &["type", "thinking"],
    },
    Repeated {
        kind: DeltaKind::Input,
        growing: Growing::Arguments,
        shape: Shape { path: &["delta", "partial_json"], ignored: &[], usage: None },
        known: &["type", "partial_json"],
    },
];

/// Returns how the last event may be repeated with another text; `None` if it can't be.
pub(super) fn repeatable(event: &Event<'_>, blocks: &mut Blocks) -> Option<Repeat> {
    let body = event.body;
    let delta = body.get("delta").filter(|_| event.kind() == Some("content_block_delta"))?;
    let fields = Delta::of(delta);
    let kind = DeltaKind::of(&fields);
    let Repeated { growing, shape, known, .. } = REPEATED.iter().find(|repeated| repeated.kind == kind)?;
    let is_plain = body.has_only(&["type", "index", "delta"])
        && delta.has_only(known)
        && !fields.has_misfits()
        && shape.text_of(body)?.non_empty().is_some();
    let block = blocks.block(Some(body.get_unsigned("index")?))?;
    let place = block.append_place(kind).filter(|_| is_plain)?;
    Some(Repeat { shape, target: Target::new(place, *growing), is_alone: false })
}
