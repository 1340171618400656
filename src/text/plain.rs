//! Text in which nothing begins, so that it needs no search.

use super::python::is_name;

/// Text in which nothing begins that is searched for. An [idle extractor](super::Extractor::is_idle) emits it unchanged
/// and is idle afterwards.
#[derive(Debug)]
pub struct PlainText {
    /// A bit for each ASCII character with which something begins.
    leads: [u32; 4],
}

impl PlainText {
    /// For [the bytes](super::TextOptions::leads) with which anything begins.
    pub(super) fn new(leads: &[u8]) -> Self {
        let mut bits = [0; 4];
        for lead in leads {
            if let Some(bits) = bits.get_mut(usize::from(lead >> 5)) {
                *bits |= 1 << (lead & 31);
            }
        }
        Self { leads: bits }
    }

    /// Whether a text is plain, whatever precedes it.
    pub fn is(&self, text: &[u8]) -> bool {
        let is_plain = |at: usize, byte: u8| match self.leads.get(usize::from(byte >> 5)) {
            None => false,
            Some(bits) if bits >> (byte & 31) & 1 == 0 => true,
            // Openers that begin with a letter begin a word.
            Some(_) => {
                byte.is_ascii_alphanumeric() && at > 0 && text.get(at - 1).is_some_and(|last| is_name(*last))
            }
        };
        text.iter().enumerate().all(|(at, byte)| is_plain(at, *byte))
    }
}

#[cfg(test)]
mod tests {
    use super::super::formats::{Place, REASONING, ROWS};
    use super::*;

    #[test]
    fn text_in_which_nothing_begins_is_plain() {
        let plain = PlainText::new(b"<f");
        assert!(["", "of a", " x", "a-fo", "1 > 0\n"].iter().all(|text| plain.is(text.as_bytes())));
        assert!(
            ["<", "a <", "f", "of for", "\nf", "\u{ff5c}", "\u{e9}"]
                .iter()
                .all(|text| !plain.is(text.as_bytes()))
        );
    }

    #[test]
    fn what_begins_with_a_letter_begins_a_word() {
        let is_letter = |token: &str| token.starts_with(|first: char| first.is_ascii_alphanumeric());
        let mut rows = ROWS.iter().filter(|row| is_letter(row.opener));
        assert!(rows.clone().count() > 1 && rows.all(|row| row.place != Place::Anywhere));
        assert!(!REASONING.iter().any(|(opener, closer)| is_letter(opener) || is_letter(closer)));
    }
}
