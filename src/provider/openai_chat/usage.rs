//! Token counts of chat completions.
//! <https://platform.openai.com/docs/api-reference/chat/object#chat/object-usage>

use crate::json::Value;
use crate::model::Usage;

/// The usage of a body or chunk: at the top, in the first choice (Moonshot), or in `x_groq`.
pub(super) fn find_usage(body: Value<'_>) -> Option<Usage> {
    let in_choice = || body.get("choices")?.items().next()?.get("usage");
    let in_groq = || body.get("x_groq")?.get("usage");
    let found = body.get("usage").or_else(in_choice).or_else(in_groq)?;
    found.is_object().then(|| read_usage(found))
}

fn read_usage(usage: Value<'_>) -> Usage {
    let count = |name| usage.get_unsigned(name);
    let detail = |group, name| usage.get(group)?.get_unsigned(name);
    let prompt = |name| detail("prompt_tokens_details", name);
    let completion = |name| detail("completion_tokens_details", name);
    Usage {
        prompt_tokens: count("prompt_tokens"),
        completion_tokens: count("completion_tokens"),
        total_tokens: count("total_tokens"),
        reasoning_tokens: completion("reasoning_tokens"),
        cache_read_tokens: prompt("cached_tokens"),
        cache_write_tokens: prompt("cache_write_tokens"),
        audio_tokens: sum(prompt("audio_tokens"), completion("audio_tokens")),
        image_tokens: sum(prompt("image_tokens"), completion("image_tokens")),
        raw: usage.raw(),
    }
}

/// The sum of what is known; nothing where nothing is.
fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.saturating_add(b)),
        (a, b) => a.or(b),
    }
}
