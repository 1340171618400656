//! The Converse API of AWS Bedrock.
//! <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html>
//! <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html>
//!
//! A body has the message in `output`, and next to it the stop reason and the usage. A stream sends the same in events:
//! `messageStart`; for each content block `contentBlockStart` (not for text and reasoning), `contentBlockDelta` and
//! `contentBlockStop`, with the index of the block; `messageStop`; and then `metadata` with the usage. The name of an
//! event is in a header of its message, or, from AWS's SDKs, the name of an object's only member.

mod block;
mod blocks;
mod event;
mod finish_reason;
mod other;
mod reader;
mod repeat;
mod usage;

use super::{Entry, Event};
use crate::json::Value;
use crate::model::Api;
use reader::Reader;

/// How Converse is detected, and its reader.
pub(super) const ENTRY: Entry = Entry {
    api: Api::BedrockConverse,
    member: "output",
    is_body,
    is_event,
    reader: || Box::new(Reader::default()),
};

/// Whether there is a message with content in `output`, and a stop reason.
fn is_body(body: Value<'_>) -> bool {
    let message = body.get("output").and_then(|output| output.get("message"));
    message.and_then(|message| message.get("content")).is_some_and(Value::is_array)
        && body.get("stopReason").is_some()
}

/// Whether this is an event of a message. Exceptions are the same in several interfaces.
fn is_event(event: &Event<'_>) -> bool {
    event::events_in(event).next().is_some() || is_body(event.body)
}
