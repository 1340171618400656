//! Strings and unquoted words in a literal, and the arguments of Python.

use super::bare::{is_mark_of_text, write_bare};
use super::quote::{Quote, quote_at, stands_after, write_escape, write_raw};
use super::{At, Literal, Open, Stop};
use crate::json::{Around, Nesting, Place, ToJson, ends_string, may_begin_name};
use crate::text::grammar::call::CLOSERS;
use crate::text::more::{Decided, More, not_yet};
use crate::text::reader::{Reader, first_of, skip, slice, unquoted, which};
use crate::text::schema::{STRING, text_of, value};
use crate::text::work::look_at;

/// The most bytes behind a string in which the mark that closes the call is looked for.
const MAX_CLOSERS: usize = 256;

impl Literal {
    /// Opens the keywords of a Python call behind its bracket: they become the members of an object.
    pub(crate) fn open_keywords(&mut self) {
        self.put(b'{');
        self.open.push(Open::new(true, b')'));
        self.at = At::Key;
    }

    /// Opens the arguments of a Python call that has no keywords: an array.
    pub(crate) fn open_items(&mut self) {
        self.put(b'[');
        self.open.push(Open::new(false, b')'));
    }

    /// Whether it is behind a string that is the value of a keyword, or the only one in brackets: Python joins strings that follow each other.
    pub(crate) fn is_after_text(&self) -> bool {
        self.at == At::After && self.is_in_keywords() && self.json.ends_with('"')
    }

    fn is_in_keywords(&self) -> bool {
        self.open.last().is_some_and(|open| open.closer == b')' && (open.is_object || self.paren.is_some()))
    }

    /// Reads on in a string.
    pub(crate) fn read_text(
        &mut self,
        reader: &mut Reader<'_>,
        quote: Quote,
        is_key: bool,
    ) -> Decided<Option<Stop>> {
        let rest = reader.rest();
        let plain = quote.end_of_plain(rest.as_bytes());
        look_at(plain + 1);
        if plain > 0 {
            self.json.push_str(slice(rest, 0, plain));
            reader.at += plain;
        }
        if reader.peek().ok_or(More)? == b'\\' && !quote.is_raw() {
            reader.at += write_escape(reader, self.has_round(), &mut self.json)?;
            return Ok(None);
        }
        match self.ends_at(reader, quote, is_key)? {
            None => Ok(Some(Stop::Foreign)),
            Some(true) => {
                let from = reader.at;
                let joins = self.string.is_some() && self.joins(reader, quote, is_key) == Ok(true);
                reader.at += quote.end().len();
                if !joins {
                    return Ok(self.end_text(is_key));
                }
                // Only all of it becomes a value of another type.
                reader.skip_space();
                let next = quote_at(reader).inspect_err(|_| reader.at = from)?;
                if let Some((quote, length)) = next {
                    reader.at += length;
                    self.begin_text(quote);
                }
                Ok(None)
            }
            Some(false) => {
                let end = quote.end();
                let is_token = quote == Quote::Token && reader.rest().starts_with(end);
                let length = if is_token { end.len() } else { reader.rest().ceil_char_boundary(1) };
                // Gemma has one token for quotes, also for those in a string.
                write_raw(if is_token { "\"" } else { slice(reader.rest(), 0, length) }, &mut self.json);
                reader.at += length;
                Ok(None)
            }
        }
    }

    /// Whether the string ends here. `None` if it isn't clear what it is, or if it has to end although it has brackets that
    /// are open: then the reader is before the mark that closes the call.
    fn ends_at(&mut self, reader: &mut Reader<'_>, quote: Quote, is_key: bool) -> Decided<Option<bool>> {
        let around = self.around(is_key);
        let ends = self.joins(reader, quote, is_key)?
            || self.is_quoted && closes_quoted(reader)?
            || quote.ends_at(reader, around)?;
        // Behind a colon another string begins: this one has no end.
        if ends && quote == Quote::Token && !is_key && !self.json.ends_with(':') {
            return token_ends(reader, around.place).map(Some);
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
            nesting.pass_quote(behind.as_bytes(), reader.is_over).ok_or(More)?;
            let lost = Around { place: Place::Lost, ..around };
            if may_end
                && self.is_in_name(counted)
                && ends_string(behind.as_bytes(), reader.is_over, lost).ok_or(More)?
            {
                // Before this name the string has lost a quote.
                return Ok(None);
            }
            if around.has_round && !around.has_quotes && goes_on(behind, reader.is_over)? {
                // Behind other quotes it is code in a string.
                return Ok(None);
            }
        }
        self.nesting = (nesting, self.json.len());
        Ok(ends)
    }

    /// Whether the string ends here, and another one follows, which Python joins to it.
    fn joins(&self, reader: &Reader<'_>, quote: Quote, is_key: bool) -> Decided<bool> {
        let may_join = !is_key && !self.nesting.0.has_quotes && self.is_in_keywords();
        Ok(may_join && joins_next(reader, quote)?)
    }

    /// Whether what was read of the string since the quote at `from` may be the name of the next member.
    fn is_in_name(&self, from: usize) -> bool {
        let (before, name) = (slice(&self.json, 0, from), slice(&self.json, from, self.json.len()));
        let name = name.strip_prefix("\\\"").or_else(|| name.strip_prefix('\''));
        // Line breaks are escaped.
        let line = before.trim_ascii_end();
        name.is_some_and(|name| may_begin_name(line.strip_suffix("\\n").unwrap_or(line), name))
    }

    /// Begins the value of a string, or goes on with another part of it.
    pub(crate) fn begin_text(&mut self, quote: Quote) {
        self.nesting = (Nesting::default(), self.json.len());
        self.at = At::Text { quote, is_key: false };
    }

    /// Begins a value without quotes.
    pub(crate) fn begin_bare(&mut self) {
        self.bare.clear();
        self.at = At::Bare { is_key: false };
    }

    /// The brackets around a string.
    fn around(&self, is_key: bool) -> Around {
        let place = match self.open.last() {
            _ if is_key => Place::Name,
            Some(open) if open.is_object => Place::Member,
            _ => Place::Item,
        };
        Around {
            place,
            depth: self.open.len(),
            has_round: self.has_round(),
            has_quotes: self.nesting.0.has_quotes,
        }
    }

    /// Whether it is in something of Python.
    pub(crate) fn has_round(&self) -> bool {
        self.open.iter().any(|open| open.closer == b')')
    }

    fn end_text(&mut self, is_key: bool) -> Option<Stop> {
        if is_key {
            self.key.1 = self.json.len();
            self.put(b'"');
            self.bare.clear();
            self.at = At::Colon;
            return None;
        }
        self.put(b'"');
        self.end_string()
    }

    /// A string begins that is a value.
    pub(crate) fn begin_string(&mut self) {
        let types = self.types();
        self.string = (types != 0 && types & STRING == 0).then_some(self.json.len());
    }

    /// Ends such a string, which becomes a value of the type that the schema declares.
    fn end_string(&mut self) -> Option<Stop> {
        let fits = self.string.take().is_none_or(|from| {
            let text = text_of(slice(&self.json, from, self.json.len())).unwrap_or_default();
            self.write_typed(from, &text)
        });
        self.end_typed(fits)
    }

    /// Writes a text in place of what is written from there on, if it fits its schema.
    fn write_typed(&mut self, from: usize, text: &str) -> bool {
        let (json, fits) = value(text, self.types());
        if fits {
            self.json.truncate(from);
            self.json.push_str(&json);
        }
        fits
    }

    /// Writes a value without quotes. Returns whether it fits its schema.
    fn write_bare(&mut self, bare: &str) -> bool {
        let from = self.json.len();
        write_bare(bare, &mut self.json);
        let types = self.types();
        // Python's words aren't strings; where nothing is quoted, they may be.
        let is_word = matches!(slice(&self.json, from, self.json.len()), "true" | "false" | "null");
        if types == 0 || is_word && self.has_round() {
            return true;
        }
        self.write_typed(from, bare.trim_ascii())
    }

    /// Ends a value that may not fit its schema.
    fn end_typed(&mut self, fits: bool) -> Option<Stop> {
        let stop = self.end_value();
        if fits { stop } else { Some(Stop::Unfit) }
    }

    pub(crate) fn read_bare(&mut self, reader: &mut Reader<'_>, is_key: bool) -> Decided<Option<Stop>> {
        let rest = reader.rest().as_bytes();
        let in_object = !is_key && self.is_in_braces();
        let is_end = |byte: &u8| match byte {
            b',' | b'}' | b']' | b'\n' | b'<' => true,
            b'"' => in_object,
            b')' => self.has_round(),
            b':' | b'=' | b' ' => is_key,
            _ => false,
        };
        // A comment follows white space; such bytes inside a word are part of it.
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
            self.bare.push(char::from(mark));
            reader.at += 1;
            return Ok(None);
        }
        let is_cut = end.is_some_and(|end| is_mark(end) && end + 1 == rest.len());
        if is_cut || end.is_none() && (!reader.is_over || !self.open.is_empty()) {
            return Err(More);
        }
        let ends = [Quote::Token.end(), Quote::Escape.end()];
        match reader.which(&ends) {
            Err(More) if !reader.rest().is_empty() => return Err(More),
            Ok(Some(nth)) if !is_key => {
                // The token before the string is missing.
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
            // A call within a call, or a part of something: nobody knows its value.
            return Ok(Some(Stop::Foreign));
        }
        let bare = std::mem::take(&mut self.bare);
        let fits = self.write_bare(&bare);
        if !self.open.is_empty() {
            self.json.push_str(slice(&bare, bare.trim_ascii_end().len(), bare.len()));
        }
        Ok(self.end_typed(fits))
    }

    /// Writes a name without quotes.
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

    /// Whether names are Gemma's, which are raw.
    pub(crate) fn has_raw_names(&self) -> bool {
        self.is_typed && !self.has_round()
    }

    /// Reads a name without quotes, if it goes on up to a colon: `{display name:1}`, and in Gemma's form `{@type:1}`.
    pub(crate) fn read_name(&mut self, reader: &mut Reader<'_>, is_word: bool) -> Decided<bool> {
        let is_raw = self.has_raw_names();
        if !self.is_in_braces() || !is_word && !is_raw {
            return Ok(false);
        }
        let near = reader.near(MAX_CLOSERS);
        let name = name_of(near, is_raw);
        if name.len() == reader.rest().len() {
            return Err(More);
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

/// The name without quotes with which a text begins, up to a colon or to what no name contains. `is_raw`: in Gemma's form.
fn name_of(text: &str, is_raw: bool) -> &str {
    let first = first_of(text);
    let ends = |byte| match byte {
        b':' | b',' | b'{' | b'}' | b'\n' | b'"' => true,
        b'=' | b'[' | b']' | b'\'' => !is_raw,
        // A comment has spaces.
        b' ' => matches!(first, b'/' | b'#'),
        _ => false,
    };
    // `<k>` may be a name, but no mark.
    let is_end = |(at, byte)| ends(byte) || byte == b'<' && at > 0;
    let is_mark = text.starts_with("<|") || which(text.as_bytes(), CLOSERS, false) != Ok(None);
    let end = if is_mark { Some(0) } else { text.bytes().enumerate().position(is_end) };
    slice(text, 0, end.unwrap_or(text.len()))
}

/// Whether Python's expression goes on behind its string: `+ port`, `% 5`, `.upper()`, `[0]`.
fn goes_on(behind: &str, is_over: bool) -> Decided<bool> {
    match behind.trim_ascii_start().as_bytes() {
        [b'.'] if !is_over => Err(More),
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
            Err(More)
        }
        next => {
            Ok(is_end && matches!(next, Some(b'"' | b'\'')) && behind.trim_ascii_start().len() < behind.len())
        }
    }
}

/// Whether brackets and the quote behind an object between quotes follow the quote here.
fn closes_quoted(reader: &Reader<'_>) -> Decided<bool> {
    let near = slice(reader.rest(), 1, reader.near(MAX_CLOSERS).len());
    let is_over = reader.is_over || near.len() + 1 < reader.rest().len();
    let behind = Reader::new(skip(near, b"}] \n\r\t"), 0, 0, is_over);
    match behind.peek() {
        None => not_yet(is_over),
        Some(b'"') if behind.rest().len() < near.len() => stands_after(&behind, b"}],"),
        _ => Ok(false),
    }
}

/// Whether Gemma's token, which is here, ends a string: whether something follows that can follow a value.
fn token_ends(reader: &Reader<'_>, place: Place) -> Decided<bool> {
    let near = reader.near(MAX_CLOSERS);
    let is_over = reader.is_over || near.len() < reader.rest().len();
    let behind = slice(near, Quote::Token.end().len(), near.len()).trim_ascii_start();
    // A comma before brackets is one too many.
    let comma = skip(behind, b", \n\r\t");
    let behind = if let Some(b'}' | b']') = comma.bytes().next() { comma } else { behind };
    let outside = skip(behind, b"}] \n\r\t");
    let is_last = outside.len() < behind.len();
    let rest = match outside.as_bytes() {
        [] => return if is_over { Ok(true) } else { Err(More) },
        [b',', ..] if is_last || place == Place::Item => return Ok(true),
        [lead @ (b'<' | b'c'), ..] if *lead == b'<' || is_last => {
            // The call may have no mark, nor the next one.
            let marks = if *lead == b'<' { CLOSERS } else { &["call:"] };
            return Ok(which(outside.as_bytes(), marks, is_over)?.is_some());
        }
        _ => skip(outside, b", \n\r\t"),
    };
    // The next key.
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
        (_, None) if !is_over => Err(More),
        _ if !is_over && is_next && slice(rest, name.len() + 1, rest.len()).is_empty() => Err(More),
        ("", next) => Ok(is_next && matches!(next, Some(b'"' | b'\'' | b'<'))),
        (_, next) => Ok(!is_last && matches!(next, Some(b':' | b'='))),
    }
}

/// Whether a brace and the mark that closes the call follow the quote here before another one: the string has lost its end.
fn is_before_end(reader: &Reader<'_>, quote: Quote) -> Decided<bool> {
    let near = slice(reader.rest(), 1, reader.near(MAX_CLOSERS).len());
    let end = first_of(quote.end());
    let Some(at) = near.bytes().position(|byte| byte == end || byte == b'<') else {
        return not_yet(reader.is_over || near.len() + 4 > MAX_CLOSERS);
    };
    if !slice(near, 0, at).trim_ascii_end().ends_with('}') {
        return Ok(false);
    }
    let rest = near.as_bytes().get(at..).unwrap_or_default();
    Ok(which(rest, CLOSERS, reader.is_over)?.is_some())
}

/// `None`, and the reader is there, if nothing but brackets is between the quote here and the mark that closes the
/// call.
fn closes_call(reader: &mut Reader<'_>) -> Decided<Option<bool>> {
    let near = slice(reader.rest(), 1, reader.near(MAX_CLOSERS).len());
    let is_all = near.len() + 1 == reader.rest().len();
    let behind = skip(near, b"}]) \n\r\t");
    match which(behind.as_bytes(), CLOSERS, reader.is_over) {
        Err(More) if is_all || !behind.is_empty() => Err(More),
        Ok(Some(_)) => {
            reader.at += 1 + near.len() - behind.len();
            Ok(None)
        }
        _ => Ok(Some(false)),
    }
}
