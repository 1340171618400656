//! Errors that are sent instead of a response, or in the middle of one.
//!
//! The shapes differ by server; the message is the part that users need:
//! - `{error: {message, type, code | status}}`: OpenAI, Azure, Gemini, and most that are compatible with them
//! - `{type: "error", error: {type, message}}`: Anthropic
//! - `{type: "error", code, message}`: events of OpenAI Responses
//! - `{response: {error: {…}}}`: Gemini's Code Assist; `{success: false, data: {error: {…}}}`: OpenRouter for enterprises
//! - `{error: {message, metadata: {raw: "…"}}}`: OpenRouter; `{error: {message: "{…}"}}`: gateways
//! - `{error: "Bad Request", message, statusCode}`: Fastify, `NestJS`, Spring; `{error: "code", error_description}`: OAuth
//! - `{error: true, reason}`: Vapor
//! - `{error: "…"}`: Ollama, Together; `{"error parsing tool call": "…"}`, `{StatusCode, Status, error: ""}`: Ollama
//! - `{object: "error", message, type, code}`: vLLM, Mistral (also without `object`)
//! - `{title, detail, status}`: NVIDIA, Replicate, and other servers with problem details (RFC 9457)
//! - `{detail: "…"}`, `{detail: [{msg}]}`, `{detail: {message, status | error_type}}`: FastAPI; `{object: "error", message: {detail: [{msg}]}}`: Mistral
//! - `{code, details}`: guardrails
//! - `{text, error_code}`: `FastChat`
//! - `{base_resp: {status_code, status_msg}}`: `MiniMax`
//! - `{Response: {Error: {Code, Message}}}`: Tencent; `{ResponseMetadata: {Error}}`: Volcengine
//! - `{header: {code, message}}`: Xunfei; `{status: {code, description}}`: Clarifai
//! - `{last_error: {code, message}}`: runs of OpenAI's Assistants
//! - `{errors: [{message}]}`: Cloudflare
//! - `{__type, message}`, `{__type}`, `{Output: {__type}}`, and in streams `{throttlingException: {message}}`: AWS

use std::borrow::Cow;

use super::failure_message::{failure_in, message_in_name, message_of, title_message, with_upstream_message};
use crate::accumulator::Builder;
use crate::json::{Field, Value};
use crate::model::{Failure, FailureCode};

/// Message of an error without one.
const UNEXPLAINED: &str = "The provider reported an error without a message";

/// Returns an error without any details.
pub(crate) fn unexplained() -> Failure {
    Failure::new(FailureCode::ProviderError, UNEXPLAINED)
}

/// Returns the error in a body or event of any known shape, or `None` if it isn't an error.
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

/// Returns the error in a body or event that is known to be one, even if its shape isn't known.
pub(crate) fn read_error(body: Value<'_>) -> Failure {
    read_failure(body).or_else(|| failure_inside(body)).unwrap_or_else(|| {
        // Poe has the message in `text`, which contains the answer elsewhere.
        let message = body.get_non_empty_text("text").unwrap_or_else(|| UNEXPLAINED.into());
        let whole = failure(body, body, message);
        // The type of the event, and the status of a response, don't describe the error.
        let is_error_word = |word: &String| !word.contains('.') && body.get_non_empty("status") != Some(word);
        Failure {
            provider_type: whole.provider_type.filter(is_error_word),
            provider_code: whole.provider_code.filter(is_error_word),
            ..whole
        }
    })
}

/// Returns the error in a choice (OpenRouter), or in `x_groq`, where Groq puts everything that belongs to no choice.
fn failure_inside(body: Value<'_>) -> Option<Failure> {
    let inside = |inner: Value<'_>| read_error_member(inner, inner.get("error")?);
    let failure =
        body.get_items("choices").find_map(inside).or_else(|| body.get("x_groq").and_then(inside))?;
    Some(Failure { raw: body.raw(), ..failure })
}

/// Reports a failure if `error` is set and the body is an error. `error` is the member of that name, or another one
/// that suggests an error. Returns whether a failure was reported.
pub(super) fn report_failure(error: Option<Value<'_>>, body: Value<'_>, out: &mut Builder) -> bool {
    let Some(failure) = error.said().and_then(|_| read_failure(body)) else { return false };
    out.fail(failure);
    true
}

/// Returns the error in the `error` member of a part of a response.
pub(crate) fn read_adjacent_failure(answer: Value<'_>) -> Option<Failure> {
    let error = answer.get("error").filter(|error| !is_blank(*error))?;
    read_error_member(answer, error).map(|failure| Failure { raw: error.raw(), ..failure })
}

fn read_failure_object(body: Value<'_>) -> Option<Failure> {
    // Servers that write every member have `""` here if the error is elsewhere.
    if let Some(error) = body.get("error").said() {
        return read_error_member(body, error);
    }
    let wrapped = |inner: &Value<'_>| inner.get("error").is_some_and(Value::is_object);
    let envelopes = ["response", "data"];
    if let Some(inner) = envelopes.iter().find_map(|name| body.get(name).filter(wrapped)) {
        return read_failure_object(inner);
    }
    if let Some(status) = body.get("base_resp").filter(|status| status.get("status_code").is_some()) {
        let code = status.get("status_code").and_then(word).filter(|code| code != "0")?;
        let message =
            status.get_non_empty_text("status_msg").unwrap_or_else(|| format!("Error {code}").into());
        return Some(Failure { provider_code: Some(code), ..failure(body, status, message) });
    }
    if let Some(error) = envelope_error(body)
        && let Some(message) = message_of(error).filter(|message| !is_success(message))
    {
        return Some(failure(body, error, message));
    }
    if let Some((name, exception)) =
        body.others(&[]).find(|(name, value)| is_exception(name) && value.is_object())
    {
        return Some(read_exception(&name, "", Some(exception)));
    }
    // An unknown structure in a member that only errors have. Without a code, `details` may belong to a response.
    let coded = || body.get("details").filter(|_| body.get("code").is_some());
    let details = || body.get("detail").or_else(coded)?.compact().map(Cow::Owned);
    let names_itself = || ["type", "object"].iter().any(|name| body.get(name).equals("error"));
    let coded_text = || body.get_non_empty_text("text").filter(|_| has_error_code(body));
    let status = || body.get("error").and(body.get("StatusCode")).and(body.get("Status"))?.non_empty_text();
    let message = message_of(body).or_else(details).or_else(coded_text).or_else(status);
    let message = message.or_else(|| message_in_name(body));
    // For an unknown operation, AWS sends only the type.
    let output = body.get("Output").unwrap_or(body);
    if let (None, Some(name)) = (&message, output.get_non_empty("__type").and_then(aws_type)) {
        return Some(read_exception(&name, "", Some(body)));
    }
    let message = message.filter(|message| !is_success(message));
    let message = message.or_else(|| names_itself().then(|| UNEXPLAINED.into()))?;
    let inside = body.get("errors").filter(|errors| errors.is_array());
    let whole = failure(body, inside.unwrap_or(body), message);
    let says_kind = whole.provider_type.is_some() || whole.provider_code.is_some();
    match body.get("detail").filter(|detail| detail.is_object() && !says_kind) {
        Some(detail) => Some(failure(body, detail, whole.message.into())),
        None => Some(whole),
    }
}

/// Pairs of a member and a member inside it that contains the error. If the inner one is `code`, the outer one is the
/// error itself.
const ENVELOPES: [(&str, &str); 5] = [
    ("Response", "Error"),
    ("ResponseMetadata", "Error"),
    ("header", "code"),
    ("status", "code"),
    ("last_error", "code"),
];

fn envelope_error(body: Value<'_>) -> Option<Value<'_>> {
    ENVELOPES.iter().find_map(|(name, member)| {
        let envelope = body.get(name)?;
        let inside = envelope.get(member)?;
        if *member == "code" {
            word(inside).filter(|code| code != "0").map(|_| envelope)
        } else {
            Some(inside)
        }
    })
}

/// Whether an event or a member with this name is an AWS exception.
pub fn is_exception(name: &str) -> bool {
    name.ends_with("Exception")
}

/// Returns the error of an AWS exception, given its name, its message (empty if it is only in the body) and its body.
///
/// ```
/// use respool::json::Document;
/// use respool::provider::read_exception;
///
/// let body = Document::parse(r#"{"message": "Slow down"}"#, 64).unwrap();
/// let failure = read_exception("throttlingException", "", Some(body.root()));
/// assert_eq!(failure.message, "Slow down");
/// assert_eq!(failure.provider_type.as_deref(), Some("throttlingException"));
/// ```
pub fn read_exception(name: &str, message: &str, body: Option<Value<'_>>) -> Failure {
    let given = Some(message).filter(|message| !message.is_empty()).map(Cow::Borrowed);
    let message = given.or_else(|| message_of(body?)).unwrap_or_else(|| {
        let name = if name.is_empty() { "an exception" } else { name };
        ["The provider reported ", name, " without a message"].concat().into()
    });
    let name = Some(name).filter(|name| !name.is_empty()).map(str::to_owned);
    Failure {
        code: FailureCode::ProviderError,
        message: message.into_owned(),
        provider_type: name.clone(),
        provider_code: name,
        raw: body.and_then(Value::raw),
    }
}

/// Words that report success.
const SUCCESS: [&str; 6] = ["ok", "success", "successful", "成功", "请求成功", "操作成功"];

/// Whether a message reports success. Gateways have such messages next to every response.
fn is_success(message: &str) -> bool {
    SUCCESS.iter().any(|word| message.eq_ignore_ascii_case(word))
}

/// Whether a code is that of an error: neither 0, nor HTTP's codes of success, nor a word for it.
pub(super) fn is_error_code(code: Value<'_>) -> bool {
    let Some(word) = word(code) else { return code.number().is_some_and(|number| number < 0.0) };
    match word.parse::<u64>() {
        Ok(number) => number != 0 && !(200..300).contains(&number),
        Err(_) => !is_success(&word),
    }
}

/// Whether there is a non-zero `error_code`, which only errors have.
fn has_error_code(body: Value<'_>) -> bool {
    body.get("error_code").and_then(word).is_some_and(|code| code != "0")
}

/// Returns the error in an `error` member: an object, a string, or any other value that isn't empty.
fn read_error_member<'a>(body: Value<'a>, error: Value<'a>) -> Option<Failure> {
    if error.boolean() == Some(false) || error.is("") {
        return None;
    }
    if let Some(title) = error.non_empty()
        && let Some(message) = title_message(body)
    {
        return Some(add_title(title, failure(body, error, message)));
    }
    let message = error
        .non_empty_text()
        .or_else(|| message_of(error))
        .or_else(|| message_of(body))
        // Vapor
        .or_else(|| body.get_non_empty_text("reason"))
        .or_else(|| error.compact().filter(|_| !is_unset(body, error)).map(Cow::Owned))?;
    Some(failure(body, error, with_upstream_message(message, error)))
}

/// Adds the value of an `error` member that is only a code, or the name of an HTTP status, to a failure whose message
/// is next to it.
fn add_title(title: &str, failure: Failure) -> Failure {
    let code = || (!title.contains(' ')).then(|| title.to_owned());
    Failure {
        provider_type: failure.provider_type.or_else(|| Some(title.to_owned())),
        provider_code: failure.provider_code.or_else(code),
        ..failure
    }
}

/// Whether `error` is an unset member of a response, which isn't an error.
fn is_unset(body: Value<'_>, error: Value<'_>) -> bool {
    is_blank(error) && body.has_others(&["error", "type"])
}

/// Whether all values of an error are empty.
fn is_blank(error: Value<'_>) -> bool {
    let is_empty = |value: Value<'_>| {
        matches!(value.compact().as_deref(), None | Some("null" | "\"\"" | "0" | "false" | "{}" | "[]"))
    };
    is_empty(error) || error.is_object() && error.others(&[]).all(|(_, value)| is_empty(value))
}

fn failure(body: Value<'_>, error: Value<'_>, message: Cow<'_, str>) -> Failure {
    // The first object of a list says what kind of error it is. If an error is only text, its code and type are next to
    // it.
    let error = error.items().find(|error| error.is_object()).unwrap_or(error);
    let error = if error.is_object() { error } else { body };
    let is_informative = |word: &String| word != "error" && word != "failed";
    // Only a code may be a number.
    let name = |name: &&'static str| error.get_non_empty(name).map(str::to_owned).filter(is_informative);
    let code = |name: &&'static str| error.get(name).and_then(word).filter(is_informative);
    let upstream = failure_in(&message);
    let failure = Failure {
        code: FailureCode::ProviderError,
        message: message.into_owned(),
        provider_type: ["type", "status", "error_type"]
            .iter()
            .find_map(name)
            .or_else(|| aws_type(error.get_non_empty("__type")?))
            // OpenRouter
            .or_else(|| Some(error.get("metadata")?.get_non_empty("error_type")?.to_owned())),
        provider_code: ["code", "status", "error_code", "errorCode", "Code"].iter().find_map(code),
        raw: body.raw(),
    };
    let Some(upstream) = upstream else { return failure };
    Failure {
        message: upstream.message,
        provider_type: failure.provider_type.or(upstream.provider_type),
        provider_code: failure.provider_code.or(upstream.provider_code),
        ..failure
    }
}

/// Returns the name of an exception without its namespace.
fn aws_type(name: &str) -> Option<String> {
    let start = name.bytes().rposition(|byte| byte == b'#').map_or(0, |at| at + 1);
    name.get(start..).map(str::to_owned)
}

/// Returns a string, or an integer as a string.
fn word(value: Value<'_>) -> Option<String> {
    let number = || value.unsigned().map(|number| number.to_string());
    value.non_empty().map(str::to_owned).or_else(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    fn message(body: &str) -> Option<String> {
        let document = Document::parse(body, 16).unwrap();
        read_failure(document.root()).map(|failure| failure.message)
    }

    #[test]
    fn a_numeric_status_is_not_a_type() {
        let body = r#"{"error":{"message":"Blocked","type":null,"code":"content_filter","status":400}}"#;
        let document = Document::parse(body, 16).unwrap();
        let failure = read_failure(document.root()).unwrap();
        assert_eq!((failure.provider_type, failure.provider_code), (None, Some("content_filter".to_owned())));
    }

    #[test]
    fn a_success_is_not_an_error() {
        for body in [
            r#"{"code":0,"msg":"success"}"#,
            r#"{"code":200,"message":"OK","data":null}"#,
            r#"{"Response":{"Choices":[],"RequestId":"1"}}"#,
            r#"{"header":{"code":0,"message":"Success","sid":"1"},"payload":{}}"#,
            r#"{"status":{"code":10000,"description":"Ok"},"outputs":[]}"#,
            r#"{"id":"1","status":"completed","last_error":{"code":0,"msg":""}}"#,
        ] {
            assert_eq!(message(body), None, "{body}");
        }
    }

    #[test]
    fn details_are_an_error_only_with_a_code() {
        let details = r#"{"check":"moderation"}"#;
        assert_eq!(
            message(&format!(r#"{{"code":"blocked","details":{details}}}"#)).as_deref(),
            Some(details)
        );
        assert_eq!(message(&format!(r#"{{"detail":{details}}}"#)).as_deref(), Some(details));
        assert_eq!(message(&format!(r#"{{"generated_text":"a","details":{details}}}"#)), None);
    }
}
