//! Calls of custom tools, whose input is text. The common form has it as a JSON string. A model of another interface calls a
//! function in place of the tool, whose only argument is the input.
//! <https://platform.openai.com/docs/guides/function-calling#custom-tools>

use std::ops::Range;

use super::writer::Context;
use crate::accumulator::{Builder, Place};
use crate::json::{Document, ProgressState, Value};
use crate::model::Api;

/// Marks the calls of custom tools in a body.
pub(super) fn mark_custom_calls(specific: Option<Value<'_>>, answer: &mut Builder) {
    let mut ids = specific.map(custom_ids).unwrap_or_default();
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

/// The ids of the calls of custom tools, and the choice they are in: in Responses there is none.
fn custom_ids(specific: Value<'_>) -> Vec<(Option<u64>, String)> {
    let is_type = |of: &Value<'_>, name| of.get("type").is_some_and(|kind| kind.is(name));
    let items = specific.get_items("outputItems").filter(|item| is_type(item, "custom_tool_call"));
    let ids = items.filter_map(|item| item.get_string("call_id").or_else(|| item.get_string("id")));
    let mut list: Vec<_> = ids.map(|id| (None, id)).collect();
    for choice in specific.get_items("choices") {
        let index = Some(choice.get_unsigned("index").unwrap_or_default());
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
    /// behind it, or if the call `is_over`.
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
        let input = Self::Behind(arguments.len() - rest.len());
        if is_input {
            return input;
        }
        // A long string isn't searched for its end each time that a piece of it comes.
        if !is_over && !rest.trim_ascii_end().ends_with('}') {
            return Self::Ahead;
        }
        match behind_string(rest) {
            "" if !is_over => Self::Ahead,
            behind if behind.starts_with(',') => Self::All,
            _ => input,
        }
    }
}

/// What follows a string whose beginning is cut off, behind its end.
fn behind_string(rest: &str) -> &str {
    let behind = rest.get(whole_escapes(rest.as_bytes())..).unwrap_or_default();
    behind.strip_prefix('"').unwrap_or_default().trim_ascii_start()
}

/// Whether the arguments of a call that is over have others beside the input.
pub(super) fn has_others(place: Place, end: usize, context: &Context<'_>) -> bool {
    let arguments = arguments_of(place, context).get(..end).unwrap_or_default();
    match Opening::of(arguments, !context.is_custom(place), true) {
        Opening::Behind(at) => behind_string(arguments.get(at..).unwrap_or_default()).starts_with(','),
        _ => false,
    }
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
    let raw = arguments.get(from..end).unwrap_or_default();
    let piece = raw.get(..whole_escapes(raw.as_bytes())).unwrap_or_default();
    let json = ["\"", piece, "\""].concat();
    let text = Document::parse(&json, 1).ok().and_then(|document| document.root().text().map(Into::into));
    (text.unwrap_or_default(), from + piece.len())
}

/// The builder has an empty object where there are no arguments.
fn arguments_of<'a>(place: Place, context: &Context<'a>) -> &'a str {
    let is_empty = context.answer.arguments_state(place) == ProgressState::Empty;
    if is_empty { "" } else { context.answer.arguments_at(place) }
}

/// The input as far as it has come.
pub(super) fn input_of(place: Place, end: usize, context: &Context<'_>) -> String {
    input_piece(place, 0..end, true, context).0
}

/// How many bytes of a piece of a JSON string can be read without what follows.
fn whole_escapes(raw: &[u8]) -> usize {
    let mut at = 0;
    while let Some(byte) = raw.get(at) {
        let length = match (byte, raw.get(at + 1)) {
            (b'"', _) | (b'\\', None) => return at,
            (b'\\', Some(b'u')) => {
                let is_high = raw.get(at + 2..at + 4).is_some_and(|digits| {
                    matches!(digits, [b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B'])
                });
                let is_alone = raw.get(at + 6).is_some_and(|next| *next != b'\\');
                if is_high && !is_alone { 12 } else { 6 }
            }
            (b'\\', _) => 2,
            _ => 1,
        };
        if at + length > raw.len() {
            return at;
        }
        at += length;
    }
    at
}
