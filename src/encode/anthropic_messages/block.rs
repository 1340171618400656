//! One content block.

use std::borrow::Cow;

use super::ids::accepted_id;
use crate::accumulator::{PartKind, Place};
use crate::encode::custom::input_of;
use crate::encode::formats::ANTHROPIC;
use crate::encode::json::{Json, NO_ARGUMENTS, Nested, object};
use crate::encode::signature_tracking::{Signed, google};
use crate::encode::writer::Context;
use crate::json::{ObjectWriter, ProgressState, RawJson};
use crate::save::state;

/// JSON of the input of a custom tool's call without input. It has the same length as [`NO_ARGUMENTS`].
const NO_INPUT: &str = "\"\"";

/// JSON before and after the input of a custom tool, or any other input that isn't an object: the interface accepts
/// only objects.
pub(super) const INPUT_WRAPPER: [&str; 2] = ["{\"input\":", "}"];

/// Kind of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    Text,
    /// The refusal of another interface, which is written as text.
    Refusal,
    Thinking,
    Redacted,
    Call,
}

state! { enum BlockKind { 0 Text, 1 Refusal, 2 Thinking, 3 Redacted, 4 Call } }

/// A content block, and the range of bytes that it has of its part.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "its content may be over, blank or missing before and after the block opens"
)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    pub(super) place: Place,
    pub(super) start: usize,
    /// Byte offset up to which the text was written.
    pub(super) written: usize,
    /// Byte offset up to which the text has arrived.
    pub(super) end: usize,
    /// White space of other parts after this one, which may not have a block of its own. `written` includes it.
    pub(super) tail: String,
    /// Whether the text is empty or only white space.
    pub(super) is_blank: bool,
    pub(super) is_open: bool,
    /// Whether the block gets no more content.
    pub(super) is_over: bool,
    /// Whether the block is a call without arguments, which is written as an empty object.
    pub(super) has_no_arguments: bool,
}

state! { struct Block { kind, place, start, written, end, tail, is_blank, is_open, is_over, has_no_arguments } }

impl Block {
    pub(super) fn new(kind: BlockKind, place: Place, start: usize, end: usize) -> Self {
        Self {
            kind,
            place,
            start,
            written: start,
            end,
            tail: String::new(),
            is_blank: true,
            is_open: false,
            is_over: false,
            has_no_arguments: false,
        }
    }

    pub(super) fn is(&self, kind: BlockKind, place: Place) -> bool {
        (self.kind, self.place) == (kind, place)
    }

    /// Whether the block is the call of a custom tool, whose input is text.
    pub(super) fn is_custom(&self, context: &Context<'_>) -> bool {
        self.kind == BlockKind::Call && context.is_custom(self.place)
    }

    /// Returns the byte offset up to which the text has arrived, including the tail.
    pub(super) fn end_with_tail(&self) -> usize {
        self.end + self.tail.len()
    }

    /// Returns the text of the block, including the tail.
    pub(super) fn text<'a>(&self, context: &Context<'a>) -> Cow<'a, str> {
        let answer = context.answer;
        let text = match self.kind {
            BlockKind::Text => answer.part_text(PartKind::Text, self.place),
            BlockKind::Refusal => answer.part_text(PartKind::Refusal, self.place),
            BlockKind::Thinking => answer.part_text(PartKind::Reasoning, self.place),
            BlockKind::Call if self.has_no_arguments && context.is_custom(self.place) => NO_INPUT,
            BlockKind::Call if self.has_no_arguments => NO_ARGUMENTS,
            BlockKind::Call => answer.arguments_at(self.place),
            BlockKind::Redacted => "",
        };
        let text = text.get(self.start..self.end).unwrap_or_default();
        if self.tail.is_empty() { text.into() } else { [text, &self.tail].concat().into() }
    }

    /// Whether the block is a call whose arguments so far aren't an object, and of which nothing was written.
    pub(super) fn needs_wrapping(&self, context: &Context<'_>) -> bool {
        let answer = context.answer;
        let is_object = || {
            answer.arguments_at(self.place).trim_ascii_start().starts_with('{')
                && !matches!(answer.arguments_state(self.place), ProgressState::Invalid { .. })
        };
        self.kind == BlockKind::Call
            && self.written == self.start
            && !self.has_no_arguments
            && !context.is_custom(self.place)
            && !is_object()
    }

    /// Whether the block is a call that was cut off, or whose arguments ended before they were valid JSON.
    pub(super) fn is_cut_off(&self, context: &Context<'_>) -> bool {
        let state = context.answer.arguments_state(self.place);
        self.kind == BlockKind::Call
            && (matches!(state, ProgressState::Partial | ProgressState::Invalid { .. })
                || context.answer.is_call_truncated(self.place))
    }

    /// Returns all arguments of a call as a JSON object.
    pub(super) fn input(&self, context: &Context<'_>) -> String {
        let is_custom = context.is_custom(self.place);
        let state = context.answer.arguments_state(self.place);
        let arguments = match state {
            // The arguments are the beginning of a JSON string.
            ProgressState::Partial if is_custom => RawJson::string(&input_of(self.place, self.end, context)),
            _ => context.answer.parsed_arguments_at(self.place),
        };
        let input = match arguments.get().trim_ascii() {
            _ if is_custom && (self.has_no_arguments || state == ProgressState::Empty) => NO_INPUT,
            "null" => return NO_ARGUMENTS.to_owned(),
            object if object.starts_with('{') && !is_custom => return object.to_owned(),
            other => other,
        };
        let [before, after] = INPUT_WRAPPER;
        [before, input, after].concat()
    }

    /// Moves the block by this number of bytes if the beginning of its text came after the rest.
    pub(super) fn move_text(&mut self, kind: PartKind, place: Place, by: usize) {
        let of = match self.kind {
            BlockKind::Text => PartKind::Text,
            BlockKind::Refusal => PartKind::Refusal,
            BlockKind::Thinking => PartKind::Reasoning,
            BlockKind::Call | BlockKind::Redacted => return,
        };
        if (of, self.place) == (kind, place) {
            self.start += by;
            self.written += by;
            self.end += by;
        }
    }

    /// Ends a call whose arguments reach to byte `end`. If that is 0, it has no arguments, unless it was cut off before
    /// them.
    pub(super) fn end_call(&mut self, end: usize, context: &Context<'_>) {
        self.has_no_arguments |= end == 0 && !context.answer.is_call_truncated(self.place);
        self.end = if self.has_no_arguments { NO_ARGUMENTS.len() } else { end };
        self.is_over = true;
    }

    /// Whether another block may follow: this one isn't a call, or its arguments are complete, so that at most white
    /// space comes.
    pub(super) fn may_be_followed(&self, context: &Context<'_>) -> bool {
        if self.is_over || self.kind != BlockKind::Call {
            return true;
        }
        let answer = context.answer;
        answer.arguments_state(self.place) == ProgressState::Complete
            && answer.arguments_at(self.place).len() == self.end
    }

    /// Returns the signature to write, which has to be Anthropic's own.
    pub(super) fn signature<'a>(&self, context: &Context<'a>) -> Option<&'a str> {
        let signed = Signed::of(self.place, context);
        let is_anthropic_format = self.kind == BlockKind::Thinking && is_own(signed.format);
        signed.view.signature.filter(|signature| is_anthropic_format && !signature.is_empty())
    }

    /// Writes the block in its state before the first delta.
    pub(super) fn write_start(&self, context: &Context<'_>, out: &mut String) {
        match self.kind {
            BlockKind::Text | BlockKind::Refusal => object!(out, "type": &"text", "text": &""),
            BlockKind::Thinking => self.write_thinking("", "", context, out),
            BlockKind::Redacted => self.write_redacted(context, out),
            BlockKind::Call => self.write_call(&Json("{}"), context, out),
        }
    }

    /// Writes the whole block.
    pub(super) fn write_whole(&self, context: &Context<'_>, out: &mut String) {
        let text = self.text(context);
        match self.kind {
            BlockKind::Text | BlockKind::Refusal => object!(out, "type": &"text", "text": &&*text),
            BlockKind::Thinking => {
                let signature = self.signature(context).unwrap_or_default();
                self.write_thinking(&text, signature, context, out);
            }
            BlockKind::Redacted => self.write_redacted(context, out),
            BlockKind::Call => self.write_call(&Json(&self.input(context)), context, out),
        }
    }

    fn write_call(&self, input: &Json<'_>, context: &Context<'_>, out: &mut String) {
        let answer = context.answer;
        let id = accepted_id(answer.call_id(self.place).unwrap_or_default());
        let mut object = ObjectWriter::new(out);
        object.member("type", &"tool_use").member("id", &&*id);
        object.member("name", &answer.call_name(self.place).unwrap_or_default()).member("input", input);
        if let Some(signature) = answer.call_signature_before_end(self.place) {
            object.member("extra_content", &google(signature));
        }
        object.end();
    }

    fn write_thinking(&self, text: &str, signature: &str, context: &Context<'_>, out: &mut String) {
        let mut object = ObjectWriter::new(out);
        object.member("type", &"thinking").member("thinking", &text).member("signature", &signature);
        write_origin(&Signed::of(self.place, context), &mut object);
        object.end();
    }

    /// Writes encrypted reasoning. That of another provider gets the provider's format, and the id of its reasoning.
    fn write_redacted(&self, context: &Context<'_>, out: &mut String) {
        let signed = Signed::of(self.place, context);
        let data = signed.view.encrypted.unwrap_or_default();
        let mut object = ObjectWriter::new(out);
        object.member("type", &"redacted_thinking").member("data", &data);
        write_origin(&signed, &mut object);
        object.end();
    }
}

/// Writes the format and the id of reasoning that isn't Anthropic's.
fn write_origin(signed: &Signed<'_>, object: &mut ObjectWriter<'_>) {
    if is_own(signed.format) || signed.format.or(signed.view.id).is_none() {
        return;
    }
    object.member(
        "extra_content",
        &Nested(|out| {
            let mut object = ObjectWriter::new(out);
            object.optional("format", signed.format.as_ref()).optional("id", signed.view.id.as_ref()).end();
        }),
    );
}

/// Whether a format is Anthropic's.
pub(super) fn is_own(format: Option<&str>) -> bool {
    format.is_some_and(|format| format.starts_with("anthropic") || format == ANTHROPIC)
}

/// Whether blocks of a kind have text that clients show.
pub(super) fn is_text(kind: BlockKind) -> bool {
    matches!(kind, BlockKind::Text | BlockKind::Refusal)
}
