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

/// Meaning of a provider's finish reason or status, unless it ends a complete response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The response failed, or the server abandoned it: an error, even if the provider doesn't report one.
    Error,
    /// There is no response, or only its beginning.
    Failure,
    /// A limit other than the token limit stopped the response.
    Limit,
    /// A filter stopped the response.
    Filter,
}

/// Finish reasons and statuses, compared case-insensitively. All others end a complete response.
const WORDS: &[(&str, Meaning)] = &[
    // Gemini. https://ai.google.dev/api/generate-content#FinishReason
    ("MALFORMED_FUNCTION_CALL", Meaning::Failure),
    ("MALFORMED_RESPONSE", Meaning::Failure),
    ("function_call_filter: MALFORMED_FUNCTION_CALL", Meaning::Failure),
    ("function_call_filter: UNEXPECTED_TOOL_CALL", Meaning::Failure),
    ("MISSING_THOUGHT_SIGNATURE", Meaning::Failure),
    ("TOO_MANY_TOOL_CALLS", Meaning::Failure),
    ("UNEXPECTED_TOOL_CALL", Meaning::Failure),
    ("ESCALATION", Meaning::Filter),
    ("PUP_LIMITED_DISABLED", Meaning::Filter),
    // Anthropic's own tools have run so often that the client has to request the rest.
    // https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
    ("pause_turn", Meaning::Limit),
    // The response only summarises the conversation. https://platform.claude.com/docs/en/build-with-claude/compaction
    ("compaction", Meaning::Limit),
    // Bedrock. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
    ("malformed_model_output", Meaning::Failure),
    ("malformed_tool_use", Meaning::Failure),
    // Statuses of Responses and Interactions.
    ("budget_exceeded", Meaning::Limit),
    ("in_progress", Meaning::Failure),
    ("incomplete", Meaning::Limit),
    ("max_messages", Meaning::Limit),
    ("max_tool_calls", Meaning::Limit),
    ("queued", Meaning::Failure),
    // The user has sent more input meanwhile, and another response continues.
    ("steered", Meaning::Limit),
    // Cohere. https://docs.cohere.com/v2/reference/chat
    ("ERROR", Meaning::Error),
    ("ERROR_LIMIT", Meaning::Limit),
    ("ERROR_TOXIC", Meaning::Filter),
    ("TIMEOUT", Meaning::Error),
    ("USER_CANCEL", Meaning::Failure),
    // Servers with chat completions: vLLM, DeepSeek, Z.ai and others.
    ("abort", Meaning::Error),
    ("aborted", Meaning::Error),
    ("canceled", Meaning::Error),
    ("cancelled", Meaning::Error),
    ("failed", Meaning::Error),
    ("insufficient_system_resource", Meaning::Error),
    ("interrupted", Meaning::Error),
    ("network_error", Meaning::Error),
    ("terminated", Meaning::Error),
    // watsonx. https://cloud.ibm.com/apidocs/watsonx-ai#text-chat-stream
    ("time_limit", Meaning::Limit),
];

/// Limits that can stop the model in the middle of a call.
const LIMITS_WITHIN_CALLS: &[&str] = &["incomplete", "time_limit"];

/// Returns the meaning of a finish reason or status; `None` if it ends a complete response.
pub(crate) fn meaning_of(word: &str) -> Option<Meaning> {
    WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, meaning)| *meaning)
}

/// Whether a response with this status is still in progress.
pub(crate) fn is_under_way(status: &str) -> bool {
    matches!(
        status,
        "in_progress"
            | "queued"
            | "created"
            | "pending"
            | "started"
            | "running"
            | "processing"
            | "generating"
    )
}

/// Whether the finish reason or status is an error: the response failed, or the server abandoned it.
pub(crate) fn is_error(word: &str) -> bool {
    meaning_of(word) == Some(Meaning::Error)
}

/// Whether there is no response after this finish reason or status, or only its beginning.
pub(crate) fn has_failed(word: &str) -> bool {
    matches!(meaning_of(word), Some(Meaning::Error | Meaning::Failure))
}

impl FinishReason {
    /// Whether the end of the response may be missing, so that a call without arguments may have lost them.
    pub(crate) fn may_truncate(&self) -> bool {
        match self {
            Self::Length | Self::ContentFilter => true,
            Self::Complete | Self::ToolUse => false,
            Self::Unknown(word) => {
                has_failed(word) || LIMITS_WITHIN_CALLS.iter().any(|limit| word.eq_ignore_ascii_case(limit))
            }
        }
    }

    /// Returns the reason with this normalised name. Any other word is the provider's own.
    pub(crate) fn from_word(word: &str) -> Self {
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
