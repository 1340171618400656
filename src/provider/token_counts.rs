//! Token counts of OpenAI's interfaces, which are the same but for some names.

use crate::json::{Field, RawJson, Value, fields};
use crate::model::Usage;

/// How an interface names its counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Convention {
    /// `prompt_tokens`, `completion_tokens`
    Chat,
    /// `input_tokens`, `output_tokens`
    Responses,
}

fields! {
    struct Counts {
        prompt_tokens,
        completion_tokens,
        prompt_tokens_details,
        completion_tokens_details,
        input_tokens,
        output_tokens,
        input_tokens_details,
        output_tokens_details,
        total_tokens,
    }
}

fields! {
    struct Details { reasoning_tokens, cached_tokens, cache_write_tokens, audio_tokens, image_tokens }
}

/// Reads a usage object.
pub(super) fn read_usage(usage: Value<'_>, convention: Convention) -> Usage {
    let counts = Counts::of(usage);
    let (input, output, input_details, output_details) = match convention {
        Convention::Chat => (
            counts.prompt_tokens(),
            counts.completion_tokens(),
            counts.prompt_tokens_details(),
            counts.completion_tokens_details(),
        ),
        Convention::Responses => (
            counts.input_tokens(),
            counts.output_tokens(),
            counts.input_tokens_details(),
            counts.output_tokens_details(),
        ),
    };
    let [before, after] = [input_details, output_details].map(|details| details.map(Details::of));
    // The sum of what is known; nothing where nothing is.
    let sum = |count: fn(&Details<'_>) -> Option<u64>| {
        let (a, b) = (before.as_ref().and_then(count), after.as_ref().and_then(count));
        Some(a.or(b)?.saturating_add(a.and(b).unwrap_or_default()))
    };
    let counted = Usage {
        prompt_tokens: input.unsigned(),
        completion_tokens: output.unsigned(),
        total_tokens: counts.total_tokens().unsigned(),
        reasoning_tokens: after.and_then(|details| details.reasoning_tokens().unsigned()),
        cache_read_tokens: before.and_then(|details| details.cached_tokens().unsigned()),
        cache_write_tokens: before.and_then(|details| details.cache_write_tokens().unsigned()),
        audio_tokens: sum(|details| details.audio_tokens().unsigned()),
        image_tokens: sum(|details| details.image_tokens().unsigned()),
        reported_cost: read_cost(usage),
        raw: usage.raw(),
        ..Usage::default()
    };
    counted.with_cache_inside()
}

/// A number, or an object with the total.
fn read_cost(usage: Value<'_>) -> Option<RawJson> {
    let cost = usage.get("cost")?;
    let total = cost.get("total_cost").unwrap_or(cost);
    total.number()?;
    total.raw()
}
