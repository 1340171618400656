//! The input of tools that the client has to run.

use crate::accumulator::{Builder, Place};
use crate::json::{ProgressState, RawJson, Value};
use crate::provider::call_entry::is_blank;
use crate::provider::streamed_arguments::StreamedArguments;
use crate::save::state;

/// State of the input of a `tool_use` block.
///
/// In a body, the input is an object. In a stream, the block starts with `{}`, and `input_json_delta`s carry the
/// JSON text in fragments; if the block starts with the complete input, the deltas repeat it.
/// <https://platform.claude.com/docs/en/build-with-claude/streaming#input-json-delta>
#[derive(Default)]
pub(super) struct ToolInput(StreamedArguments);

state! { struct ToolInput(streamed) }

impl ToolInput {
    /// Whether the input came in deltas.
    pub(super) fn is_streamed(&self) -> bool {
        self.0.is_streamed()
    }

    /// Reads the complete input of a block.
    pub(super) fn read(input: Value<'_>, place: Place, out: &mut Builder) {
        match out.arguments_state(place) {
            _ if is_blank(input) => {}
            ProgressState::Empty => match input.fragment() {
                // JSON text instead of an object. It is kept unchanged if it isn't valid.
                Some(text) if RawJson::parse(text.text.as_ref()).is_none() => {
                    out.push_arguments(place, &text);
                }
                Some(text) => out.push_object_arguments(place, text.text.into_owned()),
                None => out.push_object_arguments(place, input.compact().unwrap_or_default()),
            },
            ProgressState::Partial => {
                out.complete_arguments(place, &input.text_or_compact().unwrap_or_default());
            }
            ProgressState::Complete | ProgressState::Invalid { .. } => {}
        }
    }

    /// Appends a fragment of the input; the first one replaces the input from the start of the block. Returns whether
    /// it was understood.
    pub(super) fn read_delta(&mut self, piece: Value<'_>, place: Place, out: &mut Builder) -> bool {
        match piece.fragment() {
            Some(text) => self.0.push(&text, place, out),
            None if piece.is_object() => self.0.push_object(piece, place, out),
            None => return false,
        }
        true
    }

    /// Ends the block, and also the call unless its input is incomplete: the rest may come in another block.
    pub(super) fn stop(&mut self, place: Place, out: &mut Builder) {
        let difference = "The streamed input of a tool call differs from the input in content_block_start; \
                          the streamed form is kept";
        self.0.end(difference, place, out);
        if out.arguments_state(place) != ProgressState::Partial {
            out.stop_call(place);
        }
    }
}
