//! Tool calls.

use super::Builder;
use crate::accumulator::arguments::Cut;
use crate::accumulator::channel::Channel;
use crate::accumulator::choice::FIRST_FOUND_CALL;
use crate::accumulator::journal::Note;
use crate::accumulator::place::{Place, Slot, in_order};
use crate::accumulator::tool_call::{Call, End, ToolKind};
use crate::error::quote;
use crate::json::ProgressState;
use crate::model::WarningCode;

impl Builder {
    /// Begins a tool call, or adds its id and name as far as they are known. The first id and name win.
    pub fn open_call(&mut self, place: Place, id: Option<&str>, name: Option<&str>) {
        let Some(at) = self.call_at(place) else { return };
        let Some(choice) = self.choices.get_mut(at) else { return };
        let id = id.filter(|id| !id.is_empty());
        if id.is_some() {
            choice.calls.withdraw_id(place.slot);
        }
        let is_known = choice.calls.get(place.slot).is_some_and(|call| call.id().is_some());
        if let Some(id) = id.filter(|_| !is_known) {
            choice.calls.assign_provider_id(place.slot, id, name.filter(|name| !name.is_empty()));
        }
        let Some(call) = choice.calls.get_mut(place.slot) else { return };
        if let Some(name) = name.filter(|name| !name.is_empty() && call.name().is_none()) {
            call.set_name(name);
        }
        if let Some(id) = id
            && call.record_provider_id(id)
        {
            self.warn_late_id(id);
        }
        self.emit_call(at, place.slot);
    }

    /// Generates an id for a call that has none: the provider would have sent it with the name.
    #[cfg(feature = "gemini")]
    pub(crate) fn generate_call_id(&mut self, place: Place) {
        if let Some(at) = self.call_at(place) {
            self.generate_id_if_missing(at, place.slot);
            self.emit_call(at, place.slot);
        }
    }

    /// Sets the name of a call whose id may still arrive, and the id to use if none does. Until an id arrives or the
    /// call ends, the call isn't emitted.
    pub(crate) fn hold_back_call(&mut self, place: Place, id: &str, name: &str) {
        let Some(choice) = self.call_at(place).and_then(|at| self.choices.get_mut(at)) else { return };
        if choice.calls.get(place.slot).is_some_and(|call| call.id().is_none()) {
            let id = choice.calls.unique_id(Some(id), None);
            choice.calls.set_call_id(place.slot, id, |call, id| {
                call.set_provisional_id(id);
                call.set_name(name);
            });
        }
    }

    /// Marks a call as one of a custom tool, whose arguments are text: a JSON string. Must be called before the call is
    /// opened.
    pub(crate) fn mark_custom(&mut self, place: Place) {
        let choice = self.call_at(place).and_then(|at| self.choices.get_mut(at));
        if let Some(call) = choice.and_then(|choice| choice.calls.get_mut(place.slot)) {
            call.tool = ToolKind::Custom;
        }
    }

    /// Warns that the id of a call arrived after the call was emitted with another one.
    pub(crate) fn warn_late_id(&mut self, id: &str) {
        let id = quote(id);
        let message = format!(
            "The tool call id {id} arrived after the call was emitted with another id, which is kept"
        );
        self.warn_once(WarningCode::LateId, message);
    }

    /// Sets whether more of a call's name may follow. If so, the call isn't emitted until it has arguments.
    pub fn leave_name(&mut self, place: Place, is_open: bool) {
        if let Some(at) = self.call_at(place)
            && let Some(call) = self.call_mut(at, place.slot)
        {
            call.set_name_open(is_open);
            self.emit_call(at, place.slot);
        }
    }

    /// Whether more of a call's name may follow.
    pub fn is_name_open(&self, place: Place) -> bool {
        self.find_call(place).is_some_and(Call::is_name_open)
    }

    /// Appends a piece to the name of a call. A piece that begins with the name so far replaces it.
    pub fn push_name(&mut self, place: Place, piece: &str) {
        if let Some(call) = self.choice(place.choice).and_then(|choice| choice.calls.get_mut(place.slot)) {
            call.push_name(piece);
        }
    }

    /// Appends a piece of the signature of a call.
    pub fn push_call_signature(&mut self, place: Place, piece: &str) {
        if let Some(at) = self.call_at(place)
            && let Some(call) = self.call_mut(at, place.slot)
        {
            call.signature.get_or_insert_default().push_str(piece);
            if call.is_over() {
                self.log.note(Note::LateSignature { place });
            }
        }
    }

    /// Ends a call, if it exists.
    pub fn end_call(&mut self, place: Place) {
        if self.has_call(place)
            && let Some(at) = self.choice_at(place.choice)
        {
            self.end_call_at(at, place.slot, End::Certain);
        }
    }

    /// Ends a call that has arguments. A call without any stays open until something follows, because the model may
    /// have been cut off before the arguments.
    pub fn stop_call(&mut self, place: Place) {
        if self.arguments_state(place) != ProgressState::Empty {
            self.end_call(place);
        }
    }

    /// Marks a call as cut off, or possibly so. A call that had ended with incomplete arguments is reopened and ends
    /// again.
    pub fn cut_call(&mut self, place: Place, cut: Cut) {
        if let Some(call) = self.choice(place.choice).and_then(|choice| choice.calls.get_mut(place.slot)) {
            call.reopen();
            call.mark_truncated(cut);
        }
    }

    /// Withdraws a call that turns out not to be for the client. `why` is added to the warning.
    pub(crate) fn withdraw_call(&mut self, place: Place, why: &str) {
        let call = self.choice(place.choice).and_then(|choice| choice.calls.get_mut(place.slot));
        if let Some(call) = call.filter(|call| !call.is_superseded()) {
            call.withdraw();
            let name = quote(call.name().unwrap_or_default());
            let message = format!("Withdrew the call of tool {name}: {why}");
            self.warn(WarningCode::WithdrawnToolCall, message);
        }
    }

    /// Returns the place of the call with this id.
    #[cfg(feature = "gemini-interactions")]
    pub(crate) fn call_with_id(&self, choice: u32, id: &str) -> Option<Place> {
        let call = self.find_choice(choice)?.calls.with_id(id)?;
        Some(Place { choice, slot: call.slot })
    }

    /// Whether there is a call at this place.
    pub fn has_call(&self, place: Place) -> bool {
        self.find_call(place).is_some()
    }

    /// Whether the call at this place repeats another call. Repeats aren't part of the response.
    pub fn is_repeat(&self, place: Place) -> bool {
        self.find_call(place).is_some_and(Call::is_repeat)
    }

    /// Returns the id of the call at this place.
    pub fn call_id(&self, place: Place) -> Option<&str> {
        self.find_call(place)?.id()
    }

    /// Returns the name of the call at this place.
    pub fn call_name(&self, place: Place) -> Option<&str> {
        self.find_call(place)?.name()
    }

    /// Ends a call. If it still waits for an id, one is generated.
    pub(super) fn end_call_at(&mut self, choice: usize, slot: Slot, end: End) {
        if let Some(choice) = self.choices.get_mut(choice) {
            choice.calls.decide_repeat(slot);
        }
        if self.call_mut(choice, slot).is_some_and(|call| !call.has_started()) {
            self.emit_calls_before(choice, slot);
        }
        self.generate_id_if_missing(choice, slot);
        let Some(call) = self.choices.get_mut(choice).and_then(|choice| choice.calls.get_mut(slot)) else {
            return;
        };
        call.end(end, &mut self.log);
    }

    pub(super) fn find_call(&self, place: Place) -> Option<&Call> {
        self.find_choice(place.choice)?.calls.get(place.slot)
    }

    pub(super) fn call_mut(&mut self, choice: usize, slot: Slot) -> Option<&mut Call> {
        self.choices.get_mut(choice)?.calls.get_mut(slot)
    }

    /// Returns the position of a call's choice, and creates the call if necessary. Returns `None` once a limit is
    /// exceeded.
    pub(super) fn call_at(&mut self, place: Place) -> Option<usize> {
        let limit = self.limits.max_tool_calls;
        let at = self.choice_at(place.choice)?;
        let choice = self.choices.get_mut(at)?;
        if choice.calls.get(place.slot).is_none() {
            let (count, index) = (choice.calls.len(), choice.calls.count());
            // Text held back before the call is emitted first.
            if place.slot.0 != FIRST_FOUND_CALL {
                self.end_texts(at, Channel::settle);
            }
            let choice = self.choices.get_mut(at)?;
            if count >= limit {
                self.exceed_count(count, "tool calls", "maxToolCalls");
                return None;
            }
            choice.calls.push(Call::new(place.slot, place.choice, u32::try_from(index).unwrap_or(u32::MAX)));
        }
        Some(at)
    }

    /// Emits the parts of a call that can be emitted now: its start and new arguments.
    pub(super) fn emit_call(&mut self, choice: usize, slot: Slot) {
        if self.call_mut(choice, slot).is_some_and(|call| call.may_start() || call.needs_generated_id()) {
            self.emit_calls_before(choice, slot);
        }
        if self.call_mut(choice, slot).is_some_and(|call| call.needs_generated_id()) {
            self.generate_id_if_missing(choice, slot);
        }
        if let Some(call) = self.choices.get_mut(choice).and_then(|choice| choice.calls.get_mut(slot)) {
            call.emit(&mut self.log);
        }
    }

    /// Emits the starts of the calls of a choice that has ended: their names are complete, and no ids follow.
    pub(super) fn start_calls(&mut self, at: usize) {
        let Some(choice) = self.choices.get_mut(at) else { return };
        // Some servers end the choice with every event, so calls that have started are skipped.
        let waiting = choice.calls.iter_mut().filter(|call| call.name().is_some() && !call.has_started());
        let slots = waiting.map(|call| {
            call.set_name_open(false);
            call.slot
        });
        for slot in in_order(slots) {
            self.generate_id_if_missing(at, slot);
            self.emit_call(at, slot);
        }
    }

    /// Emits calls that wait for an id before a later call starts, so that calls start in the order of the result.
    fn emit_calls_before(&mut self, at: usize, slot: Slot) {
        let Some(choice) = self.choices.get_mut(at) else { return };
        for slot in choice.calls.waiting_before(slot) {
            self.generate_id_if_missing(at, slot);
            if let Some(call) = self.choices.get_mut(at).and_then(|choice| choice.calls.get_mut(slot)) {
                call.emit(&mut self.log);
            }
        }
    }

    /// Generates ids for all calls that have none, and decides which calls are repeats.
    pub(in crate::accumulator) fn generate_call_ids(&mut self) {
        let answer = self.id.as_deref().or(self.seed.as_deref());
        for choice in &mut self.choices {
            choice.name_calls(answer);
        }
    }

    /// Emits held-back names and arguments of the calls that will have no end.
    pub(in crate::accumulator) fn emit_held_back_calls(&mut self) {
        for call in self.choices.iter_mut().flat_map(|choice| choice.calls.iter_mut()) {
            call.emit_rest(&mut self.log);
        }
    }

    /// Generates an id for a call that has none, once no later event can bring one.
    fn generate_id_if_missing(&mut self, choice: usize, slot: Slot) {
        let Some(choice) = self.choices.get_mut(choice) else { return };
        if choice.calls.get(slot).is_some_and(|call| call.id().is_none()) {
            let id = choice.calls.unique_id(None, self.id.as_deref().or(self.seed.as_deref()));
            choice.calls.set_call_id(slot, id, Call::set_generated_id);
        }
    }
}
