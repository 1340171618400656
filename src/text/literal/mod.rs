//! A literal as models write it (JSON with slips, Python, Gemma's own grammar) → JSON text, read in pieces.
//!
//! JSON is kept to the letter. Everything else is converted: single quotes, `True` and `None`,
//! keys without quotes, tuples and sets, trailing and missing commas, line feeds in strings, comments.

pub(super) mod bare;
mod marks;
mod quote;
mod string_ends;
mod strings;

use super::more::Decided;
use super::reader::{Reader, slice};
use crate::json::Nesting;
use crate::save::state;
use quote::Quote;

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
}
