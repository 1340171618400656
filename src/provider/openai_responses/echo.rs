//! Text that is sent twice: at the start of something, and again as its deltas.

use crate::json::Fragment;
use crate::save::state;

/// How a piece goes on with a text that comes again.
pub(super) enum Heard {
    /// It only repeats.
    Again,
    /// It has the rest, and more.
    Beyond,
    /// It is another text.
    Other,
}

/// Text that came with the start of something. Some servers send it again in pieces, others go on from it.
#[derive(Debug, Default)]
pub(super) struct Echo {
    text: String,
    /// How much of it has come again.
    heard: usize,
    /// How much of that was certainly it: all of a text, not only pieces that begin like it.
    sure: usize,
}

state! { struct Echo { text, heard, sure } }

impl Echo {
    /// Of this text.
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), heard: 0, sure: 0 }
    }

    /// And of this, which follows.
    pub(super) fn expect(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// All of one of the texts has come.
    pub(super) fn pass(&mut self, text: &str) {
        if !self.text.get(..self.heard).unwrap_or_default().ends_with(text) {
            self.news(Fragment::from(text));
        }
        self.sure = self.heard;
    }

    /// How a piece goes on with it.
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

    /// Whether a piece has all that came before it again, from the beginning, and more of the text.
    fn is_grown(&self, piece: &str) -> bool {
        self.sure == 0 && self.heard > 0 && piece.len() > self.heard && self.text.starts_with(piece)
    }

    /// What has come again.
    pub(super) fn heard(&self) -> &str {
        self.text.get(..self.heard).unwrap_or_default()
    }

    /// Whether all of it has come again.
    pub(super) fn is_over(&self) -> bool {
        !self.text.is_empty() && self.heard == self.text.len()
    }

    /// What a piece brings that is new: nothing if it is only the text coming again, and all that came if it isn't that
    /// after all.
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
