//! Strings inside a literal: how they begin and end, and what stands in them.

use super::call::CLOSERS;
use super::reader::{Match, Reader, slice, which};
use crate::json::{Around, Place, ends_string, push_escape};

/// What a string stands between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quote {
    Double,
    Single,
    /// Python's long strings.
    ThreeDouble,
    ThreeSingle,
    /// What word processors make of a quote.
    Curly,
    /// Gemma's token.
    Token,
    /// `FunctionGemma`'s.
    Escape,
}

const QUOTES: [Quote; 7] = [
    Quote::Double,
    Quote::Single,
    Quote::ThreeDouble,
    Quote::ThreeSingle,
    Quote::Curly,
    Quote::Token,
    Quote::Escape,
];
const OPENERS: [&str; 7] = ["\"", "'", "\"\"\"", "'''", "“", "<|\"|>", "<escape>"];
const ENDS: [&str; 7] = ["\"", "'", "\"\"\"", "'''", "”", "<|\"|>", "<escape>"];

/// Which quote stands here, and how many bytes it takes.
pub(super) fn quote_at(reader: &Reader<'_>) -> Result<Option<(Quote, usize)>, More> {
    match reader.which(&OPENERS) {
        Match::Is(nth) => Ok(QUOTES.get(nth).copied().zip(OPENERS.get(nth).map(|mark| mark.len()))),
        Match::No => Ok(None),
        Match::Open => Err(More),
    }
}

/// More text is needed.
pub(super) struct More;

/// What follows white space, as JSON knows it.
fn skip_space(bytes: &[u8]) -> &[u8] {
    let space = bytes.iter().position(|byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t'));
    bytes.get(space.unwrap_or(bytes.len())..).unwrap_or_default()
}

/// So much white space is looked over.
const MAX_SPACE: usize = 64;

/// Whether behind the next byte, or white space after it, one of these bytes stands.
pub(super) fn stands_after(reader: &Reader<'_>, bytes: &[u8]) -> Result<bool, More> {
    let rest = reader.rest().as_bytes().get(1..).unwrap_or_default();
    let near = rest.get(..MAX_SPACE).unwrap_or(rest);
    match skip_space(near).first() {
        None if !reader.is_over && near.len() < MAX_SPACE => Err(More),
        next => Ok(next.is_some_and(|next| bytes.contains(next))),
    }
}

impl Quote {
    /// What ends such a string.
    pub(super) fn end(self) -> &'static str {
        ENDS.get(self as usize).copied().unwrap_or_default()
    }

    /// Whether a backslash is a backslash.
    pub(super) fn is_raw(self) -> bool {
        matches!(self, Self::Token | Self::Escape)
    }

    /// Where in a string the first byte is that may not stand in JSON as it is, or may end the string.
    pub(super) fn end_of_plain(self, bytes: &[u8]) -> usize {
        let own = self.end().as_bytes().first().copied().unwrap_or_default();
        let is_special = |byte: &u8| matches!(byte, 0..=0x1f | b'"' | b'\\') || *byte == own;
        bytes.iter().position(is_special).unwrap_or(bytes.len())
    }

    /// Whether the string ends here: a quote that nothing follows which could follow a string stands in it.
    pub(super) fn ends_at(self, reader: &Reader<'_>, around: Around) -> Result<bool, More> {
        let end = self.end();
        match reader.which(&[end]) {
            Match::No => return Ok(false),
            Match::Open => return Err(More),
            Match::Is(_) if self.is_raw() => return Ok(true),
            Match::Is(_) => {}
        }
        let after = reader.rest().as_bytes().get(end.len()..).unwrap_or_default();
        let next = skip_space(after);
        let found = match next.first() {
            Some(b':' | b'=' | b',' | b'}') if around.place == Place::Name => return Ok(true),
            // The brackets are missing.
            Some(b'<') => which(next, CLOSERS, reader.is_over),
            Some(b'`') => which(next, &["```"], reader.is_over),
            _ => Match::No,
        };
        match found {
            Match::Is(_) => Ok(true),
            Match::Open => Err(More),
            Match::No => ends_string(after, reader.is_over, around).ok_or(More),
        }
    }
}

/// Writes the escape that stands here as JSON has it; how many bytes it takes, none where more text is needed.
pub(super) fn write_escape(reader: &Reader<'_>, out: &mut String) -> usize {
    let rest = reader.rest().as_bytes();
    let Some(&letter) = rest.get(1) else { return 0 };
    let digits = match letter {
        b'u' => 4,
        b'x' => 2,
        _ => 0,
    };
    let length = 2 + digits;
    if rest.len() < length && !reader.is_over {
        return 0;
    }
    let is_hex = rest.get(2..length).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit));
    match (letter, is_hex) {
        (b'u' | b'x', true) => {
            out.push_str(if letter == b'u' { "\\u" } else { "\\u00" });
            out.push_str(slice(reader.rest(), 2, length));
            length
        }
        (b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', _) => {
            out.push_str(slice(reader.rest(), 0, 2));
            2
        }
        // Not escaped in JSON, but in Python or a shell.
        (b'\'' | b'`' | b'$' | b'\t' | b'\n', _) => {
            write_raw(slice(reader.rest(), 1, 2), out);
            2
        }
        // No escape: the backslash is one.
        _ => {
            out.push_str("\\\\");
            1
        }
    }
}

/// Writes a character of a string as JSON has it.
pub(super) fn write_raw(character: &str, out: &mut String) {
    match character.as_bytes() {
        [byte @ (b'"' | b'\\' | 0..=0x1f)] => push_escape(*byte, out),
        _ => out.push_str(character),
    }
}
