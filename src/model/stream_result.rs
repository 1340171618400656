//! What a stream came to.

use serde::Serialize;

use super::{AnnotatedLlmResponse, Failure, FinishReason, ToolCall, ToolCallStatus, Usage, Warning};

/// How a stream ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It has not ended.
    Open,
    /// The provider said that it is over.
    Complete,
    /// The input ended before the provider said so.
    Truncated,
    /// The provider reported an error, or a limit was exceeded.
    Failed,
    /// It was ended from outside.
    Aborted,
}

/// Everything that came out of a stream.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct StreamResult {
    /// The text of the first choice.
    pub text: String,
    /// What the model thought, of the first choice.
    pub reasoning: String,
    /// Why the model did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub refusal: Option<String>,
    /// The tool calls of the first choice, sorted by their index.
    pub tool_calls: Vec<ToolCall>,
    /// The state of each of [`tool_calls`](Self::tool_calls), in the same order.
    pub tool_call_status: Vec<ToolCallStatus>,
    /// Why the model stopped, in common words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub finish_reason: Option<FinishReason>,
    /// Why the model stopped, in the provider's word.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub raw_finish_reason: Option<String>,
    /// What the answer cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub usage: Option<Usage>,
    /// How the stream ended.
    pub ending: Ending,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub error: Option<Failure>,
    /// What was not as it should be.
    pub warnings: Vec<Warning>,
    /// The same as `decode` gives for the answer that was not streamed.
    pub response: AnnotatedLlmResponse,
}
