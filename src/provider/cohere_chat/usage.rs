//! Token counts.

use super::member;
use crate::json::Value;
use crate::model::Usage;
use crate::provider::token_counts::count;

/// Reads `usage`. `tokens` are the model's; those that are billed, `billed_units`, leave out some of the prompt.
pub(super) fn read_usage(usage: Value<'_>) -> Usage {
    let tokens = usage.get("tokens");
    let read = |snake, camel| count(member(tokens?, snake, camel));
    let (prompt, completion) = (read("input_tokens", "inputTokens"), read("output_tokens", "outputTokens"));
    Usage {
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: prompt.zip(completion).map(|(prompt, completion)| prompt.saturating_add(completion)),
        reasoning_tokens: read("reasoning_tokens", "reasoningTokens"),
        cache_read_tokens: count(member(usage, "cached_tokens", "cachedTokens")),
        image_tokens: read("image_tokens", "imageTokens"),
        raw: usage.raw(),
        ..Usage::default()
    }
    .with_cache_inside()
}
