//! Token counts.
//! <https://ai.google.dev/api/interactions-api#Resource:Interaction>

use crate::json::{Field, Value};
use crate::model::Usage;

/// Reads `usage`. Thoughts aren't among the output tokens, and neither are the tokens of tools that Google ran among the
/// input's.
pub(super) fn read_usage(usage: Value<'_>, service_tier: Option<String>) -> Usage {
    let input = usage.get("total_input_tokens").unsigned();
    let output = usage.get("total_output_tokens").unsigned();
    let thoughts = usage.get("total_thought_tokens").unsigned();
    let cached = usage.get("total_cached_tokens").unsigned();
    let tools = usage.get("total_tool_use_tokens").unsigned();
    let of_modality = |name: &str| {
        let lists = [usage.get("input_tokens_by_modality"), usage.get("output_tokens_by_modality")];
        let mut sum = None;
        for details in lists.into_iter().flat_map(Field::items) {
            let is_counted =
                details.get_label("modality").is_some_and(|word| word.eq_ignore_ascii_case(name));
            if let Some(tokens) = details.get("tokens").unsigned().filter(|_| is_counted) {
                sum = Some(tokens.saturating_add(sum.unwrap_or_default()));
            }
        }
        sum
    };
    Usage {
        input_tokens: input.map(|input| input.saturating_add(tools.unwrap_or_default())),
        uncached_input_tokens: input.and_then(|input| input.checked_sub(cached.unwrap_or_default())),
        output_tokens: output.map(|output| output.saturating_add(thoughts.unwrap_or_default())).or(thoughts),
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: usage.get("total_tokens").unsigned(),
        reasoning_tokens: thoughts,
        cache_read_tokens: cached,
        tool_use_tokens: tools,
        audio_tokens: of_modality("audio"),
        image_tokens: of_modality("image"),
        service_tier,
        raw: usage.raw(),
        ..Usage::default()
    }
}
