//! Token counts.

use super::member;
use crate::json::{Field, Value};
use crate::model::Usage;

/// Reads `usage`. `tokens` are those of the model; `billed_units` exclude some of the prompt.
pub(super) fn read_usage(usage: Value<'_>) -> Usage {
    let tokens = usage.get("tokens");
    let read = |snake, camel| member(tokens?, snake, camel).unsigned();
    let (prompt, completion) = (read("input_tokens", "inputTokens"), read("output_tokens", "outputTokens"));
    Usage {
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: prompt.zip(completion).map(|(prompt, completion)| prompt.saturating_add(completion)),
        reasoning_tokens: read("reasoning_tokens", "reasoningTokens"),
        cache_read_tokens: member(usage, "cached_tokens", "cachedTokens").unsigned(),
        image_tokens: read("image_tokens", "imageTokens"),
        raw: usage.raw(),
        ..Usage::default()
    }
    .with_cache_inside()
}
