//! Where strings end that have quotes in them which are not escaped.

use crate::json::progress::is_space;

/// So far behind a quote is looked. If that does not tell, the quote ends its string: so all do that are right.
pub(super) const WINDOW: usize = 256;

/// What the string is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Name,
    /// The value of a member.
    Member,
    Item,
}

/// Whether a quote ends its string: whether what follows it goes on with the JSON. `depth` is how many arrays and
/// objects are open.
pub(super) fn ends_string(rest: &[u8], place: Place, depth: usize) -> bool {
    let ahead = Ahead { bytes: rest.get(..WINDOW).unwrap_or(rest), is_cut: rest.len() > WINDOW };
    let mut at = ahead.skip_space(0);
    let Some(byte) = ahead.byte(at) else { return true };
    match (byte, place) {
        (b':', _) | (_, Place::Name) => byte == b':' && place == Place::Name,
        (b'}' | b']', _) => {
            let mut closers = 0;
            while let Some(b'}' | b']') = ahead.byte(at) {
                closers += 1;
                at = ahead.skip_space(at + 1);
            }
            match ahead.byte(at) {
                Some(byte) if is_quote(byte) => false,
                Some(byte) if byte.is_ascii_alphanumeric() => closers >= depth,
                _ => true,
            }
        }
        (b',', _) => {
            at = ahead.skip_space(at + 1);
            match ahead.byte(at) {
                None | Some(b'}' | b']' | b'/') => true,
                _ if place == Place::Member => ahead.is_name(at, true),
                Some(byte) => is_quote(byte) || b"{[-0123456789tfnTFN".contains(&byte),
            }
        }
        (b'/', _) => matches!(ahead.byte(at + 1), Some(b'/' | b'*')),
        _ => is_quote(byte) && (place == Place::Item || ahead.is_name(at, false)),
    }
}

pub(super) fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'')
}

/// Whether a byte can be in text that has no quotes.
pub(super) fn is_word_byte(byte: u8) -> bool {
    !is_space(byte) && !b",:{}[]\"'".contains(&byte)
}

/// What follows a quote.
struct Ahead<'a> {
    bytes: &'a [u8],
    /// Whether the text goes on.
    is_cut: bool,
}

impl Ahead<'_> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    fn skip(&self, mut at: usize, is_skipped: fn(u8) -> bool) -> usize {
        while self.byte(at).is_some_and(is_skipped) {
            at += 1;
        }
        at
    }

    fn skip_space(&self, at: usize) -> usize {
        self.skip(at, is_space)
    }

    /// Whether the name of a member begins here. Where it begins and does not end: `or_open`.
    fn is_name(&self, mut at: usize, or_open: bool) -> bool {
        let quote = self.byte(at).unwrap_or_default();
        if is_quote(quote) {
            at += 1;
            while self.byte(at).is_some_and(|byte| byte != quote) {
                at += if self.byte(at) == Some(b'\\') { 2 } else { 1 };
            }
            if at >= self.bytes.len() {
                return or_open || self.is_cut;
            }
            at += 1;
        } else {
            at = self.skip(at, is_word_byte);
        }
        self.byte(self.skip_space(at)).is_none_or(|byte| byte == b':')
    }
}
