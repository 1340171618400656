//! The result of a stream.

use serde::Serialize;

use super::{AnnotatedLlmResponse, Failure, FinishReason, ToolCall, ToolCallStatus, Usage, Warning};
use crate::save::state;

/// How a stream ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The stream hasn't ended.
    Open,
    /// The provider ended the stream.
    Complete,
    /// The input ended before the provider ended the stream.
    Truncated,
    /// The provider reported an error, a limit was exceeded, or a codec failed.
    Failed,
    /// The caller aborted the stream.
    Aborted,
}

state! { enum Ending { 0 Open, 1 Complete, 2 Truncated, 3 Failed, 4 Aborted } }

/// The result of a stream, final or so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct StreamResult {
    /// The text of the first choice.
    pub text: String,
    /// The reasoning of the first choice.
    pub reasoning: String,
    /// The refusal of the first choice, if the model refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub refusal: Option<String>,
    /// The tool calls of the first choice, in the provider's order. The `index` of deltas may differ, so match calls by
    /// `id`.
    pub tool_calls: Vec<ToolCall>,
    /// The status of each call in [`tool_calls`](Self::tool_calls), in the same order.
    pub tool_call_status: Vec<ToolCallStatus>,
    /// Why the model stopped, normalised.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub finish_reason: Option<FinishReason>,
    /// Why the model stopped, as the provider spells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub raw_finish_reason: Option<String>,
    /// The token usage.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub usage: Option<Usage>,
    /// How the stream ended.
    pub ending: Ending,
    /// Why the stream failed or was aborted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub error: Option<Failure>,
    /// Irregularities in the stream.
    pub warnings: Vec<Warning>,
    /// The normalised response: the same as `decode` returns for the non-streamed body.
    pub response: AnnotatedLlmResponse,
}
