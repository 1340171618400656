//! Token counts.
//! <https://ai.google.dev/api/generate-content#UsageMetadata>

use crate::json::{Field, Items, Value, fields};
use crate::model::Usage;

fields! {
    struct Camel {
        prompt = "promptTokenCount",
        candidates = "candidatesTokenCount",
        thoughts = "thoughtsTokenCount",
        cached = "cachedContentTokenCount",
        tools = "toolUsePromptTokenCount",
        total = "totalTokenCount",
        prompt_details = "promptTokensDetails",
        candidates_details = "candidatesTokensDetails",
        tier = "serviceTier",
    }
}

fields! {
    struct Snake {
        prompt = "prompt_token_count",
        candidates = "candidates_token_count",
        thoughts = "thoughts_token_count",
        cached = "cached_content_token_count",
        tools = "tool_use_prompt_token_count",
        total = "total_token_count",
        prompt_details = "prompt_tokens_details",
        candidates_details = "candidates_tokens_details",
        tier = "service_tier",
    }
}

fields! {
    struct Detail { modality, count = "tokenCount", token_count }
}

/// Reads `usageMetadata`. Thoughts are counted separately from the candidates' tokens, and tokens of tools that the
/// provider ran separately from the prompt's.
pub(super) fn read_usage(usage: Value<'_>) -> Usage {
    let (camel, snake) = (Camel::of(usage), Snake::of(usage));
    let details = [
        camel.prompt_details().or(snake.prompt_details()).items(),
        camel.candidates_details().or(snake.candidates_details()).items(),
    ];
    let [audio_tokens, image_tokens] = tokens_by_modality([("AUDIO", 4), ("IMAGE", 2)], details);
    Usage {
        prompt_tokens: camel.prompt().or(snake.prompt()).unsigned(),
        completion_tokens: camel.candidates().or(snake.candidates()).unsigned(),
        total_tokens: camel.total().or(snake.total()).unsigned(),
        reasoning_tokens: camel.thoughts().or(snake.thoughts()).unsigned(),
        cache_read_tokens: camel.cached().or(snake.cached()).unsigned(),
        tool_use_tokens: camel.tools().or(snake.tools()).unsigned(),
        audio_tokens,
        image_tokens,
        service_tier: camel.tier().or(snake.tier()).non_empty().map(Into::into),
        raw: usage.raw(),
        ..Usage::default()
    }
    .with_exclusive_counts()
}

/// Returns the tokens of each of these modalities in all lists of details. gRPC clients use the numbers of the
/// modalities.
/// <https://docs.cloud.google.com/vertex-ai/docs/reference/rpc/google.cloud.aiplatform.v1#modality>
fn tokens_by_modality<const N: usize>(names: [(&str, u64); N], details: [Items<'_>; 2]) -> [Option<u64>; N] {
    let mut counts = [None::<u64>; N];
    for detail in details.into_iter().flatten() {
        let detail = Detail::of(detail);
        let Some(tokens) = detail.count().or(detail.token_count()).unsigned() else { continue };
        for ((name, number), total) in names.into_iter().zip(&mut counts) {
            if detail.modality().is_some_and(|it| it.is(name) || it.unsigned() == Some(number)) {
                *total = Some(total.unwrap_or_default().saturating_add(tokens));
            }
        }
    }
    counts
}
