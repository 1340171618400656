//! Finds the end of a JSON scalar without the parser.

use crate::json::lanes::{byte, end_of_ascii};
use crate::json::number_end::end_of_number;
use crate::json::scan::{StringScan, scan_string};
use crate::json::tape::Shape;

/// Returns the shape and the end of the scalar at `start`. Fast path for plain ASCII strings and whole numbers.
#[expect(clippy::inline_always, reason = "half of the time of reading a stream is spent here")]
#[inline(always)]
pub(super) fn scalar(bytes: &[u8], start: usize) -> Option<(Shape, usize)> {
    match byte(bytes, start) {
        b'"' => {
            let end = end_of_ascii(bytes, start + 1);
            if byte(bytes, end) == b'"' {
                return Some((Shape::PlainString, end + 1));
            }
        }
        b'1'..=b'9' => {
            let mut end = start + 1;
            while byte(bytes, end).is_ascii_digit() {
                end += 1;
            }
            if !matches!(byte(bytes, end), b'.' | b'e' | b'E') {
                return Some((Shape::Number, end));
            }
        }
        _ => {}
    }
    any_scalar(bytes, start)
}

/// Slow path of [`scalar`], for any scalar.
#[inline(never)]
pub(super) fn any_scalar(bytes: &[u8], start: usize) -> Option<(Shape, usize)> {
    let word =
        |word: &[u8], shape| bytes.get(start..)?.starts_with(word).then_some((shape, start + word.len()));
    match byte(bytes, start) {
        b'"' => match scan_string(bytes, start + 1) {
            StringScan::Ascii(end) => Some((Shape::PlainString, end + 1)),
            StringScan::Plain(end) => is_utf8(bytes, start, end).then_some((Shape::PlainString, end + 1)),
            StringScan::Escaped(end) => is_utf8(bytes, start, end).then_some((Shape::EscapedString, end + 1)),
            StringScan::Open | StringScan::Invalid => None,
        },
        b'-' | b'0'..=b'9' => Some((Shape::Number, end_of_number(bytes, start).ok()?)),
        b'n' => word(b"null", Shape::Null),
        b't' => word(b"true", Shape::True),
        b'f' => word(b"false", Shape::False),
        _ => None,
    }
}

fn is_utf8(bytes: &[u8], start: usize, end: usize) -> bool {
    bytes.get(start..end).is_some_and(|bytes| str::from_utf8(bytes).is_ok())
}
