//! `DashScope`'s `qwen-deep-research`: messages that are pieces of its phases. The answer is the last phase; the others,
//! such as the plan, are reasoning.
//! <https://www.alibabacloud.com/help/en/model-studio/qwen-deep-research-api>

use super::chunk::Chunk;
use super::message::Message;
use super::reader::Reader;
use crate::accumulator::Builder;
use crate::json::{Field, Value};
use crate::provider::stop_word::{finish, finish_word};

/// Returns the message of an event.
pub(super) fn message_in(event: Value<'_>) -> Option<Value<'_>> {
    event.get("output")?.get("message").filter(|message| message.get("phase").is_some())
}

impl Reader {
    /// Reads the message of an event.
    pub(super) fn read_deep_research(&mut self, message: Value<'_>, event: Value<'_>, out: &mut Builder) {
        out.set_id(event.get_non_empty("request_id").unwrap_or_default());
        let is_answer = message.get("phase").equals("answer");
        if let Some(reader) = self.choice_at(0, out) {
            if is_answer {
                reader.read_entry(message, out);
            } else if let Some(text) = Message::of(message).content().non_empty() {
                reader.reasoning.emit(text, out);
            }
            // Sources and queries of the search.
            if let Some(found) = message.get("extra").filter(|extra| extra.has_others(&[])) {
                reader.message_members.add("extra", found);
            }
        }
        self.read_usage(&Chunk::of(event), false, out);
        // The names have this mistake.
        let reason = event.get("output").and_then(|output| {
            output.get("fininshed").and_then(Value::boolean).filter(|is_over| *is_over)?;
            finish_word(output.get("fininshed_reason"))
        });
        if let Some(reason) = reason {
            finish("fininshed_reason", reason, out);
        }
    }
}
