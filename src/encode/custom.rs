//! Calls of custom tools, whose input is text. The common form has the input as a JSON string. A model of another
//! interface calls a function instead, whose only argument is the input.
//! <https://platform.openai.com/docs/guides/function-calling#custom-tools>

use std::ops::Range;

use memchr::{memchr, memchr2};

use super::writer::Context;
use crate::accumulator::{Builder, Place};
use crate::collect::Collect;
use crate::json::{ProgressState, Value, decode_onto, to_json};
use crate::keyed::Keyed;
use crate::model::Api;

/// Marks the calls of custom tools in a body.
pub(super) fn mark_custom_calls(specific: Option<Value<'_>>, answer: &mut Builder) {
    let is_only = answer.choice_indices().nth(1).is_none();
    let ids = specific.map(|specific| custom_call_ids(specific, is_only)).unwrap_or_default();
    let choices = if ids.is_empty() { Vec::new() } else { answer.choice_indices().collect_vec() };
    for place in choices.into_iter().flat_map(|choice| answer.calls_of(choice)).collect_vec() {
        let Some(id) = answer.call_id(place) else { continue };
        let is_custom = |choice| ids.get(&*key_of(choice, id)).is_some();
        if is_custom(None) || is_custom(Some(place.choice.into())) {
            answer.mark_custom(place);
        }
    }
}

/// Returns the keys of custom tool calls. The choice is `None` for Responses, and if `is_only`: the common form of a
/// response with one choice doesn't have its index.
fn custom_call_ids(specific: Value<'_>, is_only: bool) -> Keyed<String, bool> {
    let mut keys = Keyed::default();
    let is_type = |of: &Value<'_>, name| of.get("type").is_some_and(|kind| kind.is(name));
    for item in specific.get_items("outputItems").filter(|item| is_type(item, "custom_tool_call")) {
        if let Some(id) = item.get_non_empty("call_id").or_else(|| item.get_non_empty("id")) {
            keys.insert(key_of(None, id), true);
        }
    }
    for choice in specific.get_items("choices") {
        let index = (!is_only).then(|| choice.get_unsigned("index").unwrap_or_default());
        let calls = choice.get("toolCalls").into_iter().flat_map(|calls| calls.others(&[]));
        calls
            .filter(|(_, call)| is_type(call, "custom"))
            .for_each(|(id, _)| keys.insert(key_of(index, &id), true));
    }
    keys
}

/// Returns the key of a call with this id in a choice.
fn key_of(choice: Option<u64>, id: &str) -> String {
    [&to_json(&choice), ",", id].concat()
}

/// Whether a call is of a custom tool, or of a function that stands in for one. Responses has no such functions.
pub(super) fn is_custom(place: Place, context: &Context<'_>) -> bool {
    let tools = &context.options.custom_tools;
    context.is_custom(place)
        || context.source != Some(Api::OpenaiResponses)
            && !tools.is_empty()
            && context.answer.call_name(place).is_some_and(|name| tools.iter().any(|tool| tool == name))
}

/// Where the input begins in the arguments of a call.
enum InputStart {
    /// The arguments aren't in the expected form, so all of their text is the input.
    All,
    /// The input is a JSON string whose content begins at this byte.
    After(usize),
    /// The input hasn't arrived yet.
    Pending,
}

impl InputStart {
    /// Finds the input, which follows `{"input": "` if the call `is_function`. An argument of another name is the input
    /// if it is the only one, and an `input` may follow other strings; both are decided only once the call `is_over`.
    fn of(arguments: &str, is_function: bool, is_over: bool) -> Self {
        if arguments.starts_with('"') {
            return Self::After(1);
        }
        if !is_function {
            return Self::All;
        }
        if arguments.bytes().filter(|byte| !byte.is_ascii_whitespace()).eq(*b"{}") {
            return Self::Pending; // an empty object never has an input
        }
        let (mut rest, mut is_input) = (arguments, false);
        for (at, mark) in b"{\"\":\"".iter().enumerate() {
            rest = if at == 2 {
                is_input = rest.starts_with("input\"");
                rest.get(memchr(*mark, rest.as_bytes()).unwrap_or(rest.len())..).unwrap_or_default()
            } else {
                rest.trim_ascii_start()
            };
            match rest.as_bytes().first() {
                Some(byte) if byte == mark => rest = rest.get(1..).unwrap_or_default(),
                Some(_) => return Self::All,
                None => return Self::Pending,
            }
        }
        let at = arguments.len() - rest.len();
        if is_input {
            return Self::After(at);
        }
        if !is_over {
            return Self::Pending;
        }
        match next_member(after_string(rest)) {
            None => Self::After(at),
            Some(others) => {
                input_argument(others).map_or(Self::All, |it| Self::After(arguments.len() - it.len()))
            }
        }
    }
}

/// Returns the text after a string. `raw` begins with the string's content.
fn after_string(raw: &str) -> &str {
    let mut rest = raw.get(read(raw, true).1..).unwrap_or_default();
    while let Some(after) = rest.strip_prefix('"') {
        rest = after;
    }
    rest
}

fn split_at_quote(text: &str) -> Option<(&str, &str)> {
    let at = memchr(b'"', text.as_bytes())?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Returns the text from the name of the next argument on.
fn next_member(raw: &str) -> Option<&str> {
    raw.trim_ascii_start().strip_prefix(',')?.trim_ascii_start().strip_prefix('"')
}

/// Returns the text from the content of the argument `input` on, if the arguments before it are strings.
fn input_argument(mut members: &str) -> Option<&str> {
    loop {
        let (name, rest) = split_at_quote(members)?;
        let text = rest.trim_ascii_start().strip_prefix(':')?.trim_ascii_start().strip_prefix('"')?;
        if name == "input" {
            return Some(text);
        }
        members = next_member(after_string(text))?;
    }
}

/// The text after the input of a call.
#[derive(Default)]
pub(super) struct AfterInput {
    /// Whether the end of the input, or of the object around it, is missing.
    pub(super) is_cut: bool,
    /// Whether there are other arguments, also before the input, which aren't written.
    pub(super) has_others: bool,
}

/// Checks the text after the input, which was written up to byte `written`, in arguments that reach to byte `end`.
pub(super) fn after_input(place: Place, written: usize, end: usize, context: &Context<'_>) -> AfterInput {
    let arguments = arguments_of(place, context).get(..end).unwrap_or_default();
    let InputStart::After(at) = InputStart::of(arguments, !context.is_custom(place), true) else {
        return AfterInput::default();
    };
    let rest = arguments.get(written.max(at)..).unwrap_or_default();
    let Some(after) = rest.strip_prefix('"') else { return AfterInput { is_cut: true, has_others: false } };
    let is_usual = |byte: u8| byte.is_ascii_whitespace() || b",}".contains(&byte);
    let is_in_object = arguments.trim_ascii_start().starts_with('{');
    let has_before =
        arguments.get(..at).is_some_and(|before| before.bytes().filter(|byte| *byte == b'"').count() > 3);
    let has_others = has_before || !after.bytes().all(is_usual);
    AfterInput { is_cut: is_in_object && memchr(b'}', after.as_bytes()).is_none(), has_others }
}

/// Decodes the input in a range of the arguments. Returns it with the offset of the next piece, which never splits an
/// escape. `is_over`: nothing follows.
pub(super) fn input_piece(
    place: Place,
    Range { start: from, end }: Range<usize>,
    is_over: bool,
    context: &Context<'_>,
) -> (String, usize) {
    let arguments = arguments_of(place, context);
    let end = end.min(arguments.len());
    let known = arguments.get(..end).unwrap_or_default();
    let from = match InputStart::of(known, !context.is_custom(place), is_over) {
        InputStart::All => return (arguments.get(from..end).unwrap_or_default().to_owned(), end.max(from)),
        InputStart::Pending => return (String::new(), from),
        InputStart::After(at) => from.max(at),
    };
    let (text, length) = read(known.get(from..).unwrap_or_default(), is_over);
    (text, from + length)
}

/// Returns the arguments of a call, or an empty string if it has none: the builder has `{}` for those.
fn arguments_of<'a>(place: Place, context: &Context<'a>) -> &'a str {
    let is_empty = context.answer.arguments_state(place) == ProgressState::Empty;
    if is_empty { "" } else { context.answer.arguments_at(place) }
}

/// Decodes the input that was written up to byte `written`.
pub(super) fn input_of(place: Place, written: usize, context: &Context<'_>) -> String {
    let known = arguments_of(place, context).get(..written).unwrap_or_default();
    match InputStart::of(known, !context.is_custom(place), true) {
        InputStart::All => known.to_owned(),
        InputStart::Pending => String::new(),
        // The closing quote isn't written, so all quotes belong to the input.
        InputStart::After(at) => read_until(known.get(at..).unwrap_or_default(), true, |_| Some(false)).0,
    }
}

/// Decodes the input of a call that was cut off, whose arguments are the beginning of a JSON string.
pub(super) fn cut_input(arguments: &str) -> String {
    read_until(arguments.strip_prefix('"').unwrap_or(arguments), true, |_| Some(false)).0
}

/// Decodes the input at the beginning of a piece of a JSON string, as models write it: with line breaks and quotes that
/// aren't escaped, and with backslashes that escape nothing. Returns the input and the number of bytes read. `is_over`:
/// nothing follows.
fn read(raw: &str, is_over: bool) -> (String, usize) {
    read_until(raw, is_over, |after| ends_string(after, is_over))
}

/// Like [`read`], but stops at a quote unless `is_end` returns `Some(false)` for the text after it.
fn read_until(raw: &str, is_over: bool, is_end: impl Fn(&str) -> Option<bool>) -> (String, usize) {
    let (mut text, mut at) = (String::new(), 0);
    loop {
        let rest = raw.get(at..).unwrap_or_default();
        let plain = memchr2(b'"', b'\\', rest.as_bytes()).unwrap_or(rest.len());
        let (before, rest) = rest.split_at_checked(plain).unwrap_or_default();
        text.push_str(before);
        at += plain;
        let length = match rest.strip_prefix('"') {
            Some(after) if is_end(after) == Some(false) => 0,
            None if !rest.is_empty() => match escape_len(rest.as_bytes(), is_over) {
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

/// Number of bytes after a quote that are examined.
const LOOKAHEAD: usize = 4096;

/// Whether a quote ends its string, given the text after it. It does if a closing brace follows, unless there is a
/// later quote before a closing brace, or if another argument follows. `None` if more input is needed.
fn ends_string(after: &str, is_over: bool) -> Option<bool> {
    let window = after.get(..after.floor_char_boundary(LOOKAHEAD)).unwrap_or_default();
    let at_last = (is_over || window.len() < after.len()).then_some(true);
    let ahead = window.trim_ascii_start();
    let member = ahead.strip_prefix(',').map(str::trim_ascii_start);
    let ahead = member.unwrap_or(ahead);
    if let Some(after) = ahead.strip_prefix('}') {
        let is_end = |(at, byte)| {
            byte == b'}' && after.get(..at).is_some_and(|text| text.trim_ascii_end().ends_with('"'))
        };
        return if after.bytes().enumerate().any(is_end) { Some(false) } else { at_last };
    }
    match (ahead.strip_prefix('"').filter(|_| member.is_some()), ahead) {
        (None, "") => at_last,
        (None, _) => Some(false),
        (Some(name), _) => match split_at_quote(name).map(|(_, after)| after.trim_ascii_start()) {
            None | Some("") => at_last,
            Some(after) => Some(after.starts_with(':')),
        },
    }
}

/// Returns the length in bytes of the escape that begins here, or 0 if the backslash stands for itself. `None` if more
/// input is needed, or the escape is cut off.
fn escape_len(raw: &[u8], is_over: bool) -> Option<usize> {
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

/// Whether the `\u` escape of a code unit begins here. `None` if more input is needed.
fn is_unicode(raw: &[u8]) -> Option<bool> {
    let is_right = |(at, byte): (usize, &u8)| match at {
        0 => *byte == b'\\',
        1 => *byte == b'u',
        _ => byte.is_ascii_hexdigit(),
    };
    let is_right = raw.iter().take(6).enumerate().all(is_right);
    (!is_right || raw.len() >= 6).then_some(is_right)
}
