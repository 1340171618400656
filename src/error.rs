//! What can go wrong: one error type with stable codes.
//!
//! Codes are part of the interface (SemVer applies to them); messages are for people and may change.

use std::fmt;

/// The stable code of an [`Error`], written in kebab-case on the JavaScript side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorCode {
    /// The input is not JSON: broken, cut off, or not UTF-8.
    InvalidJson,
    /// The input is JSON, but no shape that respool knows.
    UnknownResponse,
    /// The input has no value of the kind that was asked for, such as an empty list of embeddings.
    EmptyResponse,
    /// The provider reported an error instead of an answer.
    ProviderError,
    /// A limit was exceeded.
    LimitExceeded,
    /// What was pushed is no chunk: not an object, or not readable.
    InvalidChunk,
    /// The stream has ended; nothing can be pushed any more.
    StreamFinished,
    /// A codec of the user's failed.
    CodecError,
    /// An option has a value that it cannot have.
    InvalidOption,
}

impl ErrorCode {
    /// The code as text, for example `"invalid-json"`.
    ///
    /// ```
    /// assert_eq!(respool::ErrorCode::InvalidJson.as_str(), "invalid-json");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidJson => "invalid-json",
            Self::UnknownResponse => "unknown-response",
            Self::EmptyResponse => "empty-response",
            Self::ProviderError => "provider-error",
            Self::LimitExceeded => "limit-exceeded",
            Self::InvalidChunk => "invalid-chunk",
            Self::StreamFinished => "stream-finished",
            Self::CodecError => "codec-error",
            Self::InvalidOption => "invalid-option",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Any failure of this crate: a stable code and a message that says what was wrong, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The stable code.
    pub code: ErrorCode,
    /// What was wrong, where, and what to do.
    pub message: String,
    /// The `type` or `code` that a provider gave its error, for [`ErrorCode::ProviderError`].
    pub provider_type: Option<String>,
    /// The `code` or status that a provider gave its error, for [`ErrorCode::ProviderError`].
    pub provider_code: Option<String>,
}

impl Error {
    /// An error with this code and message.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), provider_type: None, provider_code: None }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// At most this many bytes of the input are quoted in a message.
const MAX_QUOTED: usize = 80;

/// The beginning of `text` in quotes, for messages.
pub(crate) fn quote(text: &str) -> String {
    let end = text.floor_char_boundary(MAX_QUOTED);
    let more = if end < text.len() { "…" } else { "" };
    ["\"", text.get(..end).unwrap_or_default(), more, "\""].concat()
}

/// A result whose error is an [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;
