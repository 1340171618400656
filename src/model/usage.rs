//! Token usage.

use serde::Serialize;

use crate::json::{RawJson, Value};
use crate::save::state;

/// Token counts. A count that the provider didn't report is missing, never 0.
///
/// `inputTokens`, `uncachedInputTokens` and `outputTokens` have the same meaning for every provider, so they can be
/// added up and multiplied by prices: `inputTokens` is `uncachedInputTokens` + `cacheReadTokens` + `cacheWriteTokens` +
/// `toolUseTokens`. `promptTokens`, `completionTokens` and `totalTokens` are the provider's own figures.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// All input tokens, including cached ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub input_tokens: Option<u64>,
    /// Input tokens that were neither read from a cache nor written to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub uncached_input_tokens: Option<u64>,
    /// All output tokens, including reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub output_tokens: Option<u64>,
    /// Tokens in the prompt. Whether cached tokens are included depends on the provider: OpenAI includes them,
    /// Anthropic doesn't.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub prompt_tokens: Option<u64>,
    /// Tokens in the response, including reasoning if the provider counts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub completion_tokens: Option<u64>,
    /// Total tokens: the provider's figure; for Anthropic, Cohere and Ollama, which report none, the sum of prompt and
    /// completion tokens.
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
    /// The part of `cacheWriteTokens` that is cached for an hour, if the provider reports it separately.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub cache_write_1h_tokens: Option<u64>,
    /// Input tokens for the results of the provider's own tools, if the provider reports them separately.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub tool_use_tokens: Option<u64>,
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
    /// The cost that the provider reports, in its own unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional, type = "number"))]
    pub reported_cost: Option<RawJson>,
    /// The service tier that the request was processed in, which affects prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_family = "wasm", tsify(optional))]
    pub service_tier: Option<String>,
}

state! { struct Usage {
    input_tokens, uncached_input_tokens, output_tokens, prompt_tokens, completion_tokens, total_tokens,
    reasoning_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, tool_use_tokens, audio_tokens,
    image_tokens, raw, reported_cost, service_tier,
} }

impl Usage {
    /// Names of the counts, in the order in which they are written.
    pub(crate) const COUNTS: [&str; 13] = [
        "inputTokens",
        "uncachedInputTokens",
        "outputTokens",
        "promptTokens",
        "completionTokens",
        "totalTokens",
        "reasoningTokens",
        "cacheReadTokens",
        "cacheWriteTokens",
        "cacheWrite1hTokens",
        "toolUseTokens",
        "audioTokens",
        "imageTokens",
    ];

    /// Index of the first count that is a part of another one.
    const FIRST_DETAIL: usize = 6;

    /// Returns all counts, in the order of [`COUNTS`](Self::COUNTS), to write them.
    pub(crate) fn counts_mut(&mut self) -> [&mut Option<u64>; Self::COUNTS.len()] {
        [
            &mut self.input_tokens,
            &mut self.uncached_input_tokens,
            &mut self.output_tokens,
            &mut self.prompt_tokens,
            &mut self.completion_tokens,
            &mut self.total_tokens,
            &mut self.reasoning_tokens,
            &mut self.cache_read_tokens,
            &mut self.cache_write_tokens,
            &mut self.cache_write_1h_tokens,
            &mut self.tool_use_tokens,
            &mut self.audio_tokens,
            &mut self.image_tokens,
        ]
    }

    /// Returns all counts, in the order of [`COUNTS`](Self::COUNTS).
    pub(crate) fn counts(&self) -> [Option<u64>; Self::COUNTS.len()] {
        [
            self.input_tokens,
            self.uncached_input_tokens,
            self.output_tokens,
            self.prompt_tokens,
            self.completion_tokens,
            self.total_tokens,
            self.reasoning_tokens,
            self.cache_read_tokens,
            self.cache_write_tokens,
            self.cache_write_1h_tokens,
            self.tool_use_tokens,
            self.audio_tokens,
            self.image_tokens,
        ]
    }

    /// Reads usage with the field names of this type, as codecs and results saved as JSON have it.
    pub(crate) fn from_field_names(usage: Value<'_>) -> Self {
        let mut read = Self {
            raw: usage.get("raw").and_then(Value::raw),
            reported_cost: usage.get("reportedCost").and_then(Value::raw),
            service_tier: usage.get_string("serviceTier"),
            ..Self::default()
        };
        for (name, count) in Self::COUNTS.iter().zip(read.counts_mut()) {
            *count = usage.get_unsigned(name);
        }
        read
    }

    /// Adds the usage before this one; no provider's form is kept. Part of a sum would pass for the whole, but details are
    /// left out where they would be 0.
    pub(crate) fn add_earlier(&mut self, earlier: &Self) {
        for (at, (count, more)) in self.counts_mut().into_iter().zip(earlier.counts()).enumerate() {
            let both = count.zip(more).map(|(count, more)| count.saturating_add(more));
            *count = if at < Self::FIRST_DETAIL { both } else { both.or(*count).or(more) };
        }
        (self.raw, self.reported_cost) = (None, None);
        if self.service_tier.is_none() {
            self.service_tier.clone_from(&earlier.service_tier);
        }
    }

    /// Sets the counts that have the same meaning for every provider, if the provider's prompt tokens include cached
    /// ones. Some gateways report prompt tokens without them, which the total shows.
    #[must_use]
    pub fn with_cache_inside(mut self) -> Self {
        let cached = self.cached();
        if self.total_includes(cached) {
            return self.with_cache_beside();
        }
        self.input_tokens = self.prompt_tokens.map(|prompt| prompt.saturating_add(self.separate_audio()));
        self.uncached_input_tokens = self.input_tokens.and_then(|input| input.checked_sub(cached));
        self.output_tokens = self.all_output();
        self
    }

    /// Sets these counts, if the provider's prompt tokens don't include cached ones.
    #[must_use]
    pub fn with_cache_beside(mut self) -> Self {
        let cached = self.cached();
        self.uncached_input_tokens = self.prompt_tokens;
        self.input_tokens = self.prompt_tokens.map(|prompt| prompt.saturating_add(cached));
        self.output_tokens = self.all_output();
        self
    }

    /// Sets these counts for Google, whose completion tokens don't include reasoning, and whose prompt tokens don't
    /// include the results of its tools. A missing count is 0 only if the total confirms that.
    #[cfg(any(feature = "gemini", feature = "gemini-interactions"))]
    #[must_use]
    pub(crate) fn with_exclusive_counts(mut self) -> Self {
        let (prompt, tools) = (self.prompt_tokens, self.tool_use_tokens);
        let (completion, reasoning) = (self.completion_tokens, self.reasoning_tokens);
        let sum = |counts: [Option<u64>; 3]| counts.into_iter().flatten().fold(0, u64::saturating_add);
        // Some models that generate images include reasoning in the completion, as the total then shows.
        let is_among = completion >= reasoning && self.total_tokens == Some(sum([prompt, tools, completion]));
        let beside = reasoning.filter(|_| !is_among);
        let output = [completion, beside].into_iter().flatten().reduce(u64::saturating_add);
        let known = sum([prompt, tools, output]);
        self.input_tokens = prompt.map(|prompt| prompt.saturating_add(tools.unwrap_or_default()));
        self.uncached_input_tokens =
            prompt.and_then(|prompt| prompt.checked_sub(self.cache_read_tokens.unwrap_or_default()));
        self.output_tokens = match self.total_tokens.and_then(|total| total.checked_sub(known)) {
            Some(0) if known > 0 => output.or(Some(0)),
            // The difference may be the missing count.
            Some(1..) if prompt.is_some() && completion.and(reasoning).is_none() => None,
            _ => output,
        };
        self
    }

    /// Whether any count is present. Some servers end a stream with usage without counts.
    pub(crate) fn has_counts(&self) -> bool {
        self.input_tokens.or(self.output_tokens).or(self.total_tokens).is_some()
    }

    /// Whether nothing is known but the provider's form.
    pub(crate) fn is_empty_usage(&self) -> bool {
        let is_counted = self.counts().iter().any(Option::is_some);
        !is_counted && self.reported_cost.is_none() && self.service_tier.is_none()
    }

    /// Whether all counts are 0. No prompt is empty, so nothing was counted.
    pub(crate) fn counts_nothing(&self) -> bool {
        [self.input_tokens, self.output_tokens, self.total_tokens].iter().flatten().all(|count| *count == 0)
    }

    /// Returns the input tokens that aren't priced as uncached ones. A missing count is 0.
    fn cached(&self) -> u64 {
        [self.cache_read_tokens, self.cache_write_tokens, self.tool_use_tokens]
            .into_iter()
            .flatten()
            .fold(0, u64::saturating_add)
    }

    /// Whether the total contains these tokens in addition to the prompt.
    fn total_includes(&self, count: u64) -> bool {
        let Some(prompt) = self.prompt_tokens.filter(|_| count > 0) else { return false };
        let all = [prompt, count, self.completion_tokens.unwrap_or_default()];
        self.total_tokens == Some(all.into_iter().fold(0, u64::saturating_add))
    }

    /// Returns the audio tokens that the total contains in addition to the prompt, as with Mistral.
    fn separate_audio(&self) -> u64 {
        self.audio_tokens.filter(|audio| self.total_includes(*audio)).unwrap_or_default()
    }

    /// Whether the cached tokens exceed the input.
    pub(crate) fn cached_exceeds_input(&self) -> bool {
        self.prompt_tokens.is_some_and(|prompt| self.cached() > prompt.saturating_add(self.separate_audio()))
    }

    /// Returns the completion tokens including reasoning, which some providers don't include. `None` if that is
    /// unclear, because the total has tokens that no other count contains, or the reasoning exceeds the completion.
    fn all_output(&self) -> Option<u64> {
        let completion = self.completion_tokens?;
        let reasoning = self.reasoning_tokens.unwrap_or_default();
        let both = completion.saturating_add(reasoning);
        let total = self.total_tokens.zip(self.input_tokens);
        match total.and_then(|(total, input)| total.checked_sub(input)) {
            Some(output) if reasoning > 0 && output == both => Some(both),
            Some(output) if reasoning == 0 && output > completion => None,
            _ => Some(completion).filter(|completion| *completion >= reasoning),
        }
    }
}
