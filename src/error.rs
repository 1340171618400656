//! The crate's error type and its stable codes.
//!
//! Codes follow SemVer. Messages are for people and may change in any release.

use std::fmt;
use std::ops::{Deref, DerefMut};

/// The stable code of an [`Error`]. JavaScript sees it in kebab-case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorCode {
    /// The input isn't valid JSON.
    InvalidJson,
    /// The input is JSON, but matches no known interface, or several.
    UnknownResponse,
    /// The response has no content, such as an empty list of embeddings.
    EmptyResponse,
    /// The provider returned an error instead of a response.
    ProviderError,
    /// A limit was exceeded.
    LimitExceeded,
    /// The pushed value isn't a chunk: it isn't an object, or can't be read.
    InvalidChunk,
    /// The stream has ended and accepts no more input.
    StreamFinished,
    /// A custom codec failed.
    CodecError,
    /// An option has an invalid value.
    InvalidOption,
    /// The bytes aren't a saved state, or the state is damaged or from another version.
    InvalidState,
}

impl ErrorCode {
    /// Returns the code in kebab-case, for example `"invalid-json"`.
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
            Self::InvalidState => "invalid-state",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Details of the HTTP response that contained the error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpDetails {
    /// The status, if it isn't a success.
    pub status: Option<u16>,
    /// The provider's id of the request.
    pub request_id: Option<String>,
}

/// An error of this crate: a stable code and a message for people. It is no larger than a pointer, because each result
/// has room for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Box<ErrorDetails>);

/// The details of an [`Error`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorDetails {
    /// The stable code.
    pub code: ErrorCode,
    /// What was expected, what was found, where, and what to do.
    pub message: String,
    /// The `type` of the provider's error, for [`ErrorCode::ProviderError`].
    pub provider_type: Option<String>,
    /// The `code` or status of the provider's error, for [`ErrorCode::ProviderError`].
    pub provider_code: Option<String>,
    /// Details of the HTTP response, for an [`ErrorCode::ProviderError`] in a batch result line or in a body with a
    /// request id.
    pub http: Option<HttpDetails>,
    /// The caller's id of the request, if the error is in a batch result line.
    pub custom_id: Option<String>,
    /// The content before the provider's error, if the body has any: a [`StreamResult`](crate::model::StreamResult) as
    /// JSON.
    pub partial: Option<String>,
}

impl Error {
    /// Creates an error from a code and a message.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let message = message.into();
        let details = ErrorDetails {
            code,
            message,
            provider_type: None,
            provider_code: None,
            http: None,
            custom_id: None,
            partial: None,
        };
        Self(Box::new(details))
    }

    /// Returns the details by value.
    pub fn into_details(self) -> ErrorDetails {
        *self.0
    }
}

impl Deref for Error {
    type Target = ErrorDetails;

    fn deref(&self) -> &ErrorDetails {
        &self.0
    }
}

impl DerefMut for Error {
    fn deref_mut(&mut self) -> &mut ErrorDetails {
        &mut self.0
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// Maximum number of bytes of the input that a message quotes.
const MAX_QUOTED: usize = 80;

/// Quotes the beginning of `text` for a message.
pub(crate) fn quote(text: &str) -> String {
    let end = text.floor_char_boundary(MAX_QUOTED);
    let more = if end < text.len() { "…" } else { "" };
    ["\"", text.get(..end).unwrap_or_default(), more, "\""].concat()
}

/// Joins texts with a separator. The standard `join` is generic, and compiled anew for each type of text.
pub(crate) fn joined(texts: &[String], between: &str) -> String {
    let mut all = String::new();
    for (nth, text) in texts.iter().enumerate() {
        if nth > 0 {
            all.push_str(between);
        }
        all.push_str(text);
    }
    all
}

/// A [`Result`](std::result::Result) with [`Error`] as its error type.
pub type Result<T, E = Error> = std::result::Result<T, E>;
