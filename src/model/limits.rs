//! How much is too much.

/// Bounds on what a provider may make this library hold. The defaults are far above what providers send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[cfg_attr(target_family = "wasm", serde(rename_all = "camelCase"))]
pub struct Limits {
    /// Bytes of one event or one body. Default 128 MiB: four generated images of 4096 × 4096 in base64 fit.
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub max_event_bytes: usize,
    /// Bytes of a whole stream. Default 1 GiB.
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub max_total_bytes: usize,
    /// Tool calls of one choice. Default 1,024; providers stop at 128.
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub max_tool_calls: usize,
    /// Choices of one answer. Default 128, the most that OpenAI gives.
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub max_choices: usize,
    /// Levels of nesting in one event. Default 512.
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub max_depth: usize,
}

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
