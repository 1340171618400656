//! The words of an error: the member that says what is wrong, and what the provider behind a gateway has said.

use std::borrow::Cow;

use super::failure::read_failure;
use crate::error::joined;
use crate::json::{Document, Value};
use crate::model::Failure;

/// The members that have the message, by one server or another.
const WORDS: [&str; 17] = [
    "message",
    "error",
    // What a model behind Bedrock said.
    "originalMessage",
    "msg",
    "error_message",
    "error_msg",
    "error_description",
    "Message",
    "detail",
    "title",
    "description",
    "details",
    "errors",
    // AWS Lambda, gateways of Apigee, and Volcengine.
    "errorMessage",
    "fault",
    "faultstring",
    "Error",
];

/// A message may be an object with another one, or a list of them, down to this depth.
const MAX_DEPTH: usize = 4;

/// JSON in the text of an error is read if it is no deeper.
const MAX_RAW_DEPTH: usize = 32;

/// The words of an object about what is wrong.
pub(super) fn message_of(object: Value<'_>) -> Option<Cow<'_, str>> {
    words_of(object, MAX_DEPTH)
}

fn words_of(object: Value<'_>, depth: usize) -> Option<Cow<'_, str>> {
    let depth = depth.checked_sub(1)?;
    WORDS.into_iter().find_map(|name| words_in(object, name, depth))
}

/// The words of one member: text, an object, or a list of either.
fn words_in<'a>(object: Value<'a>, name: &'static str, depth: usize) -> Option<Cow<'a, str>> {
    let value = object.get(name)?;
    let one =
        |value: Value<'_>| value.non_empty_text().or_else(|| words_of(value, depth)).map(Cow::into_owned);
    let listed: Vec<String> = value.items().filter_map(one).collect();
    let all = (!listed.is_empty()).then(|| Cow::Owned(joined(&listed, "; ")));
    value.non_empty_text().or_else(|| words_of(value, depth)).or(all)
}

/// The words beside an `error` that is only a title.
pub(super) fn title_message(body: Value<'_>) -> Option<Cow<'_, str>> {
    ["message", "error_description"].into_iter().find_map(|name| words_in(body, name, MAX_DEPTH))
}

/// A message whose beginning is the name of the only member.
pub(super) fn message_in_name(body: Value<'_>) -> Option<Cow<'_, str>> {
    let mut members = body.others(&[]);
    let (name, value) = members.next().filter(|(name, _)| name.starts_with("error "))?;
    let rest = value.non_empty_text().filter(|_| members.next().is_none())?;
    Some(format!("{name}: {rest}").into())
}

/// The message with what the provider behind OpenRouter said, which may be all that says what is wrong.
/// <https://openrouter.ai/docs/api-reference/errors>
pub(super) fn with_words_behind<'a>(message: Cow<'a, str>, error: Value<'_>) -> Cow<'a, str> {
    let raw = error.get("metadata").and_then(|metadata| metadata.get("raw"));
    match raw.and_then(words_behind) {
        Some(words) if !message.ends_with(&*words) => [&*message, ": ", &words].concat().into(),
        _ => message,
    }
}

/// The words of an error in an error: text, mostly of JSON, or an object. Not a page of HTML.
fn words_behind(raw: Value<'_>) -> Option<String> {
    let message = |failure: Failure| failure.message;
    let Some(text) = raw.non_empty_text() else { return read_failure(raw).map(message) };
    let told = failure_in(&text).map(message);
    told.or_else(|| (!text.trim_ascii_start().starts_with('<')).then(|| text.into_owned()))
}

/// The error that a text is the JSON of: what a gateway has heard from the provider behind it.
pub(super) fn failure_in(text: &str) -> Option<Failure> {
    let text = text.trim_ascii();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    read_failure(Document::parse(text, MAX_RAW_DEPTH).ok()?.root())
}
