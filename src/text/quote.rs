//! Strings inside a literal: how they begin and end, and what stands in them.

use super::reader::{Match, Reader};

/// What a string stands between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quote {
    Double,
    Single,
    /// Gemma's token.
    Token,
    /// `FunctionGemma`'s.
    Escape,
}

/// So much white space after a string is waited for.
const MAX_SPACE: usize = 1024;

const QUOTES: [Quote; 4] = [Quote::Double, Quote::Single, Quote::Token, Quote::Escape];
const MARKS: [&str; 4] = ["\"", "'", "<|\"|>", "<escape>"];

/// Which quote stands here.
pub(super) fn quote_at(reader: &Reader<'_>) -> Result<Option<Quote>, More> {
    match reader.which(&MARKS) {
        Match::Is(nth) => Ok(QUOTES.get(nth).copied()),
        Match::No => Ok(None),
        Match::Open => Err(More),
    }
}

/// More text is needed.
pub(super) struct More;

impl Quote {
    /// How it is written.
    pub(super) fn mark(self) -> &'static str {
        MARKS.get(self as usize).copied().unwrap_or_default()
    }

    /// Whether a backslash is a backslash.
    pub(super) fn is_raw(self) -> bool {
        matches!(self, Self::Token | Self::Escape)
    }

    /// Where in a string the first byte is that may not stand in JSON as it is, or may end the string.
    pub(super) fn end_of_plain(self, bytes: &[u8]) -> usize {
        let own = self.mark().as_bytes().first().copied().unwrap_or_default();
        let is_special = |byte: &u8| matches!(byte, 0..=0x1f | b'"' | b'\\') || *byte == own;
        bytes.iter().position(is_special).unwrap_or(bytes.len())
    }

    /// Whether the string ends here: a quote that nothing follows which could follow a string stands in it.
    pub(super) fn ends_at(self, reader: &Reader<'_>) -> Result<bool, More> {
        let mark = self.mark();
        match reader.which(&[mark]) {
            Match::No => return Ok(false),
            Match::Open => return Err(More),
            Match::Is(_) if self.is_raw() => return Ok(true),
            Match::Is(_) => {}
        }
        let after = reader.rest().get(mark.len()..).unwrap_or_default();
        let next = after.trim_ascii_start();
        if after.len() - next.len() > MAX_SPACE {
            return Ok(true);
        }
        match next.as_bytes() {
            [] | [b'/'] if !reader.is_over => Err(More),
            [] | [b',' | b':' | b'}' | b']' | b')' | b'<' | b';' | b'`', ..] | [b'/', b'/' | b'*', ..] => {
                Ok(true)
            }
            // A comma is missing.
            [b'"' | b'\'', ..] => Ok(after.len() > next.len()),
            _ => Ok(false),
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
    let hex = rest.get(2..length).filter(|hex| hex.iter().all(u8::is_ascii_hexdigit));
    match (letter, hex) {
        (b'u' | b'x', Some(hex)) => {
            out.push_str(if letter == b'u' { "\\u" } else { "\\u00" });
            out.push_str(str::from_utf8(hex).unwrap_or_default());
            length
        }
        (b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', _) => {
            out.push('\\');
            out.push(char::from(letter));
            2
        }
        (b'\'' | b'`', _) => {
            out.push(char::from(letter));
            2
        }
        (b'\n', _) => {
            out.push_str("\\n");
            2
        }
        // No escape: the backslash is one.
        _ => {
            out.push_str("\\\\");
            1
        }
    }
}

/// Writes an ASCII character of a string as JSON has it.
pub(super) fn write_raw(byte: u8, out: &mut String) {
    match byte {
        b'"' | b'\\' => {
            out.push('\\');
            out.push(char::from(byte));
        }
        b'\n' => out.push_str("\\n"),
        b'\t' => out.push_str("\\t"),
        b'\r' => out.push_str("\\r"),
        0..=0x1f => {
            const DIGITS: &[u8; 16] = b"0123456789abcdef";
            out.push_str("\\u00");
            for digit in [byte >> 4, byte & 15] {
                out.push(char::from(DIGITS.get(usize::from(digit)).copied().unwrap_or(b'0')));
            }
        }
        _ => out.push(char::from(byte)),
    }
}
