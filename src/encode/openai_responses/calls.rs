//! Tool calls.

use super::events::ItemPosition;
use super::item::{Content, Item, Status};
use super::stream::ResponsesWriter;
use crate::accumulator::Place;
use crate::encode::custom::{after_input, input_of, input_piece, is_custom};
use crate::encode::json::NO_ARGUMENTS;
use crate::encode::losses::report_late_arguments;
use crate::encode::repeats::Pieces;
use crate::encode::writer::{Context, Output};
use crate::json::{ProgressState, ToJson};
use crate::model::WarningCode;

const ARGUMENTS_DELTA: &str = "response.function_call_arguments.delta";
const INPUT_DELTA: &str = "response.custom_tool_call_input.delta";

/// Returns the arguments up to byte `end` of a call with this status. A call that was cut off before its arguments has
/// empty text instead of `{}`.
pub(super) fn arguments_of<'a>(place: Place, end: usize, status: Status, context: &Context<'a>) -> &'a str {
    if end == 0 {
        return if status == Status::Completed { NO_ARGUMENTS } else { "" };
    }
    context.answer.arguments_at(place).get(..end).unwrap_or_default()
}

impl ResponsesWriter {
    /// Ends the complete calls, as something follows, and clients order items by when they end.
    pub(super) fn close_calls(&mut self, context: &Context<'_>, out: &mut Output) {
        let answer = context.answer;
        for (place, _) in std::mem::take(&mut self.calls_with_new_arguments).into_entries() {
            let Some((_, end)) = self.call(place).map(|(at, end)| (at, *end)) else { continue };
            if answer.arguments_state(place) == ProgressState::Complete
                && answer.arguments_at(place).len() == end
            {
                self.end_call(place, end, context, out);
            }
        }
    }

    /// Returns the index of an open call, and the number of bytes written of its arguments.
    pub(super) fn call(&mut self, place: Place) -> Option<(usize, &mut usize)> {
        let at = self.items.call(place)?;
        match self.items.get_mut(at)? {
            Item { content: Content::Call { end, .. }, status: None, .. } => Some((at, end)),
            _ => None,
        }
    }

    pub(super) fn start_call(&mut self, place: Place, context: &Context<'_>, out: &mut Output) {
        if self.items.call(place).is_some() {
            return;
        }
        self.has_calls = true;
        self.drop_held_back(context, out);
        self.close_current(context, out);
        let prefix = if is_custom(place, context) { "ctc_" } else { "fc_" };
        self.open(prefix, None, Content::Call { place, end: 0 }, context, out);
    }

    pub(super) fn write_arguments(
        &mut self,
        place: Place,
        end: usize,
        context: &Context<'_>,
        out: &mut Output,
    ) {
        let Some((at, written)) = self.call(place) else {
            return report_late_arguments(place, end, context, out);
        };
        if is_custom(place, context) {
            return self.write_input(place, end, false, context, out);
        }
        let from = std::mem::replace(written, end.max(*written));
        self.calls_with_new_arguments.insert(place, true);
        let arguments = context.answer.arguments_at(place).get(..end).unwrap_or_default();
        for piece in Pieces::new(arguments, from) {
            self.write_piece(at, ARGUMENTS_DELTA, piece, out);
        }
    }

    /// Replaces the arguments that were written. The end of the call, or of the response, has the new ones.
    pub(super) fn replace_arguments(
        &mut self,
        place: Place,
        end: usize,
        context: &Context<'_>,
        out: &mut Output,
    ) {
        let item = self.items.call(place).and_then(|at| self.items.get_mut(at));
        if let Some(Item { content: Content::Call { end: written, .. }, status, .. }) = item
            && *written > 0
        {
            *written = end;
            if status.is_some() {
                return;
            }
        }
        self.write_arguments(place, end, context, out);
    }

    /// Writes the input of a custom tool up to byte `end` of the arguments. `is_over`: nothing follows.
    fn write_input(
        &mut self,
        place: Place,
        end: usize,
        is_over: bool,
        context: &Context<'_>,
        out: &mut Output,
    ) {
        let Some((at, written)) = self.call(place) else { return };
        let (input, end) = input_piece(place, *written..end, is_over, context);
        *written = end.max(*written);
        self.calls_with_new_arguments.insert(place, true);
        self.write_piece(at, INPUT_DELTA, &input, out);
    }

    fn write_piece(&mut self, at: usize, name: &'static str, piece: &str, out: &mut Output) {
        let Some(item) = self.items.get(at).filter(|_| !piece.is_empty()) else { return };
        let at = ItemPosition { item_id: &item.id, output_index: at as u64, part: None };
        self.events.write_at(name, at, &[("delta", &piece)], out);
    }

    /// Ends a call whose arguments reach to byte `end`.
    pub(super) fn end_call(&mut self, place: Place, end: usize, context: &Context<'_>, out: &mut Output) {
        let Some((at, written)) = self.call(place) else { return };
        let answer = context.answer;
        let end = end.max(*written);
        let is_input = is_custom(place, context);
        // The ending of the response isn't considered: whether it is known yet depends on where the reads end.
        let is_cut =
            answer.is_call_truncated(place) || answer.arguments_state(place) == ProgressState::Partial;
        if is_input {
            self.write_input(place, end, true, context, out);
        } else if end == 0 {
            let piece = if is_cut { "" } else { NO_ARGUMENTS };
            self.write_piece(at, ARGUMENTS_DELTA, piece, out);
        } else {
            self.write_arguments(place, end, context, out);
        }
        let Some(item) = self.items.get(at) else { return };
        let event = ItemPosition { item_id: &item.id, output_index: at as u64, part: None };
        let mut status = if is_cut { Status::Incomplete } else { Status::Completed };
        if let (true, Content::Call { end: written, .. }) = (is_input, &item.content) {
            let after = after_input(place, *written, end, context);
            if after.is_cut {
                status = Status::Incomplete;
            }
            if after.has_others {
                let message = "Arguments beside the input of a custom tool were dropped";
                out.lost.add(WarningCode::LostFields, message);
            }
            let input = input_of(place, *written, context);
            self.events.write_at("response.custom_tool_call_input.done", event, &[("input", &input)], out);
        } else {
            let arguments = arguments_of(place, end, status, context);
            let name = answer.call_name(place).unwrap_or_default();
            let members: [(&str, &dyn ToJson); 2] = [("name", &name), ("arguments", &arguments)];
            self.events.write_at("response.function_call_arguments.done", event, &members, out);
        }
        self.close(at, status, context, out);
    }
}
