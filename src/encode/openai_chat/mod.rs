//! OpenAI chat completions.
//! <https://platform.openai.com/docs/api-reference/chat/object>
//! <https://platform.openai.com/docs/api-reference/chat/streaming>

mod body;
mod calls;
mod events;
mod expand;
mod message;
mod metadata;
mod reasoning;
mod stream;
mod texts;

use super::outcome::Outcome;
pub(super) use body::USAGE;
pub(super) use stream::ChatWriter;

/// Returns the finish reason of a choice.
fn finish_reason(outcome: Outcome<'_>) -> &'static str {
    match outcome {
        Outcome::Stop | Outcome::Other(_) => "stop",
        Outcome::ToolCalls => "tool_calls",
        Outcome::Length | Outcome::Limit(_) => "length",
        Outcome::ContentFilter => "content_filter",
    }
}
