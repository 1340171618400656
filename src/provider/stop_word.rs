//! Finish reasons of chat completions, Anthropic and Cohere: servers of each interface pass on reasons of the others,
//! and have reasons of their own.

use crate::accumulator::{Builder, Finish};
use crate::error::quote;
use crate::json::{Field, Value};
pub(super) use crate::model::is_error;
use crate::model::{Failure, FailureCode, FinishReason};

/// Returns the finish reason, if it is one. Some servers send a placeholder with each chunk: the text `null`, or `None`
/// as Python writes it (`SGLang` once did), or the default of an enum.
/// <https://github.com/vercel/ai/issues/2548>
pub(super) fn finish_word(value: Option<Value<'_>>) -> Option<&str> {
    value.non_empty().filter(|word| {
        let word = word.to_ascii_lowercase();
        !matches!(&*word, "null" | "none") && !word.ends_with("unspecified")
    })
}

/// Returns the finish of a choice for such a reason.
///
/// - <https://platform.openai.com/docs/api-reference/chat/object#chat/object-choices>
/// - <https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons>
pub(crate) fn finish_of(word: &str) -> Finish {
    // Google's OpenAI-compatible interface says after a colon what was filtered.
    let kind = word.split(':').next().unwrap_or(word);
    let reason = match &*kind.to_ascii_lowercase() {
        "stop" | "eos" | "eos_token" | "end" | "end_turn" | "complete" | "normal" => FinishReason::Complete,
        "length" | "model_length" | "max_tokens" | "max_output_tokens" | "model_context_window_exceeded" => {
            FinishReason::Length
        }
        "tool_calls" | "tool_call" | "tool-calls" | "function_call" | "function_calls" | "tool_use" => {
            FinishReason::ToolUse
        }
        "content_filter"
        | "content-filter"
        | "content_filtered"
        | "safety"
        | "sensitive"
        | "refusal"
        | "guardrail_intervened"
        | "recitation"
        | "prohibited_content"
        | "image_safety"
        | "image_prohibited_content"
        | "image_recitation"
        | "blocklist"
        | "blacklist"
        | "spii"
        | "model_armor" => FinishReason::ContentFilter,
        _ => FinishReason::Unknown(word.to_owned()),
    };
    Finish { reason, raw: Some(word.to_owned()), or_tool_use: true }
}

/// Reads whether a guardrail has replaced or masked the response, which Bedrock's `InvokeModel` reports next to the
/// response of any model. The model's own reason doesn't show it, whereas that of `Converse` is `guardrail_intervened`.
/// <https://docs.aws.amazon.com/bedrock/latest/userguide/guardrails-use-invokemodel.html>
pub(super) fn read_guardrail(body: Value<'_>, out: &mut Builder) {
    if body.get("amazon-bedrock-guardrailAction").is_some_and(|action| action.is("INTERVENED")) {
        out.mark_filtered();
    }
}

/// Finishes the only choice with the reason in this member.
pub(super) fn finish(member: &str, word: &str, out: &mut Builder) {
    out.finish(0, finish_of(word));
    if is_error(word) {
        fail(member, word, out);
    }
}

/// Reports that the response failed with this reason, unless a more detailed error is known or follows.
pub(super) fn fail(member: &str, word: &str, out: &mut Builder) {
    let message = format!("The provider ended the response with {member} {} and no message", quote(word));
    out.fail_unexplained(Failure::new(FailureCode::ProviderError, message));
}
