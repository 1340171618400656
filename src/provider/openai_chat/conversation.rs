//! Mistral's conversations and agents: entries instead of a choice, with the members of messages.
//! <https://docs.mistral.ai/agents/agents>
//!
//! A body has a list of `outputs`. A stream sends their pieces in events whose type names the kind of output. There is
//! no finish reason.

use super::chunk::Chunk;
use super::reader::Reader;
use crate::accumulator::{Builder, Finish};
use crate::json::{Field, Value};
use crate::model::{Failure, FinishReason};
use crate::provider::read_error;

/// Types of the entries and events that are about one output.
const ENTRY_TYPES: [&str; 4] = ["message.output", "function.call", "tool.execution", "agent.handoff"];

/// Type of the events about the whole response, and `object` of a body.
const RESPONSE_TYPE: &str = "conversation.response";

/// Returns the body or event if it belongs to a conversation. Mistral's SDK puts the event in `data`.
#[inline(never)]
pub(in super::super) fn conversation_of(body: Value<'_>) -> Option<Value<'_>> {
    [Some(body), body.get("data")].iter().flatten().copied().find(|event| is_conversation(*event))
}

fn is_conversation(event: Value<'_>) -> bool {
    let Some(kind) = event.get_non_empty("type") else {
        return event.get("object").equals(RESPONSE_TYPE)
            && event.get("outputs").is_some_and(Value::is_array);
    };
    let has_place = || member(event, "output_index", "outputIndex").is_some();
    kind.starts_with(RESPONSE_TYPE) || ENTRY_TYPES.iter().any(|entry| kind.starts_with(entry)) && has_place()
}

fn member<'a>(event: Value<'a>, snake: &'static str, camel: &'static str) -> Option<Value<'a>> {
    event.first(&[snake, camel])
}

/// Returns the confirmation status of a call that the server runs once the user has allowed it.
fn confirmation_of(entry: Value<'_>) -> Option<Value<'_>> {
    member(entry, "confirmation_status", "confirmationStatus").said()
}

impl Reader {
    /// Reads a body or an event of a conversation.
    pub(super) fn read_conversation(&mut self, event: Value<'_>, out: &mut Builder) {
        if let Some(id) = member(event, "conversation_id", "conversationId").non_empty() {
            out.set_id(id);
        }
        match event.get_non_empty("type") {
            None => {
                event.get_items("outputs").for_each(|entry| self.read_conversation_entry(entry, out));
                if !out.is_brief() {
                    let is_read = event.get("usage").is_some_and(Value::is_object);
                    self.extra.put_others(event, if is_read { &["usage"] } else { &[] });
                }
                self.end_conversation(event, out);
            }
            Some("conversation.response.done") => self.end_conversation(event, out),
            Some("conversation.response.error") => {
                out.fail(Failure { provider_type: None, ..read_error(event) });
            }
            Some(kind) if kind.starts_with(RESPONSE_TYPE) => self.extra.put_others(event, &["type"]),
            Some(kind) if kind.starts_with("agent") => self.extra.add("handoffs", event),
            Some(_) => self.read_conversation_entry(event, out),
        }
    }

    fn read_conversation_entry(&mut self, entry: Value<'_>, out: &mut Builder) {
        if let (Some(model), None) = (entry.get_non_empty("model"), out.model()) {
            out.set_model(model);
        }
        if let Some(reader) = self.choice_at(0, out) {
            match entry.get_non_empty("type").unwrap_or_default() {
                kind if kind.starts_with("tool") || confirmation_of(entry).is_some() => {
                    reader.read_execution(entry, out);
                }
                kind if kind.starts_with("agent") => {}
                _ => reader.read_entry(entry, out),
            }
        }
    }

    fn end_conversation(&mut self, event: Value<'_>, out: &mut Builder) {
        self.read_usage(&Chunk::of(event), false, out);
        if let Some(reader) = self.choice_at(0, out) {
            reader.close(false, out);
        }
        out.finish(0, Finish { reason: FinishReason::Complete, raw: None, or_tool_use: true });
        out.finish_stream();
    }
}
