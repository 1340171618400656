//! Why a choice ended.

use std::borrow::Cow;

use super::choice::Choice;
use crate::json::Field;
use crate::model::FinishReason;

impl<'a> Choice<'a> {
    /// Why the choice ended. Models on Bedrock say it in `stop_reason`; other servers have a token or a text of the request
    /// there, beside the finish reason.
    pub(super) fn reason(&self) -> Option<Cow<'a, str>> {
        self.finish_reason().filled().or_else(|| {
            let word = self.stop_reason().filled()?;
            let is_known = !matches!(finish_reason(&word), FinishReason::Unknown(_));
            (is_known && self.whole.others(&[]).all(|(name, _)| name != "finish_reason")).then_some(word)
        })
    }
}

/// <https://platform.openai.com/docs/api-reference/chat/object#chat/object-choices>, and the words of servers that keep
/// their own.
pub(super) fn finish_reason(word: &str) -> FinishReason {
    match &*word.to_ascii_lowercase() {
        "stop" | "eos" | "eos_token" | "end_turn" => FinishReason::Complete,
        "length" | "model_length" | "max_tokens" => FinishReason::Length,
        "tool_calls" | "function_call" | "tool_use" => FinishReason::ToolUse,
        "content_filter" | "sensitive" => FinishReason::ContentFilter,
        _ => FinishReason::Unknown(word.to_owned()),
    }
}
