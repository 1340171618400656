//! Entries of a list of tool calls, in the format that several interfaces share: `{id?, type?, index?, function: {name,
//! arguments}}`, or the same members without `function`.

use std::borrow::Cow;

use crate::accumulator::{Builder, Place};
use crate::collect::Collect;
use crate::error::quote;
use crate::json::{Field, Kind, Object, RawJson, Value, fields};
use crate::model::WarningCode;

fields! {
    /// An entry, or the function in it.
    struct Members {
        id: String,
        name: String,
        function,
        custom: Object,
        index: Number | String,
        kind = "type",
        arguments,
    }
}

/// An entry of a list of tool calls.
pub(super) struct CallEntry<'a> {
    id: Option<Cow<'a, str>>,
    pub(super) index: Option<u64>,
    pub(super) name: Option<&'a str>,
    /// An object, JSON text, or a fragment of it; for a custom tool, its input.
    pub(super) arguments: Option<Value<'a>>,
    /// Whether the tool is a custom one, whose input is text.
    pub(super) is_custom: bool,
    entry: Members<'a>,
    /// The `custom` or `function` member.
    function: Option<Members<'a>>,
}

impl<'a> Members<'a> {
    /// Returns the arguments, under any of their names.
    fn arguments_by_any_name(&self) -> Option<Value<'a>> {
        let own = self.arguments();
        let is_sure = own.is_some_and(|own| !is_blank(own)) || !self.has_unread();
        if is_sure { own } else { arguments_of(self.whole, "arguments") }
    }

    /// Returns the name, which may also be the value of `function`.
    fn name_by_any_name(&self) -> Option<&'a str> {
        let others = || Some(self.whole).filter(|_| self.has_unread());
        let other = || others()?.first_non_empty(&["function_name", "tool_name"]);
        name_in(self.name()).or_else(|| name_in(self.function())).or_else(other)
    }

    /// Whether there is a name, or arguments.
    fn is_call(&self) -> bool {
        [self.name(), self.arguments_by_any_name()].iter().flatten().any(|value| !value.is(""))
    }

    /// Keeps the unread members, except the arguments if `are_read`, and the name if only its beginning was read.
    fn keep_unread_except(&self, are_read: bool, kept: &mut Object) {
        if let Some(name) =
            self.name().filter(|name| name.non_empty().is_some_and(|all| without_markup(all) != all))
        {
            kept.put("name", name);
        }
        let is_read = are_read && self.has_unread();
        let arguments = if is_read { arguments_name(self.whole, "arguments") } else { "" };
        self.each_unread(|name, value| {
            if name != arguments {
                kept.put(name, value);
            }
        });
        self.keep_misfits(kept);
    }
}

impl<'a> CallEntry<'a> {
    pub(super) fn of(value: Value<'a>) -> Self {
        let entry = Members::of(value);
        let part = |part: Option<Value<'a>>| part.filter(|part| part.is_object()).map(Members::of);
        let function = part(entry.function());
        let custom = part(entry.custom()).filter(|_| !function.as_ref().is_some_and(Members::is_call));
        let is_custom = custom.is_some();
        let function = custom.or(function);
        // Members that the function lacks may be next to it.
        let inner = function.as_ref();
        let inside = inner.and_then(Members::arguments_by_any_name);
        Self {
            id: [call_id_of(&entry), entry.id(), inner.and_then(Members::id)]
                .iter()
                .flatten()
                .find_map(|id| id_of(*id))
                .or_else(|| ["call_id", "tool_use_id"].iter().find_map(|name| id_of(entry.other(&[name])?))),
            index: entry.index().unsigned().or_else(|| inner?.index().unsigned()),
            name: inner.and_then(|inner| name_in(inner.name())).or_else(|| entry.name_by_any_name()),
            arguments: inside
                .filter(|arguments| !is_blank(*arguments))
                .or_else(|| entry.arguments_by_any_name())
                .or(inside),
            is_custom,
            entry,
            function,
        }
    }

    /// Returns the id; some servers send a number.
    pub(super) fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Whether the entry has no content: some servers close a list of calls with such an entry.
    pub(super) fn is_blank(&self) -> bool {
        self.id.is_none() && self.name.is_none() && !self.has_arguments()
    }

    /// Keeps an entry that isn't a call, unless it is empty.
    pub(super) fn keep_in(&self, kept: &mut Object) {
        let mut members = Object::default();
        self.keep_unread(&mut members);
        if !members.is_empty() || !matches!(self.entry.whole.kind(), Kind::Object | Kind::Null) {
            kept.add("tool_calls", self.entry.whole);
        }
    }

    /// Takes arguments that the model has written into the name, as in `tide,{"port": "Husum"}`: the name is only what
    /// comes before them. <https://github.com/prism-php/prism/issues/983>
    pub(super) fn take_arguments_in_name(&mut self) -> Option<&'a str> {
        let name = self.name.filter(|_| self.arguments.is_none_or(is_blank_text))?;
        let at = name.bytes().position(|byte| byte == b'{')?;
        let (start, arguments) = name.split_at_checked(at)?;
        let start = start.trim_end_matches([',', '=', ':', ' ']);
        let is_call = !start.is_empty() && RawJson::parse(arguments).is_some();
        is_call.then(|| {
            self.name = Some(start);
            arguments
        })
    }

    pub(super) fn has_arguments(&self) -> bool {
        self.arguments.is_some_and(|arguments| !arguments.is(""))
    }

    /// Whether the entry has the format of chat completions, in which calls may be split.
    pub(super) fn has_function(&self) -> bool {
        self.function.is_some()
    }

    /// Whether there is a name, or arguments.
    pub(super) fn is_call(&self) -> bool {
        self.name.is_some() || self.has_arguments()
    }

    /// Whether the entry itself has unrecognised members, or members of an unexpected type.
    pub(super) fn has_unread(&self) -> bool {
        self.entry.has_unread() || self.entry.has_misfits()
    }

    /// Whether the entry or its function has unrecognised members.
    pub(super) fn has_any_unread(&self) -> bool {
        self.has_unread() || self.function.as_ref().is_some_and(Members::has_unread)
    }

    /// Keeps the unrecognised members, and those of an unexpected type.
    pub(super) fn keep_unread(&self, kept: &mut Object) {
        if let Some(kind) = self.entry.kind().filter(|kind| !kind.is("function") && !kind.is("")) {
            kept.put("type", kind);
        }
        let is_read =
            |function: &Value<'_>| function.is_object() || self.name.is_some_and(|name| function.is(name));
        if let Some(function) =
            self.entry.function().filter(|function| !is_read(function) && !is_blank(*function))
        {
            kept.put("function", function);
        }
        let inner = self.function.as_ref();
        self.entry.keep_unread_except(inner.and_then(Members::arguments_by_any_name).is_none(), kept);
        if let Some(function) = inner {
            function.keep_unread_except(true, kept);
        }
    }
}

/// Returns the call's id in an entry of Mistral's Conversations API, which also has an id of its own.
fn call_id_of<'a>(entry: &Members<'a>) -> Option<Value<'a>> {
    let is_entry = |kind: Value<'_>| kind.is("function.call") || kind.is("function.call.delta");
    let call = entry.kind().filter(|kind| is_entry(*kind)).map(|_| entry.whole)?;
    call.first(&["tool_call_id", "toolCallId"])
}

/// Returns the entries of a list, each with its index if the list is an object with indices as names. Some servers send
/// such an object, or the only entry without a list.
#[inline(never)]
pub(super) fn list_entries(list: Value<'_>) -> Vec<(Option<u64>, Value<'_>)> {
    let mut entries = list.items().map(|entry| (None, entry)).collect_vec();
    if !list.is_array() {
        for (name, entry) in list.others(&[]) {
            if let Ok(index) = name.parse() {
                entries.push((Some(index), entry));
            }
        }
        if entries.is_empty() {
            entries.push((None, list));
        }
    }
    entries
}

/// Whether a name or id is a placeholder for a missing one. Mistral sends such ids but rejects them in requests, and
/// gateways send such names.
/// <https://github.com/BerriAI/litellm/issues/12513>
fn is_placeholder(word: &str) -> bool {
    matches!(word, "null" | "None")
}

fn name_in(value: Option<Value<'_>>) -> Option<&str> {
    value.non_empty().filter(|name| !is_placeholder(name)).map(without_markup)
}

/// Returns a name without the tokens of the model's own format behind it, as in `tide<|channel|>commentary`. No
/// interface allows them in names. <https://github.com/ollama/ollama/issues/12132>
fn without_markup(name: &str) -> &str {
    let at = name.as_bytes().windows(2).position(|pair| matches!(pair, b"<|" | b"</")).filter(|at| *at > 0);
    at.and_then(|at| name.get(..at)).unwrap_or(name)
}

/// Returns an id that isn't a placeholder.
fn id_of(value: Value<'_>) -> Option<Cow<'_, str>> {
    any_id(value).filter(|id| !is_placeholder(id))
}

/// Returns an id, which may be a number.
pub(super) fn any_id(value: Value<'_>) -> Option<Cow<'_, str>> {
    let digits = || value.number().and_then(|_| value.compact());
    value.non_empty().map(Cow::Borrowed).or_else(|| digits().map(Cow::Owned))
}

/// Returns the name of the member with the arguments of a call: `own`, or, if that is blank, another common name.
/// Models that write calls themselves use such names, and some servers pass them on.
fn arguments_name(call: Value<'_>, own: &'static str) -> &'static str {
    let mut blank = None;
    for name in [own, "arguments", "parameters", "input", "args"] {
        match call.get(name) {
            Some(value) if !is_blank(value) => return name,
            Some(_) => blank = blank.or(Some(name)),
            None => {}
        }
    }
    blank.unwrap_or(own)
}

/// Whether arguments are blank, also as JSON text.
fn is_blank_text(arguments: Value<'_>) -> bool {
    is_blank(arguments) || arguments.is("{}")
}

/// Whether arguments are blank: `{}`, or `[]` instead of it, an empty string, or `null`.
pub(super) fn is_blank(arguments: Value<'_>) -> bool {
    match arguments.kind() {
        Kind::Null => true,
        Kind::Object => !arguments.has_others(&[]),
        Kind::String => arguments.is(""),
        Kind::Array => arguments.items().next().is_none(),
        Kind::Number | Kind::Boolean => false,
    }
}

/// Returns the arguments of a call, in this member or under another name.
pub(super) fn arguments_of<'a>(call: Value<'a>, own: &'static str) -> Option<Value<'a>> {
    call.get(arguments_name(call, own))
}

/// Adds arguments: an object, JSON text, or a fragment of it.
pub(super) fn push_arguments(arguments: Value<'_>, place: Place, out: &mut Builder) {
    match arguments.fragment() {
        Some(text) => out.push_arguments(place, &text),
        None => out.push_object_arguments(place, arguments.compact().unwrap_or_default()),
    }
}

/// Warns of a fragment that no call is waiting for, or several calls are.
pub(super) fn warn_unmatched_fragment(fragment: Value<'_>, out: &mut Builder) {
    warn_unmatched_arguments(&fragment.text_or_compact().unwrap_or_default(), out);
}

/// Warns of arguments that no call is waiting for, or several calls are.
pub(super) fn warn_unmatched_arguments(arguments: &str, out: &mut Builder) {
    let start =
        "Skipped a fragment of tool call arguments that belongs to no call, or might belong to several: ";
    out.warn(WarningCode::StrayFragment, [start, &quote(arguments)].concat());
}

/// Returns the unrecognised members of the calls, by the ids of the calls.
pub(super) fn details<'c>(calls: impl Iterator<Item = (Place, &'c Object)>, out: &Builder) -> Object {
    let mut details = Object::default();
    for (place, members) in calls.filter(|(place, members)| !members.is_empty() && !out.is_repeat(*place)) {
        if let Some(id) = out.call_id(place) {
            details.set(id, RawJson::of(members));
        }
    }
    details
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    #[test]
    fn a_function_without_an_object_is_the_name_or_kept() {
        let kept = |entry: &str| {
            let document = Document::parse(entry, 64).unwrap();
            let mut kept = Object::default();
            CallEntry::of(document.root()).keep_unread(&mut kept);
            kept.to_json()
        };
        assert_eq!(kept(r#"{"function":["tide"]}"#), r#"{"function":["tide"]}"#);
        assert_eq!(kept(r#"{"function":5,"name":"tide"}"#), r#"{"function":5}"#);
        assert_eq!(kept(r#"{"function":"tides","name":"tide"}"#), r#"{"function":"tides"}"#);
        for read in [r#"{"function":"tide"}"#, r#"{"function":null}"#, r#"{"function":{"name":"tide"}}"#] {
            assert_eq!(kept(read), "{}");
        }
    }
}
