//! Tool calls.

use serde::Serialize;

use crate::save::state;

/// A tool call that the client should run. It has exactly these three fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct ToolCall {
    /// The provider's id of the call, or a generated one if the provider sent none.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as JSON text, exactly as the provider wrote them.
    pub arguments: String,
}

state! { struct ToolCall { id, name, arguments } }

/// Whether the arguments of a tool call are complete JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "kebab-case")]
pub enum ToolCallStatus {
    /// The arguments are complete, valid JSON.
    Complete,
    /// The arguments are valid JSON so far, and the rest is missing.
    Truncated,
    /// The arguments aren't valid JSON.
    Invalid,
}

state! { enum ToolCallStatus { 0 Complete, 1 Truncated, 2 Invalid } }
