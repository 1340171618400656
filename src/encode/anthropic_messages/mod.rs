//! Anthropic Messages.
//! <https://platform.claude.com/docs/en/api/messages>
//! <https://platform.claude.com/docs/en/build-with-claude/streaming>

mod block;
mod calls;
mod events;
mod ids;
mod left_out;
mod passed;
mod queue;
mod stream;
mod texts;

use super::json::{Nested, object};
use super::outcome::Outcome;
use super::usage::Counts;
use crate::json::ObjectWriter;
pub(super) use stream::AnthropicWriter;

/// The words for why a message ended.
fn stop_reason(outcome: Outcome<'_>) -> &'static str {
    match outcome {
        Outcome::ToolCalls => "tool_use",
        Outcome::Limit("pause_turn") => "pause_turn",
        Outcome::Length | Outcome::Limit(_) => "max_tokens",
        Outcome::ContentFilter => "refusal",
        Outcome::Other("stop_sequence") => "stop_sequence",
        Outcome::Stop | Outcome::Other(_) => "end_turn",
    }
}

/// Writes the usage of a whole message.
pub(super) fn write_usage(counts: &Counts, out: &mut String) {
    let mut object = ObjectWriter::new(out);
    object.member("input_tokens", &counts.uncached()).member("output_tokens", &counts.output);
    object.optional("cache_read_input_tokens", counts.cache_read.as_ref());
    object.optional("cache_creation_input_tokens", counts.cache_write.as_ref());
    if let Some(hour) = counts.cache_write_1h {
        let rest = counts.cache_write.unwrap_or_default().saturating_sub(hour);
        object.member(
            "cache_creation",
            &Nested(|out| {
                object!(out, "ephemeral_5m_input_tokens": &rest, "ephemeral_1h_input_tokens": &hour);
            }),
        );
    }
    if let Some(reasoning) = counts.reasoning {
        object.member("output_tokens_details", &Nested(|out| object!(out, "thinking_tokens": &reasoning)));
    }
    object.end();
}
