//! Splits text so that no reader mistakes a piece for the whole text so far. Some servers send the whole text in each
//! piece; readers recognise them by a piece that begins with all text before it. Others repeat the whole text once, as
//! a long piece.

use crate::accumulator::MIN_REPEATED;

/// Splits the rest of a text. It is usually one piece, otherwise several, none of which begins with all text before it
/// and continues, or repeats all of that text and is long.
pub(super) struct Pieces<'t> {
    text: &'t str,
    from: usize,
    /// Number of bytes of the next piece that repeat other texts written before this one, if it begins with them.
    lead: Option<usize>,
}

impl<'t> Pieces<'t> {
    /// Splits the text from byte `from` on.
    pub(super) fn new(text: &'t str, from: usize) -> Self {
        Self { text, from, lead: Some(0) }
    }

    /// Splits a text that follows other texts. `lead` is the number of bytes, from `from` on, that repeat those texts,
    /// if it begins with them.
    pub(super) fn following(lead: Option<usize>, text: &'t str, from: usize) -> Self {
        Self { text, from, lead }
    }
}

impl<'t> Iterator for Pieces<'t> {
    type Item = &'t str;

    #[inline(never)]
    fn next(&mut self) -> Option<&'t str> {
        let (before, piece) = self.text.split_at_checked(self.from)?;
        let mut length = piece.len();
        if let Some(lead) = self.lead
            && let Some(news) = piece.get(lead..).and_then(|rest| rest.strip_prefix(before))
            && news.len() < length
            && (!news.is_empty() || length >= MIN_REPEATED)
        {
            length = without_last_char(piece, length - news.len());
        }
        self.lead = self.lead.filter(|lead| *lead == 0); // more text precedes the second piece
        self.from += length;
        piece.get(..length).filter(|piece| !piece.is_empty())
    }
}

/// Returns `end` without the last character before it, unless that is the only one.
fn without_last_char(piece: &str, end: usize) -> usize {
    match piece.floor_char_boundary(end - 1) {
        0 => end,
        at => at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces<'a>(lead: &str, text: &'a str, from: usize) -> Vec<&'a str> {
        let begins = text.get(from..).is_some_and(|piece| piece.starts_with(lead));
        Pieces::following(begins.then_some(lead.len()), text, from).collect()
    }

    #[test]
    fn text_that_continues_is_one_piece() {
        assert_eq!(pieces("", "Hello", 0), ["Hello"]);
        assert_eq!(pieces("", "Hello world", 5), [" world"]);
        assert_eq!(pieces("", "haha", 2), ["ha"]);
        assert_eq!(pieces("ha", "he", 0), ["he"]);
        assert!(pieces("", "Hello", 5).is_empty());
        assert!(pieces("", "é", 1).is_empty());
    }

    #[test]
    fn a_piece_that_repeats_all_before_it_is_split() {
        assert_eq!(pieces("", "HelloHello world", 5), ["Hell", "o world"]);
        assert_eq!(pieces("Hello", "Hello world", 0), ["Hell", "o world"]);
        assert_eq!(pieces("", "ééa", 2), ["é", "a"]);
    }

    #[test]
    fn a_long_repetition_of_all_before_it_is_split() {
        let long = "Low water is at 9:35, high water at 15:48.";
        assert_eq!(pieces("", &long.repeat(2), long.len()).concat(), long);
        assert_eq!(pieces("", &long.repeat(2), long.len()).len(), 2);
        assert_eq!(pieces("", "HelloHello", 5), ["Hello"]);
    }

    #[test]
    fn a_text_of_one_repeated_character_is_split_into_few_pieces() {
        let text = "a".repeat(10_000);
        let pieces = pieces("", &text, 1);
        assert!(pieces.len() < 20, "{}", pieces.len());
        let mut written = 1;
        for piece in pieces {
            assert!(piece.len() <= written);
            written += piece.len();
        }
        assert_eq!(written, text.len());
    }
}
