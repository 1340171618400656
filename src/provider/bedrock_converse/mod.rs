//! The Converse API of AWS Bedrock.
//! <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html>
//! <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html>
//!
//! A body has the message in `output`, and beside it why the model stopped and what the answer cost. A stream sends the
//! same in events: `messageStart`; for each content block `contentBlockStart` (not for text and reasoning),
//! `contentBlockDelta` and `contentBlockStop`, with the index of the block; `messageStop`; and after that `metadata` with
//! the usage. The events are named by a header of their message, or, as AWS's SDKs give them, by the only member of an
//! object.

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

/// How Converse is recognised, and what reads it.
pub(super) const ENTRY: Entry = Entry {
    api: Api::BedrockConverse,
    member: "output",
    is_body,
    is_event,
    reader: || Box::new(Reader::default()),
};

/// A message in `output`, with content and a reason to stop.
fn is_body(body: Value<'_>) -> bool {
    let message = body.get("output").and_then(|output| output.get("message"));
    message.and_then(|message| message.get("content")).is_some_and(Value::is_array)
        && body.get("stopReason").is_some()
}

/// Any event of a message. Exceptions say nothing about the interface.
fn is_event(event: &Event<'_>) -> bool {
    event::events_in(event).next().is_some() || is_body(event.body)
}
