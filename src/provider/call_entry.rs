//! Entries of a list of tool calls, in the form that several interfaces share:
//! `{id?, type?, index?, function: {name, arguments}}`, or the same without `function`.

use crate::accumulator::{Builder, Place};
use crate::error::quote;
use crate::json::{Field, Object, RawJson, Value, fields};
use crate::model::WarningCode;

fields! {
    /// An entry, or the function in it.
    struct Members {
        id: String,
        name: String,
        function: Object,
        index,
        kind = "type",
        arguments,
    }
}

/// An entry of a list of tool calls.
pub(super) struct CallEntry<'a> {
    pub(super) id: Option<&'a str>,
    pub(super) index: Option<u64>,
    pub(super) name: Option<&'a str>,
    /// An object, JSON text, or a piece of it.
    pub(super) arguments: Option<Value<'a>>,
    entry: Members<'a>,
    function: Option<Members<'a>>,
}

impl<'a> CallEntry<'a> {
    pub(super) fn of(value: Value<'a>) -> Self {
        let entry = Members::of(value);
        let function = entry.function().filter(|function| function.is_object()).map(Members::of);
        let named = function.as_ref().unwrap_or(&entry);
        Self {
            id: entry.id().label(),
            index: entry.index().unsigned().or_else(|| named.index().unsigned()),
            name: named.name().label(),
            arguments: named.arguments(),
            entry,
            function,
        }
    }

    /// Whether it says nothing: some servers close a list of calls with such an entry.
    pub(super) fn is_blank(&self) -> bool {
        self.id.is_none() && self.name.is_none() && self.arguments.is_none_or(|arguments| arguments.is(""))
    }

    /// Whether it has the form of chat completions, in which calls may come in pieces.
    pub(super) fn has_function(&self) -> bool {
        self.function.is_some()
    }

    /// Keeps the members that no other call has.
    pub(super) fn keep_unread(&self, kept: &mut Object) {
        if let Some(kind) = self.entry.kind().filter(|kind| !kind.is("function") && !kind.is("")) {
            kept.put("type", kind);
        }
        for members in [Some(&self.entry), self.function.as_ref()].into_iter().flatten() {
            members.keep_unread(false, kept);
        }
    }
}

/// Takes in arguments: an object, JSON text, or a piece of it. The text `null` says that there are none.
pub(super) fn push_arguments(arguments: Value<'_>, place: Place, out: &mut Builder) {
    match arguments.fragment() {
        Some(text) if text.text.trim() == "null" => {}
        Some(text) => out.push_arguments(place, &text),
        None => out.push_object_arguments(place, arguments.compact().unwrap_or_default()),
    }
}

/// A piece of a call came whose beginning is missing.
pub(super) fn warn_of_stray(value: Value<'_>, out: &mut Builder) {
    let text = value.compact().unwrap_or_default();
    let message = ["Skipped a piece of a tool call that didn't begin: ", &quote(&text)].concat();
    out.warn(WarningCode::StrayFragment, message);
}

/// The members that calls have besides the known ones, by the id of the call.
pub(super) fn details<'c>(calls: impl Iterator<Item = (Place, &'c Object)>, out: &Builder) -> Object {
    let mut details = Object::default();
    for (place, members) in calls.filter(|(_, members)| !members.is_empty()) {
        if let Some(id) = out.call_id(place) {
            details.set(id, RawJson::of(members));
        }
    }
    details
}
