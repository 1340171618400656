//! Converts a literal as models write it (JSON with mistakes, Python, Gemma's own syntax) to JSON text, piece by piece.
//!
//! Valid JSON is kept byte for byte. Everything else is repaired: single quotes, `True` and `None`, unquoted keys,
//! tuples and sets, trailing and missing commas, line feeds in strings, comments.

pub(super) mod bare;
mod marks;
mod quote;
mod string_ends;
mod strings;

use super::need_more::Decided;
use super::reader::{Reader, slice};
use crate::json::Nesting;
use crate::save::state;
use quote::Quote;

/// Maximum depth of a literal. Deeper ones are rejected.
pub(crate) const MAX_DEPTH: usize = 512;

/// Reason why reading stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The value of a member at the watched depth begins; see [`Literal::key`].
    Member,
    /// A value begins whose [types](Literal::set_types) the schema may declare.
    Typed,
    /// A value has ended and doesn't fit the schema.
    Unfit,
    /// The value of a member at the watched depth has ended.
    MemberEnd,
    /// An object whose members are watched has ended.
    ObjectEnd,
    /// The outermost value has ended.
    End,
    /// The next text isn't part of a literal: a tag, prose.
    Foreign,
}

/// What the parser expects next.
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
    /// Inside an unquoted word.
    Bare {
        is_key: bool,
    },
    End,
    /// At the end of an unquoted value whose type the schema decides.
    Word,
}

state! { enum At { 0 Value, 1 Key, 2 Colon, 3 After, 4 Text { quote, is_key }, 5 Bare { is_key }, 6 End, 7 Word } }

/// An open bracket.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Open {
    pub(crate) is_object: bool,
    /// Bracket that closes it.
    pub(crate) closer: u8,
    /// Range of the last member's name in the JSON.
    pub(crate) key: (usize, usize),
    /// Types of the last member or of the items that the schema declares; 0 if it declares none.
    pub(crate) types: u8,
}

state! { struct Open { is_object, closer, key, types } }

impl Open {
    pub(crate) fn new(is_object: bool, closer: u8) -> Self {
        Self { is_object, closer, key: (0, 0), types: 0 }
    }
}

/// Parser of one literal.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(crate) struct Literal {
    pub(crate) json: String,
    pub(crate) open: Vec<Open>,
    pub(crate) at: At,
    /// Depth at which members are reported.
    pub(crate) watch: usize,
    /// Range of the last key in the JSON.
    pub(crate) key: (usize, usize),
    /// Position in the JSON of a comma that may turn out to be trailing.
    comma: Option<usize>,
    /// Position in the JSON of a brace that may turn out to open a Python set.
    brace: Option<usize>,
    /// Position in the JSON of a bracket that may turn out to be parentheses around a single Python value.
    pub(crate) paren: Option<usize>,
    /// The current unquoted word so far.
    pub(crate) bare: String,
    /// Brackets inside the current string, and the position in the JSON up to which they are counted.
    pub(crate) nesting: (Nesting, usize),
    /// Whether a quote precedes an object that isn't escaped, so that a closing quote follows it.
    pub(crate) is_quoted: bool,
    /// Whether a member was reported whose end hasn't been reported yet.
    is_member_open: bool,
    /// Whether the schema determines the types of values, because the syntax doesn't distinguish strings.
    pub(crate) is_typed: bool,
    /// Position in the JSON of a string that may become a value of another type.
    pub(crate) string: Option<usize>,
    /// Whether a member has no value. Its value is unknown, so the literal is invalid.
    pub(crate) lacks_value: bool,
}

state! {
    struct Literal {
        json, open, at, watch, key, comma, brace, paren, bare, nesting, is_quoted, is_member_open, is_typed,
        string, lacks_value,
    } if has_valid_marks
}

impl Literal {
    /// Creates a parser for a literal that begins with the next byte.
    pub(crate) fn new(watch: usize) -> Self {
        Self { watch, ..Self::default() }
    }

    /// Whether the replaceable positions hold the right ASCII bytes, which a damaged state may not ensure.
    fn has_valid_marks(&self) -> bool {
        let is_mark =
            |mark: Option<usize>, byte| mark.is_none_or(|at| self.json.as_bytes().get(at) == Some(byte));
        is_mark(self.comma, &b',')
            && is_mark(self.brace, &b'{')
            && is_mark(self.paren, &b'[')
            && is_mark(self.string, &b'"')
    }

    /// Resets the parser for a literal that begins with the next byte.
    #[inline(never)]
    pub(crate) fn restart(&mut self, watch: usize) {
        self.json.clear();
        self.open.clear();
        self.bare.clear();
        (self.at, self.watch, self.key) = (At::Value, watch, (0, 0));
        (self.comma, self.brace, self.paren, self.string) = (None, None, None, None);
        (self.is_member_open, self.lacks_value, self.is_quoted, self.is_typed) = (false, false, false, false);
    }

    /// Returns the JSON so far.
    pub(crate) fn json(&self) -> &str {
        &self.json
    }

    /// Returns the length of the JSON that is final.
    pub(crate) fn settled_len(&self) -> usize {
        let undecided = self.paren.or(self.brace).or(self.comma).or(self.string);
        undecided.unwrap_or(self.json.len() - usize::from(self.is_after_text()))
    }

    /// Returns the last key, as written between its quotes.
    pub(crate) fn key(&self) -> &str {
        slice(&self.json, self.key.0, self.key.1)
    }

    /// Whether the parser is between values, so that only brackets can be missing.
    pub(crate) fn is_between(&self) -> bool {
        matches!(self.at, At::After | At::Key | At::End)
    }

    /// Closes all open brackets. The parser must be [between](Self::is_between) values.
    pub(crate) fn close(&mut self) {
        self.drop_comma();
        while let Some(open) = self.open.pop() {
            self.push(if open.is_object { b'}' } else { b']' });
        }
        (self.brace, self.paren) = (None, None);
        self.at = At::End;
    }

    /// Returns the types that the schema declares for the current value; 0 if it declares none.
    pub(crate) fn types(&self) -> u8 {
        self.open.last().map_or(0, |open| open.types)
    }

    pub(crate) fn set_types(&mut self, types: u8) {
        if let Some(open) = self.open.last_mut() {
            open.types = types;
        }
    }

    /// Returns the path of the current value inside the bracket at this depth, with `None` for an array item; `None` if
    /// the schema doesn't declare a value around it.
    pub(crate) fn path(&self, depth: usize) -> Option<Vec<Option<&str>>> {
        let inside = self.open.get(depth..)?;
        let (_, outer) = inside.split_last()?;
        let name = |open: &Open| open.is_object.then(|| slice(&self.json, open.key.0, open.key.1));
        let is_declared = !self.is_typed || outer.iter().all(|open| open.types != 0);
        is_declared.then(|| inside.iter().map(name).collect())
    }

    /// Appends an ASCII character.
    #[inline(never)]
    pub(crate) fn push(&mut self, byte: u8) {
        self.json.push(char::from(byte));
    }

    /// Reads until there is something to report.
    pub(crate) fn read(&mut self, reader: &mut Reader<'_>) -> Decided<Stop> {
        loop {
            let stop = match self.at {
                At::End => Some(Stop::End),
                At::Text { quote, is_key } => self.read_text(reader, quote, is_key)?,
                At::Bare { is_key } => self.read_bare(reader, is_key)?,
                At::Word => self.end_word(),
                At::Value | At::Key | At::Colon | At::After => self.read_mark(reader)?,
            };
            if let Some(stop) = stop {
                return Ok(stop);
            }
        }
    }

    /// Returns whether a member was reported whose end hasn't been, and clears that.
    pub(crate) fn take_member(&mut self) -> bool {
        std::mem::take(&mut self.is_member_open)
    }

    fn drop_comma(&mut self) {
        if let Some(comma) = self.comma.take() {
            self.replace(comma, "");
        }
    }

    /// Replaces a one-byte mark in the JSON.
    fn replace(&mut self, mark: usize, with: &str) {
        let rest = slice(&self.json, mark + 1, self.json.len()).to_owned();
        self.json.truncate(mark);
        self.json.push_str(with);
        self.json.push_str(&rest);
    }
}
