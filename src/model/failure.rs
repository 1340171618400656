//! Why a stream failed.

use serde::Serialize;

use crate::json::RawJson;
use crate::save::state;

/// The stable code of a [`Failure`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FailureCode {
    /// The provider reported an error.
    ProviderError,
    /// Nothing in the stream could be read.
    UnknownResponse,
    /// The bytes of the stream are damaged; the rest of the stream was not read.
    StreamBroken,
    /// A limit was exceeded; the rest of the stream was not read.
    LimitExceeded,
    /// The caller aborted the stream.
    Aborted,
    /// A custom codec failed.
    CodecError,
}

state! { enum FailureCode {
    0 ProviderError, 1 UnknownResponse, 2 StreamBroken, 3 LimitExceeded, 4 Aborted, 5 CodecError,
} }

/// Why a stream or a response failed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// The stable code.
    pub code: FailureCode,
    /// The provider's error message, the limit that was exceeded, or the reason for aborting.
    pub message: String,
    /// The provider's error type, for example `"overloaded_error"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub provider_type: Option<String>,
    /// The provider's error code or status, for example `"rate_limit_exceeded"` or `"502"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub provider_code: Option<String>,
    /// The provider's error, unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
    pub raw: Option<RawJson>,
}

state! { struct Failure { code, message, provider_type, provider_code, raw } }

impl Failure {
    /// Creates a failure with this code and message.
    pub fn new(code: FailureCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), provider_type: None, provider_code: None, raw: None }
    }
}
