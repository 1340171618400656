//! Begins and ends items and parts.

use super::events::ItemPosition;
use super::item::{Content, Item, SignatureLengths, Status};
use super::stream::ResponsesWriter;
use crate::accumulator::PartKind;
use crate::encode::json::{Json, Nested, object};
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
        let Some(at) = self.current else { return };
        let Some(item) = self.items.get(at) else { return };
        let (item_id, output_index) = (&*item.id, at as u64);
        match &item.content {
            Content::Message(parts) => {
                let Some(part) = parts.last() else { return };
                let index = (parts.len() - 1) as u64;
                let place = ItemPosition { item_id, output_index, part: Some(("content_index", index)) };
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
                let place = ItemPosition { item_id, output_index, part: Some(("summary_index", 0)) };
                let text = part.text(context);
                self.events.write_at("response.reasoning_summary_text.done", place, &[("text", &text)], out);
                let write = Nested(|out| write_summary(text, out));
                self.events.write_at("response.reasoning_summary_part.done", place, &[("part", &write)], out);
            }
            _ => {}
        }
    }
}

pub(super) fn write_summary(text: &str, out: &mut String) {
    object!(out, "type": &"summary_text", "text": &text);
}
