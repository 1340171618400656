//! Strings inside a literal: quotes and escapes.

use crate::json::{Place, StringContext, ends_string, is_space, push_escape};
use crate::save::state;
use crate::text::formats::CLOSERS;
use crate::text::need_more::{Decided, NeedMore, more_unless};
use crate::text::reader::{Reader, longest_match, slice};

/// Quotes around a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quote {
    Double,
    Single,
    /// Python's triple-quoted strings.
    ThreeDouble,
    ThreeSingle,
    /// Typographic quotes.
    Curly,
    /// Gemma's token.
    Token,
    /// `FunctionGemma`'s token.
    Escape,
    /// Python's raw strings.
    RawDouble,
    RawSingle,
}

state! { enum Quote { 0 Double, 1 Single, 2 ThreeDouble, 3 ThreeSingle, 4 Curly, 5 Token, 6 Escape, 7 RawDouble, 8 RawSingle } }

/// Openers of strings. Python's prefixes mark raw and Unicode strings.
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

/// Returns the quote that begins here, and its length in bytes.
pub(crate) fn quote_at(reader: &Reader<'_>) -> Decided<Option<(Quote, usize)>> {
    let nth = reader.next_token(&OPENERS.map(|(opener, _)| opener))?;
    Ok(nth.and_then(|nth| OPENERS.get(nth)).map(|(opener, quote)| (*quote, opener.len())))
}

/// Returns the bytes after JSON white space.
fn skip_space(bytes: &[u8]) -> &[u8] {
    let space = bytes.iter().position(|byte| !is_space(*byte));
    bytes.get(space.unwrap_or(bytes.len())..).unwrap_or_default()
}

/// Maximum white space that is skipped, in bytes.
const MAX_SPACE: usize = 64;

/// Whether one of these bytes follows the next byte, after white space.
pub(crate) fn is_followed_by(reader: &Reader<'_>, bytes: &[u8]) -> Decided<bool> {
    let rest = reader.rest().as_bytes().get(1..).unwrap_or_default();
    let near = rest.get(..MAX_SPACE).unwrap_or(rest);
    match skip_space(near).first() {
        None if !reader.is_over && near.len() < MAX_SPACE => Err(NeedMore),
        next => Ok(next.is_some_and(|next| bytes.contains(next))),
    }
}

impl Quote {
    /// Returns the closing quote.
    pub(crate) fn end(self) -> &'static str {
        ENDS.get(self as usize).copied().unwrap_or_default()
    }

    /// Whether backslashes are literal.
    pub(crate) fn is_raw(self) -> bool {
        self.is_token() || matches!(self, Self::RawDouble | Self::RawSingle)
    }

    /// Whether it is a token, which is never part of the text.
    pub(crate) fn is_token(self) -> bool {
        matches!(self, Self::Token | Self::Escape)
    }

    /// Returns the position of the first byte that needs an escape in JSON or may end the string.
    pub(crate) fn plain_len(self, bytes: &[u8]) -> usize {
        let own = self.end().as_bytes().first().copied().unwrap_or_default();
        let is_special = |byte: &u8| match byte {
            0..=0x1f | b'"' | b'\\' => true,
            b'}' | b']' => self.is_token(),
            _ => *byte == own,
        };
        bytes.iter().position(is_special).unwrap_or(bytes.len())
    }

    /// Whether the string ends here. A quote is part of the string if the text after it can't follow a string.
    pub(crate) fn ends_at(self, reader: &Reader<'_>, around: StringContext) -> Decided<bool> {
        let end = self.end();
        let is_here = reader.is_before(end)?;
        if !is_here || self.is_raw() {
            return Ok(is_here);
        }
        let after = reader.rest().as_bytes().get(end.len()..).unwrap_or_default();
        let next = skip_space(after);
        let is_before_mark = match next.first() {
            Some(b':' | b'=' | b',' | b'}') if around.place == Place::Name => return Ok(true),
            Some(b')') if around.place == Place::Name && around.has_round => return Ok(true),
            // The closing brackets are missing.
            Some(b'<') => {
                longest_match(next, &[Self::Token.end()], reader.is_over)?.is_some()
                    || longest_match(next, CLOSERS, reader.is_over)?.is_some()
            }
            Some(b'`') => longest_match(next, &["```"], reader.is_over)?.is_some(),
            _ => false,
        };
        if is_before_mark { Ok(true) } else { ends_string(after, reader.is_over, around).ok_or(NeedMore) }
    }
}

/// Appends the character of an escape that only Python has. Returns the length of the escape; `None` for others.
fn write_python_escape(reader: &Reader<'_>, out: &mut String) -> Decided<Option<usize>> {
    let rest = reader.rest();
    let (from, digits, radix) = match rest.as_bytes().get(1) {
        // A line continuation.
        Some(b'\n') => return Ok(Some(2)),
        Some(letter @ (b'a' | b'v')) => {
            push_escape(if *letter == b'a' { 7 } else { 11 }, out);
            return Ok(Some(2));
        }
        Some(b'0'..=b'7') => (1, 3, 8),
        Some(b'U') => (2, 8, 16),
        _ => return Ok(None),
    };
    let is_digit = |byte: &u8| char::from(*byte).is_digit(radix);
    let length = rest.bytes().skip(from).take(digits).take_while(is_digit).count();
    if length < digits && from + length == rest.len() && !reader.is_over {
        return Err(NeedMore);
    }
    let code = u32::from_str_radix(slice(rest, from, from + length), radix).ok();
    let character = code.filter(|_| length == digits || radix == 8).and_then(char::from_u32);
    Ok(character.map(|character| {
        write_raw(character.encode_utf8(&mut [0; 4]), out);
        from + length
    }))
}

/// Appends the escape at the reader's position as JSON. Returns its length in bytes.
pub(crate) fn write_escape(reader: &Reader<'_>, is_python: bool, out: &mut String) -> Decided<usize> {
    if is_python && let Some(length) = write_python_escape(reader, out)? {
        return Ok(length);
    }
    let rest = reader.rest().as_bytes();
    let &letter = rest.get(1).ok_or(NeedMore)?;
    let digits = match letter {
        b'u' => 4,
        b'x' => 2,
        _ => 0,
    };
    let length = 2 + digits;
    more_unless(reader.is_over || rest.len() >= length)?;
    let is_hex = rest.get(2..length).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit));
    Ok(match (letter, is_hex) {
        (b'u' | b'x', true) => {
            out.push_str(if letter == b'u' { "\\u" } else { "\\u00" });
            out.push_str(slice(reader.rest(), 2, length));
            length
        }
        (b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', _) => {
            out.push_str(slice(reader.rest(), 0, 2));
            2
        }
        // An escape in Python or a shell, but not in JSON.
        (b'\'' | b'`' | b'$' | b'\t' | b'\n', _) => {
            write_raw(slice(reader.rest(), 1, 2), out);
            2
        }
        // An unescaped backslash.
        _ => {
            out.push_str("\\\\");
            1
        }
    })
}

/// Appends a character of a string, escaped if JSON requires it.
pub(crate) fn write_raw(character: &str, out: &mut String) {
    match character.as_bytes() {
        [byte @ (b'"' | b'\\' | 0..=0x1f)] => push_escape(*byte, out),
        _ => out.push_str(character),
    }
}
