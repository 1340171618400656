//! Tool calls.

use crate::accumulator::{Builder, Place};
use crate::json::{Object, Value};
use crate::provider::call_entry::{CallEntry, details, push_arguments, warn_unmatched_fragment};
use crate::save::state;

/// The tool calls of a message, in the order in which they began.
#[derive(Default)]
pub(super) struct Calls(Vec<Call>);

state! { struct Calls(list) }

struct Call {
    index: Option<u64>,
    place: Place,
    is_open: bool,
    /// Unrecognised members.
    members: Object,
}

state! { struct Call { index, place, is_open, members } }

impl Calls {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads a call of a complete message. Another value is kept.
    pub(super) fn read_whole(&mut self, value: Value<'_>, kept: &mut Object, out: &mut Builder) {
        let entry = CallEntry::of(value);
        if entry.is_blank() {
            return entry.keep_in(kept);
        }
        let at = self.open(None, &entry, out);
        self.add_to(at, &entry, out);
        self.end_at(at, out);
    }

    /// Reads the start of a call, or keeps another value. The index doesn't identify the call: some servers send index
    /// 0 for all calls.
    pub(super) fn start(
        &mut self,
        index: Option<u64>,
        value: Value<'_>,
        kept: &mut Object,
        out: &mut Builder,
    ) {
        let entry = CallEntry::of(value);
        if entry.is_blank() {
            return entry.keep_in(kept);
        }
        let is_same =
            |call: &Call| call.is_open && call.index == index && entry.id() == out.call_id(call.place);
        let known = self.0.iter().rposition(|call| entry.id().is_some() && is_same(call));
        let at = known.unwrap_or_else(|| self.open(index, &entry, out));
        self.add_to(at, &entry, out);
    }

    /// Reads a delta of a call: the latest one with this index, or else the latest of all.
    pub(super) fn add(&mut self, index: Option<u64>, value: Value<'_>, kept: &mut Object, out: &mut Builder) {
        let entry = CallEntry::of(value);
        if !value.is_object() {
            return entry.keep_in(kept);
        }
        if let Some(at) = self.find(index) {
            return self.add_to(at, &entry, out);
        }
        if entry.name.is_some() {
            return self.start(index, value, kept, out);
        }
        warn_unmatched_fragment(value, out);
    }

    /// Ends a call.
    pub(super) fn end(&mut self, index: Option<u64>, out: &mut Builder) {
        if let Some(at) = self.find(index) {
            self.end_at(at, out);
        }
    }

    /// Ends all calls.
    pub(super) fn end_all(&mut self, out: &mut Builder) {
        for at in 0..self.0.len() {
            self.end_at(at, out);
        }
    }

    /// Returns the place of the call with this index, if a piece of its arguments is only appended.
    pub(super) fn append_place(&self, index: Option<u64>) -> Option<Place> {
        let call = self.0.get(self.find(index)?)?;
        call.is_open.then_some(call.place)
    }

    /// Returns the unrecognised members of the calls, by id.
    pub(super) fn details(&self, out: &Builder) -> Object {
        details(self.0.iter().map(|call| (call.place, &call.members)), out)
    }

    fn find(&self, index: Option<u64>) -> Option<usize> {
        let at_index = self.0.iter().rposition(|call| index.is_some() && call.index == index);
        at_index.or_else(|| self.0.len().checked_sub(1))
    }

    fn open(&mut self, index: Option<u64>, entry: &CallEntry<'_>, out: &mut Builder) -> usize {
        let at = self.0.len();
        if let Some(last) = self.0.last().filter(|last| !last.is_open) {
            out.end_call(last.place);
        }
        let place = Place::first_choice(0, at as u64);
        out.open_call(place, entry.id(), entry.name);
        self.0.push(Call { index, place, is_open: true, members: Object::default() });
        at
    }

    fn add_to(&mut self, at: usize, entry: &CallEntry<'_>, out: &mut Builder) {
        let Some(call) = self.0.get_mut(at) else { return };
        if entry.id().is_some() || entry.name.is_some() {
            out.open_call(call.place, entry.id(), entry.name);
        }
        if let Some(arguments) = entry.arguments {
            push_arguments(arguments, call.place, out);
        }
        entry.keep_unread(&mut call.members);
    }

    fn end_at(&mut self, at: usize, out: &mut Builder) {
        if let Some(call) = self.0.get_mut(at)
            && std::mem::take(&mut call.is_open)
        {
            out.stop_call(call.place);
        }
    }
}
