//! The tool calls of one choice.
//! <https://platform.openai.com/docs/api-reference/chat/streaming#chat_streaming-choices>
//!
//! By the book a fragment is routed by its `index`, and the first one of a call has its id and name. Some servers omit
//! the index, or use one index for all calls; some repeat the id and name in every fragment, or change the id; and some
//! omit ids. See [`Route`] for how a new call is told from a fragment of a known one.

mod early;
mod route;
mod whole;

use std::ops::Deref;

use super::choice::has_value;
use super::content::call_in;
use super::message::Message;
use super::server_tools::{ServerTool, is_server_tool};
use crate::accumulator::{Builder, Place, Slot};
use crate::json::{Field, Fragment, Kind, Object, ProgressState, RawJson, Value};
use crate::provider::call_entry::{CallEntry, details, is_blank, list_entries, warn_unmatched_fragment};
use crate::provider::extra_content::read_call_signature;
use crate::provider::node::escaped;
use crate::save::state;
use early::EarlyArguments;
use route::Route;

/// The slot of the call in the legacy `function_call` member: after all others that the provider sends, and before
/// those that are found in the text.
const LEGACY: Slot = Slot(u64::MAX - 1, 0);

/// Reader of the tool calls of one choice.
pub(super) struct ToolCallReader {
    choice: u32,
    /// In the order in which they began.
    calls: Vec<Call>,
    /// Whether the message being read is whole, so that every entry is a call of its own.
    is_whole: bool,
    /// Arguments that arrived before anything else of their calls.
    early_arguments: Vec<EarlyArguments>,
}

state! { struct ToolCallReader { choice, calls, is_whole, early_arguments } }

/// State of a call that is needed to route fragments.
struct Call {
    place: Place,
    index: Option<u64>,
    /// First id that the server sent.
    id: Option<String>,
    is_custom: bool,
    /// Whether the name was repeated after the arguments were complete: further arguments belong to another call.
    is_name_repeated: bool,
    /// Whether the server repeats the name in each fragment.
    is_named_in_each: bool,
    /// Members of the call besides the known fields.
    members: Object,
}

state! { struct Call { place, index, id, is_custom, is_name_repeated, is_named_in_each, members } }

impl Call {
    fn new(place: Place, index: Option<u64>) -> Self {
        Self {
            place,
            index,
            id: None,
            is_custom: false,
            is_name_repeated: false,
            is_named_in_each: false,
            members: Object::default(),
        }
    }
}

/// An entry of `tool_calls`.
struct Entry<'a> {
    value: Value<'a>,
    /// Position in its list.
    position: usize,
    /// Number of entries in its list.
    count: usize,
    call: CallEntry<'a>,
    /// The arguments, if they are in the name.
    name_arguments: Option<&'a str>,
}

impl<'a> Deref for Entry<'a> {
    type Target = CallEntry<'a>;

    fn deref(&self) -> &Self::Target {
        &self.call
    }
}

impl ToolCallReader {
    pub(super) fn new(choice: u32) -> Self {
        Self { choice, calls: Vec::new(), is_whole: false, early_arguments: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Returns the place of the call with this id.
    pub(super) fn find_by_id(&self, id: &str) -> Option<Place> {
        Some(self.calls.iter().find(|call| call.id.as_deref() == Some(id))?.place)
    }

    /// Whether the first call of a message has an unknown id.
    pub(super) fn has_new_call(&self, message: &Message<'_>) -> bool {
        let id = message.calls().items().next().and_then(|first| first.get_non_empty("id"));
        id.is_some_and(|id| self.calls.iter().all(|call| call.id.as_deref() != Some(&*id)))
    }

    /// Reads the tool calls of a whole message, or the fragments of a delta.
    /// Those of server `tools` are left out, and entries that aren't calls are kept in `members`.
    pub(super) fn read(
        &mut self,
        message: &Message<'_>,
        is_whole: bool,
        tools: &[ServerTool],
        members: &mut Object,
        out: &mut Builder,
    ) {
        self.is_whole = is_whole;
        if let Some(entries) = message.calls() {
            let is_list = entries.is_array();
            let entries = list_entries(entries);
            let count = entries.len();
            for (position, (index, value)) in entries.into_iter().enumerate() {
                if out.is_halted() {
                    return;
                }
                if is_list && is_server_tool(value, tools) {
                    continue;
                }
                let mut entry = Entry::read(value, position, count);
                entry.call.index = entry.call.index.or(index);
                if !value.is_object() || !self.read_entry(&entry, out) {
                    members.add("tool_calls", value);
                }
                if matches!(value.kind(), Kind::String | Kind::Array) && !is_blank(value) {
                    warn_unmatched_fragment(value, out);
                }
            }
        } else if let Some(call) = message.rare_members().and_then(call_in) {
            self.read_entry(&Entry::read(call, 0, 1), out);
        } else {
            let mut position = 0;
            for content in [message.content(), message.camel_case_member("content_list")].iter().flatten() {
                for part in content.items() {
                    if let Some(call) = call_in(part) {
                        self.read_entry(&Entry::read(call, position, 0), out);
                    }
                    position += 1;
                }
            }
        }
        let Some(function) = message.function_call().filter(|function| function.is_object()) else {
            return;
        };
        // Beside other calls, it repeats one of them. Some servers send all members, even empty ones.
        let is_alone = self.calls.iter().all(|call| call.place.slot == LEGACY);
        if is_alone && CallEntry::of(function).is_call() {
            self.read_function_call(function, out);
        } else if function.others(&[]).any(|(_, member)| has_value(member)) {
            members.put("function_call", function);
        }
    }

    /// Completes the calls at the end of a message. If it `is_cut`, the last call stays open.
    pub(super) fn close(&mut self, is_cut: bool, out: &mut Builder) {
        self.close_early(out);
        let open = self.calls.iter().map(|call| call.place.slot).max().filter(|_| is_cut);
        for call in self.calls.iter_mut().filter(|call| Some(call.place.slot) != open) {
            if std::mem::take(&mut call.is_custom) {
                let rest = match out.arguments_state(call.place) {
                    ProgressState::Empty => "\"\"",
                    ProgressState::Partial => "\"",
                    // Complete JSON text, or an object.
                    _ => continue,
                };
                out.push_arguments(call.place, &Fragment::from(rest));
            }
        }
    }

    /// Returns the members of the calls besides the known fields, by id.
    pub(super) fn details(&self, out: &Builder) -> Object {
        details(self.calls.iter().map(|call| (call.place, &call.members)), out)
    }

    /// Returns the place of the call that an entry's arguments were added to, if they are a piece of text, and another
    /// piece in such an entry would go there too.
    pub(super) fn repeatable(&self, value: Value<'_>, out: &Builder) -> Option<Place> {
        let entry = Entry::read(value, 0, 1);
        let has_piece = entry.name.is_none() && !entry.is_custom && entry.has_text_arguments();
        let Route::Known(at) = self.route(&entry, out) else { return None };
        let call = self.calls.get(at).filter(|call| has_piece && !call.is_name_repeated)?;
        // Not by which call is open, because that changes.
        let is_steady = match (entry.id(), entry.index) {
            (Some(id), _) => call.id.as_deref() == Some(id),
            (None, Some(index)) => {
                call.index == Some(index) && self.latest_without_arguments(at, out).is_none()
            }
            // It depends on calls that begin later.
            (None, None) => false,
        };
        // After all arguments of a call in one piece, other entries may go elsewhere.
        let is_start = || entry.arguments.is_some_and(|text| text.is(out.arguments_at(call.place)));
        let may_go_on = match out.arguments_state(call.place) {
            ProgressState::Empty => false,
            ProgressState::Complete => !is_start(),
            _ => true,
        };
        (is_steady && may_go_on).then_some(call.place)
    }

    /// Reads an entry. Returns `false` if it isn't a call, but has members to keep.
    fn read_entry(&mut self, entry: &Entry<'_>, out: &mut Builder) -> bool {
        if let Some(last) = self.calls.last().filter(|last| !last.has_name_continued_by(entry, out)) {
            out.leave_name(last.place, false);
        }
        let is_call = entry.id().is_some() || entry.name.is_some() || entry.has_arguments();
        if !(is_call || self.is_whole || entry.has_unread()) {
            return true;
        }
        let at = match self.route(entry, out) {
            Route::Known(at) if entry.id().is_none() && entry.name.is_none() => {
                let at = self.redirect(at, entry, out);
                let at = self.begin_repeated_call(at, entry, out);
                self.add_to(at, entry, out);
                return true;
            }
            Route::Known(at) => at,
            _ if !is_call => return false,
            Route::New => {
                let at = self.open_next(entry);
                self.append_early(at, entry, out);
                at
            }
            Route::Unmatched => {
                if !self.keep_early(entry) {
                    warn_unmatched_fragment(entry.value, out);
                }
                return true;
            }
        };
        self.update_call(at, entry, out);
        true
    }

    fn update_call(&mut self, at: usize, entry: &Entry<'_>, out: &mut Builder) {
        let Some(call) = self.calls.get_mut(at) else { return };
        if call.id.is_none() {
            call.id = entry.id().map(str::to_owned);
        }
        call.is_named_in_each |= call.is_continued_by(entry, out);
        call.is_name_repeated = entry.name.is_some()
            && !entry.has_arguments()
            && out.arguments_state(call.place) == ProgressState::Complete;
        if let Some(name) = entry.name.filter(|_| call.has_name_continued_by(entry, out)) {
            out.push_name(call.place, name);
        } else if !self.is_whole && !entry.has_arguments() && out.call_name(call.place).is_none() {
            out.leave_name(call.place, true);
        }
        if call.is_custom {
            out.mark_custom(call.place);
        }
        out.open_call(call.place, entry.id(), entry.name);
        self.add_to(at, entry, out);
    }

    /// Returns the index of the call that an entry's arguments belong to: the one at `at`, or the latest call, which has
    /// none, if that at `at` has all of its arguments. Some gateways send all arguments with the index of the first call.
    /// <https://github.com/Soju06/codex-lb/issues/542>
    fn redirect(&mut self, at: usize, entry: &Entry<'_>, out: &Builder) -> usize {
        let is_new = self.calls.get(at).is_some_and(|call| call.is_followed_by(entry, out));
        let Some(latest) = self.latest_without_arguments(at, out).filter(|_| is_new) else { return at };
        if let Some(call) = self.calls.get_mut(latest) {
            call.index = entry.index;
        }
        latest
    }

    /// Begins another call with the same name if the name was repeated and an entry has arguments. Returns the index of
    /// the entry's call.
    fn begin_repeated_call(&mut self, at: usize, entry: &Entry<'_>, out: &mut Builder) -> usize {
        let text = entry.arguments.and_then(Value::non_empty).unwrap_or_default();
        let is_other =
            |call: &Call| !out.has_arguments(call.place, text) && !out.may_grow_to(call.place, text);
        let call = self.calls.get(at).filter(|call| call.is_name_repeated && !text.trim_ascii().is_empty());
        let call = call.filter(|call| is_other(call));
        let Some(name) = call.and_then(|call| out.call_name(call.place)).map(str::to_owned) else {
            return at;
        };
        let next = self.open_next(entry);
        self.calls.get(next).inspect(|call| out.open_call(call.place, None, Some(&name)));
        next
    }

    /// Adds the arguments, signature and unread members of an entry.
    fn add_to(&mut self, at: usize, entry: &Entry<'_>, out: &mut Builder) {
        let Some(call) = self.calls.get_mut(at) else { return };
        push_arguments(call.place, entry, out);
        if entry.has_any_unread() {
            read_call_signature(entry.value, call.place, out);
        }
        entry.keep_unread(&mut call.members);
    }

    fn open_next(&mut self, entry: &Entry<'_>) -> usize {
        let major = entry.index.or_else(|| Some(self.calls.last()?.place.slot.0)).unwrap_or(0);
        let major = if self.is_whole { 0 } else { major };
        self.open(entry, Slot(major, self.calls.len() as u64))
    }

    fn open(&mut self, entry: &Entry<'_>, slot: Slot) -> usize {
        let at = self.calls.len();
        let place = Place { choice: self.choice, slot };
        self.calls.push(Call { is_custom: entry.is_custom, ..Call::new(place, entry.index) });
        at
    }

    /// Reads the legacy form of a call: one per message, usually without an id.
    fn read_function_call(&mut self, function: Value<'_>, out: &mut Builder) {
        let entry = Entry::read(function, 0, 1);
        let known = self.calls.iter().position(|call| call.place.slot == LEGACY);
        let at = known.unwrap_or_else(|| self.open(&entry, LEGACY));
        self.update_call(at, &entry, out);
    }
}

impl<'a> Entry<'a> {
    fn read(value: Value<'a>, position: usize, count: usize) -> Self {
        let mut call = CallEntry::of(value);
        let name_arguments = call.take_arguments_in_name();
        Self { value, position, count, call, name_arguments }
    }

    /// Whether its arguments are text. Unlike text, arguments that arrive as an object may be sent repeatedly.
    fn has_text_arguments(&self) -> bool {
        self.arguments.and_then(Value::non_empty).is_some()
    }

    /// Whether its arguments are a piece of text that isn't complete JSON by itself.
    fn has_piece(&self) -> bool {
        let text = self.arguments.and_then(Value::text);
        text.is_some_and(|text| !text.is_empty() && RawJson::parse(&*text).is_none())
    }

    /// Whether its arguments are text other than white space, which may follow complete arguments.
    fn has_visible_text(&self) -> bool {
        self.arguments.and_then(Value::non_empty).is_some_and(|text| !text.trim_ascii().is_empty())
    }
}

/// Whether this is an empty list.
pub(super) fn is_empty_list(value: Value<'_>) -> bool {
    value.is_array() && value.items().next().is_none()
}

fn push_arguments(place: Place, entry: &Entry<'_>, out: &mut Builder) {
    if let Some(arguments) = entry.name_arguments {
        return out.push_arguments(place, &Fragment::from(arguments));
    }
    let Some(arguments) = entry.arguments else { return };
    if let (true, Some(text)) = (entry.is_custom, arguments.fragment()) {
        let mut piece = escaped(&text);
        if out.arguments_state(place) == ProgressState::Empty {
            piece.text.to_mut().insert(0, '"');
        }
        out.push_arguments(place, &piece);
    } else if let Some(text) = arguments.fragment() {
        out.push_arguments(place, &text);
    } else {
        out.push_object_arguments(place, arguments.compact().unwrap_or_default());
    }
}
