//! Reads the marks between values: brackets, commas and colons; begins and ends values.

use super::bare::{skip_comment, write_bare};
use super::quote::{Quote, is_followed_by, quote_at};
use super::{At, Literal, MAX_DEPTH, Open, Stop};
use crate::text::need_more::{Decided, NeedMore};
use crate::text::reader::Reader;
use crate::text::schema::ARRAY;
use crate::text::work::look_at;

impl Literal {
    /// Reads a byte outside of strings and words.
    pub(super) fn read_mark(&mut self, reader: &mut Reader<'_>) -> Decided<Option<Stop>> {
        let byte = reader.peek().ok_or(NeedMore)?;
        look_at(1);
        let is_raw_name = self.at == At::Key && self.has_raw_names();
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {
                // White space around the outermost value isn't kept.
                if !self.open.is_empty() && !self.is_after_text() {
                    self.push(byte);
                }
                reader.at += 1;
                return Ok(None);
            }
            b'/' if !is_raw_name => return skip_comment(reader),
            // A Python comment; before a value it may be a colour.
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
            At::Colon if !matches!(byte, b':' | b'=') => Ok(Some(Stop::Foreign)),
            At::Colon => {
                reader.at += 1;
                Ok(self.read_colon())
            }
            // The string began with another quote.
            At::After if self.is_typed && reader.accept(&[Quote::Token.end()])?.is_some() => Ok(None),
            // A comma is missing, or the literal has ended.
            At::After if self.open.is_empty() || !is_quote && !matches!(byte, b'{' | b'[') => {
                Ok(Some(Stop::Foreign))
            }
            At::After => {
                if !is_quote || !is_followed_by(reader, b"}],")? {
                    self.read_comma();
                } else if std::mem::take(&mut self.is_quoted) {
                    // Closes a quoted object.
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

    fn read_colon(&mut self) -> Option<Stop> {
        self.push(b':');
        self.brace = None;
        self.at = At::Value;
        if let Some(open) = self.open.last_mut() {
            open.key = self.key;
        }
        if self.is_typed {
            return Some(Stop::Typed);
        }
        let is_watched = self.open.len() == self.watch;
        self.is_member_open |= is_watched;
        is_watched.then_some(Stop::Member)
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
            self.push(b',');
            let is_object = self.open.last().is_some_and(|open| open.is_object);
            self.at = if is_object { At::Key } else { At::Value };
        }
        None
    }

    fn begin_key(&mut self, byte: u8, reader: &mut Reader<'_>) -> Decided<Option<Stop>> {
        if let Some((quote, length)) = quote_at(reader)? {
            reader.at += length;
            self.push(b'"');
            self.key.0 = self.json.len();
            self.at = At::Text { quote, is_key: true };
        } else {
            let is_word = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'-' | 0x80..);
            match byte {
                _ if self.read_name(reader, is_word)? => {}
                _ if is_word => self.begin_bare(true),
                // Templates double the braces.
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
                self.push(if is_object { b'{' } else { b'[' });
                let types = self.types();
                self.open.push(Open::new(is_object, closer));
                self.at = if is_object { At::Key } else { At::Value };
                if byte == b'(' && types & ARRAY == 0 {
                    // The parentheses may contain a single value.
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
                        self.push(b'"');
                        self.begin_text(quote);
                    }
                    None if byte == b'<' => return Ok(Some(Stop::Foreign)),
                    // Bytes or an f-string: the value is unknown.
                    None if matches!(byte, b'b' | b'f')
                        && self.has_round()
                        && reader.next_token(&["b\"", "b'", "f\"", "f'"])?.is_some() =>
                    {
                        return Ok(Some(Stop::Foreign));
                    }
                    None => self.begin_bare(false),
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

    /// Converts a brace and a key without a colon to a Python set. Returns `false` if it can't be one.
    fn turn_into_set(&mut self) -> bool {
        // The arguments of a call are an object.
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

    fn close_with(&mut self, byte: u8, reader: &mut Reader<'_>) -> Option<Stop> {
        let Some(depth) = self.open.iter().rposition(|open| open.closer == byte) else {
            if self.open.is_empty() {
                return Some(Stop::Foreign);
            }
            // A superfluous bracket.
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
        // Brackets inside that are still open close first, and may end a watched member.
        let is_last = depth + 1 == self.open.len();
        if is_last {
            reader.at += 1;
        }
        let open = self.open.pop()?;
        let paren = if open.closer == b')' { self.paren.take() } else { None };
        match paren.filter(|_| self.at == At::After) {
            Some(paren) => self.replace(paren, ""),
            None => self.push(if open.is_object { b'}' } else { b']' }),
        }
        let stop = self.end_value();
        if open.closer == b'}' && self.open.len() + 1 == self.watch { Some(Stop::ObjectEnd) } else { stop }
    }

    /// Whether a member has a colon but no value.
    fn is_value_missing(&mut self) -> bool {
        let is_missing = self.at == At::Value
            && self.comma.is_none()
            && self.open.last().is_some_and(|open| open.is_object);
        self.lacks_value |= is_missing;
        is_missing
    }
}
