//! What has come so far, for those who write it in another form.

use super::Builder;
use crate::accumulator::Recording;
use crate::accumulator::choice::{Part, PartKind};
use crate::accumulator::journal::{Journal, Note};
use crate::accumulator::place::Place;
use crate::accumulator::tool_call::{Call, ToolKind};
use crate::collect::Collect;
use crate::model::{ContentPart, FinishReason, ToolCallStatus};

/// What a reasoning part has besides its text.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ReasoningView<'b> {
    pub(crate) signature: Option<&'b str>,
    pub(crate) encrypted: Option<&'b str>,
    pub(crate) id: Option<&'b str>,
    /// Whose signature it is, where that is not the provider's.
    pub(crate) format: Option<&'b str>,
}

impl Builder {
    /// Notes from now on what the provider says. `has_begun`: something was noted before.
    pub(crate) fn keep_journal(&mut self, has_begun: bool) {
        let is_joining = self.is_joining();
        self.log.journal = Some(Box::new(Journal::new(is_joining, has_begun)));
    }

    /// Whether the response has begun: the first note of one that has not is to be written before more is read.
    pub(crate) fn set_begun(&mut self, has_begun: bool) {
        if let Some(journal) = &mut self.log.journal {
            journal.has_begun = has_begun;
        }
    }

    /// From now on these deltas are kept.
    pub(crate) fn set_recording(&mut self, recording: Recording) {
        self.log.set_recording(recording);
    }

    /// Whether there are deltas that have not been taken.
    pub(crate) fn has_deltas(&self) -> bool {
        self.log.has_deltas()
    }

    /// Exchanges the notes since the last time for an empty list.
    pub(crate) fn swap_notes(&mut self, notes: &mut Vec<Note>) {
        if let Some(journal) = &mut self.log.journal {
            journal.swap(notes);
        }
    }

    /// Text, reasoning or a refusal, as far as it has come.
    pub(crate) fn part_text(&self, kind: PartKind, place: Place) -> &str {
        self.channel_text(place, kind)
    }

    /// What a reasoning part has besides its text.
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

    /// The signature of a text part.
    pub(crate) fn text_signature(&self, place: Place) -> Option<&str> {
        match self.find_part(place, PartKind::Text)? {
            Part::Text { signature, .. } => signature.as_deref(),
            _ => None,
        }
    }

    /// The phase of the message at a place.
    pub(crate) fn phase(&self, place: Place) -> Option<&str> {
        self.find_choice(place.choice)?.phase(place.slot)
    }

    /// A part that comes as a whole.
    pub(crate) fn whole_part(&self, place: Place) -> Option<&ContentPart> {
        match self.find_part(place, PartKind::Whole)? {
            Part::Whole(part) => Some(part),
            _ => None,
        }
    }

    /// Whether an encoder has to write what is noted before more is read.
    pub(crate) fn is_due(&self) -> bool {
        self.log.is_due()
    }

    /// Whether the end of a call is known.
    pub(crate) fn is_call_over(&self, place: Place) -> bool {
        self.find_call(place).is_some_and(Call::is_over)
    }

    /// Whether a call is cut off, also if its arguments, or that there are none, look whole.
    pub(crate) fn is_cut(&self, place: Place) -> bool {
        self.find_call(place).is_some_and(|call| call.status() == ToolCallStatus::Truncated)
    }

    /// Whether a call is one of a custom tool.
    pub(crate) fn is_custom(&self, place: Place) -> bool {
        self.find_call(place).is_some_and(|call| call.tool == ToolKind::Custom)
    }

    /// The signature of a call.
    pub(crate) fn call_signature(&self, place: Place) -> Option<&str> {
        self.find_call(place)?.signature.as_deref()
    }

    /// The same, without what has come after the end of the call.
    pub(crate) fn call_signature_in_time(&self, place: Place) -> Option<&str> {
        let call = self.find_call(place)?;
        let signature = call.signature.as_deref();
        if call.is_over() {
            signature?.get(..call.signed).filter(|early| !early.is_empty())
        } else {
            signature
        }
    }

    /// The parts of a choice, in order.
    pub(crate) fn parts_of(&self, choice: u32) -> Vec<(PartKind, Place)> {
        let Some(state) = self.find_choice(choice) else { return Vec::new() };
        state.part_keys().map(|(slot, kind)| (kind, Place { choice, slot })).collect_vec()
    }

    /// The calls of a choice that count, in order.
    pub(crate) fn calls_of(&self, choice: u32) -> Vec<Place> {
        let Some(state) = self.find_choice(choice) else { return Vec::new() };
        state.calls.sorted().into_iter().map(|call| Place { choice, slot: call.slot }).collect_vec()
    }

    /// Notes of what is known of the calls that are still open, also where that waited for more.
    pub(crate) fn notes_of_open_calls(&mut self) -> Vec<Note> {
        self.name_calls();
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

    /// Whether another answer has anything to say. This one is kept before it; a difference is a warning. Takes no longer
    /// for a long answer than for a short one: many others may follow it.
    pub(crate) fn is_kept_before(&mut self, other: &Self) -> bool {
        let Some(other) = other.choices.first().filter(|other| !other.says_nothing()) else { return false };
        let known = self.choices.first();
        if known.is_none_or(|known| !known.has_same_text(other)) {
            self.warn_of_mismatch(PartKind::Text.name());
        } else if known.is_none_or(|known| !known.has_same_calls(other)) {
            self.warn_of_mismatch("tool calls");
        }
        true
    }

    /// The indices of the choices, in order.
    pub(crate) fn choice_indices(&self) -> impl Iterator<Item = u32> {
        self.choices.iter().map(|choice| choice.index)
    }

    /// Why a choice ended, in common words and in the provider's.
    pub(crate) fn finish_of(&self, choice: u32) -> (Option<FinishReason>, Option<&str>) {
        let Some(choice) = self.find_choice(choice) else { return (None, None) };
        (choice.finish_reason(), choice.finish.as_ref().and_then(|finish| finish.raw.as_deref()))
    }
}
