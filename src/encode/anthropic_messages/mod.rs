//! Anthropic Messages.
//! <https://platform.claude.com/docs/en/api/messages>
//! <https://platform.claude.com/docs/en/build-with-claude/streaming>

mod block;
mod body;
mod calls;
mod events;
mod expand;
mod ids;
mod omitted_reasoning;
mod passthrough;
mod queue;
mod stream;
mod texts;

use super::outcome::Outcome;
pub(super) use body::write_usage;
pub(super) use stream::AnthropicWriter;

/// Returns the stop reason of a message.
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
