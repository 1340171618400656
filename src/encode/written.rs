//! How far texts were written.

use std::ops::Range;

use super::writer::{Context, Output};
use crate::accumulator::{Note, PartKind, Place};
use crate::model::WarningCode;
use crate::save::state;

/// How far the texts of a response were written.
#[derive(Debug, Default)]
pub(super) struct Written {
    texts: Vec<Reach>,
    beside: Vec<(Place, Beside)>,
}

state! { struct Written { texts, beside } }

/// How many annotations and log probabilities of a text were written, or may be.
#[derive(Debug, Default)]
pub(super) struct Beside {
    pub(super) annotations: usize,
    pub(super) logprobs: usize,
}

state! { struct Beside { annotations, logprobs } }

/// How far a text was written.
#[derive(Debug)]
struct Reach {
    kind: PartKind,
    place: Place,
    end: usize,
}

state! { struct Reach { kind, place, end } }

/// A piece of a text that is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) kind: PartKind,
    pub(super) place: Place,
    /// Which bytes of the text it is.
    pub(super) bytes: Range<usize>,
}

impl Written {
    /// What of a text is to be written after a note, if it is about one.
    pub(super) fn next(&mut self, note: Note, out: &mut Output) -> Option<Piece> {
        let (kind, place, end, by) = match note {
            Note::Text { kind, place, end } => (kind, place, end, 0),
            Note::TextMoved { kind, place, by, end } => (kind, place, end, by),
            _ => return None,
        };
        let known = self.texts.iter().rposition(|reach| reach.kind == kind && reach.place == place);
        let at = known.unwrap_or_else(|| {
            self.texts.push(Reach { kind, place, end: 0 });
            self.texts.len() - 1
        });
        let reach = self.texts.get_mut(at)?;
        if by > 0 && reach.end > 0 {
            lose_beginning(out);
            reach.end += by;
        }
        let from = reach.end;
        reach.end = end.max(from);
        (from < end).then_some(Piece { kind, place, bytes: from..end })
    }

    /// What was written of the other texts of this kind in the choice of a piece.
    pub(super) fn others<'a>(
        &'a self,
        piece: &Piece,
        context: &Context<'a>,
    ) -> impl Iterator<Item = &'a str> + Clone {
        let (kind, place, answer) = (piece.kind, piece.place, context.answer);
        let is_other = move |reach: &&Reach| {
            reach.kind == kind && reach.place != place && reach.place.choice == place.choice
        };
        self.texts
            .iter()
            .filter(is_other)
            .map(move |reach| answer.part_text(kind, reach.place).get(..reach.end).unwrap_or_default())
    }

    /// By how much a note moves what was written of a text, because its beginning has come. To be asked before
    /// [`next`](Self::next).
    pub(super) fn moved_by(&self, note: Note) -> Option<(PartKind, Place, usize)> {
        let Note::TextMoved { kind, place, by, .. } = note else { return None };
        let is_written = |reach: &Reach| reach.kind == kind && reach.place == place && reach.end > 0;
        self.texts.iter().any(is_written).then_some((kind, place, by))
    }

    /// How much of what belongs to a text was written, or may be.
    pub(super) fn beside(&mut self, place: Place) -> Option<&mut Beside> {
        if self.beside.iter().all(|(known, _)| *known != place) {
            self.beside.push((place, Beside::default()));
        }
        self.beside.iter_mut().find(|(known, _)| *known == place).map(|(_, beside)| beside)
    }
}

/// The beginning of something came after the rest had been written.
pub(super) fn lose_beginning(out: &mut Output) {
    let message = "The source began in the middle of the response; what it sent of the beginning at its end was not written";
    out.lost.add(WarningCode::LostText, message);
}
