//! Finds the end of a string in a literal, although models forget quotes and escapes.

use super::Literal;
use super::bare::name_of;
use super::quote::{Quote, is_followed_by};
use crate::json::{Place, StringContext, ends_string, may_begin_name};
use crate::text::formats::CLOSERS;
use crate::text::need_more::{Decided, NeedMore, false_if_complete};
use crate::text::reader::{Reader, first_byte, longest_match, skip, slice, split};

/// Number of bytes after a string in which the call's closer is searched for.
const MAX_CLOSERS: usize = 256;

impl Literal {
    /// Returns whether the string ends here. `None` if that is ambiguous, or if the call ends although brackets in the
    /// string are open; then the reader is moved to the call's closer.
    pub(super) fn ends_at(
        &mut self,
        reader: &mut Reader<'_>,
        quote: Quote,
        is_key: bool,
    ) -> Decided<Option<bool>> {
        let around = self.position_in_brackets(is_key);
        let ends = self.joins(reader, quote, is_key)?
            || self.is_quoted && closes_quoted(reader)?
            || quote.ends_at(reader, around)?;
        // After a colon, the token begins another string: this one has lost its end.
        if ends && quote == Quote::Token && !is_key && !self.json.ends_with(':') {
            return token_ends_string(reader, around, self.has_closed_brackets()).map(Some);
        }
        if is_key || quote.is_raw() || reader.is_before(quote.end()) == Ok(false) {
            return Ok(Some(ends));
        }
        let (mut nesting, counted) = self.nesting;
        nesting.read(slice(&self.json, counted, self.json.len()), around.has_round);
        let ends = if ends && !nesting.may_end() { closes_call(reader)? } else { Some(ends) };
        if ends == Some(false) {
            if is_before_end(reader, quote)? {
                return Ok(None);
            }
            let rest = reader.rest();
            let behind = slice(rest, quote.end().len(), rest.len());
            let may_end = nesting.may_end();
            nesting.record_inner_quote(behind.as_bytes(), reader.is_over).ok_or(NeedMore)?;
            let lost = StringContext { place: Place::Lost, ..around };
            if may_end
                && self.is_in_name(counted)
                && ends_string(behind.as_bytes(), reader.is_over, lost).ok_or(NeedMore)?
            {
                // The string has lost a quote before this name.
                return Ok(None);
            }
            // After other quotes, this would be code in a string.
            if !around.has_quotes && continues_expression(behind, around.has_round, reader.is_over)? {
                return Ok(None);
            }
        }
        self.nesting = (nesting, self.json.len());
        Ok(ends)
    }

    /// Whether all brackets that the string opens are closed.
    fn has_closed_brackets(&mut self) -> bool {
        let (mut nesting, counted) = self.nesting;
        nesting.read(slice(&self.json, counted, self.json.len()), false);
        self.nesting = (nesting, self.json.len());
        nesting.depth == 0
    }

    /// Whether the string has lost its end before the bracket here: those that close everything, and no others, are
    /// between it and the call's closer.
    /// <https://github.com/ollama/ollama/issues/15315>
    pub(super) fn is_before_last_brackets(&mut self, reader: &Reader<'_>) -> Decided<bool> {
        if !self.has_closed_brackets() {
            return Ok(false);
        }
        let near = reader.near(MAX_CLOSERS);
        let is_over = reader.is_over || near.len() < reader.rest().len();
        let behind = skip(near, b"}] \n\r\t");
        let brackets = slice(near, 0, near.len() - behind.len());
        let count = brackets.bytes().filter(|byte| !byte.is_ascii_whitespace()).count();
        Ok(longest_match(behind.as_bytes(), CLOSERS, is_over)?.is_some() && count == self.open.len())
    }

    /// Whether the string ends here and Python concatenates it with the string that follows.
    pub(super) fn joins(&self, reader: &Reader<'_>, quote: Quote, is_key: bool) -> Decided<bool> {
        let may_join = !is_key && !self.nesting.0.has_quotes && self.is_in_keywords();
        Ok(may_join && joins_next(reader, quote)?)
    }

    /// Whether the part of the string since the quote at `from` may be the name of the next member.
    fn is_in_name(&self, from: usize) -> bool {
        let (before, name) = (slice(&self.json, 0, from), slice(&self.json, from, self.json.len()));
        let name = name.strip_prefix("\\\"").or_else(|| name.strip_prefix('\''));
        // Line breaks are already escaped.
        let line = before.trim_ascii_end();
        name.is_some_and(|name| may_begin_name(line.strip_suffix("\\n").unwrap_or(line), name))
    }
}

/// Whether an expression continues after its string. In Python: `+ port`, `% 5`, `.upper()`, `[0]`. In JSON: `+ "port"`.
fn continues_expression(behind: &str, is_python: bool, is_over: bool) -> Decided<bool> {
    match behind.trim_ascii_start().as_bytes() {
        [b'+', rest @ ..] if !is_python => match rest.trim_ascii_start() {
            [] => false_if_complete(is_over),
            [next, ..] => Ok(matches!(next, b'"' | b'\'')),
        },
        _ if !is_python => Ok(false),
        [b'.'] if !is_over => Err(NeedMore),
        [b'.', next, ..] => Ok(next.is_ascii_alphabetic()),
        rest => Ok(matches!(rest, [b'+' | b'%' | b'*' | b'[', ..])),
    }
}

/// Whether white space and another string follow the quote here.
fn joins_next(reader: &Reader<'_>, quote: Quote) -> Decided<bool> {
    let is_end = reader.is_before(quote.end()) != Ok(false);
    let near = reader.near(MAX_CLOSERS);
    let behind = slice(near, quote.end().len(), near.len());
    match behind.trim_ascii_start().bytes().next() {
        None if is_end && !reader.is_over && reader.near(MAX_CLOSERS).len() == reader.rest().len() => {
            Err(NeedMore)
        }
        next => {
            Ok(is_end && matches!(next, Some(b'"' | b'\'')) && behind.trim_ascii_start().len() < behind.len())
        }
    }
}

/// Whether brackets and the closing quote of a quoted object follow the quote here.
fn closes_quoted(reader: &Reader<'_>) -> Decided<bool> {
    let near = slice(reader.rest(), 1, reader.near(MAX_CLOSERS).len());
    let is_over = reader.is_over || near.len() + 1 < reader.rest().len();
    let behind = Reader::new(skip(near, b"}] \n\r\t"), 0, 0, is_over);
    match behind.peek() {
        None => false_if_complete(is_over),
        Some(b'"') if behind.rest().len() < near.len() => is_followed_by(&behind, b"}],"),
        _ => Ok(false),
    }
}

/// Whether Gemma's token here ends a string, because the next text can follow a value. `is_closed`: all brackets that the
/// string opens are closed.
fn token_ends_string(reader: &Reader<'_>, around: StringContext, is_closed: bool) -> Decided<bool> {
    let closers: &[u8] = if around.has_round { b")}] \n\r\t" } else { b"}] \n\r\t" };
    let near = reader.near(MAX_CLOSERS);
    let is_over = reader.is_over || near.len() < reader.rest().len();
    let behind = slice(near, Quote::Token.end().len(), near.len()).trim_ascii_start();
    // A comma before closing brackets is superfluous.
    let comma = skip(behind, b", \n\r\t");
    let is_before_closer = comma.bytes().next().is_some_and(|byte| closers.contains(&byte));
    let behind = if is_before_closer { comma } else { behind };
    let outside = skip(behind, closers);
    let is_last = outside.len() < behind.len();
    let rest = match outside.as_bytes() {
        [] => return if is_over { Ok(true) } else { Err(NeedMore) },
        [b',', ..] if is_last || around.place == Place::Item => return Ok(true),
        [lead @ (b'<' | b'c'), ..] if *lead == b'<' || is_last => {
            // The closer may be missing, and so may the next call's opener.
            let marks = if *lead == b'<' { CLOSERS } else { &["call:"] };
            let is_mark = longest_match(outside.as_bytes(), marks, is_over)?.is_some();
            if is_mark || !is_last {
                return Ok(is_mark);
            }
            outside
        }
        _ => skip(outside, b", \n\r\t"),
    };
    if is_last {
        // The call's closer is missing, unless the string continues up to another token.
        return match split(outside, "<|") {
            Some((_, mark)) => Ok(longest_match(mark.as_bytes(), &["\"|>"], is_over)?.is_none()),
            None if is_over => Ok(is_closed),
            None => Err(NeedMore),
        };
    }
    // The next key follows a comma.
    let is_next = rest.len() < outside.len();
    let key = Reader::new(rest, 0, 0, true).name();
    let name = name_of(rest, true);
    let may_be_name = match slice(rest, name.len(), rest.len()).as_bytes() {
        [b':', b'<' | b'{' | b'[', ..] => !name.is_empty(),
        [b':', next, ..] => {
            !name.is_empty() && memchr::memchr(b' ', name.as_bytes()).is_none() && !next.is_ascii_whitespace()
        }
        _ => false,
    };
    // Code in a string may close a bracket before a colon.
    if is_next
        && may_be_name
        && !matches!(name.bytes().find(|byte| b"()[]".contains(byte)), Some(b')' | b']'))
    {
        return Ok(true);
    }
    match (key, slice(rest, key.len(), rest.len()).trim_ascii_start().bytes().next()) {
        (_, None) if !is_over => Err(NeedMore),
        _ if !is_over && is_next && slice(rest, name.len() + 1, rest.len()).is_empty() => Err(NeedMore),
        ("", next) => Ok(is_next && matches!(next, Some(b'"' | b'\'' | b'<'))),
        (_, next) => Ok(matches!(next, Some(b':' | b'='))),
    }
}

/// Whether a brace and the call's closer precede the next quote: the string has lost its end.
fn is_before_end(reader: &Reader<'_>, quote: Quote) -> Decided<bool> {
    let near = slice(reader.rest(), 1, reader.near(MAX_CLOSERS).len());
    let end = first_byte(quote.end());
    let Some(at) = near.bytes().position(|byte| byte == end || byte == b'<') else {
        return false_if_complete(reader.is_over || near.len() + 4 > MAX_CLOSERS);
    };
    if !slice(near, 0, at).trim_ascii_end().ends_with('}') {
        return Ok(false);
    }
    let rest = near.as_bytes().get(at..).unwrap_or_default();
    Ok(longest_match(rest, CLOSERS, reader.is_over)?.is_some())
}

/// Returns `None`, and moves the reader to the call's closer, if only brackets are between the quote here and the
/// closer.
fn closes_call(reader: &mut Reader<'_>) -> Decided<Option<bool>> {
    let near = slice(reader.rest(), 1, reader.near(MAX_CLOSERS).len());
    let is_all = near.len() + 1 == reader.rest().len();
    let behind = skip(near, b"}]) \n\r\t");
    match longest_match(behind.as_bytes(), CLOSERS, reader.is_over) {
        Err(NeedMore) if is_all || !behind.is_empty() => Err(NeedMore),
        Ok(Some(_)) => {
            reader.at += 1 + near.len() - behind.len();
            Ok(None)
        }
        _ => Ok(Some(false)),
    }
}
