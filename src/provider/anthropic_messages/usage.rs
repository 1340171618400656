//! Token counts of a message.
//! <https://platform.claude.com/docs/en/api/messages#usage>

use crate::json::{Object, RawJson, Value, fields};
use crate::model::Usage;
use crate::provider::token_counts::count;
use crate::save::state;

fields! {
    /// The counts of a message.
    struct Counts { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens }
}

/// The usage of a message, of which a stream tells more and more. The counts are cumulative, so the latest
/// one stands; what an event leaves out, or gives as `null`, stays as it was.
#[derive(Default)]
pub(super) struct UsageReader {
    known: Usage,
    members: Object,
}

state! { struct UsageReader { known, members } }

impl UsageReader {
    /// Takes in the usage of a message or of a `message_delta`; gives what is known now.
    pub(super) fn read(&mut self, usage: Value<'_>) -> Option<Usage> {
        if !usage.is_object() {
            return None;
        }
        let counts = Counts::of(usage);
        let known = &mut self.known;
        known.prompt_tokens = count(counts.input_tokens()).or(known.prompt_tokens);
        known.completion_tokens = count(counts.output_tokens()).or(known.completion_tokens);
        known.cache_read_tokens = count(counts.cache_read_input_tokens()).or(known.cache_read_tokens);
        known.cache_write_tokens = count(counts.cache_creation_input_tokens()).or(known.cache_write_tokens);
        known.total_tokens = known
            .prompt_tokens
            .zip(known.completion_tokens)
            .map(|(input, output)| input.saturating_add(output));
        let details = usage.get("output_tokens_details");
        known.reasoning_tokens =
            details.and_then(|details| count(details.get("thinking_tokens"))).or(known.reasoning_tokens);
        let kept_an_hour =
            usage.get("cache_creation").and_then(|write| write.get_unsigned("ephemeral_1h_input_tokens"));
        known.cache_write_1h_tokens = kept_an_hour.or(known.cache_write_1h_tokens);
        known.service_tier =
            usage.get_filled("service_tier").map(Into::into).or_else(|| known.service_tier.take());
        for (name, value) in usage.others(&[]) {
            self.members.put(&name, value);
        }
        let known = self.known.clone().with_cache_beside();
        Some(Usage { raw: Some(RawJson::of(&self.members)), ..known })
    }
}
