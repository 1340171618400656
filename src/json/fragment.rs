//! Pieces of text.

use std::borrow::Cow;

/// A piece of text whose first or last character may be incomplete.
///
/// JSON strings are UTF-16 at heart, and servers split them anywhere: `"\ud83d"` may end one event and `"\ude00"` begin
/// the next. Such surrogates are kept beside the text, so that the next piece completes them. A lone surrogate inside
/// the text can't be completed, and is already replaced with U+FFFD.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fragment<'a> {
    /// A low surrogate before the text.
    pub lead: Option<u16>,
    /// The text between the surrogates.
    pub text: Cow<'a, str>,
    /// A high surrogate after the text.
    pub trail: Option<u16>,
}

impl Fragment<'_> {
    /// Whether there is neither text nor a surrogate.
    pub fn is_empty(&self) -> bool {
        self.is("")
    }

    /// Whether the piece is exactly this text.
    pub fn is(&self, text: &str) -> bool {
        self.text == text && self.lead.is_none() && self.trail.is_none()
    }
}

impl<'a> From<&'a str> for Fragment<'a> {
    #[inline(never)]
    fn from(text: &'a str) -> Self {
        Self { lead: None, text: Cow::Borrowed(text), trail: None }
    }
}

impl<'a> From<Fragment<'a>> for Cow<'a, str> {
    /// Returns the whole text, with U+FFFD for each surrogate.
    fn from(fragment: Fragment<'a>) -> Self {
        match fragment {
            Fragment { lead: None, text, trail: None } => text,
            Fragment { lead, text, trail } => {
                let half = |half: Option<u16>| if half.is_some() { "\u{fffd}" } else { "" };
                let mut whole = half(lead).to_owned();
                whole.push_str(&text);
                whole.push_str(half(trail));
                Cow::Owned(whole)
            }
        }
    }
}
