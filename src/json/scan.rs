//! Finds the end of a JSON string in bytes that may end before it.

use crate::json::lanes;
use crate::json::string::end_of_plain;

/// What follows an opening quote. See [`scan_string`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StringScan {
    /// An ASCII string without escapes, and the index of its closing quote.
    Ascii(usize),
    /// A string without escapes, and the index of its closing quote.
    Plain(usize),
    /// A string with escapes, and the index of its closing quote.
    Escaped(usize),
    /// The beginning of a string.
    Open,
    /// Not a JSON string.
    Invalid,
}

/// Returns the first index of a word from `from` on. `str::find` would add ten kilobytes to the module.
pub(crate) fn find(text: &str, word: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let first = *word.as_bytes().first()?;
    let mut at = from;
    loop {
        at += memchr::memchr(first, bytes.get(at..)?)?;
        if bytes.get(at..)?.starts_with(word.as_bytes()) {
            return Some(at);
        }
        at += 1;
    }
}

/// Finds the end of the string whose opening quote is before `start`. Doesn't check whether the bytes are UTF-8.
#[expect(clippy::inline_always, reason = "most of the time of reading a stream is spent here")]
#[inline(always)]
pub(crate) fn scan_string(bytes: &[u8], start: usize) -> StringScan {
    let end = lanes::end_of_ascii(bytes, start);
    if lanes::byte(bytes, end) == b'"' { StringScan::Ascii(end) } else { scan_other(bytes, end) }
}

/// Slow path of [`scan_string`], from the first byte on that isn't plain ASCII.
#[inline(never)]
fn scan_other(bytes: &[u8], at: usize) -> StringScan {
    let end = end_of_plain(bytes, at);
    if lanes::byte(bytes, end) == b'"' { StringScan::Plain(end) } else { scan_escaped(bytes, end) }
}

/// Slow path of [`scan_other`], from the first quote, backslash or control character on.
fn scan_escaped(bytes: &[u8], mut at: usize) -> StringScan {
    loop {
        at += match (bytes.get(at), bytes.get(at + 1)) {
            (Some(b'"'), _) => return StringScan::Escaped(at),
            (None, _) | (Some(b'\\'), None) => return StringScan::Open,
            (Some(b'\\'), Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')) => 2,
            (Some(b'\\'), Some(b'u')) => {
                let digits = bytes.get(at + 2..).unwrap_or_default();
                let count = digits.iter().take(4).take_while(|digit| digit.is_ascii_hexdigit()).count();
                match count {
                    4 => 6,
                    _ if count == digits.len() => return StringScan::Open,
                    _ => return StringScan::Invalid,
                }
            }
            (Some(_), _) => return StringScan::Invalid,
        };
        at = end_of_plain(bytes, at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    #[test]
    fn agrees_with_the_parser_at_every_cut() {
        for inner in [
            "",
            "a",
            "é😀",
            r#"\n\"\\\/\b\f\r\t"#,
            r"\ud83d\ude00",
            r"\ud83d",
            r"x\ude00y",
            "0123456789abcdefghij",
            "0123456789abcdefghijé",
            "é0123456789abcdef",
        ] {
            let json = format!("\"{inner}\"");
            let end = json.len() - 1;
            let found = match (inner.contains('\\'), inner.is_ascii()) {
                (true, _) => StringScan::Escaped(end),
                (false, true) => StringScan::Ascii(end),
                (false, false) => StringScan::Plain(end),
            };
            assert_eq!(scan_string(json.as_bytes(), 1), found, "{json}");
            assert!(Document::parse(&json, 0).is_ok(), "{json}");
            for cut in 1..json.len() {
                assert_eq!(scan_string(&json.as_bytes()[..cut], 1), StringScan::Open, "{json} cut at {cut}");
            }
        }
    }

    #[test]
    fn invalid_strings_are_detected() {
        for bytes in [&b"\"a\nb\""[..], b"\"\\x\"", b"\"\\u12g4\"", b"\"\\u12\""] {
            assert_eq!(scan_string(bytes, 1), StringScan::Invalid, "{bytes:?}");
        }
    }
}
