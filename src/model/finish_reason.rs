//! Why a model stopped.

use serde::Serialize;

use crate::save::state;

/// Why the model stopped, normalised across providers.
///
/// ```
/// use respool::model::FinishReason;
///
/// assert_eq!(serde_json::to_string(&FinishReason::ToolUse).unwrap(), r#""tool_use""#);
/// let unknown = FinishReason::Unknown("pause_turn".into());
/// assert_eq!(serde_json::to_string(&unknown).unwrap(), r#"{"unknown":"pause_turn"}"#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// The model finished its response.
    Complete,
    /// The response reached the token limit.
    Length,
    /// The model is waiting for tool results.
    ToolUse,
    /// A content filter stopped the response.
    ContentFilter,
    /// Any other reason, as the provider spells it.
    Unknown(String),
}

/// Words that say that the response failed, or that the server gave it up.
const ERRORS: [&str; 5] = ["error", "abort", "timeout", "network_error", "insufficient_system_resource"];

/// Words that say that somebody ended the response, or that it isn't whole.
const BREAKS: [&str; 5] = ["cancelled", "canceled", "aborted", "failed", "incomplete"];

/// Whether a provider's word says that the response failed, or that the server gave it up.
pub(crate) fn is_error(word: &str) -> bool {
    ERRORS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

impl FinishReason {
    /// Whether what the model said last may be cut off, so that a call without its arguments isn't one without any.
    pub(crate) fn may_cut(&self) -> bool {
        match self {
            Self::Length | Self::ContentFilter => true,
            Self::Complete | Self::ToolUse => false,
            Self::Unknown(word) => {
                is_error(word) || BREAKS.iter().any(|known| known.eq_ignore_ascii_case(word))
            }
        }
    }

    /// The reason that is spelt like this here; any other word is a provider's.
    pub(crate) fn of_word(word: &str) -> Self {
        match word {
            "complete" => Self::Complete,
            "length" => Self::Length,
            "tool_use" => Self::ToolUse,
            "content_filter" => Self::ContentFilter,
            other => Self::Unknown(other.to_owned()),
        }
    }
}

state! { enum FinishReason { 0 Complete, 1 Length, 2 ToolUse, 3 ContentFilter, 4 Unknown(word) } }
