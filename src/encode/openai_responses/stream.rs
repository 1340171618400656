//! Writes a stream of events.

use super::body::{self, State};
use super::events::Events;
use super::expand::expand;
use super::item::{Content, Item, SignatureLengths, Status};
use super::item_list::ItemList;
use super::part::Part;
use crate::accumulator::{Note, Place, ProviderFields};
use crate::collect::Collect;
use crate::encode::choices::OnlyChoice;
use crate::encode::head::Head;
use crate::encode::json::{Nested, one_line};
use crate::encode::losses::report_lost_note;
use crate::encode::outcome::{Outcome, choice_outcome};
use crate::encode::signature_tracking::Seals;
use crate::encode::usage::Counts;
use crate::encode::writer::{Context, NativeEvent, Output, Writer};
use crate::encode::written_texts::{WrittenTexts, report_late_beginning};
use crate::json::{RawJson, Value};
use crate::keyed::Keyed;
use crate::model::{ApiSpecific, Failure, ToolCall, ToolCallStatus};
use crate::save::state;
use crate::stream::CopiedEvent;

/// Writes responses. The methods for texts are in `texts.rs`, and those for items in `items.rs`.
#[derive(Default)]
pub(in crate::encode) struct ResponsesWriter {
    pub(super) head: Head,
    pub(super) events: Events,
    pub(super) items: ItemList,
    /// Index of the open message or reasoning item. Calls may be open at the same time.
    pub(super) current: Option<usize>,
    /// White space outside of messages, which doesn't open one by itself.
    pub(super) held_back: Vec<Part>,
    pub(super) has_calls: bool,
    /// Calls that got arguments since the last item was opened.
    pub(super) calls_with_new_arguments: Keyed<Place, bool>,
    pub(super) written: WrittenTexts,
    pub(super) seals: Seals,
    pub(super) choice: OnlyChoice,
}

state! {
    struct ResponsesWriter {
        head, events, items, current, held_back, has_calls, calls_with_new_arguments, written, seals, choice,
    } if has_valid_index
}

impl Writer for ResponsesWriter {
    fn begin(&mut self, head: Head, context: &Context<'_>, out: &mut Output) {
        self.head = head;
        for name in ["response.created", "response.in_progress"] {
            let state = State { status: "in_progress", ..State::default() };
            self.write_response(name, &state, context, out);
        }
    }

    fn write_note(&mut self, note: Note, context: &Context<'_>, out: &mut Output) {
        if !self.choice.accept(note, out) {
            return;
        }
        if let Note::TextMoved { kind, place, by } = note {
            return self.move_text(kind, place, by, out);
        }
        if let Some(part) = self.seals.completed_by(note) {
            self.add_signature(part, context, out);
        }
        if let Some(piece) = self.written.next(note) {
            return self.add_text(&piece, context, out);
        }
        match note {
            Note::CallStart { place } => self.start_call(place, context, out),
            Note::CallArguments { place, end } => self.write_arguments(place, end, context, out),
            Note::CallMoved { place, by, end } => {
                if let Some((_, written)) = self.call(place).filter(|(_, written)| **written > 0) {
                    *written += by;
                    report_late_beginning(out);
                }
                self.write_arguments(place, end, context, out);
            }
            Note::CallReplaced { place, end } => self.replace_arguments(place, end, context, out),
            Note::CallEnd { place, end } => self.end_call(place, end, context, out),
            Note::Annotations { place, end } => {
                self.written.beside(place).annotations = end;
                self.write_annotations(place, false, context, out);
            }
            // Log probabilities are written at the end of their text.
            Note::Logprobs { place, end } => self.written.beside(place).logprobs = end,
            Note::Part { place } => self.add_part(place, context, out),
            other => report_lost_note(other, context, out),
        }
    }

    fn write_held_back(&mut self, context: &Context<'_>, out: &mut Output) {
        for note in self.choice.take_fallback_notes(context, out) {
            self.write_note(note, context, out);
        }
        if let Some(part) = self.seals.take() {
            self.add_signature(part, context, out);
        }
        self.report_lost_previews(context, out);
        if self.items.is_empty() {
            self.open_held_back(context, out);
        } else {
            self.drop_held_back(context, out);
        }
    }

    fn complete(&mut self, context: &Context<'_>, out: &mut Output) {
        self.write_held_back(context, out);
        self.close_last(context, out);
        self.report_lost_metadata(context, out);
        let open = self.items.iter().filter_map(Item::open_call).collect_vec();
        for (place, end) in open {
            self.end_call(place, end, context, out);
        }
        let (name, status, reason) = self.ending(context);
        let counts = Counts::for_openai(context.answer.usage(), out).unwrap_or_else(|| Counts::unknown(out));
        let state = State { status, reason, failure: None, counts: Some(&counts) };
        self.write_response(name, &state, context, out);
    }

    fn must_begin(&self) -> bool {
        true
    }

    fn fail(&mut self, failure: &Failure, context: &Context<'_>, out: &mut Output) {
        // Calls stay open, as a client may run calls that have ended.
        self.close_with(Status::Incomplete, context, out);
        self.mark_truncated_calls(context);
        let counts = Counts::for_openai(context.answer.usage(), out);
        let (failure, counts) = (Some(failure), counts.as_ref());
        let state = State { status: "failed", reason: None, failure, counts };
        self.write_response("response.failed", &state, context, out);
    }

    fn resume_passthrough(&mut self, head: Head, next: u64, fields: &ProviderFields) {
        self.events.continue_from(next);
        self.head = head;
        if let Some(ApiSpecific::OpenaiResponses { output_items, .. }) = &fields.api_specific {
            let unchanged = |raw: &RawJson| Item {
                id: String::new(),
                content: Content::Unchanged(one_line(raw)),
                status: None,
                seal: SignatureLengths::default(),
            };
            self.items = ItemList::of(output_items.iter().map(unchanged));
        }
    }

    fn is_failure(&self, event: Value<'_>) -> bool {
        event.get("type").is_some_and(|kind| kind.is("error") || kind.is("response.failed"))
    }

    fn track_event(&mut self, event: CopiedEvent<'_>) -> bool {
        let ends = ["response.completed", "response.incomplete", "response.failed", "response.cancelled"];
        ends.contains(&event.name)
    }

    fn complete_passthrough(&mut self, context: &Context<'_>, out: &mut Output) {
        self.complete(context, out);
    }

    fn expand(&self, body: Value<'_>) -> Vec<NativeEvent> {
        expand(body)
    }

    fn envelope(&self) -> Option<&'static str> {
        Some("response")
    }

    fn body(&mut self, context: &Context<'_>, out: &mut Output) -> String {
        let (_, status, reason) = self.ending(context);
        let counts = Counts::for_openai(context.answer.usage(), out).unwrap_or_else(|| Counts::unknown(out));
        let state = State { status, reason, failure: None, counts: Some(&counts) };
        let mut body = String::new();
        body::write(&self.head, self.items.as_slice(), &state, context, &mut body);
        body
    }
}

impl ResponsesWriter {
    /// Whether the open item exists.
    fn has_valid_index(&self) -> bool {
        self.current.is_none_or(|at| at < self.items.len())
    }

    /// Marks the items of calls that were cut off: in a stream that was passed on, they still have the status
    /// `in_progress`.
    fn mark_truncated_calls(&mut self, context: &Context<'_>) {
        let statuses = context.answer.tool_call_status();
        let calls = context.answer.tool_calls().into_iter().zip(statuses);
        let is_cut = |(_, status): &(ToolCall, ToolCallStatus)| *status == ToolCallStatus::Truncated;
        let ids = calls.filter(is_cut).map(|(call, _)| call.id).collect_vec();
        if !ids.is_empty() {
            self.items.iter_mut().for_each(|item| item.mark_incomplete(&ids));
        }
    }

    fn write_response(
        &mut self,
        name: &'static str,
        state: &State<'_>,
        context: &Context<'_>,
        out: &mut Output,
    ) {
        let (head, items) = (&self.head, self.items.as_slice());
        let response = Nested(|out| body::write(head, items, state, context, out));
        self.events.write(name, ("response", &response), out);
    }

    fn outcome<'a>(&self, context: &Context<'a>) -> Outcome<'a> {
        choice_outcome(self.choice.index, self.has_calls, context)
    }

    /// Returns the name of the last event, the status, and the reason why the response is incomplete.
    fn ending<'a>(&self, context: &Context<'a>) -> (&'static str, &'static str, Option<&'a str>) {
        match self.outcome(context) {
            Outcome::Length => ("response.incomplete", "incomplete", Some("max_output_tokens")),
            Outcome::ContentFilter => ("response.incomplete", "incomplete", Some("content_filter")),
            Outcome::Limit(word) => ("response.incomplete", "incomplete", Some(word)),
            _ => ("response.completed", "completed", None),
        }
    }

    /// Returns the status with which the open message or reasoning ends when the response ends.
    pub(super) fn last_status(&self, context: &Context<'_>) -> Status {
        match self.outcome(context) {
            Outcome::Length | Outcome::Limit(_) | Outcome::ContentFilter => Status::Incomplete,
            _ => Status::Completed,
        }
    }
}
