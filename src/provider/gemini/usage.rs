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

/// Reads `usageMetadata`. Thoughts aren't among the candidates' tokens, and neither are the tokens of tools that the
/// provider ran among the prompt's.
pub(super) fn read_usage(usage: Value<'_>) -> Usage {
    let (camel, snake) = (Camel::of(usage), Snake::of(usage));
    let prompt = camel.prompt().or(snake.prompt()).unsigned();
    let candidates = camel.candidates().or(snake.candidates()).unsigned();
    let thoughts = camel.thoughts().or(snake.thoughts()).unsigned();
    let cached = camel.cached().or(snake.cached()).unsigned();
    let tools = camel.tools().or(snake.tools()).unsigned();
    let details = [
        camel.prompt_details().or(snake.prompt_details()).items(),
        camel.candidates_details().or(snake.candidates_details()).items(),
    ];
    let total = camel.total().or(snake.total()).unsigned();
    let input = prompt.map(|prompt| prompt.saturating_add(tools.unwrap_or_default()));
    // A count that is missing is 0 only where the total says so.
    let is_all = |output: &u64| {
        let counted = candidates.and(thoughts).is_some() || input.is_none();
        counted || total.is_none_or(|total| total <= input.unwrap_or_default().saturating_add(*output))
    };
    let output = [candidates, thoughts].into_iter().flatten().reduce(u64::saturating_add);
    let [audio_tokens, image_tokens] = of_modalities(["AUDIO", "IMAGE"], details);
    Usage {
        input_tokens: input,
        uncached_input_tokens: prompt.and_then(|prompt| prompt.checked_sub(cached.unwrap_or_default())),
        output_tokens: output.filter(is_all),
        prompt_tokens: prompt,
        completion_tokens: candidates,
        total_tokens: total,
        reasoning_tokens: thoughts,
        cache_read_tokens: cached,
        tool_use_tokens: tools,
        audio_tokens,
        image_tokens,
        service_tier: camel.tier().or(snake.tier()).label().map(Into::into),
        raw: usage.raw(),
        ..Usage::default()
    }
}

/// The tokens of each of these modalities in all lists of details.
fn of_modalities<const N: usize>(names: [&str; N], details: [Items<'_>; 2]) -> [Option<u64>; N] {
    let mut counts = [None::<u64>; N];
    for detail in details.into_iter().flatten() {
        let detail = Detail::of(detail);
        let Some(tokens) = detail.count().or(detail.token_count()).unsigned() else { continue };
        for (name, total) in names.iter().zip(&mut counts) {
            if detail.modality().is_some_and(|modality| modality.is(name)) {
                *total = Some(total.unwrap_or_default().saturating_add(tokens));
            }
        }
    }
    counts
}
