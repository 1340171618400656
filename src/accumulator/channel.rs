//! Text that grows.

use std::cell::OnceCell;

use super::handover::{Mark, mark_of};
use crate::json::Fragment;
use crate::save::state;

const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;

/// Text that grows by fragments, which may be cut in the middle of a character.
#[derive(Debug, Default)]
pub(crate) struct Channel {
    text: String,
    /// A high surrogate whose other half has not come yet.
    half: Option<u16>,
    /// What stands for the text where it is [handed over](super::handover).
    mark: OnceCell<Box<Mark>>,
}

state! { struct Channel { text, half } anew { mark } }

impl Channel {
    /// What is known so far, without a half character at the end.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The same for a result: its mark, where that is handed over.
    pub(crate) fn shown(&self) -> &str {
        mark_of(&self.text, &self.mark).unwrap_or(&self.text)
    }

    /// Whether nothing has come.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.half.is_none()
    }

    /// Appends a fragment; gives what that added to the text.
    pub(crate) fn push(&mut self, fragment: &Fragment<'_>) -> &str {
        let from = self.text.len();
        if let (None, None, None) = (self.half, fragment.lead, fragment.trail) {
            self.text.push_str(&fragment.text);
            return self.text.get(from..).unwrap_or_default();
        }
        if fragment.is_empty() {
            return "";
        }
        match (self.half.take(), fragment.lead) {
            (Some(high), Some(low)) => {
                let whole = char::decode_utf16([high, low]).next();
                self.text.push(whole.and_then(Result::ok).unwrap_or(REPLACEMENT));
            }
            (None, None) => {}
            _ => self.text.push(REPLACEMENT),
        }
        self.text.push_str(&fragment.text);
        self.half = fragment.trail;
        self.text.get(from..).unwrap_or_default()
    }

    /// Ends the text: a half character will not get its other half. Gives what that added.
    pub(crate) fn close(&mut self) -> &str {
        if self.half.take().is_none() {
            return "";
        }
        let from = self.text.len();
        self.text.push(REPLACEMENT);
        self.text.get(from..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fragment(lead: Option<u16>, text: &str, trail: Option<u16>) -> Fragment<'_> {
        Fragment { lead, text: text.into(), trail }
    }

    #[test]
    fn halves_of_a_character_are_joined() {
        let mut channel = Channel::default();
        assert_eq!(channel.push(&fragment(None, "a", Some(0xd83d))), "a");
        assert_eq!(channel.push(&fragment(Some(0xde00), "b", None)), "😀b");
        assert_eq!(channel.close(), "");
        assert_eq!(channel.as_str(), "a😀b");
    }

    #[test]
    fn a_half_alone_is_replaced() {
        let mut channel = Channel::default();
        channel.push(&fragment(Some(0xde00), "a", Some(0xd83d)));
        assert_eq!(channel.push(&fragment(None, "b", Some(0xd83d))), "\u{fffd}b");
        assert_eq!(channel.push(&Fragment::default()), "", "nothing is no other half");
        assert_eq!(channel.close(), "\u{fffd}");
        assert_eq!(channel.as_str(), "\u{fffd}a\u{fffd}b\u{fffd}");
    }
}
