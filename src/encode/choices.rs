//! Selects the choice to write, for interfaces that have only one.

use super::writer::{Context, Output};
use crate::accumulator::{Builder, Note, PartKind, Place};
use crate::json::ProgressState;
use crate::model::WarningCode;
use crate::save::state;

/// The choice that is written: the one with the lowest index.
#[derive(Debug, Default)]
pub(super) struct OnlyChoice {
    has_begun: bool,
    /// Index of the choice that is written.
    pub(super) index: u32,
}

state! { struct OnlyChoice { has_begun, index } }

impl OnlyChoice {
    /// Accepts a note about the written choice or the whole response; returns `false` for any other, and reports its
    /// choice as lost.
    pub(super) fn accept(&mut self, note: Note, out: &mut Output) -> bool {
        let Some(index) = note.choice() else { return true };
        if index == self.index {
            self.has_begun = true;
            return true;
        }
        if self.has_begun {
            report_lost_choices(out);
        }
        false
    }

    /// Returns the notes for the choice that is written instead, if the expected one never came.
    pub(super) fn take_fallback_notes(&mut self, context: &Context<'_>, out: &mut Output) -> Vec<Note> {
        let mut indices = context.answer.choice_indices();
        let first = indices.next();
        // Other choices may have come before the written one.
        if indices.next().is_some() {
            report_lost_choices(out);
        }
        let is_other = |first: &u32| !self.has_begun && *first != self.index;
        let Some(first) = first.filter(is_other) else { return Vec::new() };
        self.index = first;
        choice_notes(first, context.answer)
    }
}

fn report_lost_choices(out: &mut Output) {
    out.lost.add(WarningCode::LostChoices, "Only one choice was written: the interface has no others");
}

/// Returns notes for the whole content of a choice.
fn choice_notes(choice: u32, answer: &Builder) -> Vec<Note> {
    let mut notes = Vec::new();
    for (kind, place) in answer.parts_of(choice) {
        match kind {
            PartKind::Whole => notes.push(Note::Part { place }),
            PartKind::Audio => notes.push(Note::Audio { place }),
            PartKind::Text | PartKind::Reasoning | PartKind::Refusal => {
                let mut add = |is_there, note| {
                    if is_there {
                        notes.push(note);
                    }
                };
                let end = answer.part_text(kind, place).len();
                let view = answer.reasoning_view(place);
                add(end > 0, Note::Text { kind, place, end });
                add(view.signature.is_some(), Note::Signature { kind, place });
                add(view.encrypted.is_some(), Note::Encrypted { place });
                add(answer.text_signature(place).is_some(), Note::Signature { kind, place });
                let is_text = kind == PartKind::Text;
                let end = answer.annotations_at(place).len();
                add(is_text && end > 0, Note::Annotations { place, end });
                let end = answer.logprobs_at(place).len();
                add(is_text && end > 0, Note::Logprobs { place, end });
            }
        }
    }
    for place in answer.calls_of(choice) {
        notes.push(Note::CallStart { place });
        notes.push(call_end(place, answer));
    }
    notes
}

fn call_end(place: Place, answer: &Builder) -> Note {
    let is_empty = answer.arguments_state(place) == ProgressState::Empty;
    Note::CallEnd { place, end: if is_empty { 0 } else { answer.arguments_at(place).len() } }
}

/// Returns a note for the end of each call.
pub(super) fn call_ends(answer: &Builder) -> Vec<Note> {
    let mut notes = Vec::new();
    for choice in answer.choice_indices() {
        for place in answer.calls_of(choice) {
            notes.push(call_end(place, answer));
        }
    }
    notes
}
