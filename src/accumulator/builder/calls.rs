//! Tool calls.

use super::Builder;
use crate::accumulator::arguments::Cut;
use crate::accumulator::channel::Channel;
use crate::accumulator::choice::FOUND;
use crate::accumulator::journal::Note;
use crate::accumulator::place::{Place, Slot, in_order};
use crate::accumulator::tool_call::{Call, ToolKind};
use crate::error::quote;
use crate::json::{Fragment, ProgressState, RawJson};
use crate::model::WarningCode;

impl Builder {
    /// A tool call, and what is known of its id and name. The first id and name stay.
    pub fn open_call(&mut self, place: Place, id: Option<&str>, name: Option<&str>) {
        let Some(at) = self.call_at(place) else { return };
        let Some(choice) = self.choices.get_mut(at) else { return };
        let id = id.filter(|id| !id.is_empty());
        if id.is_some() {
            choice.calls.release(place.slot);
        }
        let is_known = choice.calls.get(place.slot).is_some_and(|call| call.id().is_some());
        if let Some(id) = id.filter(|_| !is_known) {
            choice.calls.give_id(place.slot, id, name.filter(|name| !name.is_empty()));
        }
        let Some(call) = choice.calls.get_mut(place.slot) else { return };
        if let Some(name) = name.filter(|name| !name.is_empty() && call.name().is_none()) {
            call.set_name(name);
        }
        if let Some(id) = id.filter(|id| call.comes_late(id)) {
            self.warn_of_late_id(id);
        }
        self.emit_call(at, place.slot);
    }

    /// The id of a call would have come with its name: one that has none gets its own.
    #[cfg(feature = "gemini")]
    pub(crate) fn name_call(&mut self, place: Place) {
        if let Some(at) = self.call_at(place) {
            self.make_up_id(at, place.slot, true);
            self.emit_call(at, place.slot);
        }
    }

    /// The name of a call whose id may still come. Until then, or until its end, it isn't emitted; if none comes, it has this.
    pub(crate) fn hold_call(&mut self, place: Place, id: &str, name: &str) {
        let Some(choice) = self.call_at(place).and_then(|at| self.choices.get_mut(at)) else { return };
        if choice.calls.get(place.slot).is_some_and(|call| call.id().is_none()) {
            let id = choice.calls.unique_id(Some(id), None);
            choice.calls.name(place.slot, id, |call, id| {
                call.hold(id);
                call.set_name(name);
            });
        }
    }

    /// A tool call is one of a custom tool, whose arguments are a text: a JSON string. To be said before the call is opened.
    pub(crate) fn mark_custom(&mut self, place: Place) {
        let choice = self.call_at(place).and_then(|at| self.choices.get_mut(at));
        if let Some(call) = choice.and_then(|choice| choice.calls.get_mut(place.slot)) {
            call.tool = ToolKind::Custom;
        }
    }

    /// The id of a call came after it was emitted with another one.
    pub(crate) fn warn_of_late_id(&mut self, id: &str) {
        let id = quote(id);
        let message = format!(
            "The tool call id {id} arrived after the call was emitted with another id, which is kept"
        );
        self.warn_once(WarningCode::LateId, message);
    }

    /// Whether more of the name of a call may come. While it may, and there are no arguments, the call isn't emitted.
    pub fn leave_name(&mut self, place: Place, is_open: bool) {
        if let Some(at) = self.call_at(place)
            && let Some(call) = self.call_mut(at, place.slot)
        {
            call.leave_name(is_open);
            self.emit_call(at, place.slot);
        }
    }

    /// Whether more of the name of a call may come.
    pub fn is_name_open(&self, place: Place) -> bool {
        self.find_call(place).is_some_and(Call::is_name_open)
    }

    /// The name of a call goes on with this piece, or with all of it so far.
    pub fn push_name(&mut self, place: Place, piece: &str) {
        if let Some(call) = self.choice(place.choice).and_then(|choice| choice.calls.get_mut(place.slot)) {
            call.push_name(piece);
        }
    }

    /// A piece of the arguments of a call, as JSON text.
    pub fn push_arguments(&mut self, place: Place, fragment: &Fragment<'_>) {
        if fragment.text.starts_with(['{', '"'])
            && place.slot.0 != FOUND
            && let Some(news) = self.find_call(place).and_then(|call| call.news_in(fragment))
        {
            let news = Fragment { text: news.text.into_owned().into(), ..news };
            return self.append_arguments(place, &news);
        }
        self.append_arguments(place, fragment);
    }

    /// The same, of which it is certain that it is new: not all of the arguments once more.
    pub(crate) fn append_arguments(&mut self, place: Place, fragment: &Fragment<'_>) {
        if fragment.is_empty() {
            return;
        }
        // Nearly all pieces go on with a call whose start has been emitted.
        if let (false, [choice]) = (self.is_halted, &mut *self.choices)
            && choice.index == place.choice
            && let Some(call) = choice.calls.get_mut(place.slot)
            && call.is_growing()
        {
            call.push_text(fragment);
            return call.emit(&mut self.log);
        }
        self.add_arguments(place, |call| call.push_text(fragment));
    }

    /// Arguments that come as an object, written compactly. Several are merged. An empty list is an empty object, between
    /// which PHP and Lua don't distinguish. An empty text stands for an object that could not be written: the call is cut.
    pub fn push_object_arguments(&mut self, place: Place, json: String) {
        if json.is_empty() {
            return self.cut_call(place, Cut::Surely);
        }
        let json = if json == "[]" { "{}".to_owned() } else { json };
        if self.find_call(place).is_none_or(|call| !call.repeats(&json)) {
            self.add_arguments(place, |call| call.push_object(json));
        }
    }

    /// Adds arguments to a call, unless it has ended and they are whole.
    fn add_arguments(&mut self, place: Place, add: impl FnOnce(&mut Call)) {
        let Some(at) = self.call_at(place) else { return };
        let Some(call) = self.call_mut(at, place.slot) else { return };
        let is_late = call.reopen();
        if is_late && call.is_whole() {
            let message = "Skipped arguments that arrived after the end of a complete tool call";
            return self.warn_once(WarningCode::StrayFragment, message.to_owned());
        }
        add(call);
        if is_late {
            let message = "Arguments arrived after the end of a tool call; its end will be emitted again";
            self.warn(WarningCode::StrayFragment, message);
            // Those of an object are noted with the end, which may have been written.
            if place.slot.0 != FOUND && self.call_mut(at, place.slot).is_some_and(|call| call.is_unemitted())
            {
                self.log.note(Note::CallArguments { place, end: 0 });
            }
        }
        self.emit_call(at, place.slot);
    }

    /// Takes back arguments that came as an object and that no delta has emitted: they come again, as text.
    pub fn take_object_arguments(&mut self, place: Place) -> Option<String> {
        self.choice(place.choice)?.calls.get_mut(place.slot)?.take_object()
    }

    /// The whole arguments, sent at the end: only what is missing is added.
    pub fn complete_arguments(&mut self, place: Place, whole: &str) {
        let Some(at) = self.call_at(place) else { return };
        if let Some(call) = self.choices.get_mut(at).and_then(|choice| choice.calls.get_mut(place.slot))
            && call.complete(whole).is_err()
        {
            if call.complete_beginning(whole, &mut self.log) {
                self.warn_of_missed_beginning();
            } else if call.replace(whole, &mut self.log) {
                let message = "The streamed arguments of a tool call aren't valid JSON; those that the provider sent at the end replace them";
                self.warn_once(WarningCode::Mismatch, message.to_owned());
            } else {
                self.warn_of_mismatch("arguments of a tool call");
            }
        }
        self.emit_call(at, place.slot);
    }

    /// A piece of the signature of a call.
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

    /// A call is over.
    pub fn end_call(&mut self, place: Place) {
        if self.has_call(place)
            && let Some(at) = self.choice_at(place.choice)
        {
            self.end_call_at(at, place.slot, true);
        }
    }

    /// Nothing more comes of a call, which is over; but of one without arguments that is known only when something follows:
    /// the model may have been stopped before them.
    pub fn stop_call(&mut self, place: Place) {
        if self.arguments_state(place) != ProgressState::Empty {
            self.end_call(place);
        }
    }

    /// A call was cut off, or may have been. One that had ended without arguments ends again.
    pub fn cut_call(&mut self, place: Place, cut: Cut) {
        if let Some(call) = self.choice(place.choice).and_then(|choice| choice.calls.get_mut(place.slot)) {
            call.reopen();
            call.cut(cut);
        }
    }

    /// A call is none of the client's after all. `why` goes on the warning.
    pub(crate) fn withdraw_call(&mut self, place: Place, why: &str) {
        let call = self.choice(place.choice).and_then(|choice| choice.calls.get_mut(place.slot));
        if let Some(call) = call.filter(|call| !call.is_superseded()) {
            call.supersede();
            let name = quote(call.name().unwrap_or_default());
            let message = format!("Withdrew the call of tool {name}: {why}");
            self.warn(WarningCode::WithdrawnToolCall, message);
        }
    }

    /// Where the call with this id is.
    #[cfg(feature = "gemini-interactions")]
    pub(crate) fn call_with_id(&self, choice: u32, id: &str) -> Option<Place> {
        let call = self.find_choice(choice)?.calls.with_id(id)?;
        Some(Place { choice, slot: call.slot })
    }

    /// Whether there is a call at this place.
    pub fn has_call(&self, place: Place) -> bool {
        self.find_call(place).is_some()
    }

    /// Whether the call at this place is another one, sent again: then it isn't one of the answer's calls.
    pub fn is_repeat(&self, place: Place) -> bool {
        self.find_call(place).is_some_and(Call::is_repeat)
    }

    /// The id of the call at this place.
    pub fn call_id(&self, place: Place) -> Option<&str> {
        self.find_call(place)?.id()
    }

    /// The name of the call at this place.
    pub fn call_name(&self, place: Place) -> Option<&str> {
        self.find_call(place)?.name()
    }

    /// The arguments of the call at this place as far as they have come, as JSON text: `{}` where there are
    /// none.
    pub fn arguments_at(&self, place: Place) -> &str {
        self.find_call(place).map_or("{}", Call::arguments)
    }

    /// The same as what it says: as a string while it is no JSON.
    pub fn parsed_arguments_at(&self, place: Place) -> RawJson {
        self.find_call(place).map_or_else(|| RawJson::valid("{}"), Call::parsed_arguments)
    }

    /// Whether the arguments of the call at this place are whole, and these but for white space.
    pub(crate) fn has_arguments(&self, place: Place, json: &str) -> bool {
        self.find_call(place).is_some_and(|call| call.has_arguments(json))
    }

    /// How far the arguments of the call at this place are from being whole.
    pub fn arguments_state(&self, place: Place) -> ProgressState {
        self.find_call(place).map_or(ProgressState::Empty, Call::state)
    }

    /// Ends a call, and with it the wait for an id.
    pub(super) fn end_call_at(&mut self, choice: usize, slot: Slot, is_certain: bool) {
        if let Some(choice) = self.choices.get_mut(choice) {
            choice.calls.settle_repeat(slot);
        }
        if self.call_mut(choice, slot).is_some_and(|call| !call.has_started()) {
            self.emit_calls_before(choice, slot);
        }
        self.make_up_id(choice, slot, true);
        let Some(call) = self.choices.get_mut(choice).and_then(|choice| choice.calls.get_mut(slot)) else {
            return;
        };
        call.end(is_certain, &mut self.log);
    }

    pub(super) fn find_call(&self, place: Place) -> Option<&Call> {
        self.find_choice(place.choice)?.calls.get(place.slot)
    }

    fn call_mut(&mut self, choice: usize, slot: Slot) -> Option<&mut Call> {
        self.choices.get_mut(choice)?.calls.get_mut(slot)
    }

    /// Where the choice of a call is; the call is made where there is none.
    fn call_at(&mut self, place: Place) -> Option<usize> {
        let limit = self.limits.max_tool_calls;
        let at = self.choice_at(place.choice)?;
        let choice = self.choices.get_mut(at)?;
        if choice.calls.get(place.slot).is_none() {
            let (count, index) = (choice.calls.len(), choice.calls.count());
            // What was held back of the text before the call comes first.
            if place.slot.0 != FOUND {
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

    /// Emits what has become known of a call.
    fn emit_call(&mut self, choice: usize, slot: Slot) {
        if self.call_mut(choice, slot).is_some_and(|call| call.may_start() || call.wants_id()) {
            self.emit_calls_before(choice, slot);
        }
        self.make_up_id(choice, slot, false);
        if let Some(call) = self.choices.get_mut(choice).and_then(|choice| choice.calls.get_mut(slot)) {
            call.emit(&mut self.log);
        }
    }

    /// Emits the starts of the calls of a choice that has ended: their names are whole, and no ids follow.
    pub(super) fn start_calls(&mut self, at: usize) {
        let Some(choice) = self.choices.get_mut(at) else { return };
        // A server may say with each event that its choice has ended.
        let waiting = choice.calls.iter_mut().filter(|call| call.name().is_some() && !call.has_started());
        let slots = waiting.map(|call| {
            call.leave_name(false);
            call.slot
        });
        for slot in in_order(slots) {
            self.make_up_id(at, slot, true);
            self.emit_call(at, slot);
        }
    }

    /// Emits the calls that wait for an id and stand before one that starts, so that calls start in the order of the result.
    fn emit_calls_before(&mut self, at: usize, slot: Slot) {
        let Some(choice) = self.choices.get_mut(at) else { return };
        for slot in choice.calls.waiting_before(slot) {
            self.make_up_id(at, slot, true);
            if let Some(call) = self.choices.get_mut(at).and_then(|choice| choice.calls.get_mut(slot)) {
                call.emit(&mut self.log);
            }
        }
    }

    /// Makes up the ids of all calls that have none, and decides which ones are others once more.
    pub(in crate::accumulator) fn name_calls(&mut self) {
        let answer = self.id.as_deref().or(self.seed.as_deref());
        for choice in &mut self.choices {
            choice.name_calls(answer);
        }
    }

    /// Emits what is known of the calls that will have no end.
    pub(in crate::accumulator) fn emit_rest_of_calls(&mut self) {
        for call in self.choices.iter_mut().flat_map(|choice| choice.calls.iter_mut()) {
            call.emit_rest(&mut self.log);
        }
    }

    /// Makes up an id for a call that has none, when nothing later will bring one.
    fn make_up_id(&mut self, choice: usize, slot: Slot, is_over: bool) {
        let Some(choice) = self.choices.get_mut(choice) else { return };
        if choice.calls.get(slot).is_some_and(|call| call.id().is_none() && (is_over || call.wants_id())) {
            let id = choice.calls.unique_id(None, self.id.as_deref().or(self.seed.as_deref()));
            choice.calls.name(slot, id, Call::make_up_id);
        }
    }
}
