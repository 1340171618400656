//! Tool calls.

use serde::Serialize;

/// A tool that the model wants to be run: exactly these three fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct ToolCall {
    /// The call's id: the provider's, or one made up.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as JSON text, as the provider wrote it.
    pub arguments: String,
}

/// Whether the arguments of a tool call can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "kebab-case")]
pub enum ToolCallStatus {
    /// They are whole.
    Complete,
    /// They are the beginning of a JSON text, and the rest is missing.
    Truncated,
    /// They are no JSON.
    Invalid,
}
