//! Finds the end of a JSON number.
#![expect(clippy::inline_always, reason = "the crate is compiled for size; the parser is slower without")]

use crate::json::lanes::{byte, end_of_digits};

/// Returns the end of the number at `start`, or the position of an error and what was expected there.
#[inline(always)]
pub(super) fn end_of_number(bytes: &[u8], start: usize) -> Result<usize, (usize, &'static str)> {
    let mut at = start + usize::from(byte(bytes, start) == b'-');
    if byte(bytes, at) == b'0' {
        at += 1;
        if byte(bytes, at).is_ascii_digit() {
            return Err((at, "no digit after a leading zero"));
        }
    } else {
        at = end_of_few_digits(bytes, at)?;
    }
    if byte(bytes, at) == b'.' {
        let start = at + 1;
        at = end_of_digits(bytes, start);
        if at == start {
            return Err((at, "a digit"));
        }
    }
    if let b'e' | b'E' = byte(bytes, at) {
        at += 1;
        if let b'+' | b'-' = byte(bytes, at) {
            at += 1;
        }
        at = end_of_few_digits(bytes, at)?;
    }
    Ok(at)
}

/// Returns the end of the digits at `start`, of which there must be one or more.
#[inline(always)]
fn end_of_few_digits(bytes: &[u8], start: usize) -> Result<usize, (usize, &'static str)> {
    let mut at = start;
    while byte(bytes, at).is_ascii_digit() {
        at += 1;
    }
    if at == start { Err((at, "a digit")) } else { Ok(at) }
}
