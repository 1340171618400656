//! Endings that not all interfaces have a word for: which of them are failures, and which were cut short.

use super::options::WireApi;
use crate::accumulator::Builder;
use crate::error::quote;
use crate::json::Value;
use crate::model::{Failure, FailureCode, FinishReason};

/// What a provider's own word for an ending means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
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
    // Anthropic's own tools have run so often that the client has to ask for the rest.
    // https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
    ("pause_turn", Meaning::Limit),
    // Bedrock. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
    ("malformed_model_output", Meaning::Failure),
    ("malformed_tool_use", Meaning::Failure),
    // The statuses of Responses and Interactions.
    ("budget_exceeded", Meaning::Limit),
    ("cancelled", Meaning::Failure),
    ("failed", Meaning::Failure),
    ("in_progress", Meaning::Failure),
    ("incomplete", Meaning::Limit),
    ("max_tool_calls", Meaning::Limit),
    ("queued", Meaning::Failure),
    // Cohere. https://docs.cohere.com/v2/reference/chat
    ("ERROR", Meaning::Failure),
    ("ERROR_LIMIT", Meaning::Limit),
    ("ERROR_TOXIC", Meaning::Filter),
    ("TIMEOUT", Meaning::Failure),
    ("USER_CANCEL", Meaning::Failure),
    // Servers of chat completions: vLLM, DeepSeek, Z.ai and others.
    ("abort", Meaning::Failure),
    ("insufficient_system_resource", Meaning::Failure),
    ("network_error", Meaning::Failure),
];

/// What a word means, if it doesn't end a whole answer.
pub(super) fn meaning_of(word: &str) -> Option<Meaning> {
    WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, meaning)| *meaning)
}

/// What a provider says of an ending besides its word.
#[derive(Default)]
pub(super) struct Told<'a> {
    pub(super) error: Option<Value<'a>>,
    /// The status of a body.
    pub(super) status: Option<&'a str>,
    /// What was wrong, for those who read it.
    pub(super) explanation: Option<&'a str>,
}

/// Why a response that was read to its end is no answer.
pub(super) fn failure_of(answer: &Builder, target: WireApi, told: &Told<'_>) -> Option<Failure> {
    let error = told.error.filter(|error| error.is_object());
    // Other targets have only the first choice.
    let count = if target == WireApi::OpenaiChat { usize::MAX } else { 1 };
    let mut endings = answer.choice_indices().take(count).map(|choice| answer.finish_of(choice).0).peekable();
    let unended = || {
        let status = told.status.filter(|status| meaning_of(status) == Some(Meaning::Failure));
        status.or(error.map(|_| "error")).map(str::to_owned)
    };
    let word = if endings.peek().is_none() {
        unended()
    } else {
        endings.find_map(|reason| match reason {
            Some(FinishReason::Unknown(word)) => {
                let has_failed = error.is_some() || meaning_of(&word) == Some(Meaning::Failure);
                has_failed.then_some(word)
            }
            Some(_) => None,
            None => unended(),
        })
    }?;
    let text = |name| error?.get_string(name);
    let message = text("message").or_else(|| told.explanation.map(str::to_owned));
    let message = message.unwrap_or_else(|| {
        ["The provider ended the response with ", &quote(&word), " and no message"].concat()
    });
    let mut failure = Failure::new(FailureCode::ProviderError, message);
    failure.provider_type = text("type");
    failure.provider_code = text("code").or(Some(word));
    failure.raw = error.and_then(Value::raw);
    Some(failure)
}
