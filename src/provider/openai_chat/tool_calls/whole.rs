//! Calls of whole messages in a stream: what they add to known calls, and calls that only they have.

use super::{
    Call, Entry, LEGACY, Message, ToolCallReader, escaped, is_server_tool, list_entries, read_call_signature,
};
use crate::accumulator::{Builder, Cut, Slot, is_placeholder};
use crate::collect::Collect;
use crate::json::{Fragment, ProgressState, Value, strip_long_prefix};

impl ToolCallReader {
    /// Whether a message has all calls so far, as `DashScope` may send them: the arguments of one begin with its known
    /// arguments.
    pub(in super::super) fn is_cumulative(&self, message: &Message<'_>, out: &Builder) -> bool {
        let is_extended = |entry: &Entry<'_>, call: &Call| {
            let known = out.arguments_at(call.place);
            let arguments = entry.arguments.and_then(Value::text);
            !known.is_empty() && arguments.is_some_and(|arguments| arguments.starts_with(known))
        };
        let listed = message.calls().map(list_entries).unwrap_or_default();
        let mut entries = listed.into_iter().enumerate().map(|(position, (index, value))| {
            let mut entry = Entry::read(value, position, 1);
            entry.call.index = entry.call.index.or(index);
            entry
        });
        let legacy = || {
            let call = self.calls.iter().find(|call| call.place.slot == LEGACY)?;
            Some(is_extended(&Entry::read(message.function_call()?, 0, 1), call))
        };
        entries.any(|entry| self.known_call(&entry, out).is_some_and(|call| is_extended(&entry, call)))
            || legacy() == Some(true)
    }

    /// Returns the known call that an entry of a message belongs to.
    fn known_call(&self, entry: &Entry<'_>, out: &Builder) -> Option<&Call> {
        match (entry.id(), entry.index) {
            (Some(id), _) => self.calls.iter().find(|call| call.id.as_deref() == Some(id)),
            (None, Some(index)) => self.calls.iter().find(|call| call.index == Some(index)),
            (None, None) => {
                let same_place = self.calls.get(entry.position)?;
                Some(same_place).filter(|call| out.call_name(call.place) == entry.name)
            }
        }
    }

    /// Adds what is new in a whole message: the rest of arguments, and calls after all known ones. Other calls are a
    /// warning.
    pub(in super::super) fn complete(&mut self, message: &Message<'_>, out: &mut Builder) {
        let listed = message.calls().map(list_entries).unwrap_or_default();
        let count = listed.len();
        let mut entries: Vec<Entry<'_>> = Vec::new();
        for (index, value) in listed {
            let mut entry = Entry::read(value, entries.len(), count);
            entry.call.index = entry.call.index.or(index);
            if value.is_object() && !is_server_tool(value, &[]) && !entry.is_blank() {
                entries.push(entry);
            }
        }
        if entries.is_empty() {
            let known = self.calls.iter_mut().find(|call| call.place.slot == LEGACY);
            if let (Some(call), Some(function)) = (known, message.function_call()) {
                call.complete(&Entry::read(function, 0, 1), out);
            }
            return;
        }
        let mut others = (0..self.calls.len()).collect_vec();
        let mut take = |fits: &dyn Fn(usize, &Call) -> bool| {
            let at = others.iter().position(|at| self.calls.get(*at).is_some_and(|call| fits(*at, call)))?;
            Some(others.remove(at))
        };
        let by_id = |entry: &Entry<'_>| {
            let id = entry.id()?;
            take(&|_, call| call.id.as_deref() == Some(id))
        };
        let mut places = entries.iter().map(by_id).collect_vec();
        // Some gateways generate other ids.
        for (entry, place) in entries.iter().zip(&mut places).filter(|(_, place)| place.is_none()) {
            let is_named =
                |call: &Call| out.call_name(call.place).is_none_or(|name| Some(name) == entry.name);
            *place = take(&|_, call| entry.index.is_some() && call.index == entry.index && is_named(call))
                .or_else(|| take(&|at, call| at == entry.position && is_named(call)));
        }
        let may_add = others.is_empty();
        for (entry, place) in entries.iter().zip(places) {
            if out.is_halted() {
                return;
            }
            if let Some(call) = place.and_then(|at| self.calls.get_mut(at)) {
                call.complete(entry, out);
            } else if self.find_repeated(entry, out).is_some() {
                // The entry repeats a known call.
            } else if may_add && entry.name.is_some() {
                let last = self.calls.iter().map(|call| call.place.slot.0).max();
                let slot = Slot(entry.index.or(last).unwrap_or(0), self.calls.len() as u64);
                let at = self.open(entry, slot);
                self.update_call(at, entry, out);
            } else {
                out.warn_mismatch("tool calls");
            }
        }
    }
}

impl Call {
    /// Completes the call, given all of it, sent at the end.
    fn complete(&mut self, entry: &Entry<'_>, out: &mut Builder) {
        if out.call_id(self.place).is_none() || out.call_name(self.place).is_none() {
            out.open_call(self.place, entry.id(), entry.name);
        }
        match entry.arguments.map(|arguments| self.json_of(arguments)) {
            Some(Some(whole)) => self.complete_arguments(&whole, out),
            Some(None) => out.cut_call(self.place, Cut::Surely),
            None => {}
        }
        if entry.has_any_unread() && out.call_signature(self.place).is_none() {
            read_call_signature(entry.value, self.place, out);
        }
        entry.keep_unread(&mut self.members);
    }

    /// Returns the arguments as JSON text; `None` if an object can't be serialised. The string of a custom tool is
    /// closed later.
    fn json_of(&self, arguments: Value<'_>) -> Option<String> {
        match arguments.fragment() {
            Some(text) if self.is_custom => Some(["\"", &*escaped(&text).text].concat()),
            Some(text) => Some(text.text.into_owned()),
            None => arguments.compact(),
        }
    }

    fn complete_arguments(&self, whole: &str, out: &mut Builder) {
        let known = match out.arguments_state(self.place) {
            ProgressState::Empty => "",
            _ => out.arguments_at(self.place),
        };
        let is_replaceable = |known: &str| known.is_empty() || is_placeholder(known);
        if is_replaceable(whole.trim_ascii())
            || known.starts_with(whole)
            || out.has_arguments(self.place, whole)
        {
            return;
        }
        let rest = if is_replaceable(known) { Some(whole) } else { strip_long_prefix(whole, known) };
        match rest {
            Some(rest) => out.append_arguments(self.place, &Fragment::from(rest)),
            None => out.complete_arguments(self.place, whole),
        }
    }
}
