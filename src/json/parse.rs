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
    let mut parser =
        Parser { bytes: text.as_bytes(), nodes, open: NOWHERE, depth: 0, max_depth, error: None };
    let _ = parser.document();
    parser.error.map_or(Ok(()), Err)
}

struct Parser<'t, 'n> {
    bytes: &'t [u8],
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

/// Mostly where the next byte is.
type Result<T = usize, E = Failed> = std::result::Result<T, E>;

impl Parser<'_, '_> {
    fn document(&mut self) -> Result {
        let mut at = self.value(0)?;
        while let Some(open) = self.nodes.get(self.open as usize) {
            at = if open.shape == Shape::Object { self.after_member(at)? } else { self.after_item(at)? };
        }
        match self.token(at) {
            (_, None) => Ok(at),
            (at, Some(_)) => self.fail(JsonErrorKind::TrailingText, at, "the end of the text"),
        }
    }

    /// Reads a scalar, or opens containers up to the first scalar or empty container in them.
    fn value(&mut self, mut at: usize) -> Result {
        loop {
            let (start, byte) = self.token(at);
            match byte {
                Some(b'"') => return self.string(start),
                Some(b'{') => {
                    let (inside, byte) = self.open(start, Shape::Object)?;
                    match byte {
                        Some(b'"') => at = self.member_name(inside)?,
                        Some(b'}') => return Ok(self.close(inside)),
                        _ => return self.unexpected(inside, "a member name or a closing brace"),
                    }
                }
                Some(b'[') => {
                    let (inside, byte) = self.open(start, Shape::Array)?;
                    match byte {
                        Some(b']') => return Ok(self.close(inside)),
                        Some(_) => at = inside,
                        None => return self.unexpected(inside, "a value or a closing bracket"),
                    }
                }
                Some(b'-' | b'0'..=b'9') => return self.number(start),
                Some(b't') => return self.literal(start, b"true", Shape::True),
                Some(b'f') => return self.literal(start, b"false", Shape::False),
                Some(b'n') => return self.literal(start, b"null", Shape::Null),
                _ => return self.unexpected(start, "a value"),
            }
        }
    }

    fn after_member(&mut self, at: usize) -> Result {
        match self.token(at) {
            (at, Some(b',')) => match self.token(at + 1) {
                (at, Some(b'"')) => {
                    let at = self.member_name(at)?;
                    self.value(at)
                }
                (at, _) => self.unexpected(at, "a member name"),
            },
            (at, Some(b'}')) => Ok(self.close(at)),
            (at, _) => self.unexpected(at, "a comma or a closing brace"),
        }
    }

    fn after_item(&mut self, at: usize) -> Result {
        match self.token(at) {
            (at, Some(b',')) => self.value(at + 1),
            (at, Some(b']')) => Ok(self.close(at)),
            (at, _) => self.unexpected(at, "a comma or a closing bracket"),
        }
    }

    /// Opens a container; the first token in it.
    fn open(&mut self, start: usize, shape: Shape) -> Result<(usize, Option<u8>)> {
        if self.depth >= self.max_depth {
            return self.fail(JsonErrorKind::TooDeep, start, "fewer arrays and objects inside one another");
        }
        self.depth += 1;
        let index = self.nodes.len() as u32;
        self.nodes.push(Node { start: start as u32, end: start as u32, next: self.open, shape });
        self.open = index;
        Ok(self.token(start + 1))
    }

    /// Closes the innermost container, whose last byte is at `at`.
    fn close(&mut self, at: usize) -> usize {
        self.depth -= 1;
        let next = self.nodes.len() as u32;
        if let Some(node) = self.nodes.get_mut(self.open as usize) {
            self.open = node.next;
            (node.end, node.next) = (at as u32 + 1, next);
        }
        at + 1
    }

    fn member_name(&mut self, start: usize) -> Result {
        let end = self.string(start)?;
        match self.token(end) {
            (at, Some(b':')) => Ok(at + 1),
            (at, _) => self.unexpected(at, "a colon"),
        }
    }

    /// Notes a scalar; where it ends.
    fn scalar(&mut self, start: usize, end: usize, shape: Shape) -> usize {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { start: start as u32, end: end as u32, next, shape });
        end
    }

    fn string(&mut self, start: usize) -> Result {
        let mut at = end_of_plain(self.bytes, start + 1);
        if self.bytes.get(at) == Some(&b'"') {
            return Ok(self.scalar(start, at + 1, Shape::PlainString));
        }
        loop {
            match self.bytes.get(at) {
                Some(b'"') => return Ok(self.scalar(start, at + 1, Shape::EscapedString)),
                Some(b'\\') => at = self.escape(at + 1)?,
                Some(_) => {
                    return self.fail(JsonErrorKind::ControlCharacter, at, "no bare control character");
                }
                None => return self.unexpected(at, "a closing quote"),
            }
            at = end_of_plain(self.bytes, at);
        }
    }

    /// Reads an escape after its backslash.
    fn escape(&mut self, at: usize) -> Result {
        match self.bytes.get(at) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 1),
            Some(b'u') => {
                let digits = self.bytes.get(at + 1..).unwrap_or_default().iter().take(4);
                match digits.take_while(|digit| digit.is_ascii_hexdigit()).count() {
                    4 => Ok(at + 5),
                    count => self.wrong(JsonErrorKind::BadEscape, at + 1 + count, "four hexadecimal digits"),
                }
            }
            _ => self.wrong(JsonErrorKind::BadEscape, at, "one of \" \\ / b f n r t u"),
        }
    }

    fn number(&mut self, start: usize) -> Result {
        let mut at = start + usize::from(self.bytes.get(start) == Some(&b'-'));
        if self.bytes.get(at) == Some(&b'0') {
            at += 1;
            if self.bytes.get(at).is_some_and(u8::is_ascii_digit) {
                return self.fail(JsonErrorKind::BadNumber, at, "no digit after a leading zero");
            }
        } else {
            at = self.digits(at)?;
        }
        if self.bytes.get(at) == Some(&b'.') {
            at = self.digits(at + 1)?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(at) {
            at += 1;
            at += usize::from(matches!(self.bytes.get(at), Some(b'+' | b'-')));
            at = self.digits(at)?;
        }
        Ok(self.scalar(start, at, Shape::Number))
    }

    /// Reads one digit or more.
    fn digits(&mut self, start: usize) -> Result {
        let rest = self.bytes.get(start..).unwrap_or_default();
        match rest.iter().take_while(|digit| digit.is_ascii_digit()).count() {
            0 => self.wrong(JsonErrorKind::BadNumber, start, "a digit"),
            count => Ok(start + count),
        }
    }

    fn literal(&mut self, start: usize, word: &'static [u8], shape: Shape) -> Result {
        let rest = self.bytes.get(start..).unwrap_or_default();
        if rest.starts_with(word) {
            return Ok(self.scalar(start, start + word.len(), shape));
        }
        let right = word.iter().zip(rest).take_while(|(a, b)| a == b).count();
        self.unexpected(start + right, "true, false or null")
    }

    /// Skips white space; where the byte after it is, and which.
    #[inline]
    fn token(&self, mut at: usize) -> (usize, Option<u8>) {
        loop {
            match self.bytes.get(at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => at += 1,
                other => return (at, other.copied()),
            }
        }
    }

    #[cold]
    fn unexpected<T>(&mut self, at: usize, expected: &'static str) -> Result<T> {
        self.wrong(JsonErrorKind::UnexpectedByte, at, expected)
    }

    /// Fails because of what is at `at`, or because there is nothing.
    #[cold]
    fn wrong<T>(&mut self, kind: JsonErrorKind, at: usize, expected: &'static str) -> Result<T> {
        let is_end = at >= self.bytes.len();
        self.fail(if is_end { JsonErrorKind::UnexpectedEnd } else { kind }, at, expected)
    }

    #[cold]
    fn fail<T>(&mut self, kind: JsonErrorKind, offset: usize, expected: &'static str) -> Result<T> {
        self.error = Some(JsonError { kind, offset, expected });
        Err(Failed)
    }
}
