//! Messages of errors: the member that contains the message, and the message of the provider behind a gateway.

use std::borrow::Cow;

use super::failure::read_failure;
use crate::collect::Collect;
use crate::error::joined;
use crate::json::{Document, Value};
use crate::model::Failure;

/// Members that contain the message; servers use different ones.
const MESSAGE_MEMBERS: [&str; 17] = [
    "message",
    "error",
    // The message of a model behind Bedrock.
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

/// Maximum depth of nested messages: a message may be an object with another one, or a list of them.
const MAX_DEPTH: usize = 4;

/// Maximum depth of JSON that is parsed in the message of an error.
const MAX_RAW_DEPTH: usize = 32;

/// Returns the message in an object.
pub(super) fn message_of(object: Value<'_>) -> Option<Cow<'_, str>> {
    nested_message(object, MAX_DEPTH)
}

fn nested_message(object: Value<'_>, depth: usize) -> Option<Cow<'_, str>> {
    let depth = depth.checked_sub(1)?;
    MESSAGE_MEMBERS.iter().find_map(|name| message_in_member(object, name, depth))
}

/// Returns the message in one member: text, an object, or a list of either.
fn message_in_member<'a>(object: Value<'a>, name: &'static str, depth: usize) -> Option<Cow<'a, str>> {
    let value = object.get(name)?;
    let one = |value: Value<'_>| {
        value.non_empty_text().or_else(|| nested_message(value, depth)).map(Cow::into_owned)
    };
    let listed = value.items().filter_map(one).collect_vec();
    let all = (!listed.is_empty()).then(|| Cow::Owned(joined(&listed, "; ")));
    value.non_empty_text().or_else(|| nested_message(value, depth)).or(all)
}

/// Returns the message next to an `error` that is only a title.
pub(super) fn title_message(body: Value<'_>) -> Option<Cow<'_, str>> {
    ["message", "error_description"].iter().find_map(|name| message_in_member(body, name, MAX_DEPTH))
}

/// Returns a message that begins with the name of the only member.
pub(super) fn message_in_name(body: Value<'_>) -> Option<Cow<'_, str>> {
    let mut members = body.others(&[]);
    let (name, value) = members.next().filter(|(name, _)| name.starts_with("error "))?;
    let rest = value.non_empty_text().filter(|_| members.next().is_none())?;
    Some(format!("{name}: {rest}").into())
}

/// Appends the message of the provider behind OpenRouter, which may be the only explanation.
/// <https://openrouter.ai/docs/api-reference/errors>
pub(super) fn with_upstream_message<'a>(message: Cow<'a, str>, error: Value<'_>) -> Cow<'a, str> {
    let raw = error.get("metadata").and_then(|metadata| metadata.get("raw"));
    match raw.and_then(upstream_message) {
        Some(words) if !message.ends_with(&*words) => [&*message, ": ", &words].concat().into(),
        _ => message,
    }
}

/// Returns the message of an upstream error: text, usually JSON, or an object. HTML pages are ignored.
fn upstream_message(raw: Value<'_>) -> Option<String> {
    let message = |failure: Failure| failure.message;
    let Some(text) = raw.non_empty_text() else { return read_failure(raw).map(message) };
    let parsed = failure_in(&text).map(message);
    parsed.or_else(|| (!text.trim_ascii_start().starts_with('<')).then(|| text.into_owned()))
}

/// Parses a text that is an error as JSON: a gateway received it from the provider behind it.
pub(super) fn failure_in(text: &str) -> Option<Failure> {
    let text = text.trim_ascii();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    read_failure(Document::parse(text, MAX_RAW_DEPTH).ok()?.root())
}
