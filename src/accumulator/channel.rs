//! Text that arrives in fragments.

use std::cell::OnceCell;

use super::growth::{Added, Growth, MIN_REPEATED};
use crate::json::Fragment;
use crate::json::handover::{Mark, handover_marker};
use crate::save::state;

const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;

/// Text that is appended in fragments, which may be cut in the middle of a surrogate pair.
#[derive(Debug, Default)]
pub(crate) struct Channel {
    text: String,
    /// A high surrogate whose low surrogate is still missing.
    half: Option<u16>,
    growth: Growth,
    /// Placeholder for the text if it is [handed over](crate::json::handover).
    mark: OnceCell<Box<Mark>>,
}

state! { struct Channel { text, half, growth } anew { mark } }

/// How much of a fragment is known to be new.
#[derive(Debug, Clone, Copy)]
pub(super) enum Novelty {
    /// All of it. Text that was held back is also included in the fragment.
    AllNew,
    /// Probably all of it, but some servers repeat the text so far.
    MaybeRepeated,
}

impl Channel {
    /// Returns the text so far, without an unpaired surrogate at the end.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the text for a result, or its placeholder if the text is handed over.
    pub(crate) fn text_or_placeholder(&self) -> &str {
        handover_marker(&self.text, &self.mark).unwrap_or(&self.text)
    }

    /// Returns the high surrogate at the end, if its low surrogate is still missing.
    pub(super) fn half(&self) -> Option<u16> {
        self.half
    }

    /// Whether nothing has arrived.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.half.is_none()
    }

    /// Returns the text after this byte offset.
    pub(crate) fn text_after(&self, from: usize) -> &str {
        self.text.get(from..).unwrap_or_default()
    }

    /// Adds a fragment.
    #[inline]
    pub(super) fn add(&mut self, fragment: &Fragment<'_>, news: Novelty) {
        match news {
            Novelty::AllNew => {
                self.growth.settle();
            }
            Novelty::MaybeRepeated if !self.growth.is_settled() || self.may_repeat_all(fragment) => {
                return self.push_detecting_repeats(fragment);
            }
            Novelty::MaybeRepeated => {}
        }
        self.push(fragment);
    }

    /// Whether a fragment is long enough to repeat the whole text, and of the same length.
    #[inline]
    fn may_repeat_all(&self, fragment: &Fragment<'_>) -> bool {
        let length = fragment.text.len();
        length >= MIN_REPEATED && length == self.text.len()
    }

    /// Appends a fragment and returns the text that it added.
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

    /// Adds a fragment that may repeat the text so far; such a fragment may be held back.
    #[inline(never)]
    fn push_detecting_repeats(&mut self, fragment: &Fragment<'_>) {
        if fragment.is_empty() {
            return;
        }
        if self.half.is_some() || fragment.lead.is_some() || fragment.trail.is_some() {
            self.text.push_str(&self.growth.settle());
            self.push(fragment);
            return;
        }
        let news = match self.growth.read(&self.text, &fragment.text) {
            Added::Nothing => "",
            Added::From(start) => fragment.text.get(start..).unwrap_or_default(),
            Added::HeldBack(held) => {
                self.text.push_str(&held);
                &fragment.text
            }
        };
        self.text.push_str(news);
    }

    /// Whether fragments may be merged before they are [added](Self::add).
    pub(crate) fn is_settled(&self) -> bool {
        self.growth.is_settled()
    }

    /// Whether something is held back, or could be held back later.
    pub(super) fn is_open(&self) -> bool {
        self.half.is_some() || !self.growth.is_settled()
    }

    /// Decides about text that was held back, because other content follows. Returns the text that this added.
    pub(crate) fn settle(&mut self) -> &str {
        let from = self.text.len();
        let held = self.growth.end(&self.text);
        self.text.push_str(&held);
        self.text.get(from..).unwrap_or_default()
    }

    /// Ends the text; an unpaired surrogate becomes U+FFFD. Returns the text that this added.
    pub(crate) fn close(&mut self) -> &str {
        let from = self.text.len();
        self.settle();
        if self.half.take().is_some() {
            self.text.push(REPLACEMENT);
        }
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
    fn surrogate_pairs_are_joined() {
        let mut channel = Channel::default();
        assert_eq!(channel.push(&fragment(None, "a", Some(0xd83d))), "a");
        assert_eq!(channel.push(&fragment(Some(0xde00), "b", None)), "😀b");
        assert_eq!(channel.close(), "");
        assert_eq!(channel.as_str(), "a😀b");
    }

    #[test]
    fn a_repetition_of_the_whole_text_is_dropped() {
        let read = |pieces: &[&str]| {
            let mut channel = Channel::default();
            for piece in pieces {
                channel.add(&fragment(None, piece, None), Novelty::MaybeRepeated);
            }
            channel.settle();
            channel.as_str().to_owned()
        };
        let all = "Low water is at 9:35, high water at 15:48.";
        assert_eq!(read(&["Low water ", "is at 9:35, ", "high water at 15:48.", all]), all);
        assert_eq!(
            read(&["Low water is at 9:35, ", "high water at 15:48.", all, " "]),
            [all, all, " "].concat()
        );
        assert_eq!(read(&["Low ", "tide.", "Low tide."]), "Low tide.Low tide.", "it is short");
        let line = "Row, row, row your boat. ";
        assert_eq!(read(&[line, line, &line.repeat(2)]), line.repeat(4), "a loop");
    }

    #[test]
    fn an_unpaired_surrogate_is_replaced() {
        let mut channel = Channel::default();
        channel.push(&fragment(Some(0xde00), "a", Some(0xd83d)));
        assert_eq!(channel.push(&fragment(None, "b", Some(0xd83d))), "\u{fffd}b");
        assert_eq!(channel.push(&Fragment::default()), "", "nothing is no other half");
        assert_eq!(channel.close(), "\u{fffd}");
        assert_eq!(channel.as_str(), "\u{fffd}a\u{fffd}b\u{fffd}");
    }
}
