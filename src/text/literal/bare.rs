//! Unquoted parts of a literal: words, numbers, comments.

use super::Stop;
use crate::json::{RawJson, ToJson};
use crate::text::more::{Decided, More, more_unless};
use crate::text::reader::{Reader, position, skip, slice};
use crate::text::work::look_at;

/// A key is looked for in so many bytes.
const MAX_KEY: usize = 200;

/// No number is longer before a key whose comma is missing.
const MAX_WORD: usize = 64;

/// Reads over a comment.
pub(crate) fn skip_comment(reader: &mut Reader<'_>) -> Decided<Option<Stop>> {
    let rest = reader.rest().as_bytes();
    let end = match rest.get(1) {
        _ if rest.first() == Some(&b'#') => memchr::memchr(b'\n', rest).map(|at| at + 1),
        Some(b'/') => memchr::memchr(b'\n', rest).map(|at| at + 1),
        Some(b'*') => position(slice(reader.rest(), 2, rest.len()), "*/").map(|at| at + 4),
        Some(_) => return Ok(Some(Stop::Foreign)),
        None => None,
    };
    more_unless(reader.is_over || end.is_some())?;
    reader.at += end.unwrap_or_default();
    Ok(end.is_none().then_some(Stop::Foreign))
}

/// Writes unquoted text as JSON: a number, a known word, or a string.
pub(crate) fn write_bare(bare: &str, out: &mut String) {
    let word = bare.trim_ascii();
    let known = match word {
        "True" | "TRUE" => "true",
        "False" | "FALSE" => "false",
        "" | "None" | "NULL" | "Null" | "undefined" | "NaN" | "Infinity" | "-Infinity" => "null",
        _ if is_json(word) => word,
        _ => {
            let number = python_number(word);
            return if is_json(&number) { out.push_str(&number) } else { word.write_json(out) };
        }
    };
    out.push_str(known);
}

/// Whether the comma or the quote here belongs to a text without quotes: no key follows. A quote begins a key only behind
/// a value that is complete. `is_string`: whatever it looks like. <https://github.com/sgl-project/sglang/pull/39240>
pub(crate) fn is_mark_of_text(bare: &str, is_string: bool, reader: &Reader<'_>) -> Decided<bool> {
    let mut json = String::new();
    if !is_string && bare.len() < MAX_WORD {
        look_at(bare.len());
        write_bare(bare, &mut json);
    }
    let is_text = matches!(json.as_bytes(), [] | [b'"', ..]);
    let near = reader.near(MAX_KEY);
    let behind = slice(near, 1, near.len()).trim_ascii_start();
    let key = behind
        .bytes()
        .position(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'-' | 0x80..));
    let rest = skip(slice(behind, key.unwrap_or(behind.len()), behind.len()), b"\" \n\r\t");
    let is_quote = near.starts_with('"');
    if is_text == is_quote || key == Some(0) {
        return Ok(is_quote);
    }
    match rest.bytes().next() {
        Some(byte) => Ok(!matches!(byte, b':' | b'=')),
        None if near.len() < MAX_KEY && !reader.is_over => Err(More),
        None => Ok(near.len() == MAX_KEY),
    }
}

/// Whether it is a word or a number of JSON.
fn is_json(word: &str) -> bool {
    RawJson::parse(word).is_some()
}

/// A number that Python allows and JSON does not, as JSON has it: `+1`, `.5`, `5.`, `1_000`. And `07`.
pub(crate) fn python_number(word: &str) -> String {
    let mut number = String::new();
    let mut last = b'_';
    for (at, byte) in word.bytes().enumerate().filter(|(_, byte)| *byte != b'_') {
        match (last, byte) {
            (b'_', b'+') => continue,
            (b'_' | b'-', b'0') if word.as_bytes().get(at + 1).is_some_and(u8::is_ascii_digit) => continue,
            (b'_' | b'-', b'.') => number.push_str("0."),
            (b'.', b'e' | b'E') => number.push_str("0e"),
            _ => number.push_str(slice(word, at, at + 1)),
        }
        last = byte;
    }
    if last == b'.' {
        number.push('0');
    }
    number
}
