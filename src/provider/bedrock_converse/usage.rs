//! Token counts.
//! <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html>

use crate::json::{Field, Value};
use crate::model::Usage;

/// Reads `usage`, in which the input tokens leave the cached ones out. Some models name those in another way.
pub(super) fn read_usage(usage: Value<'_>) -> Usage {
    let read = |name| usage.get(name).unsigned();
    let kept_an_hour = |detail: &Value<'_>| detail.get("ttl").is_some_and(|ttl| ttl.is("1h"));
    let details = usage.get_items("cacheDetails").filter(kept_an_hour);
    Usage {
        prompt_tokens: read("inputTokens"),
        completion_tokens: read("outputTokens"),
        total_tokens: read("totalTokens"),
        cache_read_tokens: read("cacheReadInputTokens").or_else(|| read("cacheReadInputTokenCount")),
        cache_write_tokens: read("cacheWriteInputTokens").or_else(|| read("cacheWriteInputTokenCount")),
        cache_write_1h_tokens: details
            .filter_map(|detail| detail.get("inputTokens").unsigned())
            .reduce(u64::saturating_add),
        raw: usage.raw(),
        ..Usage::default()
    }
    .with_cache_beside()
}
