//! Responses without a list of choices: in an envelope, as a bare text, or as a single choice.

use super::choice::Choice;
use super::chunk::Chunk;
use super::conversation::conversation_of;
use super::deep_research::message_in;
use super::reader::Reader;
use super::split::Piece;
use super::{has_choices, oracle, text_output};
use crate::accumulator::Builder;
use crate::json::Value;
use crate::provider::envelope::{read_envelope, result_of};

impl Reader {
    /// Reads a body or an event that has no choices itself.
    pub(super) fn read_without_choices(&mut self, body: Value<'_>, out: &mut Builder) {
        if let Some(event) = conversation_of(body) {
            return self.read_conversation(event, out);
        }
        if let Some(message) = message_in(body) {
            return self.read_deep_research(message, body, out);
        }
        let result = result_of(body).filter(|result| has_choices(*result));
        let output = text_output(body).or_else(|| oracle::choice_in(body)).filter(|_| result.is_none());
        if let Some(output) = output {
            self.read_only_choice(output, Piece::Whole, out);
        } else if oracle::is_choice(body) {
            self.read_only_choice(body, Piece::Delta, out);
        } else {
            self.read_chunk(&Chunk::of(result.unwrap_or(body)), out);
        }
        if result.or(output).is_some() {
            self.read_usage(&Chunk::of(body), false, out);
            read_envelope(body, &mut self.extra, out);
            if let Some(model) = body.get_non_empty("modelId").filter(|_| out.model().is_none()) {
                out.set_model(model);
            }
        }
    }

    /// Reads a choice that was sent instead of a chunk.
    fn read_only_choice(&mut self, choice: Value<'_>, piece: Piece, out: &mut Builder) {
        let index = choice.get("index").and_then(Value::unsigned).unwrap_or(0);
        self.read_choice(u32::try_from(index).unwrap_or(u32::MAX), &Choice::of(choice), piece, out);
        self.read_usage(&Chunk::of(choice), false, out);
    }
}
