//! Deltas of a block that differ from the one before in nothing but their text.

use super::block::Delta;
use super::block_kind::DeltaKind;
use super::blocks::Blocks;
use crate::accumulator::Builder;
use crate::json::Fragment;
use crate::provider::{Event, Repeat, Shape, Target};

/// A kind of delta that may be repeated.
struct Repeated {
    kind: DeltaKind,
    shape: Shape,
    /// Members that its `delta` may have.
    known: &'static [&'static str],
}

/// What deltas repeat; its place here is the kind of the target.
static REPEATED: [Repeated; 3] = [
    Repeated {
        kind: DeltaKind::Text,
        shape: Shape { path: &["delta", "text"], ignored: &[], usage: None },
        known: &["type", "text"],
    },
    Repeated {
        kind: DeltaKind::Thinking,
        shape: Shape { path: &["delta", "thinking"], ignored: &[], usage: None },
        known: &["type", "thinking"],
    },
    Repeated {
        kind: DeltaKind::Input,
        shape: Shape { path: &["delta", "partial_json"], ignored: &[], usage: None },
        known: &["type", "partial_json"],
    },
];

/// Whether the event that was read last may come again with another text.
pub(super) fn repeatable(event: &Event<'_>, blocks: &mut Blocks) -> Option<Repeat> {
    let body = event.body;
    let delta = body.get("delta").filter(|_| event.label() == Some("content_block_delta"))?;
    let kind = DeltaKind::of(&Delta::of(delta));
    let at = REPEATED.iter().position(|repeated| repeated.kind == kind)?;
    let Repeated { shape, known, .. } = REPEATED.get(at)?;
    let is_plain = body.has_only(&["type", "index", "delta"])
        && delta.has_only(known)
        && shape.text_of(body)?.label().is_some();
    let block = blocks.block(Some(body.get_unsigned("index")?))?;
    let place = block.growing(kind).filter(|_| is_plain)?;
    let is_call = kind == DeltaKind::Input;
    Some(Repeat { shape, target: Target { place, kind: at as u8, is_call }, is_alone: false })
}

/// Reads a delta again with this text.
pub(super) fn repeat(target: &Target, text: &Fragment<'_>, out: &mut Builder) {
    match REPEATED.get(usize::from(target.kind)).map(|repeated| repeated.kind) {
        Some(DeltaKind::Text) => out.push_text(target.place, text),
        Some(DeltaKind::Thinking) => out.push_reasoning(target.place, text),
        _ => out.push_arguments(target.place, text),
    }
}
