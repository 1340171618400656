//! Where a JSON string ends, in bytes that may end before it does.

use std::str;

use crate::json::Fragment;
use crate::json::string::{decode, end_of_plain};

/// What bytes after an opening quote are. See [`scan_string`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum StringScan<'b> {
    /// A string, and where its closing quote is.
    Whole { text: Fragment<'b>, end: usize },
    /// The beginning of one.
    Open,
    /// No JSON string, or no UTF-8.
    Invalid,
}

/// Reads the string whose opening quote is before `start`.
pub(crate) fn scan_string(bytes: &[u8], start: usize) -> StringScan<'_> {
    let mut at = end_of_plain(bytes, start);
    let mut is_plain = true;
    loop {
        match bytes.get(at) {
            Some(b'"') => break,
            Some(b'\\') => is_plain = false,
            Some(_) => return StringScan::Invalid,
            None => return StringScan::Open,
        }
        at += match bytes.get(at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u') => {
                let digits = bytes.get(at + 2..).unwrap_or_default();
                let count = digits.iter().take(4).take_while(|digit| digit.is_ascii_hexdigit()).count();
                match count {
                    4 => 6,
                    _ if count == digits.len() => return StringScan::Open,
                    _ => return StringScan::Invalid,
                }
            }
            Some(_) => return StringScan::Invalid,
            None => return StringScan::Open,
        };
        at = end_of_plain(bytes, at);
    }
    match str::from_utf8(bytes.get(start..at).unwrap_or_default()) {
        Ok(inner) if is_plain => StringScan::Whole { text: Fragment::from(inner), end: at },
        Ok(inner) => StringScan::Whole { text: decode(inner), end: at },
        Err(_) => StringScan::Invalid,
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
        ] {
            let json = format!("\"{inner}\"");
            let document = Document::parse(&json, 0).unwrap();
            let whole = StringScan::Whole { text: document.root().fragment().unwrap(), end: json.len() - 1 };
            assert_eq!(scan_string(json.as_bytes(), 1), whole, "{json}");
            for cut in 1..json.len() {
                assert_eq!(scan_string(&json.as_bytes()[..cut], 1), StringScan::Open, "{json} cut at {cut}");
            }
        }
    }

    #[test]
    fn what_is_no_string_is_noticed() {
        for bytes in [&b"\"a\nb\""[..], b"\"\\x\"", b"\"\\u12g4\"", b"\"\\u12\"", b"\"\xff\""] {
            assert_eq!(scan_string(bytes, 1), StringScan::Invalid, "{bytes:?}");
        }
    }
}
