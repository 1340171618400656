//! Items: how they begin and end, and what calls are made of.

use super::events::At;
use super::item::{Content, Item, NO_ARGUMENTS, Seal, Status, arguments_of};
use super::stream::ResponsesWriter;
use crate::accumulator::{PartKind, Place};
use crate::encode::custom::{behind_input, input_of, input_piece, is_custom};
use crate::encode::json::{Json, Nested, object};
use crate::encode::lost::lose_late_arguments;
use crate::encode::repeats::Pieces;
use crate::encode::writer::{Context, Output};
use crate::json::{ProgressState, ToJson};
use crate::model::WarningCode;

const ARGUMENTS_DELTA: &str = "response.function_call_arguments.delta";
const INPUT_DELTA: &str = "response.custom_tool_call_input.delta";

impl ResponsesWriter {
    /// Adds an item; its number.
    pub(super) fn open(
        &mut self,
        prefix: &str,
        id: Option<&str>,
        begun: Content,
        context: &Context<'_>,
        out: &mut Output,
    ) -> usize {
        self.close_calls(context, out);
        let at = self.items.len();
        let id = id.filter(|id| !self.items.has_id(id));
        let id = id.map_or_else(|| self.head.item_id(prefix, at as u64), str::to_owned);
        let item = Item { id, content: begun, status: None, seal: Seal::default() };
        let write = Nested(|out| item.write(false, context, out));
        self.events.write_item("response.output_item.added", at as u64, &write, out);
        self.items.push(item);
        at
    }

    /// Ends an item.
    pub(super) fn close(&mut self, at: usize, status: Status, context: &Context<'_>, out: &mut Output) {
        let Some(item) = self.items.get_mut(at) else { return };
        item.end(status, context);
        let item = &*item;
        let write = Nested(|out| item.write(true, context, out));
        self.events.write_item("response.output_item.done", at as u64, &write, out);
    }

    /// Ends the message or reasoning that is open: something follows, so it isn't where the response was cut off.
    pub(super) fn close_current(&mut self, context: &Context<'_>, out: &mut Output) {
        self.close_with(Status::Completed, context, out);
    }

    /// Ends it because the response ends.
    pub(super) fn close_last(&mut self, context: &Context<'_>, out: &mut Output) {
        self.close_with(self.last_status(context), context, out);
    }

    pub(super) fn close_with(&mut self, status: Status, context: &Context<'_>, out: &mut Output) {
        self.close_part(context, out);
        if let Some(at) = self.current.take() {
            self.close(at, status, context, out);
        }
    }

    /// Ends the part that is open in it.
    pub(super) fn close_part(&mut self, context: &Context<'_>, out: &mut Output) {
        self.write_beside(context, out);
        let Some(at) = self.current else { return };
        let Some(item) = self.items.get(at) else { return };
        let (item_id, output_index) = (&*item.id, at as u64);
        match &item.content {
            Content::Message(parts) => {
                let Some(part) = parts.last() else { return };
                let index = (parts.len() - 1) as u64;
                let place = At { item_id, output_index, part: Some(("content_index", index)) };
                let text = part.text(context);
                if part.kind == PartKind::Refusal {
                    self.events.write_at("response.refusal.done", place, &[("refusal", &text)], out);
                } else {
                    let members: [(&str, &dyn ToJson); 2] =
                        [("text", &text), ("logprobs", &Json(&part.logprobs(context)))];
                    self.events.write_at("response.output_text.done", place, &members, out);
                }
                let write = Nested(|out| part.write(true, context, out));
                self.events.write_at("response.content_part.done", place, &[("part", &write)], out);
            }
            Content::Reasoning(part) if part.start < part.end => {
                let place = At { item_id, output_index, part: Some(("summary_index", 0)) };
                let text = part.text(context);
                self.events.write_at("response.reasoning_summary_text.done", place, &[("text", &text)], out);
                let write = Nested(|out| write_summary(text, out));
                self.events.write_at("response.reasoning_summary_part.done", place, &[("part", &write)], out);
            }
            _ => {}
        }
    }

    /// Ends the calls that are whole: something follows, and clients put items in the order in which they end.
    fn close_calls(&mut self, context: &Context<'_>, out: &mut Output) {
        let answer = context.answer;
        for (place, _) in std::mem::take(&mut self.grown).into_entries() {
            let Some((_, end)) = self.call(place).map(|(at, end)| (at, *end)) else { continue };
            if answer.arguments_state(place) == ProgressState::Complete
                && answer.arguments_at(place).len() == end
            {
                self.end_call(place, end, context, out);
            }
        }
    }

    /// A call that is open: its number, and how much of its arguments was written.
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
        self.drop_held(context, out);
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
            return lose_late_arguments(place, end, context, out);
        };
        if is_custom(place, context) {
            return self.write_input(place, end, false, context, out);
        }
        let from = std::mem::replace(written, end.max(*written));
        self.grown.insert(place, true);
        let arguments = context.answer.arguments_at(place).get(..end).unwrap_or_default();
        for piece in Pieces::new(arguments, from) {
            self.write_piece(at, ARGUMENTS_DELTA, piece, out);
        }
    }

    /// Other arguments take the place of those that were written: the end of the call has them, or that of the response.
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

    /// Writes the input of a custom tool up to this byte. `is_over`: nothing follows.
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
        self.grown.insert(place, true);
        self.write_piece(at, INPUT_DELTA, &input, out);
    }

    fn write_piece(&mut self, at: usize, name: &'static str, piece: &str, out: &mut Output) {
        let Some(item) = self.items.get(at).filter(|_| !piece.is_empty()) else { return };
        let at = At { item_id: &item.id, output_index: at as u64, part: None };
        self.events.write_at(name, at, &[("delta", &piece)], out);
    }

    /// Ends a call whose arguments reach to this byte.
    pub(super) fn end_call(&mut self, place: Place, end: usize, context: &Context<'_>, out: &mut Output) {
        let Some((at, written)) = self.call(place) else { return };
        let answer = context.answer;
        let end = end.max(*written);
        let is_input = is_custom(place, context);
        // Not as the response ended: whether that is known yet depends on where the reads end.
        let is_cut = answer.is_cut(place) || answer.arguments_state(place) == ProgressState::Partial;
        if is_input {
            self.write_input(place, end, true, context, out);
        } else if end == 0 {
            let piece = if is_cut { "" } else { NO_ARGUMENTS };
            self.write_piece(at, ARGUMENTS_DELTA, piece, out);
        } else {
            self.write_arguments(place, end, context, out);
        }
        let Some(item) = self.items.get(at) else { return };
        let event = At { item_id: &item.id, output_index: at as u64, part: None };
        let mut status = if is_cut { Status::Incomplete } else { Status::Completed };
        if let (true, Content::Call { end: written, .. }) = (is_input, &item.content) {
            let behind = behind_input(place, *written, end, context);
            if behind.is_cut {
                status = Status::Incomplete;
            }
            if behind.has_others {
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

pub(super) fn write_summary(text: &str, out: &mut String) {
    object!(out, "type": &"summary_text", "text": &text);
}
