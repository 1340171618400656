//! Token counts.

use super::reader::Line;
use crate::json::{Field, Object, RawJson};
use crate::model::Usage;

/// Reads the counts. Servers omit some of them: that of a cached prompt, or all.
pub(super) fn read_usage(line: &Line<'_>) -> Option<Usage> {
    let mut raw = Object::default();
    for (name, value) in [
        ("prompt_eval_count", line.prompt_eval_count()),
        ("prompt_eval_cached_count", line.prompt_eval_cached_count()),
        ("eval_count", line.eval_count()),
    ] {
        if let Some(value) = value {
            raw.put(name, value);
        }
    }
    let (prompt, completion) = (line.prompt_eval_count().unsigned(), line.eval_count().unsigned());
    let usage = Usage {
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: prompt.zip(completion).map(|(prompt, completion)| prompt.saturating_add(completion)),
        cache_read_tokens: line.prompt_eval_cached_count().unsigned(),
        raw: Some(RawJson::of(&raw)),
        ..Usage::default()
    };
    (!raw.is_empty()).then(|| usage.with_cache_inside())
}
