//! Finds the ends of JSON strings, and decodes their escapes.

use std::borrow::Cow;

use crate::json::Fragment;
use crate::json::lanes;

/// Returns the index of the first byte at or after `at` that isn't plain string text: a quote, a backslash or a control
/// character; the length of `bytes` if there is none.
#[inline(never)]
pub(super) fn end_of_plain(bytes: &[u8], at: usize) -> usize {
    lanes::end_of_plain(bytes, at)
}

/// Most stretches of plain text between escapes have at most this many bytes.
const SHORT_RANGE: usize = 16;

/// Appends a stretch of a text.
#[expect(clippy::inline_always, reason = "an inner loop; the crate is compiled for size")]
#[inline(always)]
pub(super) fn push_range(text: &str, start: usize, end: usize, out: &mut String) {
    // Copying a fixed number of bytes is one instruction; copying a variable number is a call out of the module.
    match text.get(start..start + SHORT_RANGE) {
        Some(chunk) if end - start <= SHORT_RANGE => {
            let length = out.len() + (end - start);
            out.push_str(chunk);
            out.truncate(length);
        }
        _ => out.push_str(text.get(start..end).unwrap_or_default()),
    }
}

/// The meaning of an escape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    /// A character, from one escape or from the two of a surrogate pair.
    Char(char),
    /// A surrogate without its counterpart next to it.
    LoneSurrogate(u16),
}

/// Reads the escape of a valid string whose backslash is at `at`. Also returns the position after the escape.
pub(super) fn read_escape(text: &str, at: usize) -> (Escape, usize) {
    let character = match text.as_bytes().get(at + 1) {
        Some(b'u') => return read_unicode_escape(text, at),
        Some(letter) => unescaped(*letter),
        None => char::REPLACEMENT_CHARACTER,
    };
    (Escape::Char(character), at + 2)
}

/// Returns the meaning of this character after a backslash.
pub(crate) fn unescaped(letter: u8) -> char {
    match letter {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        itself => char::from(itself),
    }
}

fn read_unicode_escape(text: &str, at: usize) -> (Escape, usize) {
    let unit = code_unit(text, at).unwrap_or_default();
    match char::from_u32(u32::from(unit)) {
        Some(character) => (Escape::Char(character), at + 6),
        None => match char::decode_utf16([unit, code_unit(text, at + 6).unwrap_or_default()]).next() {
            Some(Ok(character)) => (Escape::Char(character), at + 12),
            _ => (Escape::LoneSurrogate(unit), at + 6),
        },
    }
}

/// Returns the UTF-16 code unit of the `\uXXXX` that may be at `at`.
fn code_unit(text: &str, at: usize) -> Option<u16> {
    u16::from_str_radix(text.get(at..at + 6)?.strip_prefix("\\u")?, 16).ok()
}

/// Decodes a valid string, given without its quotes.
pub(super) fn decode(inner: &str) -> Fragment<'_> {
    if let Some(text) = decode_short(inner.as_bytes()) {
        return Fragment { lead: None, text: Cow::Owned(text), trail: None };
    }
    let mut text = String::with_capacity(inner.len());
    let (lead, trail) = decode_onto(inner, &mut text);
    Fragment { lead, text: Cow::Owned(text), trail }
}

/// Maximum length of strings that are decoded byte by byte.
const SHORT: usize = 64;

/// Decodes a short string without `\u`, as is common in the arguments of tool calls.
fn decode_short(inner: &[u8]) -> Option<String> {
    let mut bytes = Vec::new();
    let is_short = inner.len() <= SHORT && decode_letters(inner, &mut bytes);
    String::from_utf8(bytes).ok().filter(|_| is_short)
}

/// Appends the decoded string to a text. If there is a `\u`, appends nothing and returns `false`.
pub(crate) fn decode_letters(inner: &[u8], text: &mut Vec<u8>) -> bool {
    let before = text.len();
    text.reserve(inner.len());
    let mut bytes = inner.iter();
    while let Some(byte) = bytes.next() {
        text.push(match (byte, bytes.as_slice().first()) {
            (b'\\', Some(b'u') | None) => {
                text.truncate(before);
                return false;
            }
            (b'\\', Some(letter)) => {
                bytes.next();
                unescaped(*letter) as u8
            }
            (other, _) => *other,
        });
    }
    true
}

/// Appends the decoded string to a text, and returns the surrogates of characters that are split at its ends.
pub(crate) fn decode_onto(inner: &str, text: &mut String) -> (Option<u16>, Option<u16>) {
    let (mut lead, mut trail) = (None, None);
    let mut at = 0;
    loop {
        let start = at;
        at = lanes::end_of_plain(inner.as_bytes(), at);
        if start < at {
            push_range(inner, start, at, text);
        }
        if at >= inner.len() {
            return (lead, trail);
        }
        let is_first = at == 0;
        let (escape, after) = read_escape(inner, at);
        at = after;
        match escape {
            Escape::Char(character) => text.push(character),
            Escape::LoneSurrogate(low @ 0xdc00..) if is_first => lead = Some(low),
            Escape::LoneSurrogate(high @ ..0xdc00) if at == inner.len() => trail = Some(high),
            Escape::LoneSurrogate(_) => text.push(char::REPLACEMENT_CHARACTER),
        }
    }
}
