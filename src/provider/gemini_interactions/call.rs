//! The arguments of a call that the client has to run.

use crate::accumulator::{Builder, Place};
use crate::json::{ProgressState, Value};
use crate::provider::call_entry::{arguments_of, is_blank};
use crate::provider::streamed_arguments::StreamedArguments;
use crate::save::state;

/// State of a call's arguments. They are sent as an object, or as text in pieces, which replaces an object in the
/// start.
#[derive(Debug, Default)]
pub(super) struct Call(StreamedArguments);

state! { struct Call(streamed) }

impl Call {
    /// Whether the arguments are sent as text.
    pub(super) fn is_streamed(&self) -> bool {
        self.0.is_streamed()
    }

    /// Adds arguments, or a piece of their text.
    pub(super) fn read(&mut self, arguments: Option<Value<'_>>, place: Place, out: &mut Builder) {
        let Some(arguments) = arguments else { return };
        match arguments.fragment() {
            Some(text) => self.0.push(&text, place, out),
            None if is_blank(arguments) => {}
            None => out.push_object_arguments(place, arguments.compact().unwrap_or_default()),
        }
    }

    /// Completes a call from its complete step: adds only what is missing.
    pub(super) fn complete(&mut self, step: Value<'_>, place: Place, out: &mut Builder) {
        let (id, name) = (step.get_non_empty("id"), step.get_non_empty("name"));
        out.open_call(place, id, name);
        match (out.arguments_state(place), arguments_of(step, "arguments")) {
            (ProgressState::Empty, arguments) => self.read(arguments, place, out),
            (ProgressState::Partial, Some(whole)) if !is_blank(whole) => {
                out.complete_arguments(place, &whole.text_or_compact().unwrap_or_default());
            }
            _ => {}
        }
    }

    /// Ends the call.
    pub(super) fn stop(&mut self, place: Place, out: &mut Builder) {
        let difference = "The streamed arguments of a tool call differ from those in step.start; the streamed \
                          ones are kept";
        self.0.end(difference, place, out);
        out.end_call(place);
    }
}
