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

/// What a provider's own word for an ending means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The response failed, or the server gave it up: an error even if the provider names none.
    Error,
    /// There is no answer, or only the beginning of one.
    Failure,
    /// The provider stopped the answer at a limit that isn't the one of tokens.
    Limit,
    /// A filter stopped it.
    Filter,
}

/// The words, in any case. All others end an answer that is whole.
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
    // Anthropic's own tools have run so often that the client has to ask for the rest.
    // https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
    ("pause_turn", Meaning::Limit),
    // It has only summarised the conversation. https://platform.claude.com/docs/en/build-with-claude/compaction
    ("compaction", Meaning::Limit),
    // Bedrock. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
    ("malformed_model_output", Meaning::Failure),
    ("malformed_tool_use", Meaning::Failure),
    // The statuses of Responses and Interactions.
    ("budget_exceeded", Meaning::Limit),
    ("canceled", Meaning::Failure),
    ("cancelled", Meaning::Failure),
    ("in_progress", Meaning::Failure),
    ("incomplete", Meaning::Limit),
    ("max_messages", Meaning::Limit),
    ("max_tool_calls", Meaning::Limit),
    ("queued", Meaning::Failure),
    // Its user has sent more meanwhile, and another response goes on.
    ("steered", Meaning::Limit),
    // Cohere. https://docs.cohere.com/v2/reference/chat
    ("ERROR", Meaning::Error),
    ("ERROR_LIMIT", Meaning::Limit),
    ("ERROR_TOXIC", Meaning::Filter),
    ("TIMEOUT", Meaning::Error),
    ("USER_CANCEL", Meaning::Failure),
    // Servers of chat completions: vLLM, DeepSeek, Z.ai and others.
    ("abort", Meaning::Error),
    ("aborted", Meaning::Error),
    ("failed", Meaning::Error),
    ("insufficient_system_resource", Meaning::Error),
    ("interrupted", Meaning::Error),
    ("network_error", Meaning::Error),
    ("terminated", Meaning::Error),
];

/// What a word means, if it doesn't end a whole answer.
pub(crate) fn meaning_of(word: &str) -> Option<Meaning> {
    WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, meaning)| *meaning)
}

/// Whether the provider is still working on a response of this status.
pub(crate) fn is_under_way(status: &str) -> bool {
    matches!(status, "in_progress" | "queued")
}

/// Whether a provider's word says that the response failed, or that the server gave it up.
pub(crate) fn is_error(word: &str) -> bool {
    meaning_of(word) == Some(Meaning::Error)
}

/// Whether there is no answer after such a word, or only the beginning of one.
pub(crate) fn has_failed(word: &str) -> bool {
    matches!(meaning_of(word), Some(Meaning::Error | Meaning::Failure))
}

impl FinishReason {
    /// Whether what the model said last may be cut off, so that a call without its arguments isn't one without any.
    pub(crate) fn may_cut(&self) -> bool {
        match self {
            Self::Length | Self::ContentFilter => true,
            Self::Complete | Self::ToolUse => false,
            // Of the limits, only this one may come in the middle of a call.
            Self::Unknown(word) => has_failed(word) || word.eq_ignore_ascii_case("incomplete"),
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
