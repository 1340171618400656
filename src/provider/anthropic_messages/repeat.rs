//! Deltas of a block that differ from the one before in nothing but their text.

use super::block_kind::DeltaKind;
use super::blocks::Blocks;
use crate::accumulator::Builder;
use crate::json::Fragment;
use crate::provider::repeat::has_only;
use crate::provider::{Event, Repeat, Shape, Target};

/// What deltas repeat, by the kind of their target.
static SHAPES: [Shape; 3] = [
    Shape { path: &["delta", "text"], ignored: &[] },
    Shape { path: &["delta", "thinking"], ignored: &[] },
    Shape { path: &["delta", "partial_json"], ignored: &[] },
];

/// Whether the event that was read last may come again with another text.
pub(super) fn repeatable(event: &Event<'_>, blocks: &mut Blocks) -> Option<Repeat> {
    let body = event.body;
    let delta = body.get("delta").filter(|_| event.kind().as_deref() == Some("content_block_delta"))?;
    let (kind, known): (u8, &'static [&'static str]) = match DeltaKind::of(delta) {
        DeltaKind::Text => (0, &["type", "text"]),
        DeltaKind::Thinking => (1, &["type", "thinking"]),
        DeltaKind::Input => (2, &["type", "partial_json"]),
        DeltaKind::Citation | DeltaKind::Signature | DeltaKind::Other => return None,
    };
    let shape = SHAPES.get(usize::from(kind))?;
    let is_plain = has_only(body, &["type", "index", "delta"])
        && has_only(delta, known)
        && shape.text_of(body)?.filled().is_some();
    let block = blocks.block(Some(body.get_unsigned("index")?))?;
    let place = block.growing(kind).filter(|_| is_plain)?;
    Some(Repeat { shape, target: Target { place, kind }, is_alone: false })
}

/// Reads a delta again with this text.
pub(super) fn repeat(target: Target, text: &Fragment<'_>, out: &mut Builder) {
    match target.kind {
        0 => out.push_text(target.place, text),
        1 => out.push_reasoning(target.place, text),
        _ => out.push_arguments(target.place, text),
    }
}
