//! Token counts of a response.
//! <https://platform.openai.com/docs/api-reference/responses/object#responses/object-usage>

use crate::json::Value;
use crate::model::Usage;

/// The `usage` of a response; nothing while it is `null`.
pub(super) fn read_usage(usage: Value<'_>) -> Option<Usage> {
    if !usage.is_object() {
        return None;
    }
    let count = |name| usage.get_unsigned(name);
    let detail = |group, name| usage.get(group)?.get_unsigned(name);
    let input = |name| detail("input_tokens_details", name);
    let output = |name| detail("output_tokens_details", name);
    Some(Usage {
        prompt_tokens: count("input_tokens"),
        completion_tokens: count("output_tokens"),
        total_tokens: count("total_tokens"),
        reasoning_tokens: output("reasoning_tokens"),
        cache_read_tokens: input("cached_tokens"),
        cache_write_tokens: input("cache_write_tokens"),
        audio_tokens: sum(input("audio_tokens"), output("audio_tokens")),
        image_tokens: sum(input("image_tokens"), output("image_tokens")),
        raw: usage.raw(),
    })
}

/// The sum of what is known; nothing where nothing is.
fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.saturating_add(b)),
        (a, b) => a.or(b),
    }
}
