//! A literal as models write it (JSON with slips, Python, Gemma's own grammar) → JSON text, read in pieces.
//!
//! JSON is kept to the letter. Everything else is converted: single quotes, `True` and `None`,
//! keys without quotes, tuples and sets, trailing and missing commas, line feeds in strings, comments.

pub(super) mod bare;
mod quote;
mod strings;

use super::more::{Decided, More};
use super::reader::{Reader, slice};
use super::schema::ARRAY;
use super::work::look_at;
use crate::json::Nesting;
use crate::save::state;
use bare::{skip_comment, write_bare};
use quote::{Quote, quote_at, stands_after};

/// How deep a literal may be. Anything deeper is rejected.
pub(crate) const MAX_DEPTH: usize = 512;

/// Why reading stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The value of a member at the watched depth begins; see [`Literal::key`].
    Member,
    /// A value begins whose [types](Literal::set_types) the schema may know.
    Typed,
    /// A value has ended that doesn't fit its schema.
    Unfit,
    /// The value of such a member has ended.
    MemberEnd,
    /// An object whose members are watched has ended.
    ObjectEnd,
    /// The outermost value has ended.
    End,
    /// Something follows that isn't part of a literal: a tag, prose.
    Foreign,
}

/// What is expected next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum At {
    #[default]
    Value,
    Key,
    Colon,
    /// After an item or a member.
    After,
    Text {
        quote: Quote,
        is_key: bool,
    },
    /// In something without quotes.
    Bare {
        is_key: bool,
    },
    End,
}

state! { enum At { 0 Value, 1 Key, 2 Colon, 3 After, 4 Text { quote, is_key }, 5 Bare { is_key }, 6 End } }

/// A bracket that is open.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Open {
    pub(crate) is_object: bool,
    /// How it was opened, and so is to be closed.
    pub(crate) closer: u8,
    /// Where in the JSON the name of its last member is.
    pub(crate) key: (usize, usize),
    /// The types of its last member or of its items, by the schema; 0 if that doesn't say.
    pub(crate) types: u8,
}

state! { struct Open { is_object, closer, key, types } }

impl Open {
    pub(crate) fn new(is_object: bool, closer: u8) -> Self {
        Self { is_object, closer, key: (0, 0), types: 0 }
    }
}

/// Reads one literal.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(crate) struct Literal {
    pub(crate) json: String,
    pub(crate) open: Vec<Open>,
    pub(crate) at: At,
    /// Members are reported at this depth.
    pub(crate) watch: usize,
    /// Where in the JSON the last key is.
    pub(crate) key: (usize, usize),
    /// Where in the JSON the comma is that may turn out to be a trailing one.
    comma: Option<usize>,
    /// Where in the JSON the brace is that may turn out to be that of a Python set.
    brace: Option<usize>,
    /// Where in the JSON the bracket is that may turn out to group one value, as in Python.
    pub(crate) paren: Option<usize>,
    /// The unquoted text so far.
    pub(crate) bare: String,
    /// The brackets in the string that is being read, up to a place in the JSON.
    pub(crate) nesting: (Nesting, usize),
    /// Whether a quote came before an object that isn't escaped, so that one follows it.
    pub(crate) is_quoted: bool,
    /// Whether a member was reported whose end is still to be reported.
    is_member_open: bool,
    /// Whether values become what the schema declares, because only that says whether they are strings.
    pub(crate) is_typed: bool,
    /// Where in the JSON the string begins that may become a value of another type.
    pub(crate) string: Option<usize>,
    /// Whether a member has no value: what was meant is unknown, so the literal is invalid.
    pub(crate) lacks_value: bool,
}

state! {
    struct Literal {
        json, open, at, watch, key, comma, brace, paren, bare, nesting, is_quoted, is_member_open, is_typed,
        string, lacks_value,
    } if is_sound
}

impl Literal {
    /// One that begins with the next byte.
    pub(crate) fn new(watch: usize) -> Self {
        Self { watch, ..Self::default() }
    }

    /// Whether the marks that may be replaced are bytes of their own, as they may not be in a state that is damaged.
    fn is_sound(&self) -> bool {
        let is_mark =
            |mark: Option<usize>, byte| mark.is_none_or(|at| self.json.as_bytes().get(at) == Some(byte));
        is_mark(self.comma, &b',')
            && is_mark(self.brace, &b'{')
            && is_mark(self.paren, &b'[')
            && is_mark(self.string, &b'"')
    }

    /// Another one begins with the next byte.
    #[inline(never)]
    pub(crate) fn restart(&mut self, watch: usize) {
        self.json.clear();
        self.open.clear();
        self.bare.clear();
        (self.at, self.watch, self.key) = (At::Value, watch, (0, 0));
        (self.comma, self.brace, self.paren, self.string) = (None, None, None, None);
        (self.is_member_open, self.lacks_value, self.is_quoted, self.is_typed) = (false, false, false, false);
    }

    /// The JSON so far.
    pub(crate) fn json(&self) -> &str {
        &self.json
    }

    /// How much of the JSON is final.
    pub(crate) fn settled(&self) -> usize {
        let undecided = self.paren.or(self.brace).or(self.comma).or(self.string);
        undecided.unwrap_or(self.json.len() - usize::from(self.is_after_text()))
    }

    /// The last key, as written between its quotes.
    pub(crate) fn key(&self) -> &str {
        slice(&self.json, self.key.0, self.key.1)
    }

    /// Whether it is between values, so that only brackets can be missing.
    pub(crate) fn is_between(&self) -> bool {
        matches!(self.at, At::After | At::Key | At::End)
    }

    /// Closes the brackets that are open, at a place that is [between](Self::is_between) values.
    pub(crate) fn close(&mut self) {
        self.drop_comma();
        while let Some(open) = self.open.pop() {
            self.put(if open.is_object { b'}' } else { b']' });
        }
        (self.brace, self.paren) = (None, None);
        self.at = At::End;
    }

    /// The types of the value here, by the schema; 0 if that doesn't say.
    pub(crate) fn types(&self) -> u8 {
        self.open.last().map_or(0, |open| open.types)
    }

    pub(crate) fn set_types(&mut self, types: u8) {
        if let Some(open) = self.open.last_mut() {
            open.types = types;
        }
    }

    /// The names of the members around the value here, `None` for an item of a list, unless it is inside one that the
    /// schema doesn't have.
    pub(crate) fn path(&self) -> Option<Vec<Option<&str>>> {
        let (_, outer) = self.open.split_last()?;
        let name = |open: &Open| open.is_object.then(|| slice(&self.json, open.key.0, open.key.1));
        outer.iter().all(|open| open.types != 0).then(|| self.open.iter().map(name).collect())
    }

    /// Writes an ASCII character.
    #[inline(never)]
    pub(crate) fn put(&mut self, byte: u8) {
        self.json.push(char::from(byte));
    }

    /// Reads on, up to something to report.
    pub(crate) fn read(&mut self, reader: &mut Reader<'_>) -> Decided<Stop> {
        loop {
            let stop = match self.at {
                At::End => Some(Stop::End),
                At::Text { quote, is_key } => self.read_text(reader, quote, is_key)?,
                At::Bare { is_key } => self.read_bare(reader, is_key)?,
                At::Value | At::Key | At::Colon | At::After => self.read_mark(reader)?,
            };
            if let Some(stop) = stop {
                return Ok(stop);
            }
        }
    }

    /// Reads a byte between the values.
    fn read_mark(&mut self, reader: &mut Reader<'_>) -> Decided<Option<Stop>> {
        let byte = reader.peek().ok_or(More)?;
        look_at(1);
        let is_raw_name = self.at == At::Key && self.has_raw_names();
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {
                // White space around the value isn't kept.
                if !self.open.is_empty() && !self.is_after_text() {
                    self.put(byte);
                }
                reader.at += 1;
                return Ok(None);
            }
            b'/' if !is_raw_name => return skip_comment(reader),
            // Python's; before a value it may be a colour.
            b'#' if self.at != At::Value && !is_raw_name => return skip_comment(reader),
            b'}' | b']' | b')' => return Ok(self.close_with(byte, reader)),
            b',' => {
                if self.open.is_empty() {
                    return Ok(Some(Stop::Foreign));
                }
                let stop = self.read_comma();
                if !matches!(self.at, At::After | At::Colon) {
                    reader.at += 1;
                }
                return Ok(stop);
            }
            _ => {}
        }
        let is_quote = matches!(byte, b'"' | b'\'');
        match self.at {
            At::After if is_quote && self.is_after_text() => {
                if let Some((quote, length)) = quote_at(reader)? {
                    reader.at += length;
                    self.json.pop();
                    self.begin_text(quote);
                }
                Ok(None)
            }
            At::Colon => {
                if byte != b':' && byte != b'=' {
                    return Ok(Some(Stop::Foreign));
                }
                reader.at += 1;
                self.put(b':');
                self.brace = None;
                self.at = At::Value;
                if let Some(open) = self.open.last_mut() {
                    open.key = self.key;
                }
                if self.is_typed {
                    return Ok(Some(Stop::Typed));
                }
                let is_watched = self.open.len() == self.watch;
                self.is_member_open |= is_watched;
                Ok(is_watched.then_some(Stop::Member))
            }
            At::After => {
                // A comma is missing, unless this is not part of the literal at all.
                if self.open.is_empty() || !is_quote && !matches!(byte, b'{' | b'[') {
                    return Ok(Some(Stop::Foreign));
                }
                if !is_quote || !stands_after(reader, b"}],")? {
                    self.read_comma();
                } else if std::mem::take(&mut self.is_quoted) {
                    // It closes something that isn't a string.
                    reader.at += 1;
                } else {
                    return Ok(Some(Stop::Foreign));
                }
                Ok(None)
            }
            At::Key => self.begin_key(byte, reader),
            _ => self.begin_value(byte, reader),
        }
    }

    fn read_comma(&mut self) -> Option<Stop> {
        if self.at == At::Colon && !self.turn_into_set() {
            return Some(Stop::Foreign);
        }
        if self.is_value_missing() {
            return self.end_value();
        }
        if self.at == At::After {
            self.paren = None;
            self.comma = Some(self.json.len());
            self.put(b',');
            let is_object = self.open.last().is_some_and(|open| open.is_object);
            self.at = if is_object { At::Key } else { At::Value };
        }
        None
    }

    fn begin_key(&mut self, byte: u8, reader: &mut Reader<'_>) -> Decided<Option<Stop>> {
        if let Some((quote, length)) = quote_at(reader)? {
            reader.at += length;
            self.put(b'"');
            self.key.0 = self.json.len();
            self.at = At::Text { quote, is_key: true };
        } else {
            let is_word = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'-' | 0x80..);
            match byte {
                _ if self.read_name(reader, is_word)? => {}
                _ if is_word => {
                    self.bare.clear();
                    self.at = At::Bare { is_key: true };
                }
                // Templates have two braces for one.
                b'{' if self.brace.is_some() => reader.at += 1,
                b'/' | b'#' => return skip_comment(reader),
                _ => return Ok(Some(Stop::Foreign)),
            }
        }
        self.comma = None;
        Ok(None)
    }

    fn begin_value(&mut self, byte: u8, reader: &mut Reader<'_>) -> Decided<Option<Stop>> {
        match byte {
            b'{' | b'[' | b'(' => {
                if self.open.len() >= MAX_DEPTH {
                    return Ok(Some(Stop::Foreign));
                }
                reader.at += 1;
                self.comma = None;
                let is_object = byte == b'{';
                let closer = if byte == b'(' { b')' } else { byte + 2 };
                self.brace = is_object.then_some(self.json.len());
                if byte == b'(' {
                    self.paren = Some(self.json.len());
                }
                self.put(if is_object { b'{' } else { b'[' });
                let types = self.types();
                self.open.push(Open::new(is_object, closer));
                self.at = if is_object { At::Key } else { At::Value };
                if byte == b'(' && types & ARRAY == 0 {
                    // It may group a single value.
                    self.set_types(types);
                    return Ok(None);
                }
                Ok((self.is_typed && !is_object).then_some(Stop::Typed))
            }
            _ => {
                match quote_at(reader)? {
                    Some((quote, length)) => {
                        reader.at += length;
                        self.begin_string();
                        self.put(b'"');
                        self.begin_text(quote);
                    }
                    None if byte == b'<' => return Ok(Some(Stop::Foreign)),
                    // Bytes, or a string with expressions in it: nobody knows its value.
                    None if matches!(byte, b'b' | b'f')
                        && self.has_round()
                        && reader.which(&["b\"", "b'", "f\"", "f'"])?.is_some() =>
                    {
                        return Ok(Some(Stop::Foreign));
                    }
                    None => self.begin_bare(),
                }
                self.comma = None;
                Ok(None)
            }
        }
    }

    pub(crate) fn end_value(&mut self) -> Option<Stop> {
        if self.open.is_empty() {
            self.at = At::End;
            return Some(Stop::End);
        }
        self.at = At::After;
        let ends_member = self.open.len() == self.watch && std::mem::take(&mut self.is_member_open);
        ends_member.then_some(Stop::MemberEnd)
    }

    /// A brace, a key and no colon: a Python set. False if it can't be one.
    fn turn_into_set(&mut self) -> bool {
        // The arguments are an object.
        if self.open.len() == self.watch.wrapping_add(1) && (self.watch == 0 || self.is_member_open) {
            return false;
        }
        let (Some(brace), Some(open)) = (self.brace.take(), self.open.last_mut()) else { return false };
        open.is_object = false;
        if !self.bare.is_empty() {
            self.json.truncate(self.key.0.saturating_sub(1));
            let bare = std::mem::take(&mut self.bare);
            write_bare(&bare, &mut self.json);
        }
        self.replace(brace, "[");
        self.at = At::After;
        true
    }

    /// Whether the value of a member was reported, and its end is not: then it is no longer.
    pub(crate) fn take_member(&mut self) -> bool {
        std::mem::take(&mut self.is_member_open)
    }

    fn drop_comma(&mut self) {
        if let Some(comma) = self.comma.take() {
            self.replace(comma, "");
        }
    }

    /// Writes something in place of a mark.
    fn replace(&mut self, mark: usize, with: &str) {
        let rest = slice(&self.json, mark + 1, self.json.len()).to_owned();
        self.json.truncate(mark);
        self.json.push_str(with);
        self.json.push_str(&rest);
    }

    fn close_with(&mut self, byte: u8, reader: &mut Reader<'_>) -> Option<Stop> {
        let Some(depth) = self.open.iter().rposition(|open| open.closer == byte) else {
            if self.open.is_empty() {
                return Some(Stop::Foreign);
            }
            // Closes nothing.
            reader.at += 1;
            return None;
        };
        if self.at == At::Colon && !self.turn_into_set() {
            return Some(Stop::Foreign);
        }
        if self.is_value_missing() {
            return self.end_value();
        }
        self.drop_comma();
        self.brace = None;
        // Unclosed brackets inside close first, and may end a watched member.
        let is_last = depth + 1 == self.open.len();
        if is_last {
            reader.at += 1;
        }
        let open = self.open.pop()?;
        let paren = if open.closer == b')' { self.paren.take() } else { None };
        match paren.filter(|_| self.at == At::After) {
            Some(paren) => self.replace(paren, ""),
            None => self.put(if open.is_object { b'}' } else { b']' }),
        }
        let stop = self.end_value();
        if open.closer == b'}' && self.open.len() + 1 == self.watch { Some(Stop::ObjectEnd) } else { stop }
    }

    /// Whether a member has a colon and no value.
    fn is_value_missing(&mut self) -> bool {
        let is_missing = self.at == At::Value
            && self.comma.is_none()
            && self.open.last().is_some_and(|open| open.is_object);
        self.lacks_value |= is_missing;
        is_missing
    }
}
