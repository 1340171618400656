//! Whole messages in a stream: pieces of the answer, or all of it once more.

use super::{Choice, ChoiceReader, ContentKind, Message, REFUSAL, TEXT};
use crate::accumulator::Builder;
use crate::json::{Field, Value};

impl ChoiceReader {
    /// Whether the message is a piece of the answer, as models on Bedrock send it in place of deltas, and not all of it
    /// again.
    pub(super) fn goes_on(&self, message: &Message<'_>, is_last: bool, out: &Builder) -> bool {
        let known = || self.text_place().map_or("", |place| out.text_at(place));
        let is_known =
            |content: Value<'_>| content.text().is_none_or(|text| !text.is_empty() && text == known());
        let is_again = is_last && message.said().is_some_and(is_known);
        !self.has_deltas && self.finish_reason.is_none() && !is_again
    }

    /// The whole text, at the end of a stream or of a second body: what is missing is added, and another one is a warning.
    pub(super) fn complete_text(&self, message: &Message<'_>, out: &mut Builder) {
        let (Some((0, ContentKind::Text)), Some(whole)) =
            (self.content, message.said().and_then(Value::text))
        else {
            return;
        };
        let place = self.place(TEXT, 0);
        if !out.text_at(place).starts_with(&*whole) {
            out.complete_text(place, &whole);
        }
    }

    /// The whole refusal, at the end of a stream: what is missing is added.
    pub(super) fn complete_refusal(&self, message: &Message<'_>, out: &mut Builder) {
        let place = self.place(REFUSAL, 0);
        if let Some(whole) = message.refusal().label()
            && whole.starts_with(out.refusal_at(place))
        {
            out.complete_refusal(place, whole);
        }
    }
}

/// Whether what should be the whole message is the delta once more, as the first versions of Foundry Local have it.
pub(in super::super) fn repeats_delta(choice: &Choice<'_>) -> bool {
    let (Some(message), Some(delta)) = (choice.message(), choice.delta()) else { return false };
    message.raw() == delta.raw()
}
