//! What is found in a text.

use serde::Serialize;

use super::{ToolCall, ToolCallStatus, Warning};

/// Why what looks like a tool call is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RejectReason {
    /// There is no tool of this name.
    UnknownTool,
    /// It does not say which tool.
    MissingName,
    /// Its arguments cannot be read.
    InvalidArguments,
    /// It has an argument twice, in a format that forbids it.
    DuplicateArgument,
    /// It lacks an argument that the tool requires, in a format that demands it.
    MissingArgument,
    /// The text ends before it does.
    Truncated,
    /// It is longer than what may be held back.
    TooLong,
}

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

/// What looks like a tool call and is none. Its text is still in the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct RejectedToolCall {
    /// The format in which it is written.
    pub format: String,
    /// The name of the tool, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub name: Option<String>,
    /// Why it is none.
    pub reason: RejectReason,
    /// What it looks like.
    pub text: String,
    /// Where in the text that was searched it begins, in UTF-8 bytes.
    pub offset: usize,
}

/// What was found in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Extraction {
    /// The text without what was found in it.
    pub text: String,
    /// What the model thought.
    pub reasoning: String,
    /// The tool calls, in the order in which they stand in the text.
    pub tool_calls: Vec<ToolCall>,
    /// The state of each of [`tool_calls`](Self::tool_calls), in the same order.
    pub tool_call_status: Vec<ToolCallStatus>,
    /// What looks like a tool call and is none.
    pub rejected: Vec<RejectedToolCall>,
    /// What was not as it should be.
    pub warnings: Vec<Warning>,
}
