//! Token counts.
//! <https://ai.google.dev/api/generate-content#UsageMetadata>

use super::member;
use crate::json::Value;
use crate::model::Usage;
use crate::provider::token_counts::count;

/// Reads `usageMetadata`. Thoughts aren't among the candidates' tokens, and neither are the tokens of tools that the
/// provider ran among the prompt's.
pub(super) fn read_usage(usage: Value<'_>) -> Usage {
    let read = |camel, snake| count(member(usage, camel, snake));
    let prompt = read("promptTokenCount", "prompt_token_count");
    let candidates = read("candidatesTokenCount", "candidates_token_count");
    let thoughts = read("thoughtsTokenCount", "thoughts_token_count");
    let cached = read("cachedContentTokenCount", "cached_content_token_count");
    let tools = read("toolUsePromptTokenCount", "tool_use_prompt_token_count");
    let of_modality = |name| {
        let lists = [
            member(usage, "promptTokensDetails", "prompt_tokens_details"),
            member(usage, "candidatesTokensDetails", "candidates_tokens_details"),
        ];
        let details = lists.into_iter().flatten().flat_map(Value::items);
        let counts =
            details.filter(|detail| detail.get("modality").is_some_and(|modality| modality.is(name)));
        counts
            .filter_map(|detail| count(member(detail, "tokenCount", "token_count")))
            .reduce(u64::saturating_add)
    };
    Usage {
        input_tokens: prompt.map(|prompt| prompt.saturating_add(tools.unwrap_or_default())),
        uncached_input_tokens: prompt.and_then(|prompt| prompt.checked_sub(cached.unwrap_or_default())),
        output_tokens: [candidates, thoughts].into_iter().flatten().reduce(u64::saturating_add),
        prompt_tokens: prompt,
        completion_tokens: candidates,
        total_tokens: read("totalTokenCount", "total_token_count"),
        reasoning_tokens: thoughts,
        cache_read_tokens: cached,
        tool_use_tokens: tools,
        audio_tokens: of_modality("AUDIO"),
        image_tokens: of_modality("IMAGE"),
        service_tier: member(usage, "serviceTier", "service_tier").and_then(Value::filled).map(Into::into),
        raw: usage.raw(),
        ..Usage::default()
    }
}

/// Whether anything is counted: Vertex AI's first chunks only say how the request is billed.
pub(super) fn has_counts(usage: &Usage) -> bool {
    usage.input_tokens.is_some() || usage.output_tokens.is_some() || usage.total_tokens.is_some()
}
