//! Token usage.

use serde::Serialize;

use crate::json::RawJson;

/// Token counts as the provider reports them. A count that the provider didn't report is missing, never 0.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens in the prompt. Whether cached tokens are included depends on the provider: OpenAI includes them,
    /// Anthropic doesn't.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub prompt_tokens: Option<u64>,
    /// Tokens in the response, including reasoning if the provider counts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub completion_tokens: Option<u64>,
    /// Total tokens: the provider's figure; for Anthropic, which reports none, the sum of prompt and completion tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub total_tokens: Option<u64>,
    /// Reasoning tokens in the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub reasoning_tokens: Option<u64>,
    /// Prompt tokens read from a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub cache_read_tokens: Option<u64>,
    /// Prompt tokens written to a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub cache_write_tokens: Option<u64>,
    /// Audio tokens in the prompt and the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub audio_tokens: Option<u64>,
    /// Image tokens in the prompt and the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub image_tokens: Option<u64>,
    /// The provider's usage object, unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
    pub raw: Option<RawJson>,
}

#[cfg(target_family = "wasm")]
impl Usage {
    /// Nothing is reported.
    pub(crate) const NONE: Self = Self {
        prompt_tokens: None,
        completion_tokens: None,
        total_tokens: None,
        reasoning_tokens: None,
        cache_read_tokens: None,
        cache_write_tokens: None,
        audio_tokens: None,
        image_tokens: None,
        raw: None,
    };

    /// All counts, in the order in which they are written.
    pub(crate) fn counts(&self) -> [Option<u64>; 8] {
        [
            self.prompt_tokens,
            self.completion_tokens,
            self.total_tokens,
            self.reasoning_tokens,
            self.cache_read_tokens,
            self.cache_write_tokens,
            self.audio_tokens,
            self.image_tokens,
        ]
    }
}
