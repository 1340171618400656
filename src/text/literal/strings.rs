//! Strings in a literal, and the arguments of Python calls.

use super::quote::{Quote, quote_at, write_escape, write_raw};
use super::{At, Literal, Open, Stop};
use crate::json::{Nesting, Place, StringContext};
use crate::text::need_more::{Decided, NeedMore};
use crate::text::reader::{Reader, slice};
use crate::text::schema::{STRING, convert, text_of};
use crate::text::work::look_at;

impl Literal {
    /// Opens an object for the keyword arguments of a Python call.
    pub(crate) fn open_keywords(&mut self) {
        self.push(b'{');
        self.open.push(Open::new(true, b')'));
        self.at = At::Key;
    }

    /// Opens an array for the arguments of a Python call without keywords.
    pub(crate) fn open_items(&mut self) {
        self.push(b'[');
        self.open.push(Open::new(false, b')'));
    }

    /// Whether the parser is after a string that is a keyword's value or alone in parentheses: Python concatenates
    /// adjacent strings.
    pub(crate) fn is_after_text(&self) -> bool {
        self.at == At::After && self.is_in_keywords() && self.json.ends_with('"')
    }

    pub(super) fn is_in_keywords(&self) -> bool {
        self.open.last().is_some_and(|open| open.closer == b')' && (open.is_object || self.paren.is_some()))
    }

    /// Continues to read a string.
    pub(crate) fn read_text(
        &mut self,
        reader: &mut Reader<'_>,
        quote: Quote,
        is_key: bool,
    ) -> Decided<Option<Stop>> {
        let rest = reader.rest();
        let plain = quote.plain_len(rest.as_bytes());
        look_at(plain + 1);
        if plain > 0 {
            self.json.push_str(slice(rest, 0, plain));
            reader.at += plain;
        }
        if reader.peek().ok_or(NeedMore)? == b'\\' && !quote.is_raw() {
            reader.at += write_escape(reader, self.has_round(), &mut self.json)?;
            return Ok(None);
        }
        if matches!(reader.peek(), Some(b'}' | b']')) && !is_key && self.is_before_last_brackets(reader)? {
            return Ok(self.end_text(is_key));
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
                // Only the whole string is converted to another type.
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
                // Gemma has only this token for quotes, also inside strings.
                write_raw(if is_token { "\"" } else { slice(reader.rest(), 0, length) }, &mut self.json);
                reader.at += length;
                Ok(None)
            }
        }
    }

    /// Begins a string value, or continues it with another part.
    pub(crate) fn begin_text(&mut self, quote: Quote) {
        self.nesting = (Nesting::default(), self.json.len());
        self.at = At::Text { quote, is_key: false };
    }

    /// Returns the position of a string in its brackets.
    pub(super) fn position_in_brackets(&self, is_key: bool) -> StringContext {
        let place = match self.open.last() {
            _ if is_key => Place::Name,
            Some(open) if open.is_object => Place::Member,
            _ => Place::Item,
        };
        StringContext {
            place,
            depth: self.open.len(),
            has_round: self.has_round(),
            has_quotes: self.nesting.0.has_quotes,
        }
    }

    /// Whether the parser is inside parentheses, which only Python has.
    pub(crate) fn has_round(&self) -> bool {
        self.open.iter().any(|open| open.closer == b')')
    }

    fn end_text(&mut self, is_key: bool) -> Option<Stop> {
        if is_key {
            self.key.1 = self.json.len();
            self.push(b'"');
            self.bare.clear();
            self.at = At::Colon;
            return None;
        }
        self.push(b'"');
        self.end_string()
    }

    /// Begins a string that is a value.
    pub(crate) fn begin_string(&mut self) {
        let types = self.types();
        self.string = (types != 0 && types & STRING == 0).then_some(self.json.len());
    }

    /// Ends such a string, and converts it to the type that the schema declares.
    pub(super) fn end_string(&mut self) -> Option<Stop> {
        let fits = self.string.take().is_none_or(|from| {
            let text = text_of(slice(&self.json, from, self.json.len())).unwrap_or_default();
            self.write_typed(from, &text)
        });
        self.end_typed(fits)
    }

    /// Replaces the JSON from `from` on by the text as a value, if it fits the schema.
    pub(super) fn write_typed(&mut self, from: usize, text: &str) -> bool {
        let (json, fits) = convert(text, self.types());
        if fits {
            self.json.truncate(from);
            self.json.push_str(&json);
        }
        fits
    }

    /// Ends a value.
    pub(super) fn end_typed(&mut self, fits: bool) -> Option<Stop> {
        let stop = self.end_value();
        if fits { stop } else { Some(Stop::Unfit) }
    }
}
