//! LM Studio's own chat interface: items of the same kinds, one after the other, without ids and indices.
//! <https://lmstudio.ai/docs/developer/rest/streaming-events>

use super::reader::Reader;
use super::streamed_field::{EventFields, STREAMED_FIELDS, Suffix};
use crate::accumulator::Builder;
use crate::json::{Field, Value};

/// Whether this is a body, or the first or the last event of a stream. Other events never come without these.
pub(in super::super) fn is_lm_studio(body: Value<'_>) -> bool {
    let is_start =
        || body.get("type").equals("chat.start") || body.get("output").is_some_and(Value::is_array);
    let is_end = || body.get("result").is_some_and(|result| result.get("model_instance_id").is_some());
    body.get("model_instance_id").is_some() && is_start() || body.get("type").equals("chat.end") && is_end()
}

impl Reader {
    /// Reads an event of such a stream. Returns whether it is one.
    pub(super) fn read_lm_studio(&mut self, kind: &str, event: &EventFields<'_>, out: &mut Builder) -> bool {
        let body = event.whole;
        let (type_name, field) = match kind {
            "message.start" | "message.delta" => ("message", Some("output_text")),
            "reasoning.start" | "reasoning.delta" => ("reasoning", Some("reasoning_text")),
            "tool_call.start" | "tool_call.arguments" | "tool_call.result" => ("tool_call", None),
            "chat.start" => {
                if let Some(model) = body.get("model_instance_id").non_empty() {
                    out.set_model(model);
                }
                return true;
            }
            "chat.end" => {
                if let Some(result) = body.get("result") {
                    self.read_response(None, result, body, out);
                }
                return true;
            }
            _ => return matches!(kind, "message.end" | "reasoning.end"),
        };
        let Some(item) = self.items.sequential_item(type_name, kind.ends_with("start")) else { return true };
        match STREAMED_FIELDS.iter().find(|known| Some(known.event) == field) {
            Some(field) if kind.ends_with("delta") => {
                item.read_field(field, Suffix::Delta, event, out);
            }
            Some(_) => {}
            None => item.start(body, out),
        }
        true
    }
}
