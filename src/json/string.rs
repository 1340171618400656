//! JSON strings: finding where they end, undoing their escapes.

use std::borrow::Cow;

use crate::json::Fragment;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// The first byte at or after `at` that is not plain text of a string: a quote, a backslash or a control
/// character; the length of `bytes` where there is none.
pub(super) fn end_of_plain(bytes: &[u8], mut at: usize) -> usize {
    // Eight bytes at once: most strings of an event are shorter than what a call of memchr costs.
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let word = u64::from_le_bytes(*chunk);
        // A byte below n is one where the subtraction borrows; the lowest such byte is always right.
        let quote = (word ^ (ONES * 0x22)).wrapping_sub(ONES);
        let backslash = (word ^ (ONES * 0x5c)).wrapping_sub(ONES);
        let control = word.wrapping_sub(ONES * 0x20);
        let hits = (quote | backslash | control) & !word & HIGH_BITS;
        if hits != 0 {
            return at + (hits.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|&byte| matches!(byte, 0..=0x1f | b'"' | b'\\')).unwrap_or(rest.len())
}

/// What an escape stands for, or the text between escapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Text without escapes.
    Plain(&'a str),
    /// One escape, or the two of a surrogate pair.
    Escaped(char),
    /// Half of a surrogate pair whose other half does not follow (or go before).
    Half(u16),
}

/// The pieces of a valid string, without its quotes.
#[derive(Debug, Clone)]
pub(super) struct Pieces<'a> {
    rest: &'a str,
}

impl<'a> Pieces<'a> {
    pub(super) fn new(inner: &'a str) -> Self {
        Self { rest: inner }
    }

    /// What is left to read.
    pub(super) fn rest(&self) -> &'a str {
        self.rest
    }

    fn skip(&mut self, length: usize) {
        self.rest = self.rest.get(length..).unwrap_or_default();
    }

    /// The escape at the beginning of the rest.
    fn escape(&mut self) -> Piece<'a> {
        let letter = self.rest.as_bytes().get(1).copied().unwrap_or_default();
        if letter == b'u' {
            return self.unicode_escape();
        }
        self.skip(2);
        Piece::Escaped(match letter {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            other => char::from(other),
        })
    }

    fn unicode_escape(&mut self) -> Piece<'a> {
        let unit = unicode_unit(self.rest).unwrap_or_default();
        self.skip(6);
        if !(0xd800..=0xdbff).contains(&unit) {
            return char::from_u32(u32::from(unit)).map_or(Piece::Half(unit), Piece::Escaped);
        }
        let low = unicode_unit(self.rest).unwrap_or_default();
        match char::decode_utf16([unit, low]).next() {
            Some(Ok(character)) => {
                self.skip(6);
                Piece::Escaped(character)
            }
            _ => Piece::Half(unit),
        }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        match end_of_plain(self.rest.as_bytes(), 0) {
            0 if self.rest.is_empty() => None,
            0 => Some(self.escape()),
            length => {
                let plain = self.rest.get(..length)?;
                self.skip(length);
                Some(Piece::Plain(plain))
            }
        }
    }
}

/// The code unit of the `\uXXXX` at the beginning of a text.
fn unicode_unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

/// Undoes the escapes of a valid string, given without its quotes.
pub(super) fn decode(inner: &str) -> Fragment<'_> {
    let mut text = String::with_capacity(inner.len());
    let (mut lead, mut trail) = (None, None);
    let mut pieces = Pieces::new(inner);
    let mut first = true;
    while let Some(piece) = pieces.next() {
        match piece {
            Piece::Plain(plain) => text.push_str(plain),
            Piece::Escaped(character) => text.push(character),
            Piece::Half(low) if first && low >= 0xdc00 => lead = Some(low),
            Piece::Half(high) if pieces.rest().is_empty() && high < 0xdc00 => trail = Some(high),
            Piece::Half(_) => text.push(char::REPLACEMENT_CHARACTER),
        }
        first = false;
    }
    Fragment { lead, text: Cow::Owned(text), trail }
}
