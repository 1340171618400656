//! Token counts of a message.
//! <https://platform.claude.com/docs/en/api/messages#usage>

use crate::json::{Field, Object, RawJson, Value, fields};
use crate::model::Usage;
use crate::provider::cost::{read_adjacent_cost, read_cost};
use crate::provider::token_counts::new_api_count;
use crate::save::state;

fields! {
    /// The counts of a message.
    struct Counts {
        input_tokens,
        output_tokens,
        cache_read_input_tokens,
        cache_creation_input_tokens,
        // Names from gateways in front of other models.
        prompt_tokens,
        completion_tokens,
    }
}

/// The usage of a message, which a stream reports in several events. Counts are cumulative, so the latest one applies;
/// a count that an event leaves out, or that is `null`, stays unchanged. So does one that is 0 in an event that doesn't
/// count the input: many servers send 0 in `message_delta` for counts that `message_start` reported.
#[derive(Default)]
pub(super) struct UsageReader {
    known: Usage,
    /// Usage of context compactions, which the counts leave out.
    compactions: Usage,
    members: Object,
}

state! { struct UsageReader { known, compactions, members } }

impl UsageReader {
    /// Reads the usage of a message or of a `message_delta`, the `holder`. Returns all usage that is known now.
    pub(super) fn read(&mut self, usage: Value<'_>, holder: Value<'_>) -> Option<Usage> {
        if !usage.is_object() {
            return None;
        }
        let counts = Counts::of(usage);
        let input = counts.input_tokens().or(counts.prompt_tokens()).unsigned();
        let output = counts.output_tokens().or(counts.completion_tokens()).unsigned();
        let cache_read = counts.cache_read_input_tokens().unsigned();
        let written = Written::of(usage, &counts);
        let is_counted = self.is_counted(usage, input, cache_read, written.all);
        let is_reported = |count: u64| count > 0 || is_counted;
        let known = &mut self.known;
        let written_before = known.cache_write_tokens;
        for (count, known) in [
            (input, &mut known.prompt_tokens),
            (output, &mut known.completion_tokens),
            (cache_read, &mut known.cache_read_tokens),
            (written.all, &mut known.cache_write_tokens),
        ] {
            *known = count.filter(|count| is_reported(*count) || known.is_none()).or(*known);
        }
        known.total_tokens = known
            .prompt_tokens
            .zip(known.completion_tokens)
            .map(|(input, output)| input.saturating_add(output));
        let details = usage.get("output_tokens_details");
        known.reasoning_tokens =
            details.and_then(|details| details.get("thinking_tokens").unsigned()).or(known.reasoning_tokens);
        known.cache_write_1h_tokens = match known.cache_write_1h_tokens {
            _ if written.for_an_hour.is_some() => written.for_an_hour,
            // More may have been written without a duration: if all earlier tokens were for an hour, these are, too;
            // otherwise the count becomes unknown.
            all @ Some(1..) if all == written_before => known.cache_write_tokens,
            Some(1..) if known.cache_write_tokens != written_before => None,
            same => same,
        };
        if let Some(tier) = usage.get_string("service_tier") {
            known.service_tier = Some(tier);
        }
        known.reported_cost =
            read_cost(usage).or_else(|| read_adjacent_cost(holder)).or(known.reported_cost.take());
        for (name, value) in usage.others(&[]) {
            if value.unsigned().is_none_or(is_reported) || self.members.get(&name).is_none() {
                self.members.put(&name, value);
            }
        }
        if usage.get("iterations").is_some_and(Value::is_array) {
            self.compactions = compactions(usage);
        }
        let mut all = self.known.clone().with_cache_beside();
        if all.input_tokens.is_some() && all.output_tokens.is_some() {
            add(&mut all, &self.compactions);
        }
        all.raw = Some(RawJson::of(&self.members));
        Some(all)
    }

    /// Whether an event counts the input, so that a 0 in it is a real count.
    fn is_counted(
        &self,
        usage: Value<'_>,
        input: Option<u64>,
        cache_read: Option<u64>,
        written: Option<u64>,
    ) -> bool {
        let is_positive = |count: Option<u64>| count.is_some_and(|count| count > 0);
        let is_news = |count: Option<u64>, known| is_positive(count) && count != known;
        is_positive(input)
            // Usage with iterations counts the message, and so does usage with new cache counts: the prompt may have
            // shrunk in between (compaction).
            || usage.get_items("iterations").next().is_some()
            || is_news(cache_read, self.known.cache_read_tokens)
            || is_news(written, self.known.cache_write_tokens)
    }
}

/// Numbers of tokens that were written to the cache.
struct Written {
    all: Option<u64>,
    /// Number of those that are kept for an hour.
    for_an_hour: Option<u64>,
}

impl Written {
    fn of(usage: Value<'_>, counts: &Counts<'_>) -> Self {
        let kept = |span, in_new_api| {
            let kept = usage.get("cache_creation").and_then(|write| write.get_unsigned(span));
            kept.or_else(|| new_api_count(usage, in_new_api))
        };
        let for_an_hour = kept("ephemeral_1h_input_tokens", "claude_cache_creation_1_h_tokens");
        // Some servers report only the counts for each duration.
        let sum = || {
            let for_minutes = kept("ephemeral_5m_input_tokens", "claude_cache_creation_5_m_tokens");
            for_an_hour.into_iter().chain(for_minutes).reduce(u64::saturating_add)
        };
        Self { all: counts.cache_creation_input_tokens().unsigned().or_else(sum), for_an_hour }
    }
}

/// Returns the usage of context compactions: these iterations are billed, but the counts of the message leave them out.
/// Their cached tokens aren't added to the message's, because `cacheReadTokens` is about this message's prompt.
/// <https://platform.claude.com/docs/en/build-with-claude/compaction#understanding-usage>
fn compactions(usage: Value<'_>) -> Usage {
    let is_compaction = |entry: &Value<'_>| entry.get("type").is_some_and(|kind| kind.is("compaction"));
    let mut all = Usage::default();
    for entry in usage.get_items("iterations").filter(is_compaction) {
        let counts = Counts::of(entry);
        let own = Usage {
            prompt_tokens: counts.input_tokens().unsigned(),
            completion_tokens: counts.output_tokens().unsigned(),
            ..Usage::default()
        };
        add(&mut all, &own.with_cache_beside());
    }
    all
}

/// Adds the counts that mean the same for all providers. The provider's own figures stay unchanged.
fn add(usage: &mut Usage, more: &Usage) {
    for (count, more) in [
        (&mut usage.input_tokens, more.input_tokens),
        (&mut usage.uncached_input_tokens, more.uncached_input_tokens),
        (&mut usage.output_tokens, more.output_tokens),
    ] {
        if let Some(more) = more {
            *count = Some(count.unwrap_or_default().saturating_add(more));
        }
    }
}
