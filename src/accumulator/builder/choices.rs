//! Choices: how they are found, and how they end.

use super::{Builder, Finish};
use crate::accumulator::arguments::Cut;
use crate::accumulator::channel::Channel;
use crate::accumulator::choice::ChoiceState;
use crate::accumulator::journal::Note;
use crate::accumulator::place::{Place, in_order};
use crate::accumulator::tool_call::{Call, End};
use crate::model::{FinishReason, WarningCode};

impl Builder {
    /// Ends a choice and its calls. The first reason wins. Some servers send it too early: if a call's arguments are
    /// incomplete and nothing has cut it off, the ends of the calls and the reason are emitted once the choice is
    /// settled, or the stream is over.
    pub fn finish(&mut self, choice: u32, finish: Finish) {
        let Some(state) = self.choice(choice) else { return };
        let is_cut = state.finish.get_or_insert(finish).reason.may_truncate();
        self.is_done |= self.has_second_answer; // the first one has its own finish
        let Some(at) = self.choice_at(choice) else { return };
        self.close(at, if is_cut { End::Certain } else { End::Presumed });
        if self.choices.get(at).is_some_and(|choice| choice.calls.iter().all(Call::is_over)) {
            self.emit_finish(at);
        } else {
            self.start_calls(at);
        }
    }

    /// Emits what was held back of a choice that has ended, because nothing more follows.
    pub(crate) fn emit_held_back(&mut self, choice: u32) {
        if self.find_choice(choice).is_some_and(|choice| choice.finish.is_some())
            && let Some(at) = self.choice_at(choice)
        {
            self.close(at, End::Certain);
            self.emit_finish(at);
        }
    }

    /// Sets the finish reason of a choice that a later event may still continue. The reason is emitted at the end of
    /// the stream.
    pub fn hold_finish(&mut self, choice: u32, finish: Finish) {
        if let Some(state) = self.choice(choice) {
            state.finish.get_or_insert(finish);
            self.is_done |= self.has_second_answer;
        }
    }

    /// Emits the finish reason if it differs from the one emitted last: because it was held back, calls have changed
    /// it, or the provider sent another one.
    pub(super) fn emit_finish(&mut self, at: usize) {
        let Some(state) = self.choices.get_mut(at) else { return };
        let choice = state.index;
        let (Some(reason), Some(finish)) = (state.finish_reason(), &state.finish) else { return };
        let emitted = Finish { reason, ..finish.clone() };
        if state.emitted_finish.as_ref() != Some(&emitted) {
            state.emitted_finish = Some(emitted.clone());
            self.log.note(Note::Finish);
            self.log.add(|| emitted.to_delta(choice));
        }
    }

    /// Reopens a choice that had ended. Its next finish reason is emitted only if it differs from the previous one.
    pub fn reopen(&mut self, choice: u32) {
        if let Some(state) = self.choice(choice) {
            state.finish = None;
            self.is_done &= !self.has_second_answer;
        }
    }

    /// Changes the finish reason of complete choices to [`FinishReason::ContentFilter`], because a filter has
    /// intervened.
    pub(crate) fn mark_filtered(&mut self) {
        for at in 0..self.choices.len() {
            if let Some(state) = self.choices.get_mut(at)
                && state.finish_reason() == Some(FinishReason::Complete)
                && let Some(finish) = &mut state.finish
            {
                finish.reason = FinishReason::ContentFilter;
                self.emit_finish(at);
            }
        }
    }

    /// Warns of choices that ended to call a tool, but have no call.
    pub(crate) fn warn_of_missing_calls(&mut self) {
        if self.choices.iter().any(ChoiceState::lacks_call) {
            let message = "The model stopped to call a tool, but the response has no tool call";
            self.warn_once(WarningCode::MissingToolCall, message.to_owned());
        }
    }

    /// Begins a choice, whose content may be empty.
    pub(crate) fn begin_choice(&mut self, index: u32) {
        _ = self.choice_at(index);
    }

    /// Returns the position of the choice with this index, creating it if necessary. Returns `None` once a limit is
    /// exceeded.
    pub(super) fn choice_at(&mut self, index: u32) -> Option<usize> {
        if self.is_halted {
            return None;
        }
        match self.choices.binary_search_by_key(&index, |choice| choice.index) {
            Ok(at) => Some(at),
            Err(_) if self.choices.len() >= self.limits.max_choices => {
                let count = self.choices.len();
                self.exceed_count(count, "choices", "maxChoices");
                None
            }
            Err(at) => {
                if self.choices.is_empty() {
                    self.choices.reserve_exact(1); // mostly there is only one
                }
                self.choices.insert(at, ChoiceState::new(index));
                Some(at)
            }
        }
    }

    /// Whether a provider with `known` choices may read another one; if not, the limit is exceeded. The provider counts
    /// them because some have no content yet.
    pub(crate) fn may_add_choice(&mut self, known: usize) -> bool {
        let is_within = known < self.limits.max_choices;
        if !is_within && !self.is_halted {
            self.exceed_count(known, "choices", "maxChoices");
        }
        is_within
    }

    /// Whether no choice has any content yet.
    pub(crate) fn is_blank(&self) -> bool {
        self.choices.is_empty()
    }

    /// Whether the stream has ended before any choice began.
    pub(crate) fn has_ended_before_choices(&self) -> bool {
        self.is_done && self.choices.is_empty()
    }

    pub(super) fn choice(&mut self, index: u32) -> Option<&mut ChoiceState> {
        let at = self.choice_at(index)?;
        self.choices.get_mut(at)
    }

    /// Returns the choice with this index.
    pub(in crate::accumulator) fn find_choice(&self, index: u32) -> Option<&ChoiceState> {
        let at = self.choices.binary_search_by_key(&index, |choice| choice.index).ok()?;
        self.choices.get(at)
    }

    /// Closes or settles the open texts of a choice with `end`, and emits the text that they held back.
    pub(in crate::accumulator) fn end_texts(
        &mut self,
        at: usize,
        end: for<'c> fn(&'c mut Channel) -> &'c str,
    ) {
        let Some(choice) = self.choices.get_mut(at) else { return };
        let index = choice.index;
        choice.end_texts(|slot, kind, channel| {
            let before = channel.as_str().len();
            let place = Place { choice: index, slot };
            self.log.add_piece(kind, place, before, end(channel));
        });
    }

    /// Ends the texts and the calls of a choice. At a presumed end, the calls only end if the arguments of all of them
    /// are final.
    pub(super) fn close(&mut self, at: usize, end: End) {
        let Some(choice) = self.choices.get(at) else { return };
        let index = choice.index;
        let is_cut = choice.finish.as_ref().is_some_and(|finish| finish.reason.may_truncate());
        self.finish_search(Some(index), is_cut);
        // Some servers send a finish reason with each chunk: the other half of a character may be in the next one.
        self.end_texts(at, if end == End::Certain { Channel::close } else { Channel::settle });
        let Some(choice) = self.choices.get_mut(at) else { return };
        if let Some(last) = choice.calls.last_mut().filter(|_| is_cut) {
            last.mark_truncated(Cut::Perhaps);
        }
        if end == End::Presumed && !choice.calls.iter().all(Call::is_settled) {
            return;
        }
        let open = choice.calls.iter().filter(|call| !call.is_over());
        for slot in in_order(open.map(|call| call.slot)) {
            self.end_call_at(at, slot, End::Presumed);
        }
    }
}
