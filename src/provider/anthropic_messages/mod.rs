//! Anthropic Messages, from Anthropic, Bedrock, Vertex, and servers that are compatible with them.
//! <https://platform.claude.com/docs/en/api/messages/create>
//! <https://platform.claude.com/docs/en/build-with-claude/streaming>
//!
//! A body is a message with a list of content blocks. A stream sends the same message in pieces:
//! `message_start` has the message without its content; each block comes as a `content_block_start`, some
//! `content_block_delta` and a `content_block_stop`, all with the index of the block; `message_delta` has the
//! stop reason and the usage; `message_stop` is the end.

mod block;
mod block_kind;
mod blocks;
mod raw_block;
mod reader;
mod repeat;
mod server_tool;
#[cfg(test)]
mod tests;
mod tool_input;
mod usage;
mod whole;

use super::{Entry, Event};
use crate::json::{Kind, Value};
use crate::model::Api;
use reader::Reader;

/// Detection and reader of Anthropic Messages.
pub(super) const ENTRY: Entry = Entry {
    api: Api::AnthropicMessages,
    member: "content",
    is_body,
    is_event,
    reader: || Box::new(Reader::default()),
};

fn is_body(body: Value<'_>) -> bool {
    // Some servers send a single text as a string, or no content. Items of other interfaces have this form, too, but no
    // `stop_reason`.
    let is_content = || match body.get("content").map(Value::kind) {
        Some(Kind::Array) => true,
        Some(Kind::String) | None => body.get("stop_reason").is_some(),
        _ => false,
    };
    // Some servers leave out `type`, some also `role`.
    let is_list = || body.get("content").is_some_and(Value::is_array);
    let is_untyped = || body.get("stop_reason").is_some() && (body.get("role").is_some() || is_list());
    let is_message = body.get("type").map_or_else(is_untyped, |kind| kind.is("message"));
    is_message && is_content()
}

/// Whether this is an event of a message, or a whole message. `ping` and `error` don't identify the interface.
fn is_event(event: &Event<'_>) -> bool {
    let kind = event.kind().unwrap_or_default();
    let is_known = matches!(
        kind,
        "message_start"
            | "content_block_start"
            | "content_block_delta"
            | "content_block_stop"
            | "message_delta"
            | "message_stop"
            // Vertex AI sends it, also before the other events.
            | "vertex_event"
    );
    is_known || is_body(event.body)
}
