//! Text that is told twice: at the start of something, and again as its deltas.

use crate::json::Fragment;
use crate::save::state;

/// Text that came with the start of something. Some servers send it again in pieces, others go on from it.
#[derive(Debug, Default)]
pub(super) struct Echo {
    text: String,
    /// How much of it has come again.
    heard: usize,
}

state! { struct Echo { text, heard } }

impl Echo {
    /// Of this text.
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), heard: 0 }
    }

    /// And of this, which follows.
    pub(super) fn expect(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// All of one of the texts has come.
    pub(super) fn pass(&mut self, text: &str) {
        if !self.text.get(..self.heard).unwrap_or_default().ends_with(text) {
            self.takes(&Fragment::from(text));
        }
    }

    /// Whether this piece is only the text coming again, so that it is nothing new.
    pub(super) fn takes(&mut self, piece: &Fragment<'_>) -> bool {
        if self.text.is_empty() {
            return false;
        }
        let rest = self.text.get(self.heard..).unwrap_or_default();
        let is_echo = piece.lead.is_none() && piece.trail.is_none() && rest.starts_with(&*piece.text);
        if is_echo && !rest.is_empty() {
            self.heard += piece.text.len();
            return true;
        }
        *self = Self::default();
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_again_is_nothing_new() {
        let mut echo = Echo::new("{\"a\":1}");
        assert!(echo.takes(&Fragment::from("{\"a\"")));
        assert!(echo.takes(&Fragment::from(":1}")));
        assert!(!echo.takes(&Fragment::from(" ")), "all of it has come again");
    }

    #[test]
    fn what_goes_on_is_new() {
        let mut echo = Echo::new("{\"a\"");
        assert!(!echo.takes(&Fragment::from(":1}")));
        assert!(!echo.takes(&Fragment::from("{\"a\"")), "too late for an echo");
    }
}
