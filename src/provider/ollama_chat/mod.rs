//! Ollama's own chat and generate interfaces.
//! <https://docs.ollama.com/api/chat>
//! <https://docs.ollama.com/api/generate>
//!
//! A body is one object with a `message`, or (of `/api/generate`) a `response` or an `image`. A stream has the same
//! object on each line, with a piece of the text; the last line has `done: true`, the token counts and the durations.

mod reader;
mod repeat;
mod usage;

use super::{Entry, Event};
use crate::json::Value;
use crate::model::Api;
use reader::Reader;

/// How Ollama is detected, and its reader.
pub(super) const ENTRY: Entry = Entry {
    api: Api::OllamaChat,
    member: "message",
    is_body,
    is_event,
    reader: || Box::new(Reader::default()),
};

/// Whether this is a response with `done`, or (from some versions) only with `done_reason`.
fn is_body(body: Value<'_>) -> bool {
    has_answer(body) && (has_done(body) || body.get_non_empty("done_reason").is_some())
}

/// Whether this is a line with a piece of a response, even without `done`, or the last line, even without a response.
fn is_event(event: &Event<'_>) -> bool {
    let body = event.body;
    let has_time = || body.get_non_empty("created_at").is_some();
    is_body(body) || (has_answer(body) || has_done(body)) && has_time()
}

fn has_answer(body: Value<'_>) -> bool {
    body.get("message").is_some_and(Value::is_object)
        || ["response", "image"].into_iter().any(|name| body.get_text(name).is_some())
}

fn has_done(body: Value<'_>) -> bool {
    body.get("done").and_then(Value::boolean).is_some()
}
