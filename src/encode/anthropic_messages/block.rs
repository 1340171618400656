//! One content block.

use std::borrow::Cow;

use super::ids::accepted;
use crate::accumulator::{PartKind, Place};
use crate::encode::custom::input_of;
use crate::encode::formats::ANTHROPIC;
use crate::encode::json::{Json, Nested, object};
use crate::encode::seal::{Signed, google};
use crate::encode::writer::Context;
use crate::json::{ObjectWriter, ProgressState, RawJson};
use crate::save::state;

/// The arguments of a call that has none.
pub(super) const NO_ARGUMENTS: &str = "{}";

/// The input of a custom tool's call that has none, which is as long.
const NO_INPUT: &str = "\"\"";

/// What stands before and behind the input of a custom tool, and any other that isn't an object: the interface accepts
/// only objects.
pub(super) const AROUND_INPUT: [&str; 2] = ["{\"input\":", "}"];

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    Text,
    /// The refusal of another interface, which becomes text.
    Refusal,
    Thinking,
    Redacted,
    Call,
}

state! { enum BlockKind { 0 Text, 1 Refusal, 2 Thinking, 3 Redacted, 4 Call } }

/// A content block, and which bytes of its part it has.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    pub(super) place: Place,
    pub(super) start: usize,
    /// How far it was written.
    pub(super) written: usize,
    /// How far it is known.
    pub(super) end: usize,
    /// White space of other parts behind it, which may not have a block of its own. `written` counts it, too.
    pub(super) tail: String,
    /// Whether its text is only white space, or nothing.
    pub(super) is_blank: bool,
    pub(super) is_open: bool,
    /// Whether nothing more comes for it.
    pub(super) is_over: bool,
    /// Whether it is a call that has no arguments, which is an empty object.
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

    /// Whether it is the call of a custom tool, whose input is text.
    pub(super) fn is_custom(&self, context: &Context<'_>) -> bool {
        self.kind == BlockKind::Call && context.is_custom(self.place)
    }

    /// How far its text is known, with what is behind it.
    pub(super) fn reach(&self) -> usize {
        self.end + self.tail.len()
    }

    /// Its text, with what is behind it.
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

    /// Whether it is a call whose arguments aren't an object, as far as they have come, and none of them was written.
    pub(super) fn is_odd(&self, context: &Context<'_>) -> bool {
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

    /// Whether it is a call that was cut off, or whose arguments ended before they were JSON.
    pub(super) fn is_cut_off(&self, context: &Context<'_>) -> bool {
        let state = context.answer.arguments_state(self.place);
        self.kind == BlockKind::Call
            && (matches!(state, ProgressState::Partial | ProgressState::Invalid { .. })
                || context.answer.is_cut(self.place))
    }

    /// The whole arguments of a call, as an object.
    pub(super) fn input(&self, context: &Context<'_>) -> String {
        let is_custom = context.is_custom(self.place);
        let state = context.answer.arguments_state(self.place);
        let arguments = match state {
            // The beginning of a JSON string.
            ProgressState::Partial if is_custom => RawJson::string(&input_of(self.place, self.end, context)),
            _ => context.answer.parsed_arguments_at(self.place),
        };
        let input = match arguments.get().trim_ascii() {
            _ if is_custom && (self.has_no_arguments || state == ProgressState::Empty) => NO_INPUT,
            "null" => return NO_ARGUMENTS.to_owned(),
            object if object.starts_with('{') && !is_custom => return object.to_owned(),
            other => other,
        };
        let [before, behind] = AROUND_INPUT;
        [before, input, behind].concat()
    }

    /// The beginning of a text has come after the rest, which is so many bytes further behind now.
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

    /// The call is over. Its arguments reach to this byte; 0 if there are none, unless it was cut off before them.
    pub(super) fn end_call(&mut self, end: usize, context: &Context<'_>) {
        self.has_no_arguments |= end == 0 && !context.answer.is_cut(self.place);
        self.end = if self.has_no_arguments { NO_ARGUMENTS.len() } else { end };
        self.is_over = true;
    }

    /// Whether another block may begin behind it: then no more comes for it, or only what means nothing.
    pub(super) fn may_be_followed(&self, context: &Context<'_>) -> bool {
        if self.is_over || self.kind != BlockKind::Call {
            return true;
        }
        let answer = context.answer;
        answer.arguments_state(self.place) == ProgressState::Complete
            && answer.arguments_at(self.place).len() == self.end
    }

    /// The signature that the block is written with: only Anthropic's own.
    pub(super) fn signature<'a>(&self, context: &Context<'a>) -> Option<&'a str> {
        let signed = Signed::of(self.place, context);
        let is_own = self.kind == BlockKind::Thinking && is_own(signed.format);
        signed.view.signature.filter(|signature| is_own && !signature.is_empty())
    }

    /// Writes the block as it is before its first delta.
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
        let id = accepted(answer.call_id(self.place).unwrap_or_default());
        let mut object = ObjectWriter::new(out);
        object.member("type", &"tool_use").member("id", &&*id);
        object.member("name", &answer.call_name(self.place).unwrap_or_default()).member("input", input);
        if let Some(signature) = answer.call_signature_in_time(self.place) {
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

    /// Encrypted reasoning of another provider is written with the provider's name, and with what it belongs to.
    fn write_redacted(&self, context: &Context<'_>, out: &mut String) {
        let signed = Signed::of(self.place, context);
        let data = signed.view.encrypted.unwrap_or_default();
        let mut object = ObjectWriter::new(out);
        object.member("type", &"redacted_thinking").member("data", &data);
        write_origin(&signed, &mut object);
        object.end();
    }
}

/// Whose reasoning it is, if it isn't Anthropic's, and the id that it has there.
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
