//! Writes texts, reasoning and signatures.

use super::item::{Content, Status};
use super::part::Part;
use super::stream::ResponsesWriter;
use crate::accumulator::{PartKind, Place};
use crate::encode::json::{EMPTY_LIST, Nested};
use crate::encode::options::Retention;
use crate::encode::repeats::Pieces;
use crate::encode::signature_tracking::Signed;
use crate::encode::writer::{Context, Output};
use crate::encode::written_texts::{PartKey, Piece};
use crate::json::ToJson;
use crate::model::WarningCode;

impl ResponsesWriter {
    pub(super) fn add_text(&mut self, piece: &Piece, context: &Context<'_>, out: &mut Output) {
        let Piece { kind, place, ref bytes, .. } = *piece;
        if kind == PartKind::Reasoning && context.options.reasoning == Retention::Drop {
            return out.lost.add_reasoning();
        }
        if self.extend(kind, place, bytes.end) {
            return self.write_delta(bytes.start, context, out);
        }
        let part = Part::new(kind, place, bytes.start, bytes.end);
        let part = match self.last_written_part(place) {
            Some(last) if kind == PartKind::Text => part.after(last),
            _ => part,
        };
        if kind == PartKind::Reasoning {
            self.drop_held_back(context, out);
            self.close_current(context, out);
            self.open_reasoning(part, context, out);
            return self.write_delta(bytes.start, context, out);
        }
        let is_held = |held: &mut Part| (held.kind, held.place) == (kind, place);
        let part = match self.held_back.pop_if(is_held) {
            Some(held) => Part { start: held.start, ..part },
            None => part,
        };
        // Held parts are white space.
        let news = context.answer.part_text(kind, place).get(bytes.clone()).unwrap_or_default();
        let is_blank = news.trim().is_empty();
        if is_blank && !self.is_in_message() {
            return self.held_back.push(part);
        }
        self.open_held_back(context, out);
        self.open_part(part, context, out);
    }

    /// Whether a message is open, so that white space can be added to it.
    fn is_in_message(&self) -> bool {
        let item = self.current.and_then(|at| self.items.get(at));
        item.is_some_and(|item| matches!(item.content, Content::Message(_)))
    }

    /// Whether an item is a message with the same phase as the text at `place`.
    fn is_message_with_phase(&self, at: usize, place: Place, context: &Context<'_>) -> bool {
        let Some(Content::Message(parts)) = self.items.get(at).map(|item| &item.content) else {
            return false;
        };
        parts.first().is_none_or(|first| context.answer.phase(first.place) == context.answer.phase(place))
    }

    /// Moves the parts of a text by this number of bytes, as its beginning came after the rest.
    pub(super) fn move_text(&mut self, kind: PartKind, place: Place, by: usize, out: &mut Output) {
        if !self.written.move_text(kind, place, by, out) {
            return;
        }
        let items = self.items.iter_mut().flat_map(|item| match &mut item.content {
            Content::Message(parts) => parts.as_mut_slice(),
            Content::Reasoning(part) => std::slice::from_mut(part),
            _ => &mut [],
        });
        for part in items.chain(&mut self.held_back).filter(|part| (part.kind, part.place) == (kind, place)) {
            part.start += by;
            part.end += by;
        }
    }

    /// Extends the open part to byte `end`. Returns `false` if it isn't of this text.
    pub(super) fn extend(&mut self, kind: PartKind, place: Place, end: usize) -> bool {
        let Some(part) = self.current_part(kind, place) else { return false };
        part.end = end;
        true
    }

    /// Returns the open part if it is of this text.
    pub(super) fn current_part(&mut self, kind: PartKind, place: Place) -> Option<&mut Part> {
        let item = self.current.and_then(|at| self.items.get_mut(at));
        let part = match item.map(|item| &mut item.content) {
            Some(Content::Message(parts)) => parts.last_mut(),
            Some(Content::Reasoning(part)) => Some(part),
            _ => None,
        };
        part.filter(|part| (part.kind, part.place) == (kind, place))
    }

    /// Opens a part of a message, and writes its content.
    pub(super) fn open_part(&mut self, part: Part, context: &Context<'_>, out: &mut Output) {
        self.close_part(context, out);
        let (place, start) = (part.place, part.start);
        let at = if let Some(at) = self.current.filter(|at| self.is_message_with_phase(*at, place, context)) {
            self.items.push_part(at, part);
            at
        } else {
            if let Some(at) = self.current.take() {
                self.close(at, Status::Completed, context, out);
            }
            self.open("msg_", None, Content::Message(vec![part]), context, out)
        };
        self.current = Some(at);
        self.begin_part("response.content_part.added", at, context, out);
        self.write_delta(start, context, out);
        self.write_annotations(place, false, context, out);
    }

    pub(super) fn open_reasoning(&mut self, part: Part, context: &Context<'_>, out: &mut Output) {
        let has_text = part.start < part.end;
        let id = context.answer.reasoning_view(part.place).id;
        let at = self.open("rs_", id, Content::Reasoning(part), context, out);
        self.current = Some(at);
        if has_text {
            self.begin_part("response.reasoning_summary_part.added", at, context, out);
        }
    }

    /// Writes the event that begins the last part of an item.
    fn begin_part(&mut self, name: &'static str, at: usize, context: &Context<'_>, out: &mut Output) {
        let Some((place, part)) = self.items.last_part(at) else { return };
        let write = Nested(|out| part.write(false, context, out));
        self.events.write_at(name, place, &[("part", &write)], out);
    }

    /// Writes the open text from byte `from` on.
    fn write_delta(&mut self, from: usize, context: &Context<'_>, out: &mut Output) {
        let Some((place, part)) = self.current.and_then(|at| self.items.last_part(at)) else { return };
        let name = match part.kind {
            PartKind::Reasoning => "response.reasoning_summary_text.delta",
            PartKind::Refusal => "response.refusal.delta",
            _ => "response.output_text.delta",
        };
        for piece in Pieces::new(part.text(context), from.saturating_sub(part.start)) {
            let members: [(&str, &dyn ToJson); 2] = [("delta", &piece), ("logprobs", &EMPTY_LIST)];
            let count = if part.kind == PartKind::Text { 2 } else { 1 };
            self.events.write_at(name, place, members.get(..count).unwrap_or_default(), out);
        }
    }

    /// Opens the held parts of white space, as they belong to a message.
    pub(super) fn open_held_back(&mut self, context: &Context<'_>, out: &mut Output) {
        for held in std::mem::take(&mut self.held_back) {
            self.open_part(held, context, out);
        }
    }

    /// Drops the held white space, which no text followed.
    pub(super) fn drop_held_back(&mut self, context: &Context<'_>, out: &mut Output) {
        let held = std::mem::take(&mut self.held_back);
        if held.is_empty() {
            return;
        }
        out.lost.add(WarningCode::LostText, "White space between items was dropped");
        if held.iter().any(|part| part.signature(context).is_some()) {
            out.lost
                .add(WarningCode::LostSignature, "The signature of white space between items was dropped");
        }
    }

    /// Writes a complete signature or encrypted reasoning.
    pub(super) fn add_signature(
        &mut self,
        PartKey { kind, place }: PartKey,
        context: &Context<'_>,
        out: &mut Output,
    ) {
        if kind == PartKind::Text {
            return self.add_text_signature(place, context, out);
        }
        let is_current = self
            .current
            .and_then(|at| self.items.get(at))
            .is_some_and(|item| matches!(&item.content, Content::Reasoning(part) if part.place == place));
        if kind != PartKind::Reasoning || is_current {
            return;
        }
        if context.options.reasoning == Retention::Drop {
            return out.lost.add_reasoning();
        }
        // If the text after the reasoning came in the same read, the signature was written before it is noted.
        let last = self.items.last_item_with(PartKey { kind, place });
        if last.is_some_and(|item| item.is_signature_complete(place, context)) {
            return;
        }
        let Signed { view, .. } = Signed::of(place, context);
        if view.signature.or(view.encrypted).is_some_and(|data| !data.is_empty()) {
            let end = context.answer.part_text(kind, place).len();
            self.drop_held_back(context, out);
            self.close_current(context, out);
            self.open_reasoning(Part::new(kind, place, end, end), context, out);
            self.close_current(context, out);
        }
    }

    /// Keeps a complete signature of a text, which is written at the end of its part.
    fn add_text_signature(&mut self, place: Place, context: &Context<'_>, out: &mut Output) {
        let answer = context.answer;
        let is_held = self.held_back.iter().any(|held| held.place == place);
        if is_held || self.current_part(PartKind::Text, place).is_some() {
            return;
        }
        // Gemini's last part often has nothing but the signature of the text before it.
        let item = self.current.and_then(|at| self.items.get_mut(at)).map(|item| &mut item.content);
        if let Some(Content::Message(parts)) = item
            && let Some(part) = parts.last_mut()
            && part.kind == PartKind::Text
            && part.signature(context).is_none()
            && answer.part_text(PartKind::Text, place).is_empty()
        {
            part.signed_by = Some(place);
            return;
        }
        let message = "A signature that came without a text before it, or after its end, was dropped";
        out.lost.add(WarningCode::LostSignature, message);
    }
}
