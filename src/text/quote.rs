//! Strings inside a literal: how they begin and end, and their escapes.

use super::call::CLOSERS;
use super::reader::{Match, Reader, slice, which};
use crate::json::{Around, Place, ends_string, push_escape};
use crate::save::state;

/// The quotes around a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quote {
    Double,
    Single,
    /// Python's long strings.
    ThreeDouble,
    ThreeSingle,
    /// Typographic quotes.
    Curly,
    /// Gemma's token.
    Token,
    /// `FunctionGemma`'s.
    Escape,
    /// Python's raw strings.
    RawDouble,
    RawSingle,
}

state! { enum Quote { 0 Double, 1 Single, 2 ThreeDouble, 3 ThreeSingle, 4 Curly, 5 Token, 6 Escape, 7 RawDouble, 8 RawSingle } }

/// How strings begin. Python may say that they are raw, or text.
const OPENERS: [(&str, Quote); 13] = [
    ("\"", Quote::Double),
    ("'", Quote::Single),
    ("\"\"\"", Quote::ThreeDouble),
    ("'''", Quote::ThreeSingle),
    ("“", Quote::Curly),
    ("<|\"|>", Quote::Token),
    ("<escape>", Quote::Escape),
    ("r\"", Quote::RawDouble),
    ("r'", Quote::RawSingle),
    ("R\"", Quote::RawDouble),
    ("R'", Quote::RawSingle),
    ("u\"", Quote::Double),
    ("u'", Quote::Single),
];
const ENDS: [&str; 9] = ["\"", "'", "\"\"\"", "'''", "”", "<|\"|>", "<escape>", "\"", "'"];

/// The quote at the reader's place, and how many bytes it takes.
pub(super) fn quote_at(reader: &Reader<'_>) -> Result<Option<(Quote, usize)>, More> {
    match reader.which(&OPENERS.map(|(opener, _)| opener)) {
        Match::Is(nth) => Ok(OPENERS.get(nth).map(|(opener, quote)| (*quote, opener.len()))),
        Match::No => Ok(None),
        Match::Open => Err(More),
    }
}

/// More text is needed.
pub(super) struct More;

/// The bytes after JSON's white space.
fn skip_space(bytes: &[u8]) -> &[u8] {
    let space = bytes.iter().position(|byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t'));
    bytes.get(space.unwrap_or(bytes.len())..).unwrap_or_default()
}

/// How much white space is skipped at most.
const MAX_SPACE: usize = 64;

/// Whether one of these bytes follows the next byte and white space.
pub(super) fn stands_after(reader: &Reader<'_>, bytes: &[u8]) -> Result<bool, More> {
    let rest = reader.rest().as_bytes().get(1..).unwrap_or_default();
    let near = rest.get(..MAX_SPACE).unwrap_or(rest);
    match skip_space(near).first() {
        None if !reader.is_over && near.len() < MAX_SPACE => Err(More),
        next => Ok(next.is_some_and(|next| bytes.contains(next))),
    }
}

impl Quote {
    /// The mark that ends such a string.
    pub(super) fn end(self) -> &'static str {
        ENDS.get(self as usize).copied().unwrap_or_default()
    }

    /// Whether a backslash is a backslash.
    pub(super) fn is_raw(self) -> bool {
        matches!(self, Self::Token | Self::Escape | Self::RawDouble | Self::RawSingle)
    }

    /// The first byte of a string that needs an escape in JSON, or may end the string.
    pub(super) fn end_of_plain(self, bytes: &[u8]) -> usize {
        let own = self.end().as_bytes().first().copied().unwrap_or_default();
        let is_special = |byte: &u8| matches!(byte, 0..=0x1f | b'"' | b'\\') || *byte == own;
        bytes.iter().position(is_special).unwrap_or(bytes.len())
    }

    /// Whether the string ends here. A quote is part of it if nothing follows that could follow a string.
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
            Some(b')') if around.place == Place::Name && around.has_round => return Ok(true),
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

/// Writes an escape that only Python has. Returns how many bytes it takes; `None` for any other.
fn write_python_escape(reader: &Reader<'_>, out: &mut String) -> Option<usize> {
    let rest = reader.rest();
    let (from, digits, radix) = match rest.as_bytes().get(1)? {
        // It ends a line of code only.
        b'\n' => return Some(2),
        letter @ (b'a' | b'v') => {
            push_escape(if *letter == b'a' { 7 } else { 11 }, out);
            return Some(2);
        }
        b'0'..=b'7' => (1, 3, 8),
        b'U' => (2, 8, 16),
        _ => return None,
    };
    let is_digit = |byte: &u8| char::from(*byte).is_digit(radix);
    let length = rest.bytes().skip(from).take(digits).take_while(is_digit).count();
    if length < digits && from + length == rest.len() && !reader.is_over {
        return Some(0);
    }
    let code = u32::from_str_radix(slice(rest, from, from + length), radix).ok();
    let character = code.filter(|_| length == digits || radix == 8).and_then(char::from_u32)?;
    write_raw(character.encode_utf8(&mut [0; 4]), out);
    Some(from + length)
}

/// Writes the escape at the reader's place as JSON. Returns how many bytes it takes; 0 if more text is needed.
pub(super) fn write_escape(reader: &Reader<'_>, is_python: bool, out: &mut String) -> usize {
    if is_python && let Some(length) = write_python_escape(reader, out) {
        return length;
    }
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
        // Escaped in Python or a shell, but not in JSON.
        (b'\'' | b'`' | b'$' | b'\t' | b'\n', _) => {
            write_raw(slice(reader.rest(), 1, 2), out);
            2
        }
        // Not an escape: a plain backslash.
        _ => {
            out.push_str("\\\\");
            1
        }
    }
}

/// Writes a character of a string as JSON.
pub(super) fn write_raw(character: &str, out: &mut String) {
    match character.as_bytes() {
        [byte @ (b'"' | b'\\' | 0..=0x1f)] => push_escape(*byte, out),
        _ => out.push_str(character),
    }
}
