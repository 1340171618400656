//! Writes a stream of events, in which one block is open at a time.

use std::collections::VecDeque;

use super::block::{Block, BlockKind};
use super::expand::expand;
use super::passthrough::PassthroughState;
use super::{body, events, stop_reason};
use crate::accumulator::{Note, PartKind, Place, ProviderFields};
use crate::encode::choices::OnlyChoice;
use crate::encode::failure::write_anthropic_error;
use crate::encode::head::Head;
use crate::encode::json::{Json, Nested};
use crate::encode::losses::report_lost_note;
use crate::encode::outcome::{Outcome, choice_outcome};
use crate::encode::signature_tracking::Seals;
use crate::encode::usage::Counts;
use crate::encode::writer::{Context, NativeEvent, Output, Writer};
use crate::encode::written_texts::WrittenTexts;
use crate::json::Value;
use crate::keyed::Keyed;
use crate::model::{Failure, WarningCode};
use crate::save::state;
use crate::stream::CopiedEvent;

/// Writes messages.
#[derive(Default)]
pub(in crate::encode) struct AnthropicWriter {
    head: Head,
    /// Blocks that began and aren't closed. The first one is open; the content of the others stays in the builder until
    /// it is closed.
    pub(super) queue: VecDeque<Block>,
    /// Number of blocks that were written.
    pub(super) index: u64,
    /// The blocks that were written, if a body is needed.
    pub(super) blocks: Option<Vec<Block>>,
    /// Calls that began.
    pub(super) calls: Keyed<Place, bool>,
    pub(super) has_refusal: bool,
    written: WrittenTexts,
    seals: Seals,
    /// Lengths of the signatures that were written. If the text after the reasoning came in the same read, its
    /// signature is written before it is noted.
    pub(super) signature_lengths: Keyed<Place, usize>,
    choice: OnlyChoice,
    passed: PassthroughState,
}

state! {
    struct AnthropicWriter {
        head, queue, index, calls, has_refusal, written, seals, signature_lengths, choice, passed,
    } anew { blocks }
}

impl Writer for AnthropicWriter {
    fn begin(&mut self, head: Head, context: &Context<'_>, out: &mut Output) {
        events::message_start(&head, context.options.input_tokens, context.answer.usage(), out);
        self.head = head;
    }

    fn write_note(&mut self, note: Note, context: &Context<'_>, out: &mut Output) {
        if !self.choice.accept(note, out) {
            return;
        }
        if let Note::TextMoved { kind, place, by } = note {
            if self.written.move_text(kind, place, by, out) {
                let blocks = self.queue.iter_mut().chain(self.blocks.iter_mut().flatten());
                blocks.for_each(|block| block.move_text(kind, place, by));
            }
            return;
        }
        if let Some(part) = self.seals.completed_by(note) {
            self.add_signature(part, context, out);
        }
        if let Some(piece) = self.written.next(note) {
            self.add_text(&piece, context, out);
        } else {
            self.add(note, context, out);
        }
        self.write(false, context, out);
    }

    fn write_held_back(&mut self, context: &Context<'_>, out: &mut Output) {
        for note in self.choice.take_fallback_notes(context, out) {
            self.write_note(note, context, out);
        }
        if let Some(part) = self.seals.take() {
            self.add_signature(part, context, out);
        }
        // An incomplete call stays open, as it may have been cut off, and a client may run calls that have ended.
        for block in &mut self.queue {
            block.is_over |= block.kind != BlockKind::Call;
        }
        self.write(true, context, out);
    }

    fn complete(&mut self, context: &Context<'_>, out: &mut Output) {
        self.write_held_back(context, out);
        for block in &mut self.queue {
            if block.kind == BlockKind::Call {
                block.end_call(block.end, context);
            }
        }
        self.write(true, context, out);
        let counts = Counts::of(context.answer.usage(), out).unwrap_or_else(|| Counts::unknown(out));
        events::message_end(self.stop_reason(context), Some(&counts), out);
    }

    fn fail(&mut self, failure: &Failure, context: &Context<'_>, out: &mut Output) {
        if self.queue.len() > 1 {
            let message = "Content after a call that was cut off was dropped: it would end the call";
            out.lost.add(WarningCode::LostText, message);
        }
        out.event(Some("error"), &Nested(|out| write_anthropic_error(failure, context.status, out)));
    }

    fn resume_passthrough(&mut self, head: Head, _next: u64, _fields: &ProviderFields) {
        self.head = head;
    }

    fn is_failure(&self, event: Value<'_>) -> bool {
        event.get("type").is_some_and(|kind| kind.is("error"))
            && event.get("error").is_some_and(Value::is_object)
    }

    fn correct_event(&self, event: CopiedEvent<'_>) -> Option<String> {
        self.passed.correct_index(event)
    }

    fn track_event(&mut self, event: CopiedEvent<'_>) -> bool {
        self.passed.track_event(event)
    }

    fn complete_passthrough(&mut self, context: &Context<'_>, out: &mut Output) {
        let has_calls = !context.answer.calls_of(0).is_empty();
        let stop_reason = stop_reason(choice_outcome(0, has_calls, context));
        self.passed.complete(stop_reason, Counts::of(context.answer.usage(), out).as_ref(), out);
    }

    fn expand(&self, body: Value<'_>) -> Vec<NativeEvent> {
        expand(body)
    }

    fn envelope(&self) -> Option<&'static str> {
        Some("message")
    }

    fn heartbeat(&self, out: &mut Output) {
        out.event(Some("ping"), &Json("{\"type\":\"ping\"}"));
    }

    fn keep_body(&mut self) {
        self.blocks = Some(Vec::new());
    }

    fn body(&mut self, context: &Context<'_>, out: &mut Output) -> String {
        let counts = Counts::of(context.answer.usage(), out);
        let blocks = self.blocks.take().unwrap_or_default();
        body::write(&self.head, &blocks, self.stop_reason(context), counts.as_ref(), context)
    }
}

impl AnthropicWriter {
    fn stop_reason(&self, context: &Context<'_>) -> &'static str {
        let outcome = choice_outcome(self.choice.index, !self.calls.is_empty(), context);
        // A refusal is written as text, so only the stop reason marks it as one.
        if self.has_refusal && outcome == Outcome::Stop {
            return stop_reason(Outcome::ContentFilter);
        }
        stop_reason(outcome)
    }

    fn add(&mut self, note: Note, context: &Context<'_>, out: &mut Output) {
        match note {
            Note::CallStart { place } => self.start_call(place, context, out),
            Note::CallArguments { place, end } => self.extend_call(place, end, context, out),
            Note::CallMoved { place, by, end } => self.move_arguments(place, by, end, out),
            Note::CallReplaced { place, end } => self.replace_arguments(place, end, out),
            Note::CallEnd { place, end } => {
                if let Some(call) = self.call(place) {
                    call.end_call(end, context);
                }
            }
            Note::Signature { kind: PartKind::Text, .. } => out.lost.add(
                WarningCode::LostSignature,
                "A text signature was dropped: the interface doesn't sign text",
            ),
            Note::Annotations { .. } => {
                out.lost.add(WarningCode::LostAnnotations, "Annotations of the text were dropped");
            }
            other => report_lost_note(other, context, out),
        }
    }
}
