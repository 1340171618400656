//! Text that is sent twice: with the start of an item or a part, and again in deltas.

use crate::json::Fragment;
use crate::save::state;

/// How a fragment relates to a text that may be repeated.
pub(super) enum Heard {
    /// The fragment only repeats the text.
    Again,
    /// The fragment has the rest of the text, and more.
    Beyond,
    /// The fragment is different text.
    Other,
}

/// Text that came with the start of an item or a part. Some servers repeat it in deltas, others continue after it.
#[derive(Debug, Default)]
pub(super) struct Echo {
    text: String,
    /// Number of bytes that were repeated.
    heard: usize,
    /// Number of those bytes that are certainly a repetition, because a complete text ended there.
    sure: usize,
}

state! { struct Echo { text, heard, sure } }

impl Echo {
    /// Expects a repetition of this text.
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), heard: 0, sure: 0 }
    }

    /// Expects a repetition of this text, too, after the others.
    pub(super) fn expect(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Records that one of the texts was repeated completely.
    pub(super) fn pass(&mut self, text: &str) {
        if !self.text.get(..self.heard).unwrap_or_default().ends_with(text) {
            self.news(Fragment::from(text));
        }
        self.sure = self.heard;
    }

    /// Compares a fragment with the rest of the text.
    pub(super) fn compare(&self, piece: &Fragment<'_>) -> Heard {
        let rest = self.text.get(self.heard..).unwrap_or_default();
        if self.text.is_empty() || piece.lead.is_some() {
            Heard::Other
        } else if piece.trail.is_none() && (rest.starts_with(&*piece.text) || self.is_grown(&piece.text)) {
            Heard::Again
        } else if piece.text.starts_with(rest) {
            Heard::Beyond
        } else {
            Heard::Other
        }
    }

    /// Whether a fragment is cumulative: the text from its beginning, longer than the repetition so far.
    fn is_grown(&self, piece: &str) -> bool {
        self.sure == 0 && self.heard > 0 && piece.len() > self.heard && self.text.starts_with(piece)
    }

    /// Returns the repeated beginning of the text.
    pub(super) fn heard(&self) -> &str {
        self.text.get(..self.heard).unwrap_or_default()
    }

    /// Whether the complete text was repeated.
    pub(super) fn is_over(&self) -> bool {
        !self.text.is_empty() && self.heard == self.text.len()
    }

    /// Returns the new text of a fragment: `None` if it only repeats. If it turns out not to be a repetition, the
    /// earlier fragments that looked like one are included.
    pub(super) fn news<'a>(&mut self, piece: Fragment<'a>) -> Option<Fragment<'a>> {
        let (heard, rest) = self.text.split_at_checked(self.heard).unwrap_or_default();
        let heard = heard.get(self.sure..).unwrap_or_default();
        if rest.is_empty() {
            *self = Self::default();
            return Some(piece);
        }
        if piece.lead.is_none() && piece.trail.is_none() && rest.starts_with(&*piece.text) {
            self.heard += piece.text.len();
            return None;
        }
        if piece.lead.is_none() && piece.trail.is_none() && self.is_grown(&piece.text) {
            self.heard = piece.text.len();
            return None;
        }
        let text = match piece.text.strip_prefix(rest).filter(|_| piece.lead.is_none()) {
            Some(news) => news.to_owned(),
            None if heard.is_empty() || piece.lead.is_some() => piece.text.into_owned(),
            None => [heard, &piece.text].concat(),
        };
        *self = Self::default();
        Some(Fragment { text: text.into(), ..piece })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_again_is_nothing_new() {
        let mut echo = Echo::new("{\"a\":1}");
        assert_eq!(echo.news("{\"a\"".into()), None);
        assert_eq!(echo.news(":1}".into()), None);
        assert_eq!(echo.news(" ".into()), Some(" ".into()), "all of it has come again");
    }

    #[test]
    fn what_comes_again_grows() {
        let mut echo = Echo::new("{\"x\":12}");
        for piece in ["{\"x", "{\"x\":1", "{\"x\":12}"] {
            assert_eq!(echo.news(piece.into()), None, "{piece}");
        }
        assert!(echo.is_over());
    }

    #[test]
    fn what_goes_on_is_new() {
        let mut echo = Echo::new("{\"a\"");
        assert_eq!(echo.news(":1}".into()), Some(":1}".into()));
        assert_eq!(echo.news("{\"a\"".into()), Some("{\"a\"".into()), "too late for an echo");
    }

    #[test]
    fn what_only_begins_like_it_is_new() {
        let mut echo = Echo::new("{\"a\":");
        assert_eq!(echo.news("{\"".into()), None);
        assert_eq!(echo.news("b\":1}}".into()), Some("{\"b\":1}}".into()));
    }

    #[test]
    fn what_goes_beyond_it_is_new_from_there_on() {
        let mut echo = Echo::new("High wa");
        assert_eq!(echo.news("High ".into()), None);
        assert_eq!(echo.news("water".into()), Some("ter".into()));
    }
}
