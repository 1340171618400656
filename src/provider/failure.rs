//! Errors that come in place of an answer, or in the middle of one.
//!
//! The shapes differ by server; the message is what people need:
//! - `{error: {message, type, code | status}}`: OpenAI, Azure, Gemini, and most that are compatible with them
//! - `{type: "error", error: {type, message}}`: Anthropic
//! - `{type: "error", code, message}`: events of OpenAI Responses
//! - `{error: "…"}`: Ollama, Together
//! - `{object: "error", message, type, code}`: vLLM, Mistral (also without `object`)
//! - `{detail: "…"}`, `{detail: [{msg}]}`: FastAPI
//! - `{errors: [{message}]}`: Cloudflare

use std::borrow::Cow;

use crate::json::Value;
use crate::model::{Failure, FailureCode};

/// The error that a body or an event is, by any of the shapes that are known; `None` where it is none.
///
/// ```
/// use respool::json::Document;
/// use respool::provider::read_failure;
///
/// let document = Document::parse(r#"{"error": {"message": "Overloaded", "type": "server_error"}}"#, 64).unwrap();
/// let failure = read_failure(document.root()).unwrap();
/// assert_eq!((failure.message.as_str(), failure.provider_type.as_deref()), ("Overloaded", Some("server_error")));
/// ```
pub fn read_failure(body: Value<'_>) -> Option<Failure> {
    if body.is_array() {
        return body.items().find_map(read_failure_object);
    }
    read_failure_object(body)
}

fn read_failure_object(body: Value<'_>) -> Option<Failure> {
    if let Some(error) = body.get("error") {
        return read_error_member(body, error);
    }
    let detail = body.get("detail").or_else(|| body.get("errors"));
    let listed = detail.and_then(|detail| detail.items().find_map(message_of));
    let message = message_of(body).or(listed).or_else(|| detail.and_then(Value::filled))?;
    Some(failure(body, body, message))
}

/// The error in an `error` member, which is an object, a string, or something else that is not empty.
fn read_error_member<'a>(body: Value<'a>, error: Value<'a>) -> Option<Failure> {
    if error.boolean() == Some(false) {
        return None;
    }
    if error.text().is_some_and(|text| text.is_empty()) {
        return None;
    }
    let message = error
        .filled()
        .or_else(|| message_of(error))
        .or_else(|| error.get("error").and_then(message_of))
        .or_else(|| message_of(body))
        .or_else(|| error.compact().map(Cow::Owned))?;
    Some(failure(body, error, message))
}

/// What a message is called by one server or another.
fn message_of(object: Value<'_>) -> Option<Cow<'_, str>> {
    let names = ["message", "msg", "error_message", "error_msg", "error_description", "Message", "title"];
    names.into_iter().find_map(|name| object.get_filled(name))
}

fn failure(body: Value<'_>, error: Value<'_>, message: Cow<'_, str>) -> Failure {
    let first = |names: [&'static str; 2]| names.into_iter().find_map(|name| error.get(name).and_then(word));
    Failure {
        code: FailureCode::ProviderError,
        message: message.into_owned(),
        provider_type: first(["type", "status"]).filter(|word| word != "error"),
        provider_code: first(["code", "status"]),
        raw: body.raw(),
    }
}

/// A word, or a number written as one.
fn word(value: Value<'_>) -> Option<String> {
    let number = || value.unsigned().map(|number| number.to_string());
    value.filled().map(Cow::into_owned).or_else(number)
}
