//! Writes complete responses.

use super::common_form::{ReadResponse, read};
use super::custom::mark_custom_calls;
use super::derived_annotations::DerivedAnnotations;
use super::endings::{EndingDetails, failure_of};
use super::failure::{write_anthropic_error, write_openai_error};
use super::head::Head;
use super::losses::report_lost_fields;
use super::options::{EncodeOptions, WireApi};
use super::same_api;
use super::targets::target;
use super::writer::{Context, Output};
use crate::accumulator::Builder;
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Document, ToJson, Value, to_json};
use crate::model::{AnnotatedLlmResponse, Api, Failure, FailureCode, StreamResult, Warning};
use crate::provider::{read_adjacent_failure, read_error};

/// A response as a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoded {
    /// The JSON text of the body.
    pub body: String,
    /// What couldn't be written, as one warning per kind.
    pub lost: Vec<Warning>,
    /// The failure, if the response failed: the body is then an error.
    pub failure: Option<Failure>,
}

impl Encoded {
    /// Returns the body for a failed response.
    pub(super) fn failed(api: WireApi, failure: Failure) -> Self {
        Self { body: error_body(api, &failure, None), lost: Vec::new(), failure: Some(failure) }
    }
}

/// Writes a response as the body of an interface. A response that failed, by its finish reason or its error, becomes an
/// [`error_body`], unless it came from the same interface.
///
/// ```
/// use respool::encode::{EncodeOptions, WireApi, encode};
/// use respool::json::Document;
///
/// let body = r#"{"type": "message", "content": [{"type": "text", "text": "At 9:35."}], "stop_reason": "end_turn"}"#;
/// let response = respool::decode(Document::parse(body, 64).unwrap().root())?;
/// let encoded = encode(&response, WireApi::OpenaiChat, &EncodeOptions::default());
/// assert!(encoded.body.contains(r#""message":{"role":"assistant","content":"At 9:35.","refusal":null}"#));
/// assert!(encoded.lost.is_empty());
/// # Ok::<(), respool::Error>(())
/// ```
pub fn encode(response: &AnnotatedLlmResponse, api: WireApi, options: &EncodeOptions) -> Encoded {
    encode_value(response, api, options)
}

/// Writes the result of a stream as the body of an interface. A stream that failed or was cut off becomes an
/// [`error_body`].
///
/// ```
/// use respool::StreamAccumulator;
/// use respool::encode::{EncodeOptions, WireApi, encode_result};
///
/// let mut stream = StreamAccumulator::default();
/// stream.push_bytes(b"data: {\"choices\":[{\"delta\":{\"content\":\"Hel")?;
/// let encoded = encode_result(&stream.finish(), WireApi::AnthropicMessages, &EncodeOptions::default());
/// assert!(encoded.body.starts_with(r#"{"type":"error""#));
/// # Ok::<(), respool::Error>(())
/// ```
pub fn encode_result(result: &StreamResult, api: WireApi, options: &EncodeOptions) -> Encoded {
    encode_value(result, api, options)
}

fn encode_value<T: ToJson>(value: &T, api: WireApi, options: &EncodeOptions) -> Encoded {
    let json = to_json(value);
    // JSON that was just written can be parsed.
    let encoded =
        Document::parse(&json, usize::MAX).map(|document| encode_json(document.root(), api, options));
    match encoded {
        Ok(Ok(encoded)) => encoded,
        _ => Encoded { body: String::new(), lost: Vec::new(), failure: None },
    }
}

/// Writes a response, or the result of a stream, from its JSON: as [`to_json`] or the npm package writes it.
///
/// ```
/// use respool::encode::{EncodeOptions, WireApi, encode_json};
/// use respool::json::Document;
///
/// let response = Document::parse(r#"{"message": "Hi", "finishReason": "length", "extra": {}}"#, 8).unwrap();
/// let encoded = encode_json(response.root(), WireApi::OpenaiResponses, &EncodeOptions::default())?;
/// assert!(encoded.body.contains(r#""status":"incomplete""#));
/// # Ok::<(), respool::Error>(())
/// ```
///
/// # Errors
/// [`InvalidOption`](ErrorCode::InvalidOption) if the value is neither a response nor a result.
pub fn encode_json(value: Value<'_>, api: WireApi, options: &EncodeOptions) -> Result<Encoded> {
    let result = value.get("response").filter(|response| response.is_object());
    if !value.is_object() || (result.is_none() && value.get("extra").is_none()) {
        let message = "encode() expects what decode() returns, or the result of a stream";
        return Err(Error::new(ErrorCode::InvalidOption, message));
    }
    if let Some(failure) = result.and_then(|_| result_failure(value)) {
        return Ok(Encoded::failed(api, failure));
    }
    let response = result.unwrap_or(value);
    let result = result.map(|_| value);
    if let Some(encoded) = same_api::encode_same(response, result, api, options) {
        return Ok(encoded);
    }
    let origin = same_api::read_provider_form(response);
    Ok(write_response(response, result, origin.as_ref(), api, options))
}

/// Writes a response. `result` and `origin` as in [`read`].
pub(super) fn write_response(
    response: Value<'_>,
    result: Option<Value<'_>>,
    origin: Option<&Builder>,
    api: WireApi,
    options: &EncodeOptions,
) -> Encoded {
    let known = read(response, result, origin);
    match response_failure(response, is_over(result), &known.answer, api) {
        Some(failure) => Encoded::failed(api, failure),
        None => write(known, response.get("apiSpecific"), api, options),
    }
}

/// Whether the result is that of a complete stream.
pub(super) fn is_over(result: Option<Value<'_>>) -> bool {
    result.and_then(|result| result.get("ending")).is_some_and(|ending| ending.is("complete"))
}

/// Returns the failure of a response that was read.
pub(super) fn response_failure(
    response: Value<'_>,
    is_over: bool,
    answer: &Builder,
    api: WireApi,
) -> Option<Failure> {
    let specific = response.get("apiSpecific");
    let list = |name| specific.into_iter().flat_map(move |specific| specific.get_items(name));
    // Gemini Interactions has the error in the step that failed, and chat completions may have it in the message.
    let messages = list("choices").filter_map(|choice| choice.get("message"));
    let extra = response.get("extra");
    let error = extra.into_iter().chain(list("steps")).chain(messages).find_map(read_adjacent_failure);
    // In the envelope of Workers AI.
    let is_failed = |extra: &Value<'_>| extra.get("success").and_then(Value::boolean) == Some(false);
    let error = error.or_else(|| extra.filter(is_failed).map(read_error));
    let is_open = || !is_over && is_unended(response, answer);
    failure_of(answer, api, EndingDetails::of(specific, error, is_over))
        .or_else(|| is_open().then(|| Failure::new(FailureCode::StreamBroken, UNENDED)))
}

/// Whether a response may continue: those of Gemini say why they ended.
fn is_unended(response: Value<'_>, answer: &Builder) -> bool {
    response.get("api").is_some_and(|api| api.is(Api::Gemini.as_str()))
        && answer.choice_indices().next().is_some_and(|first| answer.finish_of(first).0.is_none())
}

fn write(known: ReadResponse, specific: Option<Value<'_>>, api: WireApi, options: &EncodeOptions) -> Encoded {
    let ReadResponse { mut answer, source, fields } = known;
    let mut notes = Vec::new();
    answer.swap_notes(&mut notes);
    let target = target(api);
    let mut writer = (target.writer)();
    let mut out = Output::default();
    let derived = DerivedAnnotations::of(specific, &answer, &mut out);
    mark_custom_calls(specific, &mut answer);
    let notes = derived.add_notes(notes, &answer);
    let context =
        Context { answer: &answer, source, options, derived_annotations: Some(&derived), status: None };
    writer.keep_body();
    writer.begin(Head::new(target.prefix, &answer, &fields, options), &context, &mut out);
    for note in notes {
        writer.write_note(note, &context, &mut out);
        out.events.clear();
    }
    writer.complete(&context, &mut out);
    report_lost_fields(source, &fields.extra, specific, target.api, &mut out);
    let body = writer.body(&context, &mut out);
    Encoded { body, lost: out.lost.into_list(), failure: None }
}

/// Returns the failure of a stream that didn't complete.
fn result_failure(result: Value<'_>) -> Option<Failure> {
    let ending = result.get_text("ending").unwrap_or_default();
    if ending == "complete" {
        return None;
    }
    let error = result.get("error");
    let text = |name| error?.get_text(name).map(Into::into);
    let message = text("message").unwrap_or_else(|| TRUNCATED.to_owned());
    let code = if ending == "aborted" { FailureCode::Aborted } else { FailureCode::ProviderError };
    let mut failure = Failure::new(code, message);
    failure.provider_type = text("providerType");
    failure.provider_code = text("providerCode");
    Some(failure)
}

/// Message for a body that the provider may not have finished.
const UNENDED: &str = "The response has no finish reason, so it isn't complete";

/// Message for a stream that broke off without an error.
pub(super) const TRUNCATED: &str = "The stream ended before the response was complete";

/// Returns the body with which an interface answers a failed request. `status` is the HTTP status, if there is one.
///
/// ```
/// use respool::encode::{WireApi, error_body};
/// use respool::model::{Failure, FailureCode};
///
/// let failure = Failure::new(FailureCode::ProviderError, "Slow down");
/// let body = error_body(WireApi::AnthropicMessages, &failure, Some(429));
/// assert_eq!(body, r#"{"type":"error","error":{"type":"rate_limit_error","message":"Slow down"}}"#);
/// ```
pub fn error_body(api: WireApi, failure: &Failure, status: Option<u16>) -> String {
    let mut body = String::new();
    match api {
        WireApi::AnthropicMessages => write_anthropic_error(failure, status, &mut body),
        WireApi::OpenaiChat | WireApi::OpenaiResponses => write_openai_error(failure, status, &mut body),
    }
    body
}
