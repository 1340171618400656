//! OpenAI Responses, from OpenAI, Azure, xAI, Copilot, OpenRouter, vLLM, LM Studio and others.
//! <https://platform.openai.com/docs/api-reference/responses/object>
//! <https://platform.openai.com/docs/api-reference/responses-streaming>
//!
//! A body is a response object whose `output` is a list of items: messages, reasoning, tool calls. A stream
//! sends the same object in pieces: `response.created` has it without its output; each item comes as a
//! `response.output_item.added`, deltas of its content, and a `response.output_item.done` with the whole item;
//! `response.completed` has the whole object again. Most content is therefore sent several times, and only
//! the missing parts are added.
//!
//! A response of Realtime is nearly the same: it ends with `response.done` and has the reason in `status_details`.
//! <https://platform.openai.com/docs/api-reference/realtime-server-events/response/done>

mod call;
mod chat_delta;
mod claim;
mod client_tools;
mod echo;
mod envelope;
mod item;
mod items;
mod lm_studio;
mod parts;
mod possible_repeat;
mod reader;
mod repeat;
mod role;
mod spots;
mod streamed_field;
#[cfg(test)]
mod tests;
mod whole;

pub(super) use lm_studio::is_lm_studio;

use super::{Entry, Event, result_of};
use crate::json::Value;
use crate::model::Api;
use reader::Reader;

/// Name prefixes of the Realtime events that come between those of a response.
/// <https://platform.openai.com/docs/api-reference/realtime-server-events>
const REALTIME_PREFIXES: &[&str] = &["session.", "conversation.", "input_audio_buffer.", "rate_limits."];

/// Detection and reader of OpenAI Responses.
pub(super) const ENTRY: Entry = Entry {
    api: Api::OpenaiResponses,
    member: "output",
    is_body,
    is_event,
    reader: || Box::new(Reader::default()),
};

/// Whether this is a response object. Models of Workers AI send it in the envelope of Cloudflare's REST API.
fn is_body(body: Value<'_>) -> bool {
    is_response(body) || result_of(body).is_some_and(is_response)
}

/// Whether this is a response object without an envelope. Some servers leave out `object`, some `output`.
fn is_response(body: Value<'_>) -> bool {
    let is_named = body.get("object").is_some_and(|object| object.is("response"));
    // Other interfaces may have an `output` too: chat completions beside their `choices`, and predictions as a list of
    // words or vectors.
    let is_item = |item: Value<'_>| item.first(&["type", "role", "content"]).is_some();
    let is_output = |output: Value<'_>| output.is_array() && output.items().all(is_item);
    let has_output = || body.get("output").is_some_and(is_output) && body.get("choices").is_none();
    is_named || has_output()
}

/// Whether this is an event of a response, or a whole response. `error` and `keepalive` don't identify the interface.
fn is_event(event: &Event<'_>) -> bool {
    let is_realtime = |kind: &str| {
        event.body.get("event_id").is_some() && REALTIME_PREFIXES.iter().any(|start| kind.starts_with(start))
    };
    event.kind().is_some_and(|kind| kind.starts_with("response.") || is_realtime(kind))
        || is_lm_studio(event.body)
        || chat_delta::delta_of(event.body).is_some()
        || is_body(event.body)
        || event.body.get("response").is_some_and(is_response)
}
