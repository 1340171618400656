//! Writes a stream of chunks.

use super::body::{self, USAGE};
use super::calls::CallWriter;
use super::events::Chunks;
use super::expand::expand;
use super::finish_reason;
use super::reasoning::Entry;
use crate::accumulator::{Note, Place, ProviderFields};
use crate::collect::Collect;
use crate::encode::failure::write_openai_error;
use crate::encode::head::Head;
use crate::encode::json::{Json, Nested};
use crate::encode::losses::report_lost_note;
use crate::encode::options::EncodeOptions;
use crate::encode::outcome::choice_outcome;
use crate::encode::signature_tracking::Seals;
use crate::encode::usage::Counts;
use crate::encode::writer::{Context, NativeEvent, Output, Writer};
use crate::encode::written_texts::{WrittenTexts, report_late_beginning, report_replaced_arguments};
use crate::json::{Document, Value, find};
use crate::keyed::Keyed;
use crate::model::Failure;
use crate::save::state;
use crate::stream::CopiedEvent;

/// Writes chat completions.
#[derive(Default)]
pub(in crate::encode) struct ChatWriter {
    head: Head,
    pub(super) chunks: Chunks,
    /// Choices in the order in which they began.
    pub(super) choices: Vec<ChoiceWriter>,
    pub(super) written: WrittenTexts,
    seals: Seals,
}

state! { struct ChatWriter { head, chunks, choices, written, seals } }

/// Highest index before which missing choices are begun. No request can have asked for more.
const MAX_MISSING_CHOICES: u32 = 128;

/// State of a choice that was begun.
pub(super) struct ChoiceWriter {
    index: u32,
    pub(super) calls: Keyed<Place, CallWriter>,
    /// Entries of `reasoning_details`.
    pub(super) details: Vec<Entry>,
}

state! { struct ChoiceWriter { index, calls, details } }

impl ChoiceWriter {
    fn new(index: u32) -> Self {
        Self { index, calls: Keyed::default(), details: Vec::new() }
    }
}

impl Writer for ChatWriter {
    fn begin(&mut self, head: Head, context: &Context<'_>, out: &mut Output) {
        self.chunks = Chunks::new(&head, context.options.include_usage);
        self.head = head;
        let first = context.answer.choice_indices().next().unwrap_or_default();
        self.choice(first, out);
    }

    fn write_note(&mut self, note: Note, context: &Context<'_>, out: &mut Output) {
        if let Note::TextMoved { kind, place, by } = note {
            self.written.move_text(kind, place, by, out);
            return;
        }
        if let Some(part) = self.seals.completed_by(note) {
            self.add_signature(part, context, out);
        }
        if let Some(piece) = self.written.next(note) {
            return self.write_text(&piece, context, out);
        }
        match note {
            Note::CallStart { place } => self.start_call(place, context, out),
            Note::CallArguments { place, end } => self.write_arguments(place, end, context, out),
            Note::CallMoved { place, by, end } => {
                if let Some((_, call)) = self.call(place, out).filter(|(_, call)| call.end > 0) {
                    call.end += by;
                    report_late_beginning(out);
                }
                self.write_arguments(place, end, context, out);
            }
            Note::CallReplaced { place, end } => {
                if let Some((_, call)) = self.call(place, out).filter(|(_, call)| call.end > 0) {
                    call.end = 0;
                    report_replaced_arguments(out);
                }
                self.write_arguments(place, end, context, out);
            }
            Note::CallEnd { place, end } => self.end_call(place, end, context, out),
            Note::Logprobs { place, end } => self.write_logprobs(place, end, context, out),
            other => report_lost_note(other, context, out),
        }
    }

    fn write_held_back(&mut self, context: &Context<'_>, out: &mut Output) {
        if let Some(part) = self.seals.take() {
            self.add_signature(part, context, out);
        }
        self.write_annotations(context, out);
    }

    fn complete(&mut self, context: &Context<'_>, out: &mut Output) {
        self.write_held_back(context, out);
        for choice in context.answer.choice_indices() {
            self.choice(choice, out);
        }
        for choice in &self.choices {
            let outcome = choice_outcome(choice.index, !choice.calls.is_empty(), context);
            self.chunks.finish(choice.index, finish_reason(outcome), out);
        }
        if let Some(counts) = Counts::for_openai(context.answer.usage(), out)
            && context.options.include_usage
        {
            self.chunks.usage(&Nested(|out| counts.write_openai(&USAGE, out)), out);
        }
        out.event(None, &Json("[DONE]"));
    }

    fn fail(&mut self, failure: &Failure, context: &Context<'_>, out: &mut Output) {
        out.event(None, &Nested(|out| write_openai_error(failure, context.status, out)));
    }

    fn resume_passthrough(&mut self, head: Head, _next: u64, _fields: &ProviderFields) {
        self.chunks = Chunks::new(&head, false);
        self.head = head;
    }

    fn is_failure(&self, event: Value<'_>) -> bool {
        event.get("error").is_some_and(Value::is_object)
    }

    /// The chunk with the usage, which has no choices, is sent only on request.
    fn is_unwanted(&self, event: CopiedEvent<'_>, options: &EncodeOptions) -> bool {
        if options.include_usage || find(event.data, "\"usage\"", 0).is_none() {
            return false;
        }
        let Ok(document) = Document::parse(event.data, usize::MAX) else { return false };
        let root = document.root();
        let is_without_choices = root.get("choices").is_some() && root.get_items("choices").next().is_none();
        is_without_choices && root.get("usage").is_some_and(Value::is_object) && root.get("error").is_none()
    }

    /// Remembers which choices have begun, as the answer has only those with content. The end marker is written with
    /// the end.
    fn track_event(&mut self, event: CopiedEvent<'_>) -> bool {
        if find(event.data, "\"role\"", 0).is_some()
            && let Ok(document) = Document::parse(event.data, usize::MAX)
        {
            let choices = document.root().get_items("choices").map(|choice| choice.get_unsigned("index"));
            for index in choices.filter_map(|index| u32::try_from(index.unwrap_or_default()).ok()) {
                let is_known = self.choices.iter().any(|choice| choice.index == index);
                if !is_known && index <= MAX_MISSING_CHOICES {
                    self.choices.push(ChoiceWriter::new(index));
                }
            }
        }
        false
    }

    fn complete_passthrough(&mut self, context: &Context<'_>, out: &mut Output) {
        let mut choices = context.answer.choice_indices().collect_vec();
        for ChoiceWriter { index, .. } in &self.choices {
            if let Err(at) = choices.binary_search(index) {
                choices.insert(at, *index);
            }
        }
        for choice in choices {
            if context.answer.finish_of(choice).0.is_none() {
                let has_calls = !context.answer.calls_of(choice).is_empty();
                let reason = finish_reason(choice_outcome(choice, has_calls, context));
                self.chunks.finish(choice, reason, out);
            }
        }
        out.event(None, &Json("[DONE]"));
    }

    fn expand(&self, body: Value<'_>) -> Vec<NativeEvent> {
        expand(body)
    }

    fn envelope(&self) -> Option<&'static str> {
        None
    }

    fn body(&mut self, context: &Context<'_>, out: &mut Output) -> String {
        body::write(&self.head, context, out)
    }
}

impl ChatWriter {
    /// Returns the position of the choice with this index, and begins it if necessary, with a chunk that has the role.
    /// Missing choices before it are begun first, as clients keep choices in a list.
    pub(super) fn choice(&mut self, index: u32, out: &mut Output) -> usize {
        if let Some(at) = self.choices.iter().position(|choice| choice.index == index) {
            return at;
        }
        if let Some(before) = index.checked_sub(1).filter(|_| index <= MAX_MISSING_CHOICES) {
            self.choice(before, out);
        }
        self.chunks.delta(index, &Json("{\"role\":\"assistant\",\"content\":\"\"}"), out);
        self.choices.push(ChoiceWriter::new(index));
        self.choices.len() - 1
    }
}
