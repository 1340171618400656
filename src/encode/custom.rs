//! Calls of custom tools, whose input is text. The common form has it as a JSON string. A model of another interface calls a
//! function in place of the tool, whose only argument is the input.
//! <https://platform.openai.com/docs/guides/function-calling#custom-tools>

use std::ops::Range;

use memchr::memchr2;

use super::writer::Context;
use crate::accumulator::{Builder, Place};
use crate::json::{ProgressState, Value, decode_onto};
use crate::model::Api;

/// Marks the calls of custom tools in a body.
pub(super) fn mark_custom_calls(specific: Option<Value<'_>>, answer: &mut Builder) {
    let is_only = answer.choice_indices().nth(1).is_none();
    let mut ids = specific.map(|specific| custom_ids(specific, is_only)).unwrap_or_default();
    ids.sort_unstable();
    let choices: Vec<u32> = if ids.is_empty() { Vec::new() } else { answer.choice_indices().collect() };
    for place in choices.into_iter().flat_map(|choice| answer.calls_of(choice)).collect::<Vec<_>>() {
        let Some(id) = answer.call_id(place) else { continue };
        let is_custom = |choice| ids.binary_search_by_key(&(choice, id), |(at, id)| (*at, id)).is_ok();
        if is_custom(None) || is_custom(Some(place.choice.into())) {
            answer.mark_custom(place);
        }
    }
}

/// The ids of the calls of custom tools, and the choice they are in: in Responses there is none. `is_only`: the response has
/// only one choice, whose index the common form doesn't have.
fn custom_ids(specific: Value<'_>, is_only: bool) -> Vec<(Option<u64>, String)> {
    let is_type = |of: &Value<'_>, name| of.get("type").is_some_and(|kind| kind.is(name));
    let items = specific.get_items("outputItems").filter(|item| is_type(item, "custom_tool_call"));
    let ids = items.filter_map(|item| item.get_string("call_id").or_else(|| item.get_string("id")));
    let mut list: Vec<_> = ids.map(|id| (None, id)).collect();
    for choice in specific.get_items("choices") {
        let index = (!is_only).then(|| choice.get_unsigned("index").unwrap_or_default());
        let calls = choice.get("toolCalls").into_iter().flat_map(|calls| calls.others(&[]));
        list.extend(
            calls.filter(|(_, call)| is_type(call, "custom")).map(|(id, _)| (index, id.into_owned())),
        );
    }
    list
}

/// Whether a call is one of a custom tool, or of a function in place of one: Responses itself has no such functions.
pub(super) fn is_custom(place: Place, context: &Context<'_>) -> bool {
    let tools = &context.options.custom_tools;
    context.is_custom(place)
        || context.source != Some(Api::OpenaiResponses)
            && !tools.is_empty()
            && context.answer.call_name(place).is_some_and(|name| tools.iter().any(|tool| tool == name))
}

/// Where the input begins in arguments.
enum Opening {
    /// It is all of them: they look like JSON, and aren't, or have something else.
    All,
    /// Behind this byte, in a JSON string.
    Behind(usize),
    /// It hasn't come yet.
    Ahead,
}

impl Opening {
    /// `is_function`: behind `{"input": "`. An argument of another name is the input if it is the only one, which is known
    /// once the call `is_over`, as is an `input` behind other texts.
    fn of(arguments: &str, is_function: bool, is_over: bool) -> Self {
        if arguments.starts_with('"') {
            return Self::Behind(1);
        }
        if !is_function {
            return Self::All;
        }
        if arguments.bytes().filter(|byte| !byte.is_ascii_whitespace()).eq(*b"{}") {
            return Self::Ahead; // it never comes
        }
        let is_of_name = |char| char != '"';
        let is_input = arguments.split('"').nth(1) == Some("input");
        let mut rest = arguments;
        for (skipped, mark) in [
            (char::is_whitespace as fn(char) -> bool, '{'),
            (char::is_whitespace, '"'),
            (is_of_name, '"'),
            (char::is_whitespace, ':'),
            (char::is_whitespace, '"'),
        ] {
            rest = rest.trim_start_matches(skipped);
            match rest.strip_prefix(mark) {
                Some(behind) => rest = behind,
                None if rest.is_empty() => return Self::Ahead,
                None => return Self::All,
            }
        }
        let at = arguments.len() - rest.len();
        if is_input {
            return Self::Behind(at);
        }
        if !is_over {
            return Self::Ahead;
        }
        match next_member(behind_string(rest)) {
            None => Self::Behind(at),
            Some(others) => input_in(others).map_or(Self::All, |it| Self::Behind(arguments.len() - it.len())),
        }
    }
}

/// What follows a string at whose beginning this is.
fn behind_string(raw: &str) -> &str {
    raw.get(read(raw, true).1..).unwrap_or_default().trim_start_matches('"')
}

/// The next argument, from its name.
fn next_member(raw: &str) -> Option<&str> {
    raw.trim_ascii_start().strip_prefix(',')?.trim_ascii_start().strip_prefix('"')
}

/// The text that is called `input` in arguments which are strings.
fn input_in(mut members: &str) -> Option<&str> {
    loop {
        let (name, rest) = members.split_once('"')?;
        let text = rest.trim_ascii_start().strip_prefix(':')?.trim_ascii_start().strip_prefix('"')?;
        if name == "input" {
            return Some(text);
        }
        members = next_member(behind_string(text))?;
    }
}

/// What is behind the input of a call.
#[derive(Default)]
pub(super) struct Behind {
    /// Nothing that ends it.
    pub(super) is_cut: bool,
    /// Something else that isn't written, also before it.
    pub(super) has_others: bool,
}

/// What is behind the input that was written up to this byte, in arguments that reach to `end`.
pub(super) fn behind_input(place: Place, written: usize, end: usize, context: &Context<'_>) -> Behind {
    let arguments = arguments_of(place, context).get(..end).unwrap_or_default();
    let Opening::Behind(at) = Opening::of(arguments, !context.is_custom(place), true) else {
        return Behind::default();
    };
    let rest = arguments.get(written.max(at)..).unwrap_or_default();
    let Some(behind) = rest.strip_prefix('"') else { return Behind { is_cut: true, has_others: false } };
    let is_usual = |byte: u8| byte.is_ascii_whitespace() || b",}".contains(&byte);
    let is_in_object = arguments.trim_ascii_start().starts_with('{');
    let has_before = arguments.get(..at).is_some_and(|before| before.matches('"').count() > 3);
    let has_others = has_before || !behind.bytes().all(is_usual);
    Behind { is_cut: is_in_object && !behind.contains('}'), has_others }
}

/// The input in a piece of the arguments, and where the next piece begins: no escape is cut. `is_over`: nothing follows.
pub(super) fn input_piece(
    place: Place,
    Range { start: from, end }: Range<usize>,
    is_over: bool,
    context: &Context<'_>,
) -> (String, usize) {
    let arguments = arguments_of(place, context);
    let end = end.min(arguments.len());
    let known = arguments.get(..end).unwrap_or_default();
    let from = match Opening::of(known, !context.is_custom(place), is_over) {
        Opening::All => return (arguments.get(from..end).unwrap_or_default().to_owned(), end.max(from)),
        Opening::Ahead => return (String::new(), from),
        Opening::Behind(at) => from.max(at),
    };
    let (text, length) = read(known.get(from..).unwrap_or_default(), is_over);
    (text, from + length)
}

/// The builder has an empty object where there are no arguments.
fn arguments_of<'a>(place: Place, context: &Context<'a>) -> &'a str {
    let is_empty = context.answer.arguments_state(place) == ProgressState::Empty;
    if is_empty { "" } else { context.answer.arguments_at(place) }
}

/// The input that was written up to this byte.
pub(super) fn input_of(place: Place, written: usize, context: &Context<'_>) -> String {
    let known = arguments_of(place, context).get(..written).unwrap_or_default();
    match Opening::of(known, !context.is_custom(place), true) {
        Opening::All => known.to_owned(),
        Opening::Ahead => String::new(),
        // A quote that ends it isn't written.
        Opening::Behind(at) => read_until(known.get(at..).unwrap_or_default(), true, |_| Some(false)).0,
    }
}

/// The input of a call that was cut off: its arguments are the beginning of a JSON string.
pub(super) fn cut_input(arguments: &str) -> String {
    read_until(arguments.strip_prefix('"').unwrap_or(arguments), true, |_| Some(false)).0
}

/// Reads the input at the beginning of a piece of a JSON string, as models write it: with line breaks and quotes that aren't
/// escaped, and with backslashes that escape nothing. Gives the input, and how far it was read. `is_over`: nothing follows.
fn read(raw: &str, is_over: bool) -> (String, usize) {
    read_until(raw, is_over, |behind| ends_string(behind, is_over))
}

/// The same up to a quote that `is_end`, or of which that isn't known yet.
fn read_until(raw: &str, is_over: bool, is_end: impl Fn(&str) -> Option<bool>) -> (String, usize) {
    let (mut text, mut at) = (String::new(), 0);
    loop {
        let rest = raw.get(at..).unwrap_or_default();
        let plain = memchr2(b'"', b'\\', rest.as_bytes()).unwrap_or(rest.len());
        let (before, rest) = rest.split_at_checked(plain).unwrap_or_default();
        text.push_str(before);
        at += plain;
        let length = match rest.strip_prefix('"') {
            Some(behind) if is_end(behind) == Some(false) => 0,
            None if !rest.is_empty() => match length_of_escape(rest.as_bytes(), is_over) {
                Some(length) => length,
                None => return (text, at),
            },
            _ => return (text, at),
        };
        at += length.max(1);
        match rest.get(..length.max(1)).unwrap_or_default() {
            itself if length == 0 => text.push_str(itself),
            escape => {
                let (lead, trail) = decode_onto(escape, &mut text);
                if lead.or(trail).is_some() {
                    text.push(char::REPLACEMENT_CHARACTER);
                }
            }
        }
    }
}

/// So far behind a quote is looked.
const WINDOW: usize = 4096;

/// Whether a quote ends its string: if a bracket or another argument follows, but no other end. `None` if that isn't known
/// yet.
fn ends_string(behind: &str, is_over: bool) -> Option<bool> {
    let window = behind.get(..behind.floor_char_boundary(WINDOW)).unwrap_or_default();
    let at_last = (is_over || window.len() < behind.len()).then_some(true);
    let ahead = window.trim_ascii_start();
    let member = ahead.strip_prefix(',').map(str::trim_ascii_start);
    let ahead = member.unwrap_or(ahead);
    if let Some(behind) = ahead.strip_prefix('}') {
        let is_end = |(at, _)| behind.get(..at).is_some_and(|text| text.trim_ascii_end().ends_with('"'));
        return if behind.match_indices('}').any(is_end) { Some(false) } else { at_last };
    }
    match (ahead.strip_prefix('"').filter(|_| member.is_some()), ahead) {
        (None, "") => at_last,
        (None, _) => Some(false),
        (Some(name), _) => match name.split_once('"').map(|(_, behind)| behind.trim_ascii_start()) {
            None | Some("") => at_last,
            Some(behind) => Some(behind.starts_with(':')),
        },
    }
}

/// How many bytes the escape has that may begin here; 0 if the backslash stands for itself. `None` if that isn't known yet, or
/// the escape is cut off.
fn length_of_escape(raw: &[u8], is_over: bool) -> Option<usize> {
    if !is_unicode(raw)? {
        let is_known = raw.get(1).is_some_and(|letter| b"\"\\/bfnrt".contains(letter));
        return Some(if is_known { 2 } else { 0 });
    }
    let half = |at: usize| raw.get(at..at + 2).unwrap_or_default();
    let (b"d8" | b"d9" | b"da" | b"db") = &*half(2).to_ascii_lowercase() else { return Some(6) };
    let is_followed = match is_unicode(raw.get(6..).unwrap_or_default()) {
        None if !is_over => return None,
        known => known == Some(true),
    };
    let is_pair = is_followed && matches!(half(8), [b'd' | b'D', b'c'..=b'f' | b'C'..=b'F']);
    Some(if is_pair { 12 } else { 6 })
}

/// Whether the escape of a code unit begins here. `None` if that isn't known yet.
fn is_unicode(raw: &[u8]) -> Option<bool> {
    let is_right = |(at, byte): (usize, &u8)| match at {
        0 => *byte == b'\\',
        1 => *byte == b'u',
        _ => byte.is_ascii_hexdigit(),
    };
    let is_right = raw.iter().take(6).enumerate().all(is_right);
    (!is_right || raw.len() >= 6).then_some(is_right)
}
