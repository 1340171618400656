//! Token counts.
//! <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html>

use crate::json::{Field, Value};
use crate::model::Usage;

/// Reads `usage`, in which the input tokens don't include the cached ones. Some models use other names for the cached
/// tokens.
pub(super) fn read_usage(usage: Value<'_>) -> Usage {
    let read = |name| usage.get(name).unsigned();
    let kept_an_hour: fn(&Value<'_>) -> bool = |detail| detail.get("ttl").is_some_and(|ttl| ttl.is("1h"));
    let written = |is_wanted: fn(&Value<'_>) -> bool| {
        let details = usage.get_items("cacheDetails").filter(is_wanted);
        details.filter_map(|detail| detail.get("inputTokens").unsigned()).reduce(u64::saturating_add)
    };
    Usage {
        prompt_tokens: read("inputTokens"),
        completion_tokens: read("outputTokens"),
        total_tokens: read("totalTokens"),
        cache_read_tokens: read("cacheReadInputTokens").or_else(|| read("cacheReadInputTokenCount")),
        cache_write_tokens: read("cacheWriteInputTokens")
            .or_else(|| read("cacheWriteInputTokenCount"))
            .or_else(|| written(|_| true)),
        cache_write_1h_tokens: written(kept_an_hour),
        raw: usage.raw(),
        ..Usage::default()
    }
    .with_cache_beside()
}
