//! Cohere's chat: version 2, and the parts of [version 1](version_1) that are still in use.
//! <https://docs.cohere.com/v2/reference/chat>
//! <https://docs.cohere.com/v2/reference/chat-stream>
//!
//! A body has one `message` with content blocks, tool calls and citations. A stream sends the same in pieces, under
//! `delta.message` of events with different types; `message-end` has the finish reason and the usage.
//!
//! Names are read in snake case, and in camel case, which Cohere's SDK for TypeScript writes.

mod blocks;
mod calls;
mod reader;
mod repeat;
mod usage;
mod version_1;

use super::{Entry, Event};
use crate::json::Value;
use crate::model::Api;
use reader::Reader;

/// How Cohere's chat is detected, and its reader.
pub(super) const ENTRY: Entry = Entry {
    api: Api::CohereChat,
    member: "message",
    is_body,
    is_event,
    reader: || Box::new(Reader::default()),
};

fn is_body(body: Value<'_>) -> bool {
    is_response(body) || version_1::is_body(body)
}

/// Whether there is a message, and a finish reason in capitals next to it.
fn is_response(body: Value<'_>) -> bool {
    body.get("message").is_some_and(Value::is_object)
        && member(body, "finish_reason", "finishReason").and_then(Value::non_empty).is_some_and(is_upper_case)
}

/// Returns a member by its name in snake case or camel case.
fn member<'a>(object: Value<'a>, snake: &'static str, camel: &'static str) -> Option<Value<'a>> {
    object.get(snake).or_else(|| object.get(camel))
}

fn is_upper_case(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

/// Whether this is an event of a message. Other formats have types of the same names, but no `delta`.
fn is_event(event: &Event<'_>) -> bool {
    let kind = event.kind().unwrap_or_default();
    match kind {
        "message-start" | "content-start" | "content-delta" | "tool-plan-delta" | "tool-call-start"
        | "tool-call-delta" | "citation-start" | "message-end" => {
            event.body.get("delta").is_some_and(Value::is_object)
        }
        "content-end" | "citation-end" => event.body.get("index").is_some(),
        "debug" => event.body.get("prompt").is_some(),
        _ => is_response(event.body) || version_1::is_version_1(event.body),
    }
}
