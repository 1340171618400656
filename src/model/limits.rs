//! Limits on the memory that a provider's response can take.

use crate::save::state;

/// Limits on the size of a response. The defaults are far above what providers send. A stream that exceeds one fails
/// with `limit-exceeded` and keeps what it has read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[cfg_attr(target_family = "wasm", serde(rename_all = "camelCase"))]
pub struct Limits {
    /// Maximum size of one event, in bytes. Default 128 MiB: room for four generated images of 4096 × 4096 pixels in
    /// base64.
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub max_event_bytes: usize,
    /// Maximum size of a stream, in bytes. Default 1 GiB.
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub max_total_bytes: usize,
    /// Maximum number of tool calls in one choice. Default 1,024; providers allow 128.
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub max_tool_calls: usize,
    /// Maximum number of choices in one response. Default 128, which is OpenAI's maximum.
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub max_choices: usize,
    /// Maximum nesting depth of one event, in arrays and objects. Default 512.
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub max_depth: usize,
}

state! { struct Limits { max_event_bytes, max_total_bytes, max_tool_calls, max_choices, max_depth } }

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_event_bytes: 128 << 20,
            max_total_bytes: 1 << 30,
            max_tool_calls: 1024,
            max_choices: 128,
            max_depth: 512,
        }
    }
}
