//! Begins and ends items and parts.

use super::item::{Content, Item, SignatureLengths, Status};
use super::stream::ResponsesWriter;
use crate::accumulator::PartKind;
use crate::encode::json::{Json, Nested};
use crate::encode::writer::{Context, Output};
use crate::json::ToJson;

impl ResponsesWriter {
    /// Adds an item, and returns its index.
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
        let item = Item { id, content: begun, status: None, seal: SignatureLengths::default() };
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

    /// Ends the open message or reasoning as complete, because something follows: the response wasn't cut off here.
    pub(super) fn close_current(&mut self, context: &Context<'_>, out: &mut Output) {
        self.close_with(Status::Completed, context, out);
    }

    /// Ends the open message or reasoning because the response ends.
    pub(super) fn close_last(&mut self, context: &Context<'_>, out: &mut Output) {
        self.close_with(self.last_status(context), context, out);
    }

    pub(super) fn close_with(&mut self, status: Status, context: &Context<'_>, out: &mut Output) {
        self.close_part(context, out);
        if let Some(at) = self.current.take() {
            self.close(at, status, context, out);
        }
    }

    /// Ends the open part of the open item.
    pub(super) fn close_part(&mut self, context: &Context<'_>, out: &mut Output) {
        self.write_metadata(context, out);
        let Some((place, part)) = self.current.and_then(|at| self.items.last_part(at)) else { return };
        let (name, part_name, member) = match part.kind {
            PartKind::Reasoning if part.start >= part.end => return,
            PartKind::Reasoning => {
                ("response.reasoning_summary_text.done", "response.reasoning_summary_part.done", "text")
            }
            PartKind::Refusal => ("response.refusal.done", "response.content_part.done", "refusal"),
            _ => ("response.output_text.done", "response.content_part.done", "text"),
        };
        let (text, logprobs) = (part.text(context), part.logprobs(context));
        let members: [(&str, &dyn ToJson); 2] = [(member, &text), ("logprobs", &Json(&logprobs))];
        let count = if part.kind == PartKind::Text { 2 } else { 1 };
        self.events.write_at(name, place, members.get(..count).unwrap_or_default(), out);
        let write = Nested(|out| part.write(true, context, out));
        self.events.write_at(part_name, place, &[("part", &write)], out);
    }
}
