//! Choices: where they are, and how they end.

use super::{Builder, Finish};
use crate::accumulator::arguments::Cut;
use crate::accumulator::channel::Channel;
use crate::accumulator::choice::ChoiceState;
use crate::accumulator::journal::Note;
use crate::accumulator::place::{Place, in_order};
use crate::accumulator::tool_call::Call;
use crate::model::FinishReason;

impl Builder {
    /// A choice has ended; its calls end with it. The first reason stays. Some servers give it too early: if a call has no
    /// whole arguments, and nothing has cut it off, its end and the reason are emitted once the choice is
    /// settled, or the stream over.
    pub fn finish(&mut self, choice: u32, finish: Finish) {
        let Some(state) = self.choice(choice) else { return };
        let is_cut = state.finish.get_or_insert(finish).reason.may_cut();
        self.is_done |= self.has_second; // the first one has its own finish
        let Some(at) = self.choice_at(choice) else { return };
        self.close(at, is_cut);
        if self.choices.get(at).is_some_and(|choice| choice.calls.iter().all(Call::is_over)) {
            self.emit_finish(at);
        } else {
            self.start_calls(at);
        }
    }

    /// Nothing more comes of a choice that has ended: emits what was held back.
    pub(crate) fn settle(&mut self, choice: u32) {
        if self.find_choice(choice).is_some_and(|choice| choice.finish.is_some())
            && let Some(at) = self.choice_at(choice)
        {
            self.close(at, true);
            self.emit_finish(at);
        }
    }

    /// A choice has ended, unless another response continues it: the reason is emitted when the stream is over.
    pub fn hold_finish(&mut self, choice: u32, finish: Finish) {
        if let Some(state) = self.choice(choice) {
            state.finish.get_or_insert(finish);
            self.is_done |= self.has_second;
        }
    }

    /// Emits the reason, unless it is known: it was held back, is another one since calls have come, or the provider
    /// says another.
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

    /// A choice goes on that had ended. Its next end is emitted only if its reason is another.
    pub fn reopen(&mut self, choice: u32) {
        if let Some(state) = self.choice(choice) {
            state.finish = None;
            self.is_done &= !self.has_second;
        }
    }

    /// Something has filtered what looks complete.
    pub(crate) fn filter(&mut self) {
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

    /// Where the choice of this index is; it is made where it is new. `None` where nothing is read any more.
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

    /// Whether a provider that knows so many choices may read another one. Some have nothing yet that is emitted.
    pub(crate) fn admits_choice(&mut self, known: usize) -> bool {
        let is_within = known < self.limits.max_choices;
        if !is_within && !self.is_halted {
            self.exceed_count(known, "choices", "maxChoices");
        }
        is_within
    }

    /// Whether nothing has been emitted of any choice.
    pub(crate) fn is_blank(&self) -> bool {
        self.choices.is_empty()
    }

    /// Whether an end has come, and nothing before it.
    pub(crate) fn is_only_end(&self) -> bool {
        self.is_done && self.choices.is_empty()
    }

    pub(super) fn choice(&mut self, index: u32) -> Option<&mut ChoiceState> {
        let at = self.choice_at(index)?;
        self.choices.get_mut(at)
    }

    /// The choice of this index, where there is one.
    pub(in crate::accumulator) fn find_choice(&self, index: u32) -> Option<&ChoiceState> {
        let at = self.choices.binary_search_by_key(&index, |choice| choice.index).ok()?;
        self.choices.get(at)
    }

    /// Ends the texts of a choice, or emits what of them is held back.
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
            self.log.piece(kind, place, before, end(channel));
        });
    }

    /// Ends the text of a choice, and its calls: unless the stream `is_over`, only if the arguments of all are as they will be.
    pub(super) fn close(&mut self, at: usize, is_over: bool) {
        let Some(choice) = self.choices.get(at) else { return };
        let index = choice.index;
        self.finish_search(Some(index));
        // Some servers give a reason with each chunk: the other half of a character may be in the next one.
        self.end_texts(at, if is_over { Channel::close } else { Channel::settle });
        let Some(choice) = self.choices.get_mut(at) else { return };
        let is_cut = choice.finish.as_ref().is_some_and(|finish| finish.reason.may_cut());
        if let Some(last) = choice.calls.last_mut().filter(|_| is_cut) {
            last.cut(Cut::Perhaps);
        }
        if !is_over && !choice.calls.iter().all(Call::is_settled) {
            return;
        }
        let open = choice.calls.iter().filter(|call| !call.is_over());
        for slot in in_order(open.map(|call| call.slot)) {
            self.end_call_at(at, slot, false);
        }
    }
}
