//! Token counts of OpenAI's interfaces, which are the same but for some names.

use crate::json::Value;
use crate::model::Usage;

/// What a side of the exchange is called: the member with its tokens, and the one with their details.
pub(super) type Side = [&'static str; 2];

/// Reads a usage object; the names of what was asked, and of what was answered.
pub(super) fn read_usage(usage: Value<'_>, asked: Side, answered: Side) -> Usage {
    let [prompt, completion] = [asked, answered].map(|[name, _]| usage.get_unsigned(name));
    let [input, output] = [asked, answered].map(|[_, details]| usage.get(details));
    let detail = |group: Option<Value<'_>>, name| group?.get_unsigned(name);
    // The sum of what is known; nothing where nothing is.
    let sum = |name| {
        let (a, b) = (detail(input, name), detail(output, name));
        Some(a.or(b)?.saturating_add(a.and(b).unwrap_or_default()))
    };
    Usage {
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: usage.get_unsigned("total_tokens"),
        reasoning_tokens: detail(output, "reasoning_tokens"),
        cache_read_tokens: detail(input, "cached_tokens"),
        cache_write_tokens: detail(input, "cache_write_tokens"),
        audio_tokens: sum("audio_tokens"),
        image_tokens: sum("image_tokens"),
        raw: usage.raw(),
    }
}
