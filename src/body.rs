//! Whole bodies: what an API answered at once.

use crate::accumulator::{Builder, Depth};
use crate::error::{Error, ErrorCode, Result, quote};
use crate::json::Value;
use crate::model::{Agent, AnnotatedLlmResponse, Api, Failure, FailureCode, Limits};
use crate::provider::{Event, Provider, candidates, detect_codec, read_failure, reader};

/// A body with messages that has been read.
pub(crate) struct Body {
    /// The interface, where it is one that is built in.
    pub(crate) api: Option<Api>,
    pub(crate) builder: Builder,
    provider: Box<dyn Provider>,
}

impl Body {
    /// Reads a body of an interface that gives messages; `None` for any other interface.
    pub(crate) fn read(api: Api, body: Value<'_>, depth: Depth) -> Option<Self> {
        Some(Self::read_by(reader(api)?, Some(api), body, depth))
    }

    /// Reads a body that a codec knows.
    pub(crate) fn read_by_codec(body: Value<'_>) -> Option<Self> {
        Some(Self::read_by(detect_codec(body)?.body_reader(), None, body, Depth::Everything))
    }

    fn read_by(mut provider: Box<dyn Provider>, api: Option<Api>, body: Value<'_>, depth: Depth) -> Self {
        let mut builder = Builder::of_body(Limits::default(), depth);
        provider.read(&Event { name: None, body }, &mut builder);
        builder.finish_stream();
        Self { api, builder, provider }
    }

    pub(crate) fn response(&self) -> AnnotatedLlmResponse {
        self.builder.response(self.provider.fields(&self.builder))
    }
}

/// The interface that a body comes from: exactly one, or none.
///
/// ```
/// use respool::json::Document;
/// use respool::model::Api;
///
/// let document = Document::parse(r#"{"choices": []}"#, 64).unwrap();
/// assert_eq!(respool::detect_api(document.root()), Some(Api::OpenaiChat));
/// ```
pub fn detect_api(body: Value<'_>) -> Option<Api> {
    match candidates(body).as_slice() {
        [api] => Some(*api),
        _ => None,
    }
}

/// Turns a body into the common form. Nothing of the body is lost.
///
/// A body with an `error` beside its answer is decoded; see [`process`](crate::process()) for a function
/// that fails then.
///
/// # Errors
/// [`ErrorCode::ProviderError`] for an error body, [`ErrorCode::UnknownResponse`] for a shape that is not
/// known or has no message, [`ErrorCode::LimitExceeded`] where a default of [`Limits`] is exceeded.
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
    if let Some(read) = Body::read_by_codec(body) {
        return decoded(&read);
    }
    let api = choose_api(&Agent::default(), body)?;
    let read = Body::read(api, body, Depth::Everything).ok_or_else(|| {
        let message =
            format!("A response of `{}` has no message to decode. Use process() instead.", api.as_str());
        Error::new(ErrorCode::UnknownResponse, message)
    })?;
    decoded(&read)
}

/// The response, unless it is not all of it: a limit was exceeded, or a codec failed.
fn decoded(read: &Body) -> Result<AnnotatedLlmResponse> {
    match read.builder.error() {
        Some(failure) if failure.code != FailureCode::ProviderError => Err(to_error(failure)),
        _ => Ok(read.response()),
    }
}

/// The interface of a body; the agent breaks a tie.
///
/// # Errors
/// [`ErrorCode::ProviderError`] for an error body, [`ErrorCode::UnknownResponse`] where no interface matches,
/// or several do and the agent does not say which.
pub(crate) fn choose_api(agent: &Agent, body: Value<'_>) -> Result<Api> {
    let found = candidates(body);
    match found.as_slice() {
        [api] => Ok(*api),
        [] => Err(read_failure(body).as_ref().map_or_else(|| unknown_response(body), to_error)),
        several => several.iter().copied().find(|api| agent.api() == Some(*api)).ok_or_else(|| {
            let mut message =
                "The response matches several interfaces. Choose one of them with `agent.model`:".to_owned();
            for api in several {
                message.push(' ');
                message.push_str(api.as_str());
            }
            Error::new(ErrorCode::UnknownResponse, message)
        }),
    }
}

/// The error for a body that matches no interface.
pub(crate) fn unknown_response(body: Value<'_>) -> Error {
    let mut message = "The response matches no known interface. Expected an object with `choices` (chat), `output` \
                       (Responses), `type: \"message\"` and `content` (Anthropic), or `data` with embeddings or images"
        .to_owned();
    let names: Vec<_> = body.others(&[]).take(MAX_NAMES).map(|(name, _)| quote(&name)).collect();
    if !names.is_empty() {
        message.push_str(", got one with ");
        message.push_str(&names.join(", "));
    }
    Error::new(ErrorCode::UnknownResponse, message)
}

/// At most this many members of an unknown body are named.
const MAX_NAMES: usize = 6;

/// A failure as an error.
pub(crate) fn to_error(failure: &Failure) -> Error {
    let code = match failure.code {
        FailureCode::LimitExceeded => ErrorCode::LimitExceeded,
        FailureCode::CodecError => ErrorCode::CodecError,
        _ => ErrorCode::ProviderError,
    };
    Error {
        provider_type: failure.provider_type.clone(),
        provider_code: failure.provider_code.clone(),
        ..Error::new(code, failure.message.clone())
    }
}
