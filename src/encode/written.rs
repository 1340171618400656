//! Tracks how much of each text was written.

use std::ops::Range;

use super::writer::{Context, Output};
use crate::accumulator::{Note, PartKind, Place};
use crate::keyed::Keyed;
use crate::model::WarningCode;
use crate::save::state;

/// How much of each text of a response was written.
#[derive(Debug, Default)]
pub(super) struct Written {
    texts: Keyed<PartAt, Reach>,
    beside: Keyed<Place, Beside>,
}

state! { struct Written { texts, beside } }

/// A part of a response, identified by its kind and place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PartAt {
    pub(super) kind: PartKind,
    pub(super) place: Place,
}

state! { struct PartAt { kind, place } }

/// Number of annotations and log probabilities of a text that were written, or may be.
#[derive(Debug, Default)]
pub(super) struct Beside {
    pub(super) annotations: usize,
    pub(super) logprobs: usize,
}

state! { struct Beside { annotations, logprobs } }

/// How much of a text was written.
#[derive(Debug, Default)]
struct Reach {
    /// Value of `end` when the signature of this or another text was written: the text after it begins a new part.
    sealed: usize,
    end: usize,
}

state! { struct Reach { sealed, end } }

/// A piece of a text that is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) kind: PartKind,
    pub(super) place: Place,
    /// Byte offset in the text at which the part begins that the piece belongs to.
    pub(super) sealed: usize,
    /// Range of bytes in the text.
    pub(super) bytes: Range<usize>,
}

impl Written {
    /// Returns the piece of text that a note adds, if it is about a text.
    pub(super) fn next(&mut self, note: Note) -> Option<Piece> {
        let Note::Text { kind, place, end } = note else { return None };
        let reach = self.texts.entry(&PartAt { kind, place }, Reach::default);
        let from = reach.end;
        reach.end = end.max(from);
        (from < end).then_some(Piece { kind, place, sealed: reach.sealed, bytes: from..end })
    }

    /// Returns the number of bytes of a piece that repeat the other texts of its kind in its choice, as far as they
    /// were written. `None` if the piece doesn't begin with them.
    pub(super) fn others_before(&self, piece: &Piece, context: &Context<'_>) -> Option<usize> {
        let text_at = |place| context.answer.part_text(piece.kind, place);
        let text = text_at(piece.place).get(piece.bytes.clone())?;
        let mut rest = text;
        for (PartAt { kind, place }, Reach { sealed, end }) in self.texts.iter() {
            let is_other = place.choice == piece.place.choice && *place != piece.place;
            if *kind == piece.kind && is_other && sealed < end {
                rest = rest.strip_prefix(text_at(*place).get(*sealed..*end)?)?;
            }
        }
        Some(text.len() - rest.len())
    }

    /// Records that the signature of a text was written: text that follows in its choice begins a new part.
    pub(super) fn seal_texts(&mut self, choice: u32) {
        for (at, reach) in self.texts.iter_mut() {
            if at.kind == PartKind::Text && at.place.choice == choice {
                reach.sealed = reach.end;
            }
        }
    }

    /// Moves a text whose beginning came after the rest. Returns whether some of the rest was already written.
    pub(super) fn move_text(&mut self, kind: PartKind, place: Place, by: usize, out: &mut Output) -> bool {
        let known = self.texts.get_mut(&PartAt { kind, place });
        let Some(reach) = known.filter(|reach| reach.end > 0) else { return false };
        reach.end += by;
        reach.sealed += by;
        lose_beginning(out);
        true
    }

    /// Returns the counts of annotations and log probabilities of a text.
    pub(super) fn beside(&mut self, place: Place) -> &mut Beside {
        self.beside.entry(&place, Beside::default)
    }
}

/// Reports arguments that replaced ones already written.
pub(super) fn lose_replaced(out: &mut Output) {
    let message = "Arguments that replace ones already written were dropped";
    out.lost.add(WarningCode::LostText, message);
}

/// Reports a beginning that came after the rest was written.
pub(super) fn lose_beginning(out: &mut Output) {
    let message = "The source began in the middle of the response; the beginning, which it sent at its end, was dropped";
    out.lost.add(WarningCode::LostText, message);
}
