//! The arguments of tool calls.

use super::Builder;
use crate::accumulator::arguments::Cut;
use crate::accumulator::choice::FIRST_FOUND_CALL;
use crate::accumulator::journal::Note;
use crate::accumulator::place::Place;
use crate::accumulator::tool_call::Call;
use crate::json::{Fragment, ProgressState, RawJson};
use crate::model::WarningCode;

impl Builder {
    /// Appends a piece of a call's arguments, as JSON text. It may repeat all arguments before it.
    pub fn push_arguments(&mut self, place: Place, fragment: &Fragment<'_>) {
        if !self.is_joined
            && fragment.text.starts_with(['{', '"'])
            && place.slot.0 != FIRST_FOUND_CALL
            && let Some(call) = self.find_call(place)
        {
            if let Some(news) = call.new_part(fragment) {
                let news = Fragment { text: news.text.into_owned().into(), ..news };
                return self.append_arguments(place, &news);
            }
            if !call.is_over() && call.is_grown_to(&fragment.text) {
                return self.replace_arguments(place, &fragment.text);
            }
        }
        self.append_arguments(place, fragment);
    }

    /// Replaces the arguments of a call by longer ones.
    fn replace_arguments(&mut self, place: Place, whole: &str) {
        let Some(choice) = self.choices.iter_mut().find(|choice| choice.index == place.choice) else {
            return;
        };
        if let Some(call) = choice.calls.get_mut(place.slot) {
            call.replace_by(whole, &mut self.log);
        }
        let message =
            "All arguments of a tool call arrived again, and more of them; the new ones replace them";
        self.warn_once(WarningCode::Mismatch, message.to_owned());
    }

    /// Appends a piece of a call's arguments that is certainly new, not a repetition of all arguments before it.
    pub(crate) fn append_arguments(&mut self, place: Place, fragment: &Fragment<'_>) {
        if fragment.is_empty() {
            return;
        }
        // Fast path: nearly all pieces continue a call whose start has been emitted.
        if let (false, [choice]) = (self.is_halted, &mut *self.choices)
            && choice.index == place.choice
            && let Some(call) = choice.calls.get_mut(place.slot)
            && call.is_append_only()
        {
            call.push_text(fragment);
            return call.emit(&mut self.log);
        }
        self.add_arguments(place, |call| call.push_text(fragment));
    }

    /// Adds arguments that arrive as an object, given as compact JSON. Several objects are merged. An empty array
    /// counts as an empty object, because PHP and Lua don't distinguish the two. Empty text stands for an object that
    /// couldn't be serialised: the call is cut off.
    pub fn push_object_arguments(&mut self, place: Place, json: String) {
        if json.is_empty() {
            return self.cut_call(place, Cut::Surely);
        }
        let json = if json == "[]" { "{}".to_owned() } else { json };
        if self.find_call(place).is_none_or(|call| !call.repeats(&json)) {
            self.add_arguments(place, |call| call.push_object(json));
        }
    }

    /// Adds arguments to a call, unless it has ended with complete arguments.
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
            // Object arguments are noted with the end of the call, which an encoder may have written already.
            if place.slot.0 != FIRST_FOUND_CALL
                && self.call_mut(at, place.slot).is_some_and(|call| call.is_unemitted())
            {
                self.log.note(Note::CallArguments { place, end: 0 });
            }
        }
        self.emit_call(at, place.slot);
    }

    /// Removes and returns arguments that arrived as an object and haven't been emitted: they are sent again, as text.
    pub fn take_object_arguments(&mut self, place: Place) -> Option<String> {
        self.choice(place.choice)?.calls.get_mut(place.slot)?.take_object()
    }

    /// Adds the missing part of a call's arguments, given the whole arguments sent at the end.
    pub fn complete_arguments(&mut self, place: Place, whole: &str) {
        let Some(at) = self.call_at(place) else { return };
        if let Some(call) = self.choices.get_mut(at).and_then(|choice| choice.calls.get_mut(place.slot))
            && call.complete(whole).is_err()
        {
            if call.complete_beginning(whole, &mut self.log) {
                self.warn_missed_beginning();
            } else if call.replace(whole, &mut self.log) {
                let message = "The streamed arguments of a tool call aren't complete; those that the provider sent at the end replace them";
                self.warn_once(WarningCode::Mismatch, message.to_owned());
            } else {
                self.warn_mismatch("arguments of a tool call");
            }
        }
        self.emit_call(at, place.slot);
    }

    /// Returns the arguments so far of the call at this place, as JSON text: `{}` if there are none.
    pub fn arguments_at(&self, place: Place) -> &str {
        self.find_call(place).map_or("{}", Call::arguments)
    }

    /// Returns the parsed arguments of the call at this place, or a string if they aren't complete JSON.
    pub fn parsed_arguments_at(&self, place: Place) -> RawJson {
        self.find_call(place).map_or_else(|| RawJson::valid("{}"), Call::parsed_arguments)
    }

    /// Whether the arguments of the call at this place are complete and equal to `json`, apart from white space.
    pub(crate) fn has_arguments(&self, place: Place, json: &str) -> bool {
        self.find_call(place).is_some_and(|call| call.has_arguments(json))
    }

    /// Whether `json` has all arguments of the call at this place and more of them, or comes in place of a placeholder.
    pub(crate) fn may_grow_to(&self, place: Place, json: &str) -> bool {
        self.find_call(place).is_some_and(|call| call.may_grow_to(json))
    }

    /// Returns how complete the arguments of the call at this place are.
    pub fn arguments_state(&self, place: Place) -> ProgressState {
        self.find_call(place).map_or(ProgressState::Empty, Call::state)
    }
}
