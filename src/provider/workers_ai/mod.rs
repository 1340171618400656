//! Cloudflare Workers AI, in its own format.
//! <https://developers.cloudflare.com/workers-ai/models/>
//!
//! A binding returns `{response, tool_calls, usage}`, the REST API the same in `result`. In a stream, each event has a
//! piece of the `response`. There is usually no finish reason; `[DONE]` ends the stream.

mod calls;
mod reader;
mod repeat;

use super::detect::candidates;
use super::{Entry, Event, result_of};
use crate::json::{Kind, Value};
use crate::model::Api;
use reader::Reader;

/// How Workers AI is detected, and its reader.
pub(super) const ENTRY: Entry = Entry {
    api: Api::WorkersAi,
    member: "response",
    is_body,
    is_event,
    reader: || Box::new(Reader::default()),
};

/// Members that distinguish other interfaces, and lines of logs, from this one.
const FOREIGN_MEMBERS: [&str; 10] = [
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
    // AI Search also returns what it found: <https://developers.cloudflare.com/ai-search/>
    let has_searched = has("search_query");
    if has_foreign_members(answer) && !has_searched {
        return false;
    }
    match answer.get("response") {
        Some(_) if is_wrapped || has("tool_calls") || has_searched => true,
        Some(response) if has("usage") => !is_foreign_body(response),
        // In JSON mode, `response` may be the only member:
        // <https://developers.cloudflare.com/workers-ai/features/json-mode/>
        Some(response) => has_only_text(answer) && (is_piece(response) || is_object_of_json_mode(response)),
        None => has_response(answer) && (is_wrapped || has("tool_calls") || has("usage")),
    }
}

/// Whether this is an event with a piece of text, or with tool calls. An event with only usage might be a chat
/// completion's.
fn is_event(event: &Event<'_>) -> bool {
    let body = event.body;
    let has_content = || match body.get("response") {
        Some(response) => is_piece(response),
        None => {
            body.get("tool_calls").is_some_and(Value::is_array) || has_response(body) && has_only_text(body)
        }
    };
    // A named event whose only member is an object belongs to another interface.
    let has_name = event.kind().is_some();
    let is_named_object = || has_name && !body.get("response").is_none_or(is_piece) && has_only_text(body);
    is_body(body) && !is_named_object() || !has_name && !has_foreign_members(body) && has_content()
}

/// Returns the response in an envelope of the REST API, which clients may reduce to `result`, or the object itself.
fn unwrapped(body: Value<'_>) -> Value<'_> {
    let bare = || body.get("result").filter(|_| !body.has_others(&["result", "errors", "messages"]));
    result_of(body).or_else(bare).filter(|result| has_response(*result)).unwrap_or(body)
}

/// Whether this may be a piece of text.
fn is_piece(response: Value<'_>) -> bool {
    !matches!(response.kind(), Kind::Object | Kind::Array)
}

/// Whether this is an object, and neither the body of another interface nor an HTTP client's response object.
fn is_object_of_json_mode(response: Value<'_>) -> bool {
    let of_others = ["error", "errors", "headers", "body", "statusCode"];
    response.is_object()
        && !is_foreign_body(response)
        && response.first(&of_others).is_none()
        && candidates(response).is_empty()
}

fn has_foreign_members(answer: Value<'_>) -> bool {
    answer.first(&FOREIGN_MEMBERS).is_some()
}

/// Whether the response looks like the body of another interface, as in a line of a log.
fn is_foreign_body(response: Value<'_>) -> bool {
    const NAMES: &[&str] =
        &["choices", "candidates", "usageMetadata", "promptFeedback", "output", "object", "status_code"];
    response.first(NAMES).is_some()
}

/// Whether there is nothing but the text and its padding.
fn has_only_text(answer: Value<'_>) -> bool {
    !answer.has_others(&["response", "p"])
}

/// Whether there is a `response`, even if it is `null`.
fn has_response(answer: Value<'_>) -> bool {
    answer.others(&[]).any(|(name, _)| name == "response")
}
