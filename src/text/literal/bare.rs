//! Unquoted parts of a literal: words, numbers, comments.

use super::quote::Quote;
use super::{At, Literal, Stop};
use crate::json::{RawJson, ToJson};
use crate::text::formats::CLOSERS;
use crate::text::need_more::{Decided, NeedMore, false_if_complete, more_unless};
use crate::text::reader::{Reader, first_byte, longest_match, position, skip, slice, unquoted};
use crate::text::schema::STRING;
use crate::text::work::look_at;

/// Number of bytes in which the next key is searched for.
const MAX_KEY: usize = 200;

/// Maximum length of an unquoted name.
const MAX_NAME: usize = 256;

/// Maximum length of a number before a key whose comma is missing.
const MAX_WORD: usize = 64;

impl Literal {
    /// Begins an unquoted word.
    pub(crate) fn begin_bare(&mut self, is_key: bool) {
        self.bare.clear();
        self.at = At::Bare { is_key };
    }

    /// Appends an unquoted value. Returns whether it fits the schema.
    fn write_bare(&mut self, bare: &str) -> bool {
        let from = self.json.len();
        write_bare(bare, &mut self.json);
        let types = self.types();
        // Python's keywords aren't strings. In Gemma's syntax, which has no quotes, they may be.
        let is_word = matches!(slice(&self.json, from, self.json.len()), "true" | "false" | "null");
        if types == 0 || is_word && self.has_round() {
            return true;
        }
        self.write_typed(from, bare.trim_ascii())
    }

    pub(crate) fn read_bare(&mut self, reader: &mut Reader<'_>, is_key: bool) -> Decided<Option<Stop>> {
        let rest = reader.rest().as_bytes();
        let in_object = !is_key && self.is_in_braces();
        // In Gemma's syntax a text without quotes may have several lines.
        let is_text = in_object && self.has_raw_names() && self.types() & STRING != 0;
        let is_end = |byte: &u8| match byte {
            b',' | b'}' | b']' | b'<' => true,
            b'\n' => !is_text,
            b'"' => in_object,
            b')' => self.has_round(),
            b':' | b'=' | b' ' => is_key,
            _ => false,
        };
        // A comment follows white space; inside a word, the same bytes are part of it.
        let last = self.bare.bytes().last();
        let before = |at: usize| at.checked_sub(1).and_then(|at| rest.get(at).copied()).or(last);
        let is_mark = |at: usize| matches!(rest.get(at), Some(b'/' | b'#'));
        let is_comment = |at: usize| match rest.get(at + 1) {
            _ if !is_mark(at) || before(at).is_none_or(|byte| !byte.is_ascii_whitespace()) => false,
            Some(b' ') => rest.get(at) == Some(&b'#'),
            Some(next) => rest.get(at) == Some(&b'/') && matches!(next, b'/' | b'*'),
            None => !reader.is_over,
        };
        let end = rest.iter().enumerate().position(|(at, byte)| is_end(byte) || is_comment(at));
        let taken = slice(reader.rest(), 0, end.unwrap_or(rest.len()));
        self.bare.push_str(taken);
        reader.at += taken.len();
        if in_object
            && let Some(mark @ (b',' | b'"')) = reader.peek()
            && is_mark_of_text(&self.bare, self.types() & STRING != 0, reader)?
        {
            if mark == b'"' && !self.has_raw_names() && is_before_key(reader)? {
                // Text, or the next member without a comma: it isn't clear where the value ends.
                return Ok(Some(Stop::Foreign));
            }
            self.bare.push(char::from(mark));
            reader.at += 1;
            return Ok(None);
        }
        let is_cut = end.is_some_and(|end| is_mark(end) && end + 1 == rest.len());
        if is_cut || end.is_none() && (!reader.is_over || !self.open.is_empty()) {
            return Err(NeedMore);
        }
        let ends = [Quote::Token.end(), Quote::Escape.end()];
        match reader.next_token(&ends) {
            Err(NeedMore) if !reader.rest().is_empty() => return Err(NeedMore),
            Ok(Some(nth)) if !is_key => {
                // The opening token of the string is missing.
                reader.at += ends.get(nth).map_or(0, |end| end.len());
                self.begin_string();
                std::mem::take(&mut self.bare).write_json(&mut self.json);
                return Ok(self.end_string());
            }
            _ => {}
        }
        if is_key {
            self.end_name();
            return Ok(None);
        }
        if self.has_round() && self.bare.bytes().any(|byte| matches!(byte, b'(' | b'[')) {
            // A nested call or a subscript: its value is unknown.
            return Ok(Some(Stop::Foreign));
        }
        if !self.is_typed && !self.open.is_empty() && known(self.bare.trim_ascii()).is_none() {
            self.at = At::Word;
            return Ok(Some(Stop::Typed));
        }
        Ok(self.end_word())
    }

    /// Ends an unquoted value.
    pub(super) fn end_word(&mut self) -> Option<Stop> {
        let bare = std::mem::take(&mut self.bare);
        let fits = self.write_bare(&bare);
        if !self.open.is_empty() {
            self.json.push_str(slice(&bare, bare.trim_ascii_end().len(), bare.len()));
        }
        if !self.is_typed {
            self.set_types(0);
        }
        self.end_typed(fits)
    }

    /// Appends an unquoted name.
    fn end_name(&mut self) {
        self.key.0 = self.json.len() + 1;
        // One of its quotes may be missing.
        unquoted(self.bare.trim_ascii_end()).write_json(&mut self.json);
        self.key.1 = self.json.len() - 1;
        self.at = At::Colon;
    }

    fn is_in_braces(&self) -> bool {
        self.open.last().is_some_and(|open| open.closer == b'}')
    }

    /// Whether names are in Gemma's syntax, which doesn't escape them.
    pub(crate) fn has_raw_names(&self) -> bool {
        self.is_typed && !self.has_round()
    }

    /// Reads an unquoted name that ends at a colon: `{display name:1}`, and in Gemma's syntax `{@type:1}`.
    pub(crate) fn read_name(&mut self, reader: &mut Reader<'_>, is_word: bool) -> Decided<bool> {
        let is_raw = self.has_raw_names();
        if !self.is_in_braces() || !is_word && !is_raw {
            return Ok(false);
        }
        let near = reader.near(MAX_NAME);
        let name = name_of(near, is_raw);
        if name.len() == reader.rest().len() {
            return Err(NeedMore);
        }
        let is_name = near.as_bytes().get(name.len()) == Some(&b':') && !name.is_empty();
        if is_name {
            name.clone_into(&mut self.bare);
            reader.at += name.len();
            self.end_name();
        }
        Ok(is_name)
    }
}

/// Returns the unquoted name that a text begins with, up to a colon or to a byte that isn't part of a name. `is_raw`:
/// in Gemma's syntax.
pub(crate) fn name_of(text: &str, is_raw: bool) -> &str {
    let first = first_byte(text);
    let ends = |byte| match byte {
        b':' | b',' | b'{' | b'}' | b'\n' | b'"' => true,
        b'=' | b'[' | b']' | b'\'' => !is_raw,
        // A comment contains spaces.
        b' ' => matches!(first, b'/' | b'#'),
        _ => false,
    };
    // `<k>` may be a name; a marker isn't.
    let is_end = |(at, byte)| ends(byte) || byte == b'<' && at > 0;
    let is_mark = text.starts_with("<|") || longest_match(text.as_bytes(), CLOSERS, false) != Ok(None);
    let end = if is_mark { Some(0) } else { text.bytes().enumerate().position(is_end) };
    slice(text, 0, end.unwrap_or(text.len()))
}

/// Skips a comment.
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

/// Appends an unquoted word as JSON: a number, a known word, or a string.
pub(crate) fn write_bare(bare: &str, out: &mut String) {
    let word = bare.trim_ascii();
    if let Some(known) = known(word) {
        out.push_str(known);
    } else {
        let number = python_number(word);
        if is_json(&number) {
            out.push_str(&number);
        } else {
            word.write_json(out);
        }
    }
}

/// Returns the JSON of a word with one meaning: JSON, or a keyword of Python or JavaScript.
fn known(word: &str) -> Option<&str> {
    match word {
        "True" | "TRUE" => Some("true"),
        "False" | "FALSE" => Some("false"),
        "" | "None" | "NULL" | "Null" | "undefined" | "NaN" | "Infinity" | "-Infinity" => Some("null"),
        _ => Some(word).filter(|word| is_json(word)),
    }
}

/// Whether the comma or quote here is part of an unquoted text, because no key follows. A quote begins a key only after
/// a complete value. `is_string`: the text is a string, whatever it looks like.
/// <https://github.com/sgl-project/sglang/pull/39240>
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
        None if near.len() < MAX_KEY && !reader.is_over => Err(NeedMore),
        None => Ok(near.len() == MAX_KEY),
    }
}

/// Whether the quote here begins a name and its colon.
fn is_before_key(reader: &Reader<'_>) -> Decided<bool> {
    let near = reader.near(MAX_KEY);
    let name = slice(near, 1, near.len());
    let end =
        name.bytes().position(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'-' | 0x80..));
    let behind = slice(name, end.unwrap_or(name.len()), name.len());
    match slice(behind, 1, behind.len()).trim_ascii_start().bytes().next() {
        _ if end == Some(0) || !behind.starts_with('"') && !behind.is_empty() => Ok(false),
        None if near.len() == reader.rest().len() => false_if_complete(reader.is_over),
        next => Ok(next == Some(b':')),
    }
}

/// Whether the word is a JSON number or keyword.
fn is_json(word: &str) -> bool {
    RawJson::parse(word).is_some()
}

/// Converts a number that Python allows and JSON doesn't, such as `+1`, `.5`, `5.` and `1_000`, to JSON. Also `07`.
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
