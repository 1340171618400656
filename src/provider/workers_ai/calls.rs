//! Tool calls: as `{name, arguments}`, each sent as a whole, or in the format of chat completions, which may be split.

use crate::accumulator::{Builder, Place};
use crate::json::{Object, Value};
use crate::provider::call_entry::{CallEntry, details, push_arguments, warn_unmatched_fragment};
use crate::save::state;

/// The tool calls of a response, in the order in which they began.
#[derive(Default)]
pub(super) struct Calls(Vec<Call>);

state! { struct Calls(list) }

struct Call {
    index: Option<u64>,
    id: Option<String>,
    place: Place,
    is_whole: bool,
    /// Unrecognised members.
    members: Object,
}

state! { struct Call { index, id, place, is_whole, members } }

impl Calls {
    /// Reads an entry: a call, or more of a call's arguments. The last entry may be empty. Other entries are kept.
    pub(super) fn read(&mut self, value: Value<'_>, kept: &mut Object, out: &mut Builder) {
        let entry = CallEntry::of(value);
        if entry.is_blank() {
            return entry.keep_in(kept);
        }
        let at = match self.find(&entry) {
            Some(at) => at,
            None if entry.name.is_some() => self.open(&entry, out),
            None => {
                entry.keep_in(kept);
                return warn_unmatched_fragment(value, out);
            }
        };
        let Some(call) = self.0.get_mut(at) else { return };
        if entry.id().is_some() || entry.name.is_some() {
            out.open_call(call.place, entry.id(), entry.name);
        }
        if let Some(arguments) = entry.arguments {
            push_arguments(arguments, call.place, out);
        }
        entry.keep_unread(&mut call.members);
        if call.is_whole {
            out.stop_call(call.place);
        }
    }

    /// Whether there are calls, and all of them were sent as a whole.
    pub(super) fn are_all_complete(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(|call| call.is_whole)
    }

    /// Returns the unrecognised members of the calls, by id.
    pub(super) fn details(&self, out: &Builder) -> Object {
        details(self.0.iter().map(|call| (call.place, &call.members)), out)
    }

    /// Returns the position of the call that an entry continues. An entry with a name begins another call, unless it
    /// has the id of a known one: many models send index 0 for every call. A call that was sent as a whole isn't
    /// continued.
    fn find(&self, entry: &CallEntry<'_>) -> Option<usize> {
        let has_id = |call: &Call| call.id.is_some() && call.id.as_deref() == entry.id();
        let at_index = |call: &Call| call.index.is_some() && call.index == entry.index;
        let known = self.0.iter().rposition(has_id);
        if entry.name.is_some() {
            return known;
        }
        let last = || self.0.len().checked_sub(1);
        let at = known.or_else(|| self.0.iter().rposition(at_index)).or_else(last)?;
        self.0.get(at).is_some_and(|call| !call.is_whole).then_some(at)
    }

    fn open(&mut self, entry: &CallEntry<'_>, out: &mut Builder) -> usize {
        if let Some(last) = self.0.last().filter(|last| last.is_whole) {
            out.end_call(last.place);
        }
        let at = self.0.len();
        self.0.push(Call {
            index: entry.index,
            id: entry.id().map(Into::into),
            place: Place::first_choice(0, at as u64),
            is_whole: !entry.has_function(),
            members: Object::default(),
        });
        at
    }
}
