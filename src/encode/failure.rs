//! Writes failures in the forms of the interfaces.

use super::json::{NULL, Nested, object};
use crate::collect::Collect;
use crate::json::find;
use crate::model::{Failure, FailureCode};

/// Kind of a failure, as far as interfaces distinguish them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    InvalidRequest,
    /// The request doesn't fit the model's context. Clients shorten the conversation and ask again.
    ContextLength,
    Authentication,
    Billing,
    Permission,
    NotFound,
    TooLarge,
    RateLimit,
    Overloaded,
    Timeout,
    Server,
}

/// Words in the error types and codes of providers, with the kind that they mean. The first match counts.
const ERROR_WORDS: &[(&str, Kind)] = &[
    ("rate_limit", Kind::RateLimit),
    ("ratelimit", Kind::RateLimit),
    ("too_many_req", Kind::RateLimit),
    ("throttl", Kind::RateLimit),
    ("exhausted", Kind::RateLimit),
    ("429", Kind::RateLimit),
    ("overloaded", Kind::Overloaded),
    ("unavailable", Kind::Overloaded),
    ("503", Kind::Overloaded),
    ("529", Kind::Overloaded),
    ("authentication", Kind::Authentication),
    ("unauth", Kind::Authentication),
    ("invalid_api_key", Kind::Authentication),
    ("401", Kind::Authentication),
    ("billing", Kind::Billing),
    ("insufficient_quota", Kind::Billing),
    ("402", Kind::Billing),
    ("permission", Kind::Permission),
    ("accessdenied", Kind::Permission),
    ("403", Kind::Permission),
    ("not_found", Kind::NotFound),
    ("404", Kind::NotFound),
    ("too_large", Kind::TooLarge),
    ("413", Kind::TooLarge),
    ("timeout", Kind::Timeout),
    ("timed_out", Kind::Timeout),
    ("504", Kind::Timeout),
    ("invalid", Kind::InvalidRequest),
    ("validation", Kind::InvalidRequest),
    ("400", Kind::InvalidRequest),
];

/// Phrases in an error's type, code or message that mean that the request doesn't fit the model's context.
const TOO_LONG_PHRASES: &[&str] = &[
    PROMPT_TOO_LONG,
    "context_length",
    "context length",
    "context limit",
    "context size",
    "context window",
    "exceeds the maximum number of tokens",
    "input is too long",
    "input length should be",
    "maximum model length",
    "maximum prompt length",
    "`max_new_tokens` must be <=",
    "model token limit",
    "prompt exceeds",
    "prompt token count",
    "too many tokens:",
    "`inputs` must have less than",
];

/// Beginning of Anthropic's message for a request that doesn't fit the context. Anthropic has no code for it, so
/// clients look for these words.
const PROMPT_TOO_LONG: &str = "prompt is too long";

impl Kind {
    fn of(failure: &Failure, status: Option<u16>) -> Self {
        let words = [failure.provider_type.as_deref(), Some(" "), failure.provider_code.as_deref()];
        let text = words.into_iter().flatten().collect_string().to_ascii_lowercase();
        let kind = status.and_then(Self::from_status).unwrap_or_else(|| {
            ERROR_WORDS
                .iter()
                .find(|(word, _)| find(&text, word, 0).is_some())
                .map_or(Self::Server, |(_, kind)| *kind)
        });
        let is_of_server = status.is_some_and(|status| status >= 500);
        let may_be_too_long = (is_of_server
            || matches!(kind, Self::InvalidRequest | Self::TooLarge | Self::Server))
            && failure.code == FailureCode::ProviderError;
        if !may_be_too_long {
            return kind;
        }
        let text = text + &failure.message.to_ascii_lowercase();
        if TOO_LONG_PHRASES.iter().any(|words| find(&text, words, 0).is_some()) {
            Self::ContextLength
        } else {
            kind
        }
    }

    fn from_status(status: u16) -> Option<Self> {
        Some(match status {
            400 | 405..=407 | 409..=412 | 414..=428 => Self::InvalidRequest,
            401 => Self::Authentication,
            402 => Self::Billing,
            403 => Self::Permission,
            404 => Self::NotFound,
            408 | 504 => Self::Timeout,
            413 => Self::TooLarge,
            429 => Self::RateLimit,
            503 | 529 => Self::Overloaded,
            500..=599 => Self::Server,
            _ => return None,
        })
    }

    /// <https://platform.claude.com/docs/en/api/errors>
    fn anthropic(self) -> &'static str {
        match self {
            Self::InvalidRequest | Self::ContextLength => "invalid_request_error",
            Self::Authentication => "authentication_error",
            Self::Billing => "billing_error",
            Self::Permission => "permission_error",
            Self::NotFound => "not_found_error",
            Self::TooLarge => "request_too_large",
            Self::RateLimit => "rate_limit_error",
            Self::Overloaded => "overloaded_error",
            Self::Timeout => "timeout_error",
            Self::Server => "api_error",
        }
    }

    /// <https://platform.openai.com/docs/guides/error-codes>
    fn openai(self) -> &'static str {
        match self {
            Self::InvalidRequest | Self::ContextLength | Self::NotFound | Self::TooLarge => {
                "invalid_request_error"
            }
            Self::Authentication => "authentication_error",
            Self::Billing => "insufficient_quota",
            Self::Permission => "permission_error",
            Self::RateLimit => "rate_limit_error",
            Self::Overloaded | Self::Timeout | Self::Server => "server_error",
        }
    }
}

/// Writes `{"error": …}`, the form of OpenAI's interfaces.
pub(super) fn write_openai_error(failure: &Failure, status: Option<u16>, out: &mut String) {
    let known = Kind::of(failure, status);
    let kind = failure.provider_type.as_deref().unwrap_or_else(|| known.openai());
    let code = match known {
        Kind::ContextLength => Some(CONTEXT_LENGTH_EXCEEDED),
        _ => failure.provider_code.as_deref().or_else(|| respool_code(failure.code)),
    };
    object!(out, "error": &Nested(|out| {
        object!(out, "message": &failure.message, "type": &kind, "param": &NULL, "code": &code);
    }));
}

/// Returns the code of a failure that the provider didn't report.
fn respool_code(code: FailureCode) -> Option<&'static str> {
    match code {
        FailureCode::ProviderError => None,
        FailureCode::UnknownResponse => Some("unknown_response"),
        FailureCode::StreamBroken => Some("stream_broken"),
        FailureCode::LimitExceeded => Some("limit_exceeded"),
        FailureCode::Aborted => Some("aborted"),
        FailureCode::CodecError => Some("codec_error"),
    }
}

const CONTEXT_LENGTH_EXCEEDED: &str = "context_length_exceeded";

/// Writes the code and message of a response that failed.
/// <https://platform.openai.com/docs/api-reference/responses/object#responses/object-error>
pub(super) fn write_response_error(failure: &Failure, status: Option<u16>, out: &mut String) {
    let code = match Kind::of(failure, status) {
        Kind::RateLimit => "rate_limit_exceeded",
        Kind::InvalidRequest => "invalid_prompt",
        Kind::ContextLength => CONTEXT_LENGTH_EXCEEDED,
        Kind::Billing => "insufficient_quota",
        _ => "server_error",
    };
    object!(out, "code": &code, "message": &failure.message);
}

/// Writes `{"type": "error", …}`.
/// <https://platform.claude.com/docs/en/api/errors#error-shapes>
pub(super) fn write_anthropic_error(failure: &Failure, status: Option<u16>, out: &mut String) {
    let kind = Kind::of(failure, status);
    let is_said = failure.message.to_ascii_lowercase().starts_with(PROMPT_TOO_LONG);
    let before = if kind == Kind::ContextLength && !is_said { [PROMPT_TOO_LONG, ": "] } else { [""; 2] };
    object!(out, "type": &"error", "error": &Nested(|out| {
        object!(out, "type": &kind.anthropic(), "message": &[&before.concat(), failure.message.as_str()].concat());
    }));
}
