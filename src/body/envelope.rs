//! Lines of batch result files, which contain a body:
//! - `{custom_id, response: {status_code, request_id, body}, error}`: OpenAI, and most servers compatible with it
//! - `{custom_id, result: {type, message | error}}`: Anthropic
//! - `{key, response | error}`: Gemini
//! - `{recordId, modelInput, modelOutput | error}`: Bedrock
//! - `{status, request, response}`, with an error as the status: Vertex AI

use super::to_error;
use crate::error::{Error, ErrorCode, HttpDetails, Result, quote};
use crate::json::{RawJson, ToJson, Value};
use crate::provider::{candidates, detect_codec, read_failure};

/// From this HTTP status on, a body is an error.
const FIRST_ERROR_STATUS: u16 = 400;

/// Format of a line. Instead of the body it may have a member `error`.
struct Form {
    /// Member with the caller's id of the request.
    id: &'static str,
    /// Member with the body.
    body: &'static str,
}

/// Format of lines that match no other format.
const USUAL: Form = Form { id: "custom_id", body: "response" };
const FORMS: [Form; 2] = [Form { id: "key", body: "response" }, Form { id: "recordId", body: "modelOutput" }];

fn find_form(line: Value<'_>) -> Option<&'static Form> {
    let is_object = |name| line.get(name).is_some_and(Value::is_object);
    if line.get(USUAL.id).is_some() {
        return Some(&USUAL);
    }
    // Vertex AI has no ids.
    if is_object("request") && is_object(USUAL.body) {
        return Some(&USUAL);
    }
    FORMS.iter().find(|form| line.get(form.id).is_some() && (is_object(form.body) || is_object("error")))
}

/// Returns the caller's id of the request in a batch line.
pub(crate) fn request_id(line: Value<'_>) -> Option<RawJson> {
    line.get(find_form(line)?.id).and_then(Value::raw)
}

/// Adds the caller's id of the request to the error of a batch line.
pub(crate) fn with_request_id(mut error: Error, line: Value<'_>) -> Error {
    error.custom_id = find_form(line).and_then(|form| line.get_string(form.id));
    error
}

/// Returns the body inside a batch or log line, or the value itself if it is neither.
///
/// # Errors
/// [`ErrorCode::ProviderError`] if the line has an error, or an outcome such as `expired`, instead of a response
pub(crate) fn batch_body(value: Value<'_>) -> Result<Value<'_>> {
    if find_form(value).is_some() || is_log_line(value) { line_body(value) } else { Ok(value) }
}

/// Whether a value is a log line, `{response: body}`. Events of Responses have a type, and a codec may read such values
/// itself.
fn is_log_line(value: Value<'_>) -> bool {
    let response = value.get(USUAL.body).filter(|response| response.is_object());
    let body = response.map(|response| response.get("body").unwrap_or(response));
    value.get("type").is_none()
        && body.is_some_and(|body| !candidates(body).is_empty())
        && candidates(value).is_empty()
        && detect_codec(value).is_none()
}

/// Returns the body of a value that is known to be a line of a file. It may also be a log line, `{response: body}`.
pub(crate) fn line_body(line: Value<'_>) -> Result<Value<'_>> {
    let form = find_form(line);
    // Bodies of some interfaces have such members, too.
    if form.is_none() && !candidates(line).is_empty() {
        return Ok(line);
    }
    let member = |name| line.get(name).filter(|member| member.is_object());
    match (member(form.unwrap_or(&USUAL).body), member("result")) {
        (Some(response), _) => response_body(line, response),
        // Cloudflare sends an empty `result` beside its errors.
        (None, Some(result)) if result.has_others(&[]) => result_body(result),
        (None, _) => Ok(line),
    }
}

fn response_body<'a>(line: Value<'a>, response: Value<'a>) -> Result<Value<'a>> {
    // Vertex AI's errors are text in `status`, beside an empty response.
    if let Some(error) = line.get_non_empty_text("status").filter(|_| !response.has_others(&[])) {
        return Err(Error::new(ErrorCode::ProviderError, error));
    }
    let body = response.get("body");
    let status = response.get_unsigned("status_code").and_then(|status| u16::try_from(status).ok());
    let is_error_status = status.is_some_and(|status| status >= FIRST_ERROR_STATUS);
    let has_error = line.get("error").is_some_and(Value::is_object);
    let has_body = body.is_some_and(|body| body.is_object() && body.has_others(&[]));
    if !is_error_status && (has_body || !has_error) {
        return Ok(body.unwrap_or(response));
    }
    let failure = body.and_then(read_failure).or_else(|| read_failure(line).filter(|_| has_error));
    let error = failure.as_ref().map_or_else(|| http_error(status, body), to_error);
    Err(with_details(error, status.filter(|_| is_error_status), response))
}

/// Adds the HTTP status, and the request id in `source`, to an error.
fn with_details(mut error: Error, status: Option<u16>, source: Value<'_>) -> Error {
    let in_body = error.http.take().and_then(|http| http.request_id);
    let request_id = source.get_string("request_id").or(in_body);
    error.http = Some(HttpDetails { status, request_id });
    error
}

/// Returns the error for a body without a readable message, such as an error page.
fn http_error(status: Option<u16>, body: Option<Value<'_>>) -> Error {
    let mut message = "HTTP status ".to_owned();
    u32::from(status.unwrap_or_default()).write_json(&mut message);
    if let Some(page) = body.and_then(Value::non_empty) {
        message.push_str(": ");
        message.push_str(&quote(page));
    }
    Error::new(ErrorCode::ProviderError, message)
}

fn result_body(result: Value<'_>) -> Result<Value<'_>> {
    if let Some(message) = result.get("message").filter(|message| message.is_object()) {
        return Ok(message);
    }
    if let Some(error) = result.get("error") {
        // The error may be wrapped: `{type: "error", error}`.
        let failure = read_failure(if error.get("error").is_some() { error } else { result });
        let failed = failure.as_ref().map_or_else(|| no_response_error("errored"), to_error);
        return Err(with_details(failed, None, error));
    }
    result.get_non_empty("type").map_or(Ok(result), |outcome| Err(no_response_error(outcome)))
}

/// Returns the error for a request that the provider didn't process. `outcome`: the provider's word for the reason.
fn no_response_error(outcome: &str) -> Error {
    let message = match outcome {
        "canceled" | "cancelled" => "The request was canceled before it was processed".to_owned(),
        "expired" => "The request expired before it was processed".to_owned(),
        other => ["The request has no response: ", other].concat(),
    };
    let mut error = Error::new(ErrorCode::ProviderError, message);
    error.provider_type = Some(outcome.to_owned());
    error
}
