//! Google's Interactions API, for Gemini models and agents.
//! <https://ai.google.dev/api/interactions-api>
//! <https://ai.google.dev/gemini-api/docs/streaming>
//!
//! A body has `steps`: thoughts, output, calls of the client's tools, and calls and results of Google's own tools. A
//! stream sends the same steps one after the other: each as a `step.start`, some `step.delta`s and a `step.stop`, all
//! with its index. `interaction.completed` has the final status and the usage, but doesn't repeat the steps. The type
//! of an event is its `event_type`.

mod call;
mod content;
mod reader;
mod repeat;
mod server_tool;
mod step;
mod step_kind;
mod steps;
#[cfg(test)]
mod tests;
mod usage;

use super::{Entry, Event};
use crate::json::Value;
use crate::model::Api;
use reader::Reader;

/// How the Interactions API is detected, and its reader.
pub(super) const ENTRY: Entry = Entry {
    api: Api::GeminiInteractions,
    member: "steps",
    is_body,
    is_event,
    reader: || Box::new(Reader::default()),
};

/// Whether the body says that it is an interaction, or has the steps and the status of one.
fn is_body(body: Value<'_>) -> bool {
    body.get("object").is_some_and(|object| object.is("interaction"))
        || (body.get("steps").is_some_and(Value::is_array) && body.get_non_empty("status").is_some())
}

/// Whether this is an event about an interaction or one of its steps, or a complete interaction.
fn is_event(event: &Event<'_>) -> bool {
    let kind = event.kind().unwrap_or_default();
    let has = |names: [&'static str; 3]| event.body.first(&names).is_some();
    (kind.starts_with("step.") && has(["index", "step", "delta"]))
        || (kind.starts_with("interaction.") && has(["interaction", "interaction_id", "status"]))
        || is_body(event.body)
}
