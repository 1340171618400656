//! One pass over a JSON text that checks all of it and notes where its values are.

use crate::json::string::end_of_plain;
use crate::json::tape::{Node, Shape};
use crate::json::{JsonError, JsonErrorKind};

/// The parent of the outermost value.
const NOWHERE: u32 = u32::MAX;

/// Fills `nodes` with the values of `text` in their order; names of members come before their values.
pub(super) fn parse(text: &str, max_depth: usize, nodes: &mut Vec<Node>) -> Result<(), JsonError> {
    nodes.clear();
    if text.len() >= u32::MAX as usize {
        return Err(JsonError {
            kind: JsonErrorKind::TooLong,
            offset: 0,
            expected: "less than 2^32 - 1 bytes",
        });
    }
    let bytes = text.as_bytes();
    let mut parser = Parser { bytes, at: 0, nodes, open: NOWHERE, depth: 0, max_depth, error: None };
    let _ = parser.document();
    parser.error.map_or(Ok(()), Err)
}

struct Parser<'t, 'n> {
    bytes: &'t [u8],
    at: usize,
    nodes: &'n mut Vec<Node>,
    /// The innermost container that is open. While it is, its `next` names the one around it, so that no
    /// stack is needed.
    open: u32,
    depth: usize,
    max_depth: usize,
    /// What is wrong, once [`Failed`] is returned.
    error: Option<JsonError>,
}

/// The text is no JSON. Why is kept aside, so that results stay in registers.
struct Failed;

type Result<T = (), E = Failed> = std::result::Result<T, E>;

impl Parser<'_, '_> {
    fn document(&mut self) -> Result {
        self.value()?;
        while self.open != NOWHERE {
            self.after_value()?;
        }
        match self.peek_token() {
            None => Ok(()),
            Some(_) => self.fail(JsonErrorKind::TrailingText, "the end of the text"),
        }
    }

    /// Reads a scalar, or opens containers up to the first scalar or empty container in them.
    fn value(&mut self) -> Result {
        loop {
            let start = self.at_token("a value")?;
            match start {
                b'"' => return self.string("a closing quote"),
                b'{' => {
                    self.open(Shape::Object)?;
                    match self.at_token("a member name or a closing brace")? {
                        b'"' => self.member_name()?,
                        b'}' => {
                            self.close();
                            return Ok(());
                        }
                        _ => return self.unexpected("a member name or a closing brace"),
                    }
                }
                b'[' => {
                    self.open(Shape::Array)?;
                    if self.at_token("a value or a closing bracket")? == b']' {
                        self.close();
                        return Ok(());
                    }
                }
                b'-' | b'0'..=b'9' => return self.number(),
                b't' => return self.literal(b"true", Shape::True),
                b'f' => return self.literal(b"false", Shape::False),
                b'n' => return self.literal(b"null", Shape::Null),
                _ => return self.unexpected("a value"),
            }
        }
    }

    /// Goes on to the next value of the open container, or closes it.
    fn after_value(&mut self) -> Result {
        let in_object = self.open_node().is_some_and(|node| node.shape == Shape::Object);
        if in_object {
            match self.at_token("a comma or a closing brace")? {
                b',' => {
                    self.at += 1;
                    if self.at_token("a member name")? != b'"' {
                        return self.unexpected("a member name");
                    }
                    self.member_name()?;
                    self.value()
                }
                b'}' => {
                    self.close();
                    Ok(())
                }
                _ => self.unexpected("a comma or a closing brace"),
            }
        } else {
            match self.at_token("a comma or a closing bracket")? {
                b',' => {
                    self.at += 1;
                    self.value()
                }
                b']' => {
                    self.close();
                    Ok(())
                }
                _ => self.unexpected("a comma or a closing bracket"),
            }
        }
    }

    fn open_node(&mut self) -> Option<&mut Node> {
        self.nodes.get_mut(self.open as usize)
    }

    fn open(&mut self, shape: Shape) -> Result {
        if self.depth >= self.max_depth {
            return self.fail(JsonErrorKind::TooDeep, "fewer arrays and objects inside one another");
        }
        self.depth += 1;
        let index = self.nodes.len() as u32;
        let start = self.at as u32;
        self.nodes.push(Node { start, end: start, next: self.open, shape });
        self.open = index;
        self.at += 1;
        Ok(())
    }

    fn close(&mut self) {
        self.at += 1;
        self.depth -= 1;
        let (end, next) = (self.at as u32, self.nodes.len() as u32);
        if let Some(node) = self.open_node() {
            let around = node.next;
            (node.end, node.next) = (end, next);
            self.open = around;
        }
    }

    fn member_name(&mut self) -> Result {
        self.string("a closing quote")?;
        if self.at_token("a colon")? != b':' {
            return self.unexpected("a colon");
        }
        self.at += 1;
        Ok(())
    }

    fn scalar(&mut self, start: usize, shape: Shape) {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { start: start as u32, end: self.at as u32, next, shape });
    }

    fn string(&mut self, expected: &'static str) -> Result {
        let start = self.at;
        let mut shape = Shape::PlainString;
        self.at += 1;
        loop {
            self.at = end_of_plain(self.bytes, self.at);
            match self.bytes.get(self.at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    shape = Shape::EscapedString;
                    self.escape()?;
                }
                Some(_) => return self.fail(JsonErrorKind::ControlCharacter, "no bare control character"),
                None => return self.end(expected),
            }
        }
        self.at += 1;
        self.scalar(start, shape);
        Ok(())
    }

    fn escape(&mut self) -> Result {
        self.at += 1;
        match self.bytes.get(self.at) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 1;
                Ok(())
            }
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    match self.bytes.get(self.at) {
                        Some(digit) if digit.is_ascii_hexdigit() => self.at += 1,
                        Some(_) => return self.fail(JsonErrorKind::BadEscape, "four hexadecimal digits"),
                        None => return self.end("four hexadecimal digits"),
                    }
                }
                Ok(())
            }
            Some(_) => self.fail(JsonErrorKind::BadEscape, "one of \" \\ / b f n r t u"),
            None => self.end("one of \" \\ / b f n r t u"),
        }
    }

    fn number(&mut self) -> Result {
        let start = self.at;
        if self.bytes.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        if self.bytes.get(self.at) == Some(&b'0') {
            self.at += 1;
            if self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
                return self.fail(JsonErrorKind::BadNumber, "no digit after a leading zero");
            }
        } else {
            self.digits()?;
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
        }
        self.scalar(start, Shape::Number);
        Ok(())
    }

    fn digits(&mut self) -> Result {
        match self.bytes.get(self.at) {
            Some(digit) if digit.is_ascii_digit() => self.at += 1,
            Some(_) => return self.fail(JsonErrorKind::BadNumber, "a digit"),
            None => return self.end("a digit"),
        }
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        Ok(())
    }

    fn literal(&mut self, word: &'static [u8], shape: Shape) -> Result {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        if !rest.starts_with(word) {
            self.at += word.iter().zip(rest).take_while(|(a, b)| a == b).count();
            let expected = "true, false or null";
            return if self.at == self.bytes.len() { self.end(expected) } else { self.unexpected(expected) };
        }
        self.at += word.len();
        self.scalar(start, shape);
        Ok(())
    }

    /// Skips white space; the byte after it.
    #[inline]
    fn peek_token(&mut self) -> Option<u8> {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                other => return other.copied(),
            }
        }
    }

    /// Skips white space; the byte after it, which must be there.
    fn at_token(&mut self, expected: &'static str) -> Result<u8> {
        match self.peek_token() {
            Some(byte) => Ok(byte),
            None => self.end(expected),
        }
    }

    #[cold]
    fn unexpected<T>(&mut self, expected: &'static str) -> Result<T> {
        self.fail(JsonErrorKind::UnexpectedByte, expected)
    }

    #[cold]
    fn end<T>(&mut self, expected: &'static str) -> Result<T> {
        self.fail(JsonErrorKind::UnexpectedEnd, expected)
    }

    #[cold]
    fn fail<T>(&mut self, kind: JsonErrorKind, expected: &'static str) -> Result<T> {
        self.error = Some(JsonError { kind, offset: self.at, expected });
        Err(Failed)
    }
}
