//! Interfaces that have only one choice.

use super::writer::Output;
use crate::accumulator::Note;
use crate::model::WarningCode;

/// Whether a note is about the one choice that is written, which is the first one that something comes for.
pub(super) fn only_choice(choice: &mut Option<u32>, note: Note, out: &mut Output) -> bool {
    let Some(index) = note.choice() else { return true };
    let is_it = *choice.get_or_insert(index) == index;
    if !is_it {
        out.lost.add(WarningCode::LostChoices, "Only one choice was written: the interface has no others");
    }
    is_it
}
