//! The response so far, for encoders that write it in another interface.

use super::Builder;
use crate::accumulator::Recording;
use crate::accumulator::choice::{Part, PartKind};
use crate::accumulator::journal::{Journal, Note};
use crate::accumulator::place::Place;
use crate::accumulator::tool_call::{Call, ToolKind};
use crate::collect::Collect;
use crate::model::{ContentPart, FinishReason, ToolCallStatus};

/// Fields of a reasoning part besides its text.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ReasoningView<'b> {
    pub(crate) signature: Option<&'b str>,
    pub(crate) encrypted: Option<&'b str>,
    pub(crate) id: Option<&'b str>,
    /// Name of the signature's format, if it isn't the provider's own.
    pub(crate) format: Option<&'b str>,
}

impl Builder {
    /// Starts the journal. `has_begun` is whether the encoder has already begun the response.
    pub(crate) fn keep_journal(&mut self, has_begun: bool) {
        let is_joining = self.is_joining();
        self.log.journal = Some(Box::new(Journal::new(is_joining, has_begun)));
    }

    /// Sets whether the encoder has begun the response. If not, it has to write the first note before more is read.
    pub(crate) fn set_begun(&mut self, has_begun: bool) {
        if let Some(journal) = &mut self.log.journal {
            journal.has_begun = has_begun;
        }
    }

    /// Sets which deltas are recorded from now on.
    pub(crate) fn set_recording(&mut self, recording: Recording) {
        self.log.set_recording(recording);
    }

    /// Whether there are deltas that have not been taken.
    pub(crate) fn has_deltas(&self) -> bool {
        self.log.has_deltas()
    }

    /// Swaps the notes since the last call for an empty list.
    pub(crate) fn swap_notes(&mut self, notes: &mut Vec<Note>) {
        if let Some(journal) = &mut self.log.journal {
            journal.swap(notes);
        }
    }

    /// Returns the text so far of a text, reasoning or refusal part.
    pub(crate) fn part_text(&self, kind: PartKind, place: Place) -> &str {
        self.channel_text(place, kind)
    }

    /// Returns the fields of a reasoning part besides its text.
    pub(crate) fn reasoning_view(&self, place: Place) -> ReasoningView<'_> {
        match self.find_part(place, PartKind::Reasoning) {
            Some(Part::Reasoning { signature, encrypted, id, format, .. }) => ReasoningView {
                signature: signature.as_deref(),
                encrypted: encrypted.as_deref(),
                id: id.as_deref(),
                format: format.as_deref(),
            },
            _ => ReasoningView::default(),
        }
    }

    /// Returns the signature of a text part.
    pub(crate) fn text_signature(&self, place: Place) -> Option<&str> {
        match self.find_part(place, PartKind::Text)? {
            Part::Text { signature, .. } => signature.as_deref(),
            _ => None,
        }
    }

    /// Returns the phase of the message at a place.
    pub(crate) fn phase(&self, place: Place) -> Option<&str> {
        self.find_choice(place.choice)?.phase(place.slot)
    }

    /// Returns a part that arrives as a whole.
    pub(crate) fn whole_part(&self, place: Place) -> Option<&ContentPart> {
        match self.find_part(place, PartKind::Whole)? {
            Part::Whole(part) => Some(part),
            _ => None,
        }
    }

    /// Whether an encoder has to write the notes before more is read.
    pub(crate) fn is_note_due(&self) -> bool {
        self.log.is_due()
    }

    /// Whether a call has ended.
    pub(crate) fn is_call_over(&self, place: Place) -> bool {
        self.find_call(place).is_some_and(Call::is_over)
    }

    /// Whether a call is cut off, even if its arguments, or their absence, look complete.
    pub(crate) fn is_call_truncated(&self, place: Place) -> bool {
        self.find_call(place).is_some_and(|call| call.status() == ToolCallStatus::Truncated)
    }

    /// Whether a call is one of a custom tool.
    pub(crate) fn is_custom(&self, place: Place) -> bool {
        self.find_call(place).is_some_and(|call| call.tool == ToolKind::Custom)
    }

    /// Returns the signature of a call.
    pub(crate) fn call_signature(&self, place: Place) -> Option<&str> {
        self.find_call(place)?.signature.as_deref()
    }

    /// Returns the signature of a call, without the pieces that arrived after its end.
    pub(crate) fn call_signature_before_end(&self, place: Place) -> Option<&str> {
        let call = self.find_call(place)?;
        let signature = call.signature.as_deref();
        if call.is_over() {
            signature?.get(..call.signed).filter(|early| !early.is_empty())
        } else {
            signature
        }
    }

    /// Returns the parts of a choice, in order.
    pub(crate) fn parts_of(&self, choice: u32) -> Vec<(PartKind, Place)> {
        let Some(state) = self.find_choice(choice) else { return Vec::new() };
        state.part_keys().map(|(slot, kind)| (kind, Place { choice, slot })).collect_vec()
    }

    /// Returns the calls of a choice in order, without superseded and repeated ones.
    pub(crate) fn calls_of(&self, choice: u32) -> Vec<Place> {
        let Some(state) = self.find_choice(choice) else { return Vec::new() };
        state.calls.sorted().into_iter().map(|call| Place { choice, slot: call.slot }).collect_vec()
    }

    /// Returns notes for the calls that are still open, including what was held back of them.
    pub(crate) fn notes_of_open_calls(&mut self) -> Vec<Note> {
        self.generate_call_ids();
        let mut notes = Vec::new();
        for choice in &mut self.choices {
            for call in choice.calls.sorted().into_iter().filter(|call| call.is_under_way()) {
                let place = Place { choice: choice.index, slot: call.slot };
                notes.push(Note::CallStart { place });
                if call.has_unnoted_arguments() {
                    notes.push(Note::CallArguments { place, end: call.arguments().len() });
                }
            }
        }
        notes
    }

    /// Compares another response, which repeats this one: a difference is a warning. Returns whether the other one has
    /// text or calls. A long response takes no more time than a short one, because many others may follow it.
    pub(crate) fn compare_repeated_answer(&mut self, other: &Self) -> bool {
        let Some(other) = other.choices.first().filter(|other| !other.is_empty_answer()) else {
            return false;
        };
        let known = self.choices.first();
        if known.is_none_or(|known| !known.has_same_text(other)) {
            self.warn_mismatch(PartKind::Text.name());
        } else if known.is_none_or(|known| !known.has_same_calls(other)) {
            self.warn_mismatch("tool calls");
        }
        true
    }

    /// Returns the indices of the choices, in order.
    pub(crate) fn choice_indices(&self) -> impl Iterator<Item = u32> {
        self.choices.iter().map(|choice| choice.index)
    }

    /// Returns the finish reason of a choice, normalised and in the provider's own word.
    pub(crate) fn finish_of(&self, choice: u32) -> (Option<FinishReason>, Option<&str>) {
        let Some(choice) = self.find_choice(choice) else { return (None, None) };
        (choice.finish_reason(), choice.finish.as_ref().and_then(|finish| finish.raw.as_deref()))
    }
}
