//! Which call a fragment belongs to.

use super::{Call, Entry, ToolCallReader};
use crate::accumulator::{Builder, is_placeholder};
use crate::json::{ProgressState, RawJson, Value};

/// Maximum number of calls with the same id that a possible repetition is compared with: the latest ones.
const MAX_SAME_IDS: usize = 16;

/// Destination of an entry.
pub(super) enum Route {
    /// The call at this index.
    Known(usize),
    /// A new call.
    New,
    /// None: the entry matches no call, or several.
    Unmatched,
}

impl ToolCallReader {
    pub(super) fn route(&self, entry: &Entry<'_>, out: &Builder) -> Route {
        if self.is_whole {
            return self.route_in_message(entry, out);
        }
        if let Some(at) = self.find_repeated(entry, out) {
            return Route::Known(at);
        }
        match entry.index {
            Some(index) => self.route_by_index(index, entry, out),
            None => self.route_without_index(entry, out),
        }
    }

    /// In a whole message each entry is a call, but some servers send the arguments in an entry of their own.
    /// <https://github.com/sgl-project/sglang/issues/23071>
    fn route_in_message(&self, entry: &Entry<'_>, out: &Builder) -> Route {
        let is_rest = |call: &Call| {
            entry.id().is_none()
                && entry.name.is_none()
                && entry.has_text_arguments()
                && out.arguments_state(call.place) == ProgressState::Empty
        };
        let last = self.calls.len().saturating_sub(1);
        if self.calls.last().is_some_and(is_rest) { Route::Known(last) } else { Route::New }
    }

    /// Returns the index of the call that an entry repeats, whatever its index: with the same id, name and arguments, or
    /// more of them.
    pub(super) fn find_repeated(&self, entry: &Entry<'_>, out: &Builder) -> Option<usize> {
        let id = entry.id().filter(|_| entry.name.is_some())?;
        // Objects at the same index are merged.
        let may_be = |call: &Call| entry.has_text_arguments() || call.index != entry.index;
        let has_id = |call: &Call| call.id.as_deref() == Some(id) && may_be(call);
        let same_id =
            || self.calls.iter().enumerate().rev().filter(|(_, call)| has_id(call)).take(MAX_SAME_IDS);
        // Several calls may share an id. Then they come together, or it doesn't tell which call has grown.
        let may_grow = entry.count == 1 && same_id().nth(1).is_none();
        let (at, _) = same_id().find(|(_, call)| call.is_repeated_by(entry, may_grow, out))?;
        Some(at)
    }

    fn route_by_index(&self, index: u64, entry: &Entry<'_>, out: &Builder) -> Route {
        let at_index = |call: &Call| call.index == Some(index);
        let is_named = entry.name.is_some();
        if let Some(id) = entry.id() {
            let has_id = |call: &Call| call.id.as_deref() == Some(id);
            if let Some(at) = self.calls.iter().rposition(|call| at_index(call) && has_id(call)) {
                let is_other =
                    self.calls.get(at).is_some_and(|call| call.is_another_complete_call(entry, out));
                return if is_other { Route::New } else { Route::Known(at) };
            }
            // A call that began without an index may be repeated with one.
            let is_known = |call: &Call| has_id(call) && (!is_named || call.index.is_none());
            if let Some(at) = self.calls.iter().rposition(is_known) {
                return Route::Known(at);
            }
        }
        let Some(at) = self.calls.iter().rposition(at_index) else {
            return match entry.id() {
                None if !is_named && self.early_arguments.iter().any(|early| early.index == index) => {
                    Route::Unmatched
                }
                None if !is_named => self.route_to_open(out),
                _ => Route::New,
            };
        };
        let Some(latest) = self.calls.get(at) else { return Route::New };
        let is_over = is_named
            && !latest.has_name_continued_by(entry, out)
            && latest.is_ended_by(entry, out)
            && !latest.is_resent_by(entry, out)
            && !latest.accepts_name(entry, out);
        if is_over { Route::New } else { Route::Known(at) }
    }

    /// Routes to the only call with incomplete arguments.
    fn route_to_open(&self, out: &Builder) -> Route {
        let is_open = |call: &Call| out.arguments_state(call.place) != ProgressState::Complete;
        let mut open = (0..self.calls.len()).filter(|at| self.calls.get(*at).is_some_and(is_open));
        match (open.next(), open.next()) {
            (Some(at), None) => Route::Known(at),
            _ => Route::Unmatched,
        }
    }

    fn route_without_index(&self, entry: &Entry<'_>, out: &Builder) -> Route {
        let Some(last) = self.calls.len().checked_sub(1) else {
            return if entry.id().is_some() || entry.name.is_some() { Route::New } else { Route::Unmatched };
        };
        let is_over = |at: usize| self.calls.get(at).is_none_or(|call| call.is_ended_by(entry, out));
        let continues_last = self.calls.get(last).is_some_and(|call| call.is_continued_by(entry, out));
        match (entry.id(), &entry.name) {
            (Some(id), name) => match self.calls.iter().rposition(|call| call.id.as_deref() == Some(id)) {
                Some(at) if name.is_some() && is_over(at) => Route::New,
                Some(at) => Route::Known(at),
                None if name.is_none() && entry.has_arguments() || continues_last => Route::Known(last),
                None => Route::New,
            },
            (None, Some(_)) if continues_last || self.lacks_name(last, out) => Route::Known(last),
            (None, Some(_)) if entry.position > 0 || is_over(last) || !entry.has_arguments() => Route::New,
            (None, None) if self.is_at_its_position(entry, out) => Route::Known(entry.position),
            (None, Some(_)) => Route::Known(last),
            (None, None) => Route::Known(self.open_without_index(out).unwrap_or(last)),
        }
    }

    /// Whether a delta has an entry for each call, and this one continues the call at its position.
    fn is_at_its_position(&self, entry: &Entry<'_>, out: &Builder) -> bool {
        let may_go_on = |call: &Call| {
            !entry.has_visible_text() || out.arguments_state(call.place) != ProgressState::Complete
        };
        entry.count > 1
            && entry.count == self.calls.len()
            && self.calls.get(entry.position).is_some_and(may_go_on)
    }

    /// Returns the index of the latest call if it began after that at `at` and has no arguments yet.
    pub(super) fn latest_without_arguments(&self, at: usize, out: &Builder) -> Option<usize> {
        let latest = self.calls.len().checked_sub(1).filter(|latest| at < *latest)?;
        let call = self.calls.get(latest)?;
        (out.arguments_state(call.place) == ProgressState::Empty).then_some(latest)
    }

    fn lacks_name(&self, at: usize, out: &Builder) -> bool {
        self.calls.get(at).is_some_and(|call| {
            out.call_name(call.place).is_none() && out.arguments_state(call.place) == ProgressState::Empty
        })
    }

    /// Returns the latest call that began without an index and has incomplete arguments: some servers omit an index of
    /// 0.
    fn open_without_index(&self, out: &Builder) -> Option<usize> {
        let is_open = |call: &Call| out.arguments_state(call.place) != ProgressState::Complete;
        self.calls.iter().rposition(|call| call.index.is_none() && is_open(call))
    }
}

impl Call {
    /// Whether an entry repeats this call, with the same name and arguments, or more of them if it `may_grow`.
    fn is_repeated_by(&self, entry: &Entry<'_>, may_grow: bool, out: &Builder) -> bool {
        out.call_name(self.place) == entry.name
            && entry.arguments.and_then(Value::text_or_compact).is_some_and(|json| {
                out.has_arguments(self.place, &json) || may_grow && out.may_grow_to(self.place, &json)
            })
    }

    /// Whether an entry with the name of this call, but no id, still belongs to it: the entry repeats the whole call,
    /// or the arguments so far are a placeholder.
    fn is_resent_by(&self, entry: &Entry<'_>, out: &Builder) -> bool {
        let is_same = self.id.is_some() && entry.id().is_none() && out.call_name(self.place) == entry.name;
        is_same && (is_placeholder(out.arguments_at(self.place)) || self.is_repeated_by(entry, false, out))
    }

    /// Whether an entry at the index of this call has other arguments, although those of this call are complete.
    pub(super) fn is_followed_by(&self, entry: &Entry<'_>, out: &Builder) -> bool {
        let text = entry.arguments.and_then(Value::non_empty);
        self.index.is_some()
            && self.index == entry.index
            && entry.has_visible_text()
            && out.arguments_state(self.place) == ProgressState::Complete
            && !is_placeholder(out.arguments_at(self.place))
            && text.is_some_and(|text| !out.has_arguments(self.place, text))
    }

    /// Whether this call has no name and may take that of an entry: the entry continues its arguments, or has no
    /// different ones.
    fn accepts_name(&self, entry: &Entry<'_>, out: &Builder) -> bool {
        let is_same_call = match out.arguments_state(self.place) {
            ProgressState::Empty => true,
            ProgressState::Partial => entry.has_piece(),
            _ => {
                let text = entry.arguments.and_then(Value::text);
                !entry.has_visible_text() || text.is_some_and(|text| out.has_arguments(self.place, &text))
            }
        };
        is_same_call && out.call_name(self.place).is_none()
    }

    /// Whether an entry with the id of this call is another call: a whole one with another name, or with another object
    /// after that of this call. <https://github.com/diegosouzapw/OmniRoute/issues/11043>
    fn is_another_complete_call(&self, entry: &Entry<'_>, out: &Builder) -> bool {
        let has_other_name = out.call_name(self.place) != entry.name;
        let is_object = |json: &str| json.trim_ascii_start().starts_with('{') && !is_placeholder(json);
        let is_whole = |json: &str| is_object(json) && RawJson::parse(json).is_some();
        let has_other_object = || {
            is_object(out.arguments_at(self.place))
                && entry.arguments.and_then(Value::text).is_some_and(|json| is_whole(&json))
        };
        let is_whole_so_far = || {
            is_object(out.arguments_at(self.place))
                && out.arguments_state(self.place) == ProgressState::Complete
        };
        entry.name.is_some()
            && !self.has_name_continued_by(entry, out)
            && self.is_ended_by(entry, out)
            && if has_other_name { entry.has_arguments() || is_whole_so_far() } else { has_other_object() }
    }

    /// Whether the name of an entry continues the name of this call: it is different, at the same index, before any
    /// arguments, and without another id. Official clients join such names. An entry with a type begins a call.
    pub(super) fn has_name_continued_by(&self, entry: &Entry<'_>, out: &Builder) -> bool {
        entry.name.is_some_and(|name| out.call_name(self.place) != Some(name))
            && match entry.id() {
                Some(id) => self.id.as_deref() == Some(id),
                None => entry.value.get("type").is_none_or(|kind| kind.is("")),
            }
            && self.index == entry.index
            && out.is_name_open(self.place)
    }

    /// Whether an entry with the index and name of this call is another fragment of it, even if its id is another one:
    /// arguments of a new call would begin as an object. Old releases of vLLM and TensorRT-LLM send the name of a
    /// required tool in each fragment, and generate an id for each.
    pub(super) fn is_continued_by(&self, entry: &Entry<'_>, out: &Builder) -> bool {
        let is_same =
            entry.name.is_some() && out.call_name(self.place) == entry.name && self.index == entry.index;
        if !is_same || self.is_custom {
            return false;
        }
        let has_piece = || self.index.is_some() && entry.has_piece();
        let text = entry.arguments.and_then(Value::non_empty);
        match out.arguments_state(self.place) {
            ProgressState::Empty => has_piece(),
            ProgressState::Partial => match text {
                Some(text) => {
                    self.is_named_in_each || !text.trim_ascii_start().starts_with('{') || has_piece()
                }
                None => self.is_named_in_each && !entry.has_arguments(),
            },
            ProgressState::Complete => {
                self.is_named_in_each
                    && text.map_or(!entry.has_arguments(), |text| text.trim_ascii().is_empty())
            }
            ProgressState::Invalid { .. } => false,
        }
    }

    /// Whether an entry with a name can't continue this call: it has another id or name, or has arguments although
    /// those of the call are complete.
    fn is_ended_by(&self, entry: &Entry<'_>, out: &Builder) -> bool {
        let has_other_id = matches!((&self.id, &entry.id()), (Some(known), Some(id)) if known != id);
        let has_other_name =
            matches!((out.call_name(self.place), entry.name), (Some(known), Some(name)) if known != name);
        let is_whole = out.arguments_state(self.place) == ProgressState::Complete;
        let has_other_id = has_other_id && !self.is_continued_by(entry, out);
        has_other_id || has_other_name || (is_whole && entry.has_visible_text())
    }
}
