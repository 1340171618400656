//! The values of a line that may vary.

use memchr::memchr_iter;

use super::leaves::Leaf;
use crate::json::{StringScan, byte, end_of_digits, scan_string};

/// Maximum number of digits. Such whole numbers, and sums of a few of them, are exact as floats.
const MAX_DIGITS: usize = 15;

/// Whether a value may vary.
pub(super) fn is_hole(line: &str, value: &Leaf) -> bool {
    let bytes = line.as_bytes();
    let end = if value.is_text { end_of_text(bytes, value.start) } else { end_of_number(bytes, value.start) };
    end == Some(value.end)
}

/// Returns the end of a string. `None` for white space, `null` and several versions of an object, which have a special
/// meaning as arguments.
pub(super) fn end_of_text(line: &[u8], start: usize) -> Option<usize> {
    let (StringScan::Ascii(end) | StringScan::Plain(end) | StringScan::Escaped(end)) =
        scan_string(line, start)
    else {
        return None;
    };
    let whole = line.get(start..end)?;
    if may_have_versions(whole) {
        return None;
    }
    let text = without_space(whole);
    let rest = without_space(text.strip_prefix(b"null").unwrap_or(text));
    (!rest.is_empty()).then_some(end)
}

/// Whether a text may be an object that another one follows. Some objects with texts in braces are taken for such, which
/// costs only time.
fn may_have_versions(text: &[u8]) -> bool {
    const BRACE: &[u8] = br"\u007";
    let begins = |at: usize| {
        let before = without_space_behind(text.get(..at).unwrap_or_default());
        !matches!(before.last(), Some(b':' | b'[' | b','))
    };
    text.starts_with(BRACE)
        || text.starts_with(b"{")
            && (memchr_iter(b'{', text).skip(1).any(begins)
                || text.windows(BRACE.len()).any(|part| part == BRACE))
}

/// Trims white space at the end, also if it is escaped.
fn without_space_behind(mut text: &[u8]) -> &[u8] {
    while let [rest @ .., b' '] | [rest @ .., b'\\', b'n' | b'r' | b't'] = text {
        text = rest;
    }
    text
}

/// Trims leading white space, also if it is escaped. Some other escapes are trimmed, too, which costs only time.
fn without_space(mut text: &[u8]) -> &[u8] {
    while let [b' ', rest @ ..]
    | [b'\\', b'n' | b'r' | b't', rest @ ..]
    | [b'\\', b'u', b'0', b'0', b'0' | b'2', _, rest @ ..] = text
    {
        text = rest;
    }
    text
}

/// Returns the end of a whole number.
pub(super) fn end_of_number(line: &[u8], start: usize) -> Option<usize> {
    let end = end_of_digits(line, start);
    let count = end - start;
    let is_number = (1..=MAX_DIGITS).contains(&count) && (count == 1 || byte(line, start) != b'0');
    // These bytes would continue the number.
    (is_number && !matches!(byte(line, end), b'.' | b'e' | b'E')).then_some(end)
}

pub(super) fn number(digits: &[u8]) -> u64 {
    let mut number = 0_u64;
    for digit in digits {
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit.wrapping_sub(b'0')));
    }
    number
}

pub(super) fn whole_number(json: &str) -> Option<u64> {
    (end_of_number(json.as_bytes(), 0) == Some(json.len())).then(|| number(json.as_bytes()))
}

pub(super) fn number_in(line: &str, value: &Leaf) -> u64 {
    line.get(value.start..value.end).map_or(0, |digits| number(digits.as_bytes()))
}
