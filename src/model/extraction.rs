//! Tool calls found in text.

use serde::Serialize;

use super::{ToolCall, ToolCallStatus, Warning};
use crate::save::state;

/// Why a tool call in the text was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RejectReason {
    /// No tool of this name is declared.
    UnknownTool,
    /// The tool's name is missing.
    MissingName,
    /// The arguments can't be parsed.
    InvalidArguments,
    /// An argument appears twice, in a format that forbids it.
    DuplicateArgument,
    /// A required argument is missing, in a format that demands it.
    MissingArgument,
    /// The text ends inside the call.
    Truncated,
    /// The call is longer than the buffer limit.
    TooLong,
}

state! { enum RejectReason {
    0 UnknownTool, 1 MissingName, 2 InvalidArguments, 3 DuplicateArgument, 4 MissingArgument, 5 Truncated, 6 TooLong,
} }

impl RejectReason {
    /// The code as text, for example `"unknown-tool"`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UnknownTool => "unknown-tool",
            Self::MissingName => "missing-name",
            Self::InvalidArguments => "invalid-arguments",
            Self::DuplicateArgument => "duplicate-argument",
            Self::MissingArgument => "missing-argument",
            Self::Truncated => "truncated",
            Self::TooLong => "too-long",
        }
    }
}

/// Markup that looks like a tool call but was rejected. It stays in the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct RejectedToolCall {
    /// The format of the call.
    pub format: String,
    /// The tool's name, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub name: Option<String>,
    /// Why the call was rejected.
    pub reason: RejectReason,
    /// The rejected markup.
    pub text: String,
    /// The offset of the markup in the searched text, in UTF-8 bytes.
    pub offset: usize,
}

state! { struct RejectedToolCall { format, name, reason, text, offset } }

/// The result of searching a text for tool calls and reasoning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Extraction {
    /// The text without the tool calls and the reasoning.
    pub text: String,
    /// The reasoning.
    pub reasoning: String,
    /// The tool calls, in text order.
    pub tool_calls: Vec<ToolCall>,
    /// The status of each call in [`tool_calls`](Self::tool_calls), in the same order.
    pub tool_call_status: Vec<ToolCallStatus>,
    /// The rejected tool calls, in text order.
    pub rejected: Vec<RejectedToolCall>,
    /// Irregularities in the text.
    pub warnings: Vec<Warning>,
}
