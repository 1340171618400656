//! Tracks how much of each text was written.

use std::ops::Range;

use super::writer::{Context, Output};
use crate::accumulator::{Note, PartKind, Place};
use crate::keyed::Keyed;
use crate::model::WarningCode;
use crate::save::state;

/// How much of each text of a response was written.
#[derive(Debug, Default)]
pub(super) struct WrittenTexts {
    texts: Keyed<PartKey, Reach>,
    metadata_counts: Keyed<Place, MetadataCounts>,
}

state! { struct WrittenTexts { texts, metadata_counts } }

/// A part of a response, identified by its kind and place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PartKey {
    pub(super) kind: PartKind,
    pub(super) place: Place,
}

state! { struct PartKey { kind, place } }

/// Number of annotations and log probabilities of a text that were written, or may be.
#[derive(Debug, Default)]
pub(super) struct MetadataCounts {
    pub(super) annotations: usize,
    pub(super) logprobs: usize,
}

state! { struct MetadataCounts { annotations, logprobs } }

/// How much of a text was written.
#[derive(Debug, Default)]
struct Reach {
    /// Value of `end` when the signature of this or another text was written: the text after it begins a new part.
    signed_end: usize,
    end: usize,
}

state! { struct Reach { signed_end, end } }

/// A piece of a text that is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) kind: PartKind,
    pub(super) place: Place,
    /// Byte offset in the text at which the part begins that the piece belongs to.
    pub(super) part_start: usize,
    /// Range of bytes in the text.
    pub(super) bytes: Range<usize>,
}

impl WrittenTexts {
    /// Returns the piece of text that a note adds, if it is about a text.
    pub(super) fn next(&mut self, note: Note) -> Option<Piece> {
        let Note::Text { kind, place, end } = note else { return None };
        let reach = self.texts.entry(&PartKey { kind, place }, Reach::default);
        let from = reach.end;
        reach.end = end.max(from);
        (from < end).then_some(Piece { kind, place, part_start: reach.signed_end, bytes: from..end })
    }

    /// Returns the number of bytes of a piece that repeat the other texts of its kind in its choice, as far as they
    /// were written. `None` if the piece doesn't begin with them.
    pub(super) fn repeated_prefix_len(&self, piece: &Piece, context: &Context<'_>) -> Option<usize> {
        let text_at = |place| context.answer.part_text(piece.kind, place);
        let text = text_at(piece.place).get(piece.bytes.clone())?;
        let mut rest = text;
        for (PartKey { kind, place }, Reach { signed_end, end }) in self.texts.iter() {
            let is_other = place.choice == piece.place.choice && *place != piece.place;
            if *kind == piece.kind && is_other && signed_end < end {
                rest = rest.strip_prefix(text_at(*place).get(*signed_end..*end)?)?;
            }
        }
        Some(text.len() - rest.len())
    }

    /// Records that the signature of a text was written: text that follows in its choice begins a new part.
    pub(super) fn end_signed_text(&mut self, choice: u32) {
        for (at, reach) in self.texts.iter_mut() {
            if at.kind == PartKind::Text && at.place.choice == choice {
                reach.signed_end = reach.end;
            }
        }
    }

    /// Moves a text whose beginning came after the rest. Returns whether some of the rest was already written.
    pub(super) fn move_text(&mut self, kind: PartKind, place: Place, by: usize, out: &mut Output) -> bool {
        let known = self.texts.get_mut(&PartKey { kind, place });
        let Some(reach) = known.filter(|reach| reach.end > 0) else { return false };
        reach.end += by;
        reach.signed_end += by;
        report_late_beginning(out);
        true
    }

    /// Returns the counts of annotations and log probabilities of a text.
    pub(super) fn beside(&mut self, place: Place) -> &mut MetadataCounts {
        self.metadata_counts.entry(&place, MetadataCounts::default)
    }
}

/// Reports arguments that replace ones already written. They are written after those, so that no client takes the first
/// ones for all arguments.
pub(super) fn report_replaced_arguments(out: &mut Output) {
    let message = "Arguments that replace ones already written were written after them";
    out.lost.add(WarningCode::LostText, message);
}

/// Reports a beginning that came after the rest was written.
pub(super) fn report_late_beginning(out: &mut Output) {
    let message = "The source began in the middle of the response; the beginning, which it sent at its end, was dropped";
    out.lost.add(WarningCode::LostText, message);
}
