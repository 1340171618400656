//! A stream of events.

use super::events::{At, Events};
use super::item::{Content, Item, Part};
use super::response::{self, State};
use crate::accumulator::{Note, PartKind, Place, ProviderFields};
use crate::encode::annotations::url_citation_of;
use crate::encode::choices::OnlyChoice;
use crate::encode::head::Head;
use crate::encode::json::{EMPTY_LIST, Json, Nested, one_line};
use crate::encode::lost::lose_note;
use crate::encode::options::Retention;
use crate::encode::outcome::{Outcome, outcome_of};
use crate::encode::seal::{Seals, Signed, Unsealed};
use crate::encode::usage::Counts;
use crate::encode::writer::{Context, Output, Writer};
use crate::encode::written::{Piece, Written, lose_beginning};
use crate::json::{Document, ProgressState, RawJson, Value};
use crate::model::{ApiSpecific, ContentPart, Failure, WarningCode};
use crate::stream::EchoedEvent;

/// Writes responses.
#[derive(Default)]
pub(in crate::encode) struct ResponsesWriter {
    head: Head,
    events: Events,
    items: Vec<Item>,
    /// The message or reasoning that is open. Calls may be open beside it.
    current: Option<usize>,
    /// White space that opens no message.
    held: Option<Part>,
    has_calls: bool,
    written: Written,
    seals: Seals,
    choice: OnlyChoice,
}

impl Writer for ResponsesWriter {
    fn begin(&mut self, head: Head, context: &Context<'_>, out: &mut Output) {
        self.head = head;
        for name in ["response.created", "response.in_progress"] {
            self.write_response(name, "in_progress", None, None, context, out);
        }
    }

    fn note(&mut self, note: Note, context: &Context<'_>, out: &mut Output) {
        if !self.choice.is_of(note, out) {
            return;
        }
        if let Some(unsealed) = self.seals.take_in(note) {
            self.seal(unsealed, context, out);
        }
        if let Some(piece) = self.written.next(note, out) {
            return self.add_text(&piece, context, out);
        }
        match note {
            Note::CallStart { place } => self.start_call(place, context, out),
            Note::CallArguments { place, end } => self.write_arguments(place, end, context, out),
            Note::CallMoved { place, end } => {
                let is_begun = self.call(place).is_some_and(|(_, written)| *written > 0);
                if is_begun {
                    lose_beginning(out);
                    if let Some((_, written)) = self.call(place) {
                        *written = end;
                    }
                } else {
                    self.write_arguments(place, end, context, out);
                }
            }
            Note::CallEnd { place } => self.end_call(place, context, out),
            Note::Annotations { place } => self.annotate(place, context, out),
            Note::Part { place } => self.add_part(place, context, out),
            other => lose_note(other, context, out),
        }
    }

    fn complete(&mut self, context: &Context<'_>, out: &mut Output) {
        for note in self.choice.take_waiting(context, out) {
            self.note(note, context, out);
        }
        if let Some(unsealed) = self.seals.take() {
            self.seal(unsealed, context, out);
        }
        if let (true, Some(held)) = (self.items.is_empty(), self.held.take()) {
            self.open_part(held, context, out);
        }
        self.close_current(context, out);
        let open: Vec<Place> = self.items.iter().filter_map(open_call).collect();
        for place in open {
            self.end_call(place, context, out);
        }
        let (name, status, reason) = self.ending(context);
        let counts = Counts::of(context.answer.usage(), out);
        let state = State { status, reason, failure: None, items: &self.items, counts: counts.as_ref() };
        let head = &self.head;
        self.events.write(
            name,
            ("response", &Nested(|out| response::write(head, &state, context, out))),
            out,
        );
    }

    fn must_begin(&self) -> bool {
        true
    }

    fn fail(&mut self, failure: &Failure, context: &Context<'_>, out: &mut Output) {
        self.write_response("response.failed", "failed", None, Some(failure), context, out);
    }

    fn take_over(&mut self, head: Head, last: &str) {
        let document = Document::parse(last, usize::MAX).ok();
        let number = document.and_then(|document| document.root().get_unsigned("sequence_number"));
        self.events.go_on_with(number.map_or(0, |number| number.saturating_add(1)));
        self.head = head;
    }

    fn is_failure(&self, event: Value<'_>) -> bool {
        event.get("type").is_some_and(|kind| kind.is("error") || kind.is("response.failed"))
    }

    fn pass(&mut self, event: EchoedEvent<'_>) -> bool {
        let ends = ["response.completed", "response.incomplete", "response.failed", "response.cancelled"];
        ends.contains(&event.name)
    }

    fn complete_passed(&mut self, fields: &ProviderFields, context: &Context<'_>, out: &mut Output) {
        if let Some(ApiSpecific::OpenaiResponses { output_items, .. }) = &fields.api_specific {
            let as_it_came = |raw: &RawJson| Item {
                id: String::new(),
                content: Content::AsItCame(one_line(raw)),
                status: None,
            };
            self.items = output_items.iter().map(as_it_came).collect();
        }
        self.complete(context, out);
    }

    fn envelope(&self) -> Option<&'static str> {
        Some("response")
    }

    fn body(&mut self, context: &Context<'_>, out: &mut Output) -> String {
        let (_, status, reason) = self.ending(context);
        let counts = Counts::of(context.answer.usage(), out);
        let state = State { status, reason, failure: None, items: &self.items, counts: counts.as_ref() };
        let mut body = String::new();
        response::write(&self.head, &state, context, &mut body);
        body
    }
}

impl ResponsesWriter {
    fn write_response(
        &mut self,
        name: &'static str,
        status: &'static str,
        reason: Option<&'static str>,
        failure: Option<&Failure>,
        context: &Context<'_>,
        out: &mut Output,
    ) {
        let state = State { status, reason, failure, items: &self.items, counts: None };
        let head = &self.head;
        self.events.write(
            name,
            ("response", &Nested(|out| response::write(head, &state, context, out))),
            out,
        );
    }

    fn outcome<'a>(&self, context: &Context<'a>) -> Outcome<'a> {
        outcome_of(self.choice.index, self.has_calls, context)
    }

    /// The last event, the status, and why it is incomplete.
    fn ending(&self, context: &Context<'_>) -> (&'static str, &'static str, Option<&'static str>) {
        match self.outcome(context) {
            Outcome::Length => ("response.incomplete", "incomplete", Some("max_output_tokens")),
            Outcome::ContentFilter => ("response.incomplete", "incomplete", Some("content_filter")),
            _ => ("response.completed", "completed", None),
        }
    }

    /// The status with which an item ends: the last one was cut off where the response was.
    fn status_of(&self, at: usize, context: &Context<'_>) -> &'static str {
        let is_cut = matches!(self.outcome(context), Outcome::Length | Outcome::ContentFilter);
        if is_cut && at + 1 == self.items.len() { "incomplete" } else { "completed" }
    }

    // ── items ────────────────────────────────────────────────────────────────

    /// Adds an item; its number.
    fn open(
        &mut self,
        prefix: &str,
        id: Option<&str>,
        content: Content,
        context: &Context<'_>,
        out: &mut Output,
    ) -> usize {
        let at = self.items.len();
        let id = id.filter(|id| self.items.iter().all(|item| item.id != *id));
        let id = id.map_or_else(|| self.head.item_id(prefix, at as u64), str::to_owned);
        let item = Item { id, content, status: None };
        let write = Nested(|out| item.write(false, context, out));
        self.events.write_item("response.output_item.added", at as u64, &write, out);
        self.items.push(item);
        at
    }

    /// Ends an item.
    fn close(&mut self, at: usize, status: &'static str, context: &Context<'_>, out: &mut Output) {
        let Some(item) = self.items.get_mut(at) else { return };
        item.status = Some(status);
        let item = &*item;
        let write = Nested(|out| item.write(true, context, out));
        self.events.write_item("response.output_item.done", at as u64, &write, out);
    }

    /// Ends the message or reasoning that is open.
    fn close_current(&mut self, context: &Context<'_>, out: &mut Output) {
        self.close_part(context, out);
        if let Some(at) = self.current.take() {
            let status = self.status_of(at, context);
            self.close(at, status, context, out);
        }
    }

    /// Ends the part that is open in it.
    fn close_part(&mut self, context: &Context<'_>, out: &mut Output) {
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
                    let members: [(&str, &dyn crate::json::ToJson); 2] =
                        [("text", &text), ("logprobs", &EMPTY_LIST)];
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

    // ── texts ────────────────────────────────────────────────────────────────

    fn add_text(&mut self, piece: &Piece, context: &Context<'_>, out: &mut Output) {
        let Piece { kind, place, ref bytes } = *piece;
        if kind == PartKind::Reasoning && context.options.reasoning == Retention::Drop {
            return lose_reasoning(out);
        }
        if self.extend(kind, place, bytes.end) {
            return self.write_delta(kind, piece.text(context), context, out);
        }
        let part = Part { kind, place, start: bytes.start, end: bytes.end, annotations: 0 };
        if kind == PartKind::Reasoning {
            self.drop_held(out);
            self.close_current(context, out);
            self.open_reasoning(part, context, out);
            return self.write_delta(kind, piece.text(context), context, out);
        }
        let held = self.held.take().filter(|held| (held.kind, held.place) == (kind, place));
        let part = Part { start: held.map_or(part.start, |held| held.start), ..part };
        if part.text(context).trim_ascii().is_empty() {
            self.held = Some(part);
        } else {
            self.open_part(part, context, out);
        }
    }

    /// Whether the text goes on with what is open.
    fn extend(&mut self, kind: PartKind, place: Place, end: usize) -> bool {
        let Some(part) = self.current_part(kind, place) else { return false };
        part.end = end;
        true
    }

    /// What is open, if it is this text.
    fn current_part(&mut self, kind: PartKind, place: Place) -> Option<&mut Part> {
        let item = self.current.and_then(|at| self.items.get_mut(at));
        let part = match item.map(|item| &mut item.content) {
            Some(Content::Message(parts)) => parts.last_mut(),
            Some(Content::Reasoning(part)) => Some(part),
            _ => None,
        };
        part.filter(|part| (part.kind, part.place) == (kind, place))
    }

    /// Opens a part of a message, and writes what is in it.
    fn open_part(&mut self, part: Part, context: &Context<'_>, out: &mut Output) {
        self.close_part(context, out);
        let is_message = |item: &Item| matches!(item.content, Content::Message(_));
        let at = match self.current.filter(|at| self.items.get(*at).is_some_and(is_message)) {
            Some(at) => at,
            None => {
                if let Some(at) = self.current.take() {
                    let status = self.status_of(at, context);
                    self.close(at, status, context, out);
                }
                self.open("msg_", None, Content::Message(Vec::new()), context, out)
            }
        };
        self.current = Some(at);
        let Some(item) = self.items.get_mut(at) else { return };
        let Content::Message(parts) = &mut item.content else { return };
        let index = parts.len() as u64;
        let place = At { item_id: &item.id, output_index: at as u64, part: Some(("content_index", index)) };
        let write = Nested(|out| part.write(false, context, out));
        self.events.write_at("response.content_part.added", place, &[("part", &write)], out);
        let (kind, text) = (part.kind, part.text(context));
        parts.push(part);
        self.write_delta(kind, text, context, out);
    }

    fn open_reasoning(&mut self, part: Part, context: &Context<'_>, out: &mut Output) {
        let has_text = part.start < part.end;
        let id = context.answer.reasoning_view(part.place).id;
        let at = self.open("rs_", id, Content::Reasoning(part), context, out);
        self.current = Some(at);
        if let Some(item) = self.items.get(at).filter(|_| has_text) {
            let place = At { item_id: &item.id, output_index: at as u64, part: Some(("summary_index", 0)) };
            let write = Nested(|out| write_summary("", out));
            self.events.write_at("response.reasoning_summary_part.added", place, &[("part", &write)], out);
        }
    }

    /// Writes more of the text that is open.
    fn write_delta(&mut self, kind: PartKind, text: &str, _context: &Context<'_>, out: &mut Output) {
        let Some((at, item)) = self.current.and_then(|at| Some((at, self.items.get(at)?))) else { return };
        if text.is_empty() {
            return;
        }
        let (name, part) = match &item.content {
            Content::Reasoning(_) => ("response.reasoning_summary_text.delta", ("summary_index", 0)),
            Content::Message(parts) => {
                let name = if kind == PartKind::Refusal {
                    "response.refusal.delta"
                } else {
                    "response.output_text.delta"
                };
                (name, ("content_index", parts.len().saturating_sub(1) as u64))
            }
            _ => return,
        };
        let place = At { item_id: &item.id, output_index: at as u64, part: Some(part) };
        if kind == PartKind::Text {
            let members: [(&str, &dyn crate::json::ToJson); 2] =
                [("delta", &text), ("logprobs", &EMPTY_LIST)];
            return self.events.write_at(name, place, &members, out);
        }
        self.events.write_at(name, place, &[("delta", &text)], out);
    }

    /// White space that nothing followed.
    fn drop_held(&mut self, out: &mut Output) {
        if self.held.take().is_some() {
            out.lost.add(WarningCode::LostText, "White space between items was dropped");
        }
    }

    /// A signature, or encrypted reasoning, is whole.
    fn seal(&mut self, Unsealed { kind, place }: Unsealed, context: &Context<'_>, out: &mut Output) {
        let is_current = self
            .current
            .and_then(|at| self.items.get(at))
            .is_some_and(|item| matches!(&item.content, Content::Reasoning(part) if part.place == place));
        if kind != PartKind::Reasoning || is_current {
            return;
        }
        if context.options.reasoning == Retention::Drop {
            return lose_reasoning(out);
        }
        let Signed { view, .. } = Signed::of(place, context);
        if view.signature.or(view.encrypted).is_some_and(|data| !data.is_empty()) {
            let end = context.answer.part_text(kind, place).len();
            self.drop_held(out);
            self.close_current(context, out);
            self.open_reasoning(Part { kind, place, start: end, end, annotations: 0 }, context, out);
            self.close_current(context, out);
        }
    }

    fn annotate(&mut self, place: Place, context: &Context<'_>, out: &mut Output) {
        let from = self.written.annotations(place, context);
        for annotation in context.answer.annotations_at(place).get(from..).unwrap_or_default() {
            let Some(citation) = url_citation_of(annotation) else {
                let message =
                    "Annotations that aren't citations of a web page, with a place in the text, were dropped";
                out.lost.add(WarningCode::LostAnnotations, message);
                continue;
            };
            if self.current_part(PartKind::Text, place).is_none() {
                let message = "Annotations that came before or after their text were dropped";
                out.lost.add(WarningCode::LostAnnotations, message);
                continue;
            }
            let Some((at, item)) = self.current.and_then(|at| Some((at, self.items.get_mut(at)?))) else {
                return;
            };
            let Content::Message(parts) = &mut item.content else { return };
            let index = parts.len().saturating_sub(1) as u64;
            let Some(part) = parts.last_mut() else { return };
            let number = part.annotations;
            part.annotations += 1;
            let place =
                At { item_id: &item.id, output_index: at as u64, part: Some(("content_index", index)) };
            let citation = citation.to_responses();
            let members: [(&str, &dyn crate::json::ToJson); 2] =
                [("annotation_index", &number), ("annotation", &Json(&citation))];
            self.events.write_at("response.output_text.annotation.added", place, &members, out);
        }
    }

    /// A part that comes as a whole: only images have a place.
    fn add_part(&mut self, place: Place, context: &Context<'_>, out: &mut Output) {
        let is_image =
            matches!(context.answer.whole_part(place), Some(ContentPart::Image { base64: Some(_), .. }));
        if !is_image {
            return lose_note(Note::Part { place }, context, out);
        }
        if self.items.iter().any(|item| item.content == Content::Image(place)) {
            return;
        }
        self.drop_held(out);
        self.close_current(context, out);
        let at = self.open("ig_", None, Content::Image(place), context, out);
        self.close(at, "completed", context, out);
    }

    // ── calls ────────────────────────────────────────────────────────────────

    /// A call that is open: its number, and how much of its arguments was written.
    fn call(&mut self, place: Place) -> Option<(usize, &mut usize)> {
        let at = self.items.iter().rposition(|item| item.is_open_call(place))?;
        match &mut self.items.get_mut(at)?.content {
            Content::Call { end, .. } => Some((at, end)),
            _ => None,
        }
    }

    fn start_call(&mut self, place: Place, context: &Context<'_>, out: &mut Output) {
        let is_known = |item: &Item| matches!(item.content, Content::Call { place: at, .. } if at == place);
        if self.items.iter().any(is_known) {
            return;
        }
        self.has_calls = true;
        self.drop_held(out);
        self.close_current(context, out);
        self.open("fc_", None, Content::Call { place, end: 0 }, context, out);
    }

    fn write_arguments(&mut self, place: Place, end: usize, context: &Context<'_>, out: &mut Output) {
        let Some((at, written)) = self.call(place) else {
            let message = "Arguments that came after the end of their call were dropped";
            return out.lost.add(WarningCode::LostText, message);
        };
        let from = std::mem::replace(written, end.max(*written));
        let piece = context.answer.arguments_at(place).get(from..end).unwrap_or_default();
        let Some(item) = self.items.get(at).filter(|_| !piece.is_empty()) else { return };
        let at = At { item_id: &item.id, output_index: at as u64, part: None };
        self.events.write_at("response.function_call_arguments.delta", at, &[("delta", &piece)], out);
    }

    fn end_call(&mut self, place: Place, context: &Context<'_>, out: &mut Output) {
        if self.call(place).is_none() {
            return;
        }
        let answer = context.answer;
        let arguments = answer.arguments_at(place);
        self.write_arguments(place, arguments.len(), context, out);
        let Some((at, _)) = self.call(place) else { return };
        let Some(item) = self.items.get(at) else { return };
        let name = answer.call_name(place).unwrap_or_default();
        let members: [(&str, &dyn crate::json::ToJson); 2] = [("name", &name), ("arguments", &arguments)];
        let event = At { item_id: &item.id, output_index: at as u64, part: None };
        self.events.write_at("response.function_call_arguments.done", event, &members, out);
        let is_cut = answer.arguments_state(place) == ProgressState::Partial;
        let status = if is_cut { "incomplete" } else { self.status_of(at, context) };
        self.close(at, status, context, out);
    }
}

/// The place of a call that is open.
fn open_call(item: &Item) -> Option<Place> {
    match item.content {
        Content::Call { place, .. } if item.status.is_none() => Some(place),
        _ => None,
    }
}

fn write_summary(text: &str, out: &mut String) {
    crate::encode::json::object!(out, "type": &"summary_text", "text": &text);
}

fn lose_reasoning(out: &mut Output) {
    out.lost.add(WarningCode::LostReasoning, "Reasoning was left out, as `reasoning` asks for");
}
