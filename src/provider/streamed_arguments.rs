//! Arguments of a tool call that come as JSON text in pieces.

use crate::accumulator::{Builder, Place};
use crate::json::{Fragment, Value, compact};
use crate::model::WarningCode;
use crate::save::state;

/// Whether the arguments of a call come in pieces, which replace an object at the call's start.
#[derive(Debug, Default)]
pub(super) struct StreamedArguments {
    is_streamed: bool,
    /// The object at the start, if pieces have replaced it.
    replaced: Option<String>,
}

state! { struct StreamedArguments { is_streamed, replaced } }

impl StreamedArguments {
    /// Whether any pieces have come.
    pub(super) fn is_streamed(&self) -> bool {
        self.is_streamed
    }

    /// Appends a piece of the text. The first one replaces the object at the start.
    pub(super) fn push(&mut self, piece: &Fragment<'_>, place: Place, out: &mut Builder) {
        if piece.is_empty() {
            return;
        }
        if !std::mem::replace(&mut self.is_streamed, true) {
            self.replaced = out.take_object_arguments(place);
        }
        out.push_arguments(place, piece);
    }

    /// Adds an object that some servers send in place of the pieces.
    pub(super) fn push_object(&mut self, object: Value<'_>, place: Place, out: &mut Builder) {
        self.is_streamed = true;
        out.push_object_arguments(place, object.compact().unwrap_or_default());
    }

    /// Ends the pieces. Warns of this difference if they aren't the object that they have replaced.
    pub(super) fn end(&mut self, difference: &str, place: Place, out: &mut Builder) {
        if let Some(start) = self.replaced.take()
            && compact(&start) != compact(out.arguments_at(place))
        {
            out.warn(WarningCode::Mismatch, difference);
        }
    }
}
