//! Why the model stopped.
//! <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#bedrock-runtime_Converse-response-stopReason>

use crate::model::FinishReason;

pub(super) fn finish_reason(word: &str) -> FinishReason {
    match word {
        "end_turn" => FinishReason::Complete,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "tool_use" => FinishReason::ToolUse,
        "guardrail_intervened" | "content_filtered" => FinishReason::ContentFilter,
        other => FinishReason::Unknown(other.to_owned()),
    }
}
