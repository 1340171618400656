//! What an answer cost.

use serde::Serialize;

use crate::json::RawJson;

/// Counts of tokens. What a provider did not say is `None`, never 0.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens of the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub prompt_tokens: Option<u64>,
    /// Tokens of the answer, reasoning included where the provider counts so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub completion_tokens: Option<u64>,
    /// Tokens in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub total_tokens: Option<u64>,
    /// Tokens of the answer that were reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub reasoning_tokens: Option<u64>,
    /// Tokens of the prompt that were read from a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub cache_read_tokens: Option<u64>,
    /// Tokens of the prompt that were written to a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub cache_write_tokens: Option<u64>,
    /// Tokens of speech in prompt and answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub audio_tokens: Option<u64>,
    /// Tokens of images in prompt and answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub image_tokens: Option<u64>,
    /// The usage as the provider sent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional, type = "unknown"))]
    pub raw: Option<RawJson>,
}
