//! A stream of chunks.

use super::chunk::Chunks;
use super::reasoning::{Content, Detail, Entry, write_piece};
use super::{USAGE, body, finish_reason};
use crate::accumulator::{Note, PartKind, Place, ProviderFields};
use crate::encode::failure::write_openai_error;
use crate::encode::head::Head;
use crate::encode::json::{Nested, object};
use crate::encode::lost::lose_note;
use crate::encode::options::{EncodeOptions, Retention};
use crate::encode::outcome::outcome_of;
use crate::encode::repeats::Pieces;
use crate::encode::seal::{Seals, Signed};
use crate::encode::usage::Counts;
use crate::encode::writer::{Context, Output, Writer};
use crate::encode::written::{PartAt, Piece, Written, lose_beginning, lose_replaced};
use crate::json::{Document, ProgressState, ToJson, Value};
use crate::keyed::Keyed;
use crate::model::{Failure, WarningCode};
use crate::save::state;
use crate::stream::EchoedEvent;

/// Writes chat completions.
#[derive(Default)]
pub(in crate::encode) struct ChatWriter {
    head: Head,
    pub(super) chunks: Chunks,
    /// In the order in which they began.
    choices: Vec<ChoiceWriter>,
    pub(super) written: Written,
    seals: Seals,
}

state! { struct ChatWriter { head, chunks, choices, written, seals } }

/// Before a choice with a higher number no others begin: no request can have asked for so many.
const MAX_BEFORE: u32 = 128;

/// What was written of a choice.
struct ChoiceWriter {
    index: u32,
    calls: Keyed<Place, CallWriter>,
    /// Its `reasoning_details`.
    details: Vec<Entry>,
}

state! { struct ChoiceWriter { index, calls, details } }

/// What was written of a call.
struct CallWriter {
    number: u64,
    end: usize,
    is_over: bool,
    is_signed: bool,
}

state! { struct CallWriter { number, end, is_over, is_signed } }

impl Writer for ChatWriter {
    fn begin(&mut self, head: Head, context: &Context<'_>, out: &mut Output) {
        self.chunks = Chunks::new(&head, context.options.include_usage);
        self.head = head;
        let first = context.answer.choice_indices().next().unwrap_or_default();
        self.choice(first, out);
    }

    fn note(&mut self, note: Note, context: &Context<'_>, out: &mut Output) {
        if let Some(unsealed) = self.seals.take_in(note) {
            self.seal(unsealed, context, out);
        }
        if let Some(piece) = self.written.next(note, out) {
            return self.write_text(&piece, context, out);
        }
        match note {
            Note::CallStart { place } => self.start_call(place, context, out),
            Note::CallArguments { place, end } => self.write_arguments(place, end, context, out),
            Note::CallMoved { place, by, end } => {
                if let Some((_, call)) = self.call(place, out).filter(|(_, call)| call.end > 0) {
                    call.end += by;
                    lose_beginning(out);
                }
                self.write_arguments(place, end, context, out);
            }
            Note::CallReplaced { place, end } => {
                if let Some((_, call)) = self.call(place, out).filter(|(_, call)| call.end > 0) {
                    call.end = end;
                    lose_replaced(out);
                }
                self.write_arguments(place, end, context, out);
            }
            Note::CallEnd { place, end } => self.end_call(place, end, context, out),
            Note::Logprobs { place, end } => self.write_logprobs(place, end, context, out),
            other => lose_note(other, context, out),
        }
    }

    fn settle(&mut self, context: &Context<'_>, out: &mut Output) {
        if let Some(unsealed) = self.seals.take() {
            self.seal(unsealed, context, out);
        }
        self.write_annotations(context, out);
    }

    fn complete(&mut self, context: &Context<'_>, out: &mut Output) {
        self.settle(context, out);
        for choice in context.answer.choice_indices() {
            self.choice(choice, out);
        }
        for choice in &self.choices {
            let outcome = outcome_of(choice.index, !choice.calls.is_empty(), context);
            self.chunks.finish(choice.index, finish_reason(outcome), out);
        }
        if let Some(counts) = Counts::of_openai(context.answer.usage(), out)
            && context.options.include_usage
        {
            self.chunks.usage(&Nested(|out| counts.write_openai(&USAGE, out)), out);
        }
        out.event(None, |out| out.push_str("[DONE]"));
    }

    fn fail(&mut self, failure: &Failure, _context: &Context<'_>, out: &mut Output) {
        out.event(None, |out| write_openai_error(failure, None, out));
    }

    fn take_over(&mut self, head: Head, _next: u64, _fields: &ProviderFields) {
        self.chunks = Chunks::new(&head, false);
        self.head = head;
    }

    fn is_failure(&self, event: Value<'_>) -> bool {
        event.get("error").is_some_and(Value::is_object)
    }

    /// The chunk with the usage, which has no choices.
    fn is_unwanted(&self, event: EchoedEvent<'_>, options: &EncodeOptions) -> bool {
        if options.include_usage || !event.data.contains("\"usage\"") {
            return false;
        }
        let Ok(document) = Document::parse(event.data, usize::MAX) else { return false };
        let root = document.root();
        let is_without_choices = root.get("choices").is_some() && root.get_items("choices").next().is_none();
        is_without_choices && root.get("usage").is_some_and(Value::is_object) && root.get("error").is_none()
    }

    /// The marker is written with the end.
    fn pass(&mut self, _event: EchoedEvent<'_>) -> bool {
        false
    }

    fn complete_passed(&mut self, context: &Context<'_>, out: &mut Output) {
        for choice in context.answer.choice_indices() {
            if context.answer.finish_of(choice).0.is_none() {
                let has_calls = !context.answer.calls_of(choice).is_empty();
                let reason = finish_reason(outcome_of(choice, has_calls, context));
                self.chunks.finish(choice, reason, out);
            }
        }
        out.event(None, |out| out.push_str("[DONE]"));
    }

    fn envelope(&self) -> Option<&'static str> {
        None
    }

    fn body(&mut self, context: &Context<'_>, out: &mut Output) -> String {
        body::write(&self.head, context, out)
    }
}

impl ChatWriter {
    /// The choice of this index; its first chunk has the role. Those before it begin with it: clients have them in a list.
    pub(super) fn choice(&mut self, index: u32, out: &mut Output) -> usize {
        if let Some(at) = self.choices.iter().position(|choice| choice.index == index) {
            return at;
        }
        if let Some(before) = index.checked_sub(1).filter(|_| index <= MAX_BEFORE) {
            self.choice(before, out);
        }
        self.chunks.delta(index, out, |out| object!(out, "role": &"assistant", "content": &""));
        self.choices.push(ChoiceWriter { index, calls: Keyed::default(), details: Vec::new() });
        self.choices.len() - 1
    }

    fn write_text(&mut self, piece: &Piece, context: &Context<'_>, out: &mut Output) {
        let index = piece.place.choice;
        if piece.kind == PartKind::Reasoning && context.options.reasoning == Retention::Drop {
            return out.lost.add_reasoning();
        }
        let at = self.choice(index, out);
        let signed = Signed::of(piece.place, context);
        // Details are read part by part, everything else as one text.
        let is_apart = piece.kind == PartKind::Reasoning && signed.format.is_some();
        let text = context.answer.part_text(piece.kind, piece.place);
        let text = text.get(piece.sealed..piece.bytes.end).unwrap_or_default();
        let lead = if is_apart { Some(0) } else { self.written.others_before(piece, context) };
        for text in Pieces::behind(lead, text, piece.bytes.start.saturating_sub(piece.sealed)) {
            let detail = if is_apart { self.detail(at, piece.place, false, &signed) } else { None };
            self.chunks.delta(index, out, |out| match piece.kind {
                PartKind::Reasoning => write_piece(detail.as_ref(), text, out),
                PartKind::Refusal => object!(out, "refusal": &text),
                _ => object!(out, "content": &text),
            });
        }
    }

    /// The next piece of an entry of the choice with this number.
    fn detail<'a>(
        &mut self,
        at: usize,
        place: Place,
        is_encrypted: bool,
        signed: &'a Signed<'a>,
    ) -> Option<Detail<'a>> {
        self.choices.get_mut(at).map(|choice| Detail::next(place, is_encrypted, signed, &mut choice.details))
    }

    /// Writes a signature that is whole.
    fn seal(&mut self, PartAt { kind, place }: PartAt, context: &Context<'_>, out: &mut Output) {
        if kind == PartKind::Text {
            let signature = context.answer.text_signature(place).unwrap_or_default();
            self.choice(place.choice, out);
            self.written.seal_texts(place.choice);
            return self.chunks.delta(place.choice, out, |out| {
                object!(out, "extra_content": &google(signature));
            });
        }
        if context.options.reasoning == Retention::Drop {
            return out.lost.add_reasoning();
        }
        let signed = Signed::of(place, context);
        let at = self.choice(place.choice, out);
        let contents = [
            signed.view.signature.map(Content::Signature),
            signed.view.encrypted.filter(|data| !data.is_empty()).map(Content::Encrypted),
        ];
        for content in contents.into_iter().flatten() {
            let is_encrypted = matches!(content, Content::Encrypted(_));
            let Some(detail) = self.detail(at, place, is_encrypted, &signed) else { return };
            self.chunks.delta(place.choice, out, |out| {
                object!(out, "reasoning_details": &Nested(|out| {
                    out.push('[');
                    detail.write(content, out);
                    out.push(']');
                }));
            });
        }
    }

    // ── calls ────────────────────────────────────────────────────────────────

    /// A call that began, and its number in its choice.
    fn call(&mut self, place: Place, out: &mut Output) -> Option<(u64, &mut CallWriter)> {
        let at = self.choice(place.choice, out);
        let call = self.choices.get_mut(at)?.calls.get_mut(&place)?;
        Some((call.number, call))
    }

    fn start_call(&mut self, place: Place, context: &Context<'_>, out: &mut Output) {
        let at = self.choice(place.choice, out);
        let Some(choice) = self.choices.get_mut(at) else { return };
        if choice.calls.get(&place).is_some() {
            return;
        }
        let number = choice.calls.len() as u64;
        // OpenAI's own client rejects any other call in a stream.
        if context.is_custom(place) {
            let message =
                "The call of a custom tool was written as that of a function, with its text as a JSON string";
            out.lost.add(WarningCode::LostContent, message);
        }
        let (answer, signature) = (context.answer, context.answer.call_signature_in_time(place));
        let call = CallWriter { number, end: 0, is_over: false, is_signed: signature.is_some() };
        choice.calls.insert(place, call);
        let id = answer.call_id(place).unwrap_or_default();
        let name = answer.call_name(place).unwrap_or_default();
        self.write_call(place, number, out, &|out| {
            out.push_str(",\"id\":");
            id.write_json(out);
            out.push_str(",\"type\":\"function\",\"function\":");
            object!(out, "name": &name, "arguments": &"");
            if let Some(signature) = signature {
                out.push_str(",\"extra_content\":");
                google(signature).write_json(out);
            }
        });
    }

    fn write_arguments(&mut self, place: Place, end: usize, context: &Context<'_>, out: &mut Output) {
        let Some((number, call)) = self.call(place, out) else { return };
        if call.is_over {
            let message = "Arguments that came after the end of their call were dropped";
            return out.lost.add(WarningCode::LostText, message);
        }
        let from = call.end;
        call.end = end.max(from);
        let arguments = context.answer.arguments_at(place).get(..end).unwrap_or_default();
        for piece in Pieces::new(arguments, from) {
            self.write_piece(place, number, piece, out);
        }
    }

    /// A piece of the arguments of the call with this number.
    fn write_piece(&self, place: Place, number: u64, arguments: &str, out: &mut Output) {
        if arguments.is_empty() {
            return;
        }
        self.write_call(place, number, out, &|out| {
            out.push_str(",\"function\":");
            object!(out, "arguments": &arguments);
        });
    }

    /// A chunk with what `members` adds to the call with this number.
    fn write_call(&self, place: Place, number: u64, out: &mut Output, members: &dyn Fn(&mut String)) {
        self.chunks.delta(place.choice, out, |out| {
            object!(out, "tool_calls": &Nested(|out| {
                out.push_str("[{\"index\":");
                number.write_json(out);
                members(out);
                out.push_str("}]");
            }));
        });
    }

    fn end_call(&mut self, place: Place, end: usize, context: &Context<'_>, out: &mut Output) {
        let Some((number, call)) = self.call(place, out) else { return };
        if call.is_over {
            return;
        }
        let is_unsigned = !call.is_signed;
        let is_cut = context.answer.is_cut(place);
        if is_cut && context.answer.arguments_state(place) != ProgressState::Partial {
            let message = "That a call was cut off isn't written, and its arguments don't say it";
            out.lost.add(WarningCode::LostContent, message);
        }
        if end == 0 {
            let piece = if is_cut { "" } else { "{}" };
            self.write_piece(place, number, piece, out);
        } else {
            self.write_arguments(place, end, context, out);
        }
        if let Some((_, call)) = self.call(place, out) {
            call.is_over = true;
        }
        if let Some(signature) = context.answer.call_signature_in_time(place).filter(|_| is_unsigned) {
            self.write_call(place, number, out, &|out| {
                out.push_str(",\"extra_content\":");
                google(signature).write_json(out);
            });
        }
    }
}

/// A signature of Gemini, where Google's own OpenAI-compatible interface has it.
/// <https://ai.google.dev/gemini-api/docs/thought-signatures>
pub(in crate::encode) fn google(signature: &str) -> impl ToJson {
    Nested(move |out| {
        object!(out, "google": &Nested(|out| object!(out, "thought_signature": &signature)));
    })
}
