//! Text that is sent twice: with the start of an item or a part, and again in deltas.

use crate::json::Fragment;
use crate::save::state;

/// How a fragment relates to a text that may be repeated.
pub(super) enum EchoMatch {
    /// The fragment only repeats the text.
    Repeats,
    /// The fragment has the rest of the text, and more.
    Extends,
    /// The fragment is different text.
    Differs,
}

/// Text that came with the start of an item or a part. Some servers repeat it in deltas, others continue after it.
#[derive(Debug, Default)]
pub(super) struct Echo {
    text: String,
    /// Number of bytes that were repeated.
    repeated_len: usize,
    /// Number of those bytes that are certainly a repetition, because a complete text ended there.
    confirmed_len: usize,
}

state! { struct Echo { text, repeated_len, confirmed_len } }

impl Echo {
    /// Expects a repetition of this text.
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), repeated_len: 0, confirmed_len: 0 }
    }

    /// Expects a repetition of this text, too, after the others.
    pub(super) fn expect(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Records that one of the texts was repeated completely.
    pub(super) fn confirm(&mut self, text: &str) {
        if !self.text.get(..self.repeated_len).unwrap_or_default().ends_with(text) {
            self.new_text(Fragment::from(text));
        }
        self.confirmed_len = self.repeated_len;
    }

    /// Compares a fragment with the rest of the text.
    pub(super) fn compare(&self, piece: &Fragment<'_>) -> EchoMatch {
        let rest = self.text.get(self.repeated_len..).unwrap_or_default();
        if self.text.is_empty() || piece.lead.is_some() {
            EchoMatch::Differs
        } else if piece.trail.is_none() && (rest.starts_with(&*piece.text) || self.is_cumulative(&piece.text))
        {
            EchoMatch::Repeats
        } else if piece.text.starts_with(rest) {
            EchoMatch::Extends
        } else {
            EchoMatch::Differs
        }
    }

    /// Whether a fragment is cumulative: the text from its beginning, longer than the repetition so far.
    fn is_cumulative(&self, piece: &str) -> bool {
        self.confirmed_len == 0
            && self.repeated_len > 0
            && piece.len() > self.repeated_len
            && self.text.starts_with(piece)
    }

    /// Returns the repeated beginning of the text.
    pub(super) fn repeated(&self) -> &str {
        self.text.get(..self.repeated_len).unwrap_or_default()
    }

    /// Whether no repetition is expected any more.
    pub(super) fn is_over(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether the complete text was repeated.
    pub(super) fn is_complete(&self) -> bool {
        !self.text.is_empty() && self.repeated_len == self.text.len()
    }

    /// Returns the new text of a fragment: `None` if it only repeats. If it turns out not to be a repetition, the
    /// earlier fragments that looked like one are included.
    pub(super) fn new_text<'a>(&mut self, piece: Fragment<'a>) -> Option<Fragment<'a>> {
        let (repeated_text, rest) = self.text.split_at_checked(self.repeated_len).unwrap_or_default();
        let repeated_text = repeated_text.get(self.confirmed_len..).unwrap_or_default();
        if rest.is_empty() {
            *self = Self::default();
            return Some(piece);
        }
        if piece.lead.is_none() && piece.trail.is_none() && rest.starts_with(&*piece.text) {
            self.repeated_len += piece.text.len();
            return None;
        }
        if piece.lead.is_none() && piece.trail.is_none() && self.is_cumulative(&piece.text) {
            self.repeated_len = piece.text.len();
            return None;
        }
        let text = match piece.text.strip_prefix(rest).filter(|_| piece.lead.is_none()) {
            Some(news) => news.to_owned(),
            None if repeated_text.is_empty() || piece.lead.is_some() => piece.text.into_owned(),
            None => [repeated_text, &piece.text].concat(),
        };
        *self = Self::default();
        Some(Fragment { text: text.into(), ..piece })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_text_is_skipped() {
        let mut echo = Echo::new("{\"a\":1}");
        assert_eq!(echo.new_text("{\"a\"".into()), None);
        assert_eq!(echo.new_text(":1}".into()), None);
        assert_eq!(echo.new_text(" ".into()), Some(" ".into()), "all of it has come again");
    }

    #[test]
    fn cumulative_text_is_skipped() {
        let mut echo = Echo::new("{\"x\":12}");
        for piece in ["{\"x", "{\"x\":1", "{\"x\":12}"] {
            assert_eq!(echo.new_text(piece.into()), None, "{piece}");
        }
        assert!(echo.is_complete());
    }

    #[test]
    fn different_text_is_new() {
        let mut echo = Echo::new("{\"a\"");
        assert_eq!(echo.new_text(":1}".into()), Some(":1}".into()));
        assert_eq!(echo.new_text("{\"a\"".into()), Some("{\"a\"".into()), "too late for an echo");
    }

    #[test]
    fn text_with_the_same_start_is_new() {
        let mut echo = Echo::new("{\"a\":");
        assert_eq!(echo.new_text("{\"".into()), None);
        assert_eq!(echo.new_text("b\":1}}".into()), Some("{\"b\":1}}".into()));
    }

    #[test]
    fn text_after_the_repetition_is_new() {
        let mut echo = Echo::new("High wa");
        assert_eq!(echo.new_text("High ".into()), None);
        assert_eq!(echo.new_text("water".into()), Some("ter".into()));
    }
}
