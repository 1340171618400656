//! Complete response bodies.

mod envelope;
mod limited;

pub(crate) use envelope::{batch_body, line_body, request_id, with_request_id};
pub(crate) use limited::parse_limited;

use crate::accumulator::{Builder, Depth};
use crate::collect::Collect;
use crate::error::{Error, ErrorCode, HttpDetails, Result, joined, quote};
use crate::json::{RawJson, Value, to_json};
use crate::model::{Agent, AnnotatedLlmResponse, Api, Ending, Failure, FailureCode, Limits};
use crate::provider::{
    Entry, Event, LACKS_INTERFACES, PROVIDERS, Provider, candidates, detect_codec, read_failure, reader,
    result_of,
};

/// A body with messages, read into a builder.
pub(crate) struct Body {
    /// The interface, if it is a built-in one.
    pub(crate) api: Option<Api>,
    pub(crate) builder: Builder,
    provider: Box<dyn Provider>,
    /// The request's id in the batch line that contained the body.
    custom_id: Option<RawJson>,
}

impl Body {
    /// Reads a body, or returns `None` if its interface has no messages.
    pub(crate) fn read(api: Api, body: Value<'_>, depth: Depth) -> Option<Self> {
        Some(Self::read_with(reader(api)?, Some(api), body, Builder::of_body(Limits::default(), depth)))
    }

    /// Reads a body with the registered codec that detects it.
    pub(crate) fn read_with_codec(body: Value<'_>) -> Option<Self> {
        Some(Self::read_with(detect_codec(body)?.body_reader(), None, body, blank()))
    }

    fn read_with(
        mut provider: Box<dyn Provider>,
        api: Option<Api>,
        body: Value<'_>,
        mut builder: Builder,
    ) -> Self {
        provider.read(&Event::new(None, body), &mut builder);
        builder.finish_stream();
        Self { api, builder, provider, custom_id: None }
    }

    pub(crate) fn response(&self) -> AnnotatedLlmResponse {
        let mut response = self.builder.response(self.provider.fields(&self.builder));
        if let Some(custom_id) = &self.custom_id {
            response.extra.set("custom_id", custom_id.clone());
        }
        response
    }
}

/// Creates a builder for a complete body.
fn blank() -> Builder {
    Builder::of_body(Limits::default(), Depth::Everything)
}

/// Detects the interface of a body, or of the body in a line of a batch result file. Returns `None` if no interface
/// matches, or several do.
///
/// ```
/// use respool::json::Document;
/// use respool::model::Api;
///
/// let document = Document::parse(r#"{"choices": []}"#, 64).unwrap();
/// assert_eq!(respool::detect_api(document.root()), Some(Api::OpenaiChat));
/// ```
pub fn detect_api(body: Value<'_>) -> Option<Api> {
    match candidates(batch_body(body).ok()?).as_slice() {
        [api] => Some(*api),
        _ => None,
    }
}

/// Decodes a body into the normalised form, without loss.
///
/// The body can be inside a line of a batch result file. The id of its request is then in
/// [`extra`](AnnotatedLlmResponse::extra), as `custom_id`.
///
/// A body with both a response and an `error` is decoded too; [`process`](crate::process()) returns an error for it. If
/// the error is inside a choice, both return it, and [`ErrorDetails::partial`](crate::error::ErrorDetails::partial) has
/// the response up to the error.
///
/// # Errors
/// - [`ErrorCode::ProviderError`] for an error body, or a request of a batch that has no response
/// - [`ErrorCode::UnknownResponse`] if no interface matches, several do, or the interface has no messages
/// - [`ErrorCode::LimitExceeded`] if the body exceeds one of the default [`Limits`]
/// - [`ErrorCode::CodecError`] if a custom codec failed
///
/// ```
/// use respool::json::Document;
/// use respool::model::{FinishReason, MessageContent};
///
/// let body = r#"{"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}"#;
/// let response = respool::decode(Document::parse(body, 64).unwrap().root()).unwrap();
/// assert_eq!(response.message, Some(MessageContent::Text("Hi".into())));
/// assert_eq!(response.finish_reason, Some(FinishReason::Complete));
/// ```
pub fn decode(body: Value<'_>) -> Result<AnnotatedLlmResponse> {
    decode_with(body, blank()).map(|read| read.response())
}

/// Reads a body for [`decode`].
pub(crate) fn decode_with(body: Value<'_>, builder: Builder) -> Result<Body> {
    read_line(body, builder).map_err(|error| with_request_id(error, body))
}

fn read_line(line: Value<'_>, builder: Builder) -> Result<Body> {
    let custom_id = request_id(line);
    let body = batch_body(line)?;
    let (provider, api) = if let Some(codec) = detect_codec(body) {
        (codec.body_reader(), None)
    } else {
        let api = choose_api(&Agent::default(), body)?;
        let provider = reader(api).ok_or_else(|| {
            let name = api.as_str();
            let message = format!("A response of `{name}` has no message to decode. Use process() instead.");
            Error::new(ErrorCode::UnknownResponse, message)
        })?;
        (provider, Some(api))
    };
    let read = Body { custom_id, ..Body::read_with(provider, api, body, builder) };
    match read.error(body) {
        Some(error) => Err(error),
        None => Ok(read),
    }
}

impl Body {
    /// Returns an error if there is no response: a limit was exceeded, a codec failed or reports an error, or the
    /// provider reports inside the response that it failed.
    fn error(&self, body: Value<'_>) -> Option<Error> {
        let failure = self.builder.error()?;
        let mut error = to_error(failure);
        if failure.code == FailureCode::ProviderError {
            if self.api.is_some() && !is_failure_without_answer(body) {
                return None;
            }
            let partial = self.builder.result(Ending::Failed, self.provider.fields(&self.builder));
            error.partial = Some(to_json(&partial));
        }
        Some(error)
    }
}

/// Whether one of the choices is an error, or there are no choices, or the body is a whole stream, which an error ends.
fn is_failure_without_answer(body: Value<'_>) -> bool {
    let body = result_of(body).filter(|_| body.get("choices").is_none()).unwrap_or(body);
    let mut choices = body.get_items("choices").peekable();
    body.is_array()
        || body.get("choices").is_some() && choices.peek().is_none()
        || choices.any(|choice| choice.get("error").is_some())
}

/// Detects the interface of a body. If several match, the agent decides.
///
/// # Errors
/// [`ErrorCode::ProviderError`] for an error body, [`ErrorCode::UnknownResponse`] if no interface matches, or several
/// do and the agent names none of them.
pub(crate) fn choose_api(agent: &Agent, body: Value<'_>) -> Result<Api> {
    let found = candidates(body);
    match found.as_slice() {
        [api] => Ok(*api),
        [] => Err(read_failure(body).as_ref().map_or_else(|| unknown_response(body), to_error)),
        several => several.iter().copied().find(|api| agent.api() == Some(*api)).ok_or_else(|| {
            let mut message =
                "The response matches several interfaces. `process` reads it as the one that `agent.model` names:"
                    .to_owned();
            for api in several {
                message.push(' ');
                message.push_str(api.as_str());
            }
            Error::new(ErrorCode::UnknownResponse, message)
        }),
    }
}

/// Returns the error for a body that matches no interface.
pub(crate) fn unknown_response(body: Value<'_>) -> Error {
    let mut message = "The response matches no known interface. Expected an object with ".to_owned();
    for Entry { api, member, .. } in PROVIDERS {
        for part in ["`", member, "` (", api.as_str(), "), "] {
            message.push_str(part);
        }
    }
    message.push_str("or `data` (openai-embeddings, openai-images)");
    let names = body.others(&[]).take(MAX_NAMES).map(|(name, _)| quote(&name)).collect_vec();
    if !names.is_empty() {
        message.push_str(", got one with ");
        message.push_str(&joined(&names, ", "));
    }
    message.push_str(LACKS_INTERFACES);
    Error::new(ErrorCode::UnknownResponse, message)
}

/// Maximum number of an unknown body's members in the message.
const MAX_NAMES: usize = 6;

/// Converts a failure into an error.
pub(crate) fn to_error(failure: &Failure) -> Error {
    let code = match failure.code {
        FailureCode::LimitExceeded => ErrorCode::LimitExceeded,
        FailureCode::CodecError => ErrorCode::CodecError,
        FailureCode::UnknownResponse => ErrorCode::UnknownResponse,
        _ => ErrorCode::ProviderError,
    };
    let mut error = Error::new(code, failure.message.clone());
    error.provider_type.clone_from(&failure.provider_type);
    error.provider_code.clone_from(&failure.provider_code);
    error.http = request_id_in(failure).map(|id| HttpDetails { status: None, request_id: Some(id) });
    error
}

/// Returns the provider's id of the request, which Anthropic and xAI send beside the error.
fn request_id_in(failure: &Failure) -> Option<String> {
    failure.raw.as_ref()?.document()?.root().get_string("request_id")
}
