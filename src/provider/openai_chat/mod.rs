//! OpenAI chat completions, and the many servers that are compatible with them, more or less.
//! <https://platform.openai.com/docs/api-reference/chat/object>
//! <https://platform.openai.com/docs/api-reference/chat/streaming>
//!
//! A body has `choices[].message`, a chunk of a stream `choices[].delta`; both are read by the same code. Models of Workers
//! AI send the body in the envelope of Cloudflare's REST API.

mod choice;
mod chunk;
mod content;
mod conversation;
mod deep_research;
mod finish_reason;
mod message;
mod oracle;
mod reader;
mod reasoning;
mod repeat;
mod server_tools;
mod split;
#[cfg(test)]
mod tests;
mod tool_calls;
mod without_choices;

pub(crate) use content::call_in;
pub(super) use conversation::conversation_of;
pub(super) use oracle::ENVELOPE as ORACLE;
pub(crate) use reasoning::{EXTRA_CONTENT, format_of_thought};
pub(crate) use server_tools::{EXECUTED_TOOLS, tool_content};

use super::{Entry, Event, result_of};
use crate::json::{Kind, Value};
use crate::model::Api;
use reader::Reader;

/// Detection and reader of chat completions.
pub(super) const ENTRY: Entry = Entry {
    api: Api::OpenaiChat,
    member: "choices",
    is_body,
    is_event,
    reader: || Box::new(Reader::default()),
};

fn is_body(body: Value<'_>) -> bool {
    has_choices(body)
        || result_of(body).is_some_and(has_choices)
        || text_output(body).is_some()
        || oracle::choice_in(body).is_some()
        || body.get_non_empty("object") == Some("chat.completion") && has_message(body)
        || body.get("type").is_none() && conversation_of(body).is_some_and(|it| it.get("type").is_none())
}

/// Returns the choice in `DashScope`'s older format, `{output: {text, finish_reason}}`.
/// <https://www.alibabacloud.com/help/en/model-studio/qwen-api-via-dashscope>
fn text_output(body: Value<'_>) -> Option<Value<'_>> {
    let output = body.get("output")?;
    let is_choice = output.get("text")?.kind() == Kind::String && output.get("finish_reason").is_some();
    (is_choice && !has_choices(output)).then_some(output)
}

/// Whether an object is a choice itself, without the list of choices around it.
fn has_message(body: Value<'_>) -> bool {
    ["delta", "message"].iter().any(|name| body.get(name).is_some_and(Value::is_object))
}

/// Whether there are choices: a list, or an object with members, as some servers send. An empty list beside the
/// `candidates` of another interface doesn't count.
fn has_choices(body: Value<'_>) -> bool {
    let is_list = |choices: Value<'_>| {
        choices.is_array() && (choices.items().next().is_some() || body.get("candidates").is_none())
    };
    body.get("choices").is_some_and(|choices| is_list(choices) || choices.has_others(&[]))
}

/// Whether this is a chunk with choices, even an empty list, or with only usage, because some servers omit `choices`.
fn is_event(event: &Event<'_>) -> bool {
    let body = event.body;
    let object = body.get_non_empty("object").unwrap_or_default();
    is_body(body)
        || oracle::is_choice(body)
        || object.starts_with("chat.completion")
        || object.starts_with("text_completion")
        || (!["response", "interaction"].contains(&object)
            && body.get("usage").is_some()
            && body.get("type").is_none()
            && body.first(&["output", "message", "response", "tool_calls", "steps", "content"]).is_none())
        || conversation_of(body).is_some()
        || event.kind().is_none() && is_bare_delta(body)
        || deep_research::message_in(body).is_some()
}

/// Whether this is a delta without a choice around it, as agents of `MLflow` send.
fn is_bare_delta(body: Value<'_>) -> bool {
    let is_message = |delta: Value<'_>| delta.get("role").is_some() && delta.get("content").is_some();
    body.get("object").is_none() && body.get("delta").is_some_and(is_message)
}
