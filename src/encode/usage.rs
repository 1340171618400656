//! Token usage in the conventions of the interfaces.

use super::json::{Nested, object};
use super::writer::Output;
use crate::json::{ObjectWriter, RawJson};
use crate::model::{Usage, WarningCode};

/// The token counts that an interface writes.
#[derive(Default)]
pub(super) struct Counts {
    /// All input tokens, including `cache_read` and `cache_write`.
    pub(super) input: u64,
    pub(super) output: u64,
    pub(super) total: u64,
    pub(super) cache_read: Option<u64>,
    pub(super) cache_write: Option<u64>,
    pub(super) cache_write_1h: Option<u64>,
    pub(super) reasoning: Option<u64>,
}

impl Counts {
    /// Returns the counts of a usage, or `None` if neither input nor output is known.
    pub(super) fn of(usage: Option<&Usage>, out: &mut Output) -> Option<Self> {
        let usage = usage?;
        let input = usage.input_tokens.or(usage.prompt_tokens);
        // Tokens that only the total includes are written as output rather than dropped.
        let rest = usage.total_tokens.zip(input).and_then(|(total, input)| total.checked_sub(input));
        let unclear = usage.completion_tokens.max(rest.filter(|rest| *rest > 0));
        if let (None, Some(_)) = (usage.output_tokens, unclear) {
            let message = "Tokens that are only counted in the total were written as output tokens";
            out.lost.add(WarningCode::LostUsage, message);
        }
        let output = usage.output_tokens.or(unclear);
        if input.is_none() && output.is_none() {
            if usage.total_tokens.is_some() {
                report_lost_usage(out);
            }
            return None;
        }
        if input.is_none() || output.is_none() {
            report_lost_usage(out);
        }
        let others = [usage.tool_use_tokens, usage.audio_tokens, usage.image_tokens];
        let has_others = others.into_iter().flatten().any(|count| count > 0);
        if has_others || usage.reported_cost.is_some() || has_provider_counts(usage) {
            let message = "Usage that the interface can't express was dropped: tool use, audio, images, predictions, searches, or the cost";
            out.lost.add(WarningCode::LostUsage, message);
        }
        let (input, output) = (input.unwrap_or_default(), output.unwrap_or_default());
        Some(Self {
            input,
            output,
            total: input.saturating_add(output),
            cache_read: usage.cache_read_tokens,
            cache_write: usage.cache_write_tokens,
            cache_write_1h: usage.cache_write_1h_tokens,
            reasoning: usage.reasoning_tokens,
        })
    }

    /// Like [`of`](Self::of), for OpenAI's interfaces, which don't report how long a cache keeps the tokens written to
    /// it.
    pub(super) fn for_openai(usage: Option<&Usage>, out: &mut Output) -> Option<Self> {
        let counts = Self::of(usage, out)?;
        if counts.cache_write_1h.is_some_and(|count| count > 0) {
            let message = "The number of tokens written to the 1-hour cache was dropped";
            out.lost.add(WarningCode::LostUsage, message);
        }
        Some(counts)
    }

    /// Returns zeros for interfaces that require usage, as the provider reports none.
    pub(super) fn unknown(out: &mut Output) -> Self {
        let message = "The provider reports no token usage; the interface requires it, so 0 was written";
        out.lost.add(WarningCode::LostUsage, message);
        Self::default()
    }

    /// Writes the counts with the names of an OpenAI interface.
    pub(super) fn write_openai(&self, names: &OpenaiNames, out: &mut String) {
        let mut object = ObjectWriter::new(out);
        object.member(names.input, &self.input);
        object.member(names.output, &self.output);
        object.member("total_tokens", &self.total);
        // Unknown counts are left out, as they may not be 0, unless clients require them.
        let required = |count: Option<u64>| count.or(names.has_details.then_some(0));
        let [cache_read, cache_write, reasoning] =
            [self.cache_read, self.cache_write, self.reasoning].map(required);
        if cache_read.or(cache_write).is_some() {
            object.member(
                names.input_details,
                &Nested(|out| {
                    let mut details = ObjectWriter::new(out);
                    details.optional("cached_tokens", cache_read.as_ref());
                    details.optional("cache_write_tokens", cache_write.as_ref()).end();
                }),
            );
        }
        if let Some(reasoning) = reasoning {
            object.member(names.output_details, &Nested(|out| object!(out, "reasoning_tokens": &reasoning)));
        }
        object.end();
    }

    /// Returns the number of input tokens that were neither read from nor written to a cache.
    pub(super) fn uncached(&self) -> u64 {
        let cached = [self.cache_read, self.cache_write].into_iter().flatten().fold(0, u64::saturating_add);
        self.input.saturating_sub(cached)
    }
}

/// Counts that are billed, and that only their provider has: the object and the member.
const PROVIDER_COUNTS: [(&str, &str); 5] = [
    ("billed_units", "search_units"),
    ("completion_tokens_details", "accepted_prediction_tokens"),
    ("completion_tokens_details", "rejected_prediction_tokens"),
    ("server_tool_use", "web_fetch_requests"),
    ("server_tool_use", "web_search_requests"),
];

fn has_provider_counts(usage: &Usage) -> bool {
    let Some(document) = usage.raw.as_ref().and_then(RawJson::document) else {
        return false;
    };
    let count = |(of, name)| document.root().get(of)?.get_unsigned(name);
    PROVIDER_COUNTS.into_iter().filter_map(count).any(|count| count > 0)
}

/// The names of the counts in an OpenAI interface.
pub(super) struct OpenaiNames {
    pub(super) input: &'static str,
    pub(super) output: &'static str,
    pub(super) input_details: &'static str,
    pub(super) output_details: &'static str,
    /// Whether the counts of cache and reasoning tokens are always written, as 0 if unknown.
    pub(super) has_details: bool,
}

fn report_lost_usage(out: &mut Output) {
    let message =
        "The provider reports only a part of the token usage; counts that it leaves out were written as 0";
    out.lost.add(WarningCode::LostUsage, message);
}
