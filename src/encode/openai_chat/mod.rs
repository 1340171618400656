//! OpenAI chat completions.
//! <https://platform.openai.com/docs/api-reference/chat/object>
//! <https://platform.openai.com/docs/api-reference/chat/streaming>

mod beside;
mod body;
mod calls;
mod events;
mod message;
mod reasoning;
mod stream;
mod texts;

use super::outcome::Outcome;
use super::usage::OpenaiNames;
pub(super) use stream::ChatWriter;

pub(super) const USAGE: OpenaiNames = OpenaiNames {
    input: "prompt_tokens",
    output: "completion_tokens",
    input_details: "prompt_tokens_details",
    output_details: "completion_tokens_details",
    has_details: false,
};

/// The words for why a choice ended.
fn finish_reason(outcome: Outcome<'_>) -> &'static str {
    match outcome {
        Outcome::Stop | Outcome::Other(_) => "stop",
        Outcome::ToolCalls => "tool_calls",
        Outcome::Length | Outcome::Limit(_) => "length",
        Outcome::ContentFilter => "content_filter",
    }
}
