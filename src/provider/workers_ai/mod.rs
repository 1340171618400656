//! Cloudflare Workers AI, in its own form.
//! <https://developers.cloudflare.com/workers-ai/models/>
//!
//! A binding answers with `{response, tool_calls, usage}`, the REST API with the same in a `result`. In a stream each
//! event has a piece of the `response`. Nothing says why the model stopped; `[DONE]` is the end.

mod calls;
mod reader;
mod repeat;

use super::detect::candidates;
use super::{Entry, Event, result_of};
use crate::json::{Kind, Value};
use crate::model::Api;
use reader::Reader;

/// How Workers AI is recognised, and what reads it.
pub(super) const ENTRY: Entry = Entry {
    api: Api::WorkersAi,
    member: "response",
    is_body,
    is_event,
    reader: || Box::new(Reader::default()),
};

/// Members by which other interfaces, and lines of logs, are told from this one.
const OTHERS: [&str; 10] = [
    "type",
    "object",
    "choices",
    "message",
    "role",
    "content",
    "done",
    "done_reason",
    "created_at",
    "output",
];

fn is_body(body: Value<'_>) -> bool {
    let answer = unwrapped(body);
    let is_wrapped = answer.node() != body.node();
    let has = |name| answer.get(name).is_some();
    // AI Search answers with what it has found: <https://developers.cloudflare.com/ai-search/>
    let has_searched = has("search_query");
    if is_others(answer) && !has_searched {
        return false;
    }
    match answer.get("response") {
        Some(_) if is_wrapped || has("tool_calls") || has_searched => true,
        Some(response) if has("usage") => !is_body_of_others(response),
        // In JSON mode it may stand alone: <https://developers.cloudflare.com/workers-ai/features/json-mode/>
        Some(response) => is_alone(answer) && (is_piece(response) || is_object_of_json_mode(response)),
        None => is_named(answer) && (is_wrapped || has("tool_calls") || has("usage")),
    }
}

/// Any event with a piece of text, or with tool calls. One that has only usage might be of a chat completion.
fn is_event(event: &Event<'_>) -> bool {
    let body = event.body;
    let says_anything = || match body.get("response") {
        Some(response) => is_piece(response),
        None => body.get("tool_calls").is_some_and(Value::is_array) || is_named(body) && is_alone(body),
    };
    // A name makes an object alone one of another interface.
    let has_name = event.kind().is_some();
    let is_named_object = || has_name && !body.get("response").is_none_or(is_piece) && is_alone(body);
    is_body(body) && !is_named_object() || !has_name && !is_others(body) && says_anything()
}

/// The answer in the envelope of the REST API, of which clients may leave only the `result`, or the object itself.
fn unwrapped(body: Value<'_>) -> Value<'_> {
    let bare = || body.get("result").filter(|_| !body.has_others(&["result", "errors", "messages"]));
    result_of(body).or_else(bare).filter(|result| is_named(*result)).unwrap_or(body)
}

/// Whether it may be a piece of text.
fn is_piece(response: Value<'_>) -> bool {
    !matches!(response.kind(), Kind::Object | Kind::Array)
}

/// Whether it is an object, and neither the body of another interface nor what an HTTP client makes of an answer.
fn is_object_of_json_mode(response: Value<'_>) -> bool {
    let of_others = ["error", "errors", "headers", "body", "statusCode"];
    response.is_object()
        && !is_body_of_others(response)
        && !of_others.into_iter().any(|name| response.get(name).is_some())
        && candidates(response).is_empty()
}

fn is_others(answer: Value<'_>) -> bool {
    OTHERS.into_iter().any(|name| answer.get(name).is_some())
}

/// Whether the response seems to be the body of another interface, as in a line of a log.
fn is_body_of_others(response: Value<'_>) -> bool {
    ["choices", "candidates", "usageMetadata", "promptFeedback", "output", "object", "status_code"]
        .into_iter()
        .any(|name| response.get(name).is_some())
}

/// Whether there is nothing but the text and its padding.
fn is_alone(answer: Value<'_>) -> bool {
    !answer.has_others(&["response", "p"])
}

/// Whether there is a `response`, be it `null`.
fn is_named(answer: Value<'_>) -> bool {
    answer.others(&[]).any(|(name, _)| name == "response")
}
