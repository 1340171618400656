//! Whole messages in a stream: pieces of the response, or a repetition of all of it.

use super::{Choice, ChoiceReader, ContentKind, Form, Message, REFUSAL, Selection, TEXT};
use crate::accumulator::{Builder, Finish};
use crate::json::Field;
use crate::provider::openai_chat::split::Piece;

/// What a whole message is to the response so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WholeMessage {
    /// New: the first message, or one of the pieces that models on Bedrock send instead of deltas.
    New,
    /// Everything so far of a response with calls, sent instead of a delta.
    Grown,
    /// The whole response once more.
    Repetition,
    /// A message between deltas.
    Early,
    /// The message at the end of a stream, which repeats the deltas.
    Summary,
}

impl ChoiceReader {
    /// Reads a whole message. Unless it is new, only missing content is read.
    pub(super) fn read_whole(
        &mut self,
        message: &Message<'_>,
        finish: Option<&Finish>,
        piece: Piece,
        out: &mut Builder,
    ) {
        let kind = self.classify(message, finish.is_some(), piece, out);
        let is_new = kind == WholeMessage::New;
        self.has_message = true;
        self.has_continued |= is_new && self.finish_reason.is_some();
        let thinking = self.thinking_place(out);
        let is_cut_off = finish.is_some_and(|finish| finish.reason.may_truncate());
        let content =
            is_new || self.content.is_none() || matches!(piece, Piece::Part { more_content: true, .. });
        let wanted = Selection {
            form: if is_cut_off { Form::CutOff } else { Form::Whole },
            content,
            media: content || kind == WholeMessage::Summary,
            reasoning: is_new || !self.reasoning.has_text() && thinking.is_none(),
            refusal: is_new || out.refusal_at(self.place(REFUSAL, 0)).is_empty(),
            calls: self.calls.is_empty()
                || matches!(piece, Piece::Part { more_calls: true, .. })
                || is_new && self.calls.has_new_call(message),
        };
        if !wanted.reasoning {
            if kind == WholeMessage::Summary && thinking.is_none() {
                self.reasoning.complete(message, out);
            }
            let place = thinking.unwrap_or(self.reasoning_place());
            self.reasoning.read_late_signature(message, place, out);
        }
        self.read_message(message, &wanted, out);
        if !wanted.content && kind != WholeMessage::Early {
            self.complete_text(message, out);
        }
        if !wanted.refusal && kind == WholeMessage::Summary {
            self.complete_refusal(message, out);
        }
        match kind {
            _ if wanted.calls => {}
            WholeMessage::New => {
                self.calls.read(message, false, &self.tools, &mut self.message_members, out);
            }
            WholeMessage::Grown | WholeMessage::Summary => self.calls.complete(message, out),
            WholeMessage::Repetition | WholeMessage::Early => {}
        }
    }

    /// Returns what a whole message is. `is_last`: it comes with a finish reason.
    fn classify(&self, message: &Message<'_>, is_last: bool, piece: Piece, out: &Builder) -> WholeMessage {
        let has_ended = self.finish_reason.is_some();
        if self.has_deltas {
            return if is_last || has_ended { WholeMessage::Summary } else { WholeMessage::Early };
        }
        let continues =
            || matches!(piece, Piece::Chunk) && self.has_message && self.has_other_text(message, out);
        if has_ended && !continues() {
            WholeMessage::Repetition
        } else if self.has_grown(message, out) {
            WholeMessage::Grown
        } else if self.repeats_response(message, is_last, out) {
            WholeMessage::Repetition
        } else {
            WholeMessage::New
        }
    }

    /// Whether a message sent instead of a delta has everything so far of a response with calls.
    fn has_grown(&self, message: &Message<'_>, out: &Builder) -> bool {
        let repeats_text = || message.content_text().is_some_and(|text| self.has_text(&text, out));
        !self.calls.is_empty()
            && (self.calls.is_cumulative(message, out) || !self.calls.has_new_call(message) && repeats_text())
    }

    /// Whether the message repeats the whole response, and isn't one of the pieces that models on Bedrock send instead
    /// of deltas.
    fn repeats_response(&self, message: &Message<'_>, is_last: bool, out: &Builder) -> bool {
        let is_known = || message.content_text().is_none_or(|text| self.has_text(&text, out));
        is_last && message.any_content().is_some() && is_known()
    }

    /// Whether the message has text that doesn't begin with the text so far.
    fn has_other_text(&self, message: &Message<'_>, out: &Builder) -> bool {
        let known = self.text_place().map_or("", |place| out.text_at(place));
        message.content_text().is_some_and(|text| !text.starts_with(known))
    }

    /// Whether this equals the text so far.
    pub(super) fn has_text(&self, text: &str, out: &Builder) -> bool {
        !text.is_empty() && self.text_place().is_some_and(|place| out.text_at(place) == text)
    }

    /// Completes the text from a message at the end of a stream, or from a second body. Different text is a warning.
    fn complete_text(&self, message: &Message<'_>, out: &mut Builder) {
        let (Some((0, ContentKind::Text)), Some(whole)) = (self.content, message.content_text()) else {
            return;
        };
        let place = self.place(TEXT, 0);
        if !out.text_at(place).starts_with(&*whole) {
            out.complete_text(place, &whole);
        }
    }

    /// Completes the refusal from a message at the end of a stream.
    fn complete_refusal(&self, message: &Message<'_>, out: &mut Builder) {
        let place = self.place(REFUSAL, 0);
        if let Some(whole) = message.refusal().non_empty()
            && whole.starts_with(out.refusal_at(place))
        {
            out.complete_refusal(place, whole);
        }
    }
}

/// Whether the message repeats the delta, as in the first versions of Foundry Local.
pub(in super::super) fn repeats_delta(choice: &Choice<'_>) -> bool {
    let (Some(message), Some(delta)) = (choice.message(), choice.delta()) else { return false };
    message.raw() == delta.raw()
}
