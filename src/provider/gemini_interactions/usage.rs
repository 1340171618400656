//! Token counts.
//! <https://ai.google.dev/api/interactions-api#Resource:Interaction>

use crate::json::{Field, Value};
use crate::model::Usage;

const COUNTS: [&str; 6] = [
    "total_input_tokens",
    "total_output_tokens",
    "total_thought_tokens",
    "total_cached_tokens",
    "total_tool_use_tokens",
    "total_tokens",
];

/// Reads `usage`, and adds the counts of the interactions `before` that this one continues, if any. Thoughts are
/// counted separately from the output tokens, and tokens of tools that Google ran separately from the input's.
pub(super) fn read_usage(usage: Value<'_>, service_tier: Option<String>, before: Option<&Usage>) -> Usage {
    let mut counts = before.map_or([None; 6], |before| {
        [
            before.prompt_tokens,
            before.completion_tokens,
            before.reasoning_tokens,
            before.cache_read_tokens,
            before.tool_use_tokens,
            before.total_tokens,
        ]
    });
    let sum = |lists: &[&'static str], modality: Option<&str>| {
        let mut sum = None;
        for details in lists.iter().flat_map(|name| usage.get_items(name)) {
            let word = details.get_non_empty("modality").unwrap_or_default();
            let is_counted = modality.is_none_or(|name| word.eq_ignore_ascii_case(name));
            if let Some(tokens) = details.get("tokens").unsigned().filter(|_| is_counted) {
                sum = Some(tokens.saturating_add(sum.unwrap_or_default()));
            }
        }
        sum
    };
    let [inputs, outputs] = ["input_tokens_by_modality", "output_tokens_by_modality"];
    for (count, name) in counts.iter_mut().zip(COUNTS) {
        let mut more = usage.get(name).unsigned();
        // Sometimes the input is only counted by modality, and in the total.
        if name == "total_input_tokens" && more.unwrap_or_default() == 0 {
            more = sum(&[inputs], None).or(more);
        }
        if let Some(more) = more {
            *count = Some(more.saturating_add(count.unwrap_or_default()));
        }
    }
    let [input, output, thoughts, cached, tools, total] = counts;
    let of_modality = |name| if before.is_none() { sum(&[inputs, outputs], Some(name)) } else { None };
    Usage {
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: total,
        reasoning_tokens: thoughts,
        cache_read_tokens: cached,
        tool_use_tokens: tools,
        audio_tokens: of_modality("audio"),
        image_tokens: of_modality("image"),
        service_tier,
        raw: usage.raw(),
        ..Usage::default()
    }
    .with_exclusive_counts()
}
