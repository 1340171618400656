//! Ollama's own chat and generation.
//! <https://docs.ollama.com/api/chat>
//! <https://docs.ollama.com/api/generate>
//!
//! A body is one object with a `message`, or (of `/api/generate`) a `response` or an `image`. A stream has the same object
//! on each line, with a piece of the text; the last one says `done`, and what the answer took.

mod reader;
mod repeat;
mod usage;

use super::{Entry, Event};
use crate::json::Value;
use crate::model::Api;
use reader::Reader;

/// How Ollama is recognised, and what reads it.
pub(super) const ENTRY: Entry = Entry {
    api: Api::OllamaChat,
    member: "message",
    is_body,
    is_event,
    reader: || Box::new(Reader::default()),
};

/// An answer that says whether it is done, or (from some versions) only why.
fn is_body(body: Value<'_>) -> bool {
    has_answer(body) && (is_done_or_not(body) || body.get_non_empty("done_reason").is_some())
}

/// Any line with a piece of an answer, also without `done`, and the last one, also without an answer.
fn is_event(event: &Event<'_>) -> bool {
    let body = event.body;
    let has_time = || body.get_non_empty("created_at").is_some();
    is_body(body) || (has_answer(body) || is_done_or_not(body)) && has_time()
}

fn has_answer(body: Value<'_>) -> bool {
    body.get("message").is_some_and(Value::is_object)
        || ["response", "image"].into_iter().any(|name| body.get_text(name).is_some())
}

fn is_done_or_not(body: Value<'_>) -> bool {
    body.get("done").and_then(Value::boolean).is_some()
}
