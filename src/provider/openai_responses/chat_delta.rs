//! Langflow's deltas: text in the form of chat completions, among the events of Responses.
//! <https://github.com/langflow-ai/langflow/issues/10295>

use super::reader::Reader;
use super::streamed_field::{EventFields, STREAMED_FIELDS, Suffix};
use crate::accumulator::Builder;
use crate::json::Value;
use crate::model::{Failure, FailureCode};

/// Returns the delta of such an event.
pub(super) fn delta_of(event: Value<'_>) -> Option<Value<'_>> {
    let delta = event.get("delta").filter(|delta| delta.is_object())?;
    (event.get_non_empty("object") == Some("response.chunk")).then_some(delta)
}

impl Reader {
    /// Reads the delta of an event. Its last one has the status.
    pub(super) fn read_chat_delta(&mut self, delta: Value<'_>, event: Value<'_>, out: &mut Builder) {
        out.set_id(event.get_non_empty("id").unwrap_or_default());
        out.set_model(event.get_non_empty("model").unwrap_or_default());
        let text = delta.get_non_empty("content");
        let status = event.get_non_empty("status");
        if text.or(status).is_some() {
            // Langflow runs the tools itself.
            self.items.mark_calls_run(out);
        }
        if status == Some("failed") {
            out.fail(Failure::new(FailureCode::ProviderError, text.unwrap_or("failed")));
        } else if let (Some(_), Some(field), Some(item)) =
            (text, STREAMED_FIELDS.first(), self.items.sequential_item("message", false))
        {
            item.read_field(field, Suffix::Delta, &EventFields::of(delta), out);
        }
        if let Some(status) = status {
            self.hold_status(status, out);
        }
    }
}
