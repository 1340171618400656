//! Checks a JSON text in one pass, and records the positions of its values.
#![expect(clippy::inline_always, reason = "the crate is compiled for size; most of its time goes here")]

mod nodes;
mod numbers;

use crate::json::lanes::{byte, end_of_plain};
use crate::json::names;
use crate::json::number_end::end_of_number;
use crate::json::string;
use crate::json::tape::{Node, Shape};
use crate::json::{JsonError, JsonErrorKind};

/// Parent of the outermost value.
const NOWHERE: u32 = u32::MAX;

/// Length from which on a text is too long: greater node ids are for items that aren't listed.
const MAX_BYTES: usize = 1 << 31;

/// Lists the values of `text` in order, member names before their values, and returns their number: they are the first
/// ones of `nodes`, which never shrinks. The numbers of long arrays go to `vectors`; a second node of such an array
/// holds their range in it.
pub(super) fn parse(
    text: &str,
    max_depth: usize,
    nodes: &mut Vec<Node>,
    vectors: &mut Vec<f64>,
) -> Result<usize, JsonError> {
    vectors.clear();
    if text.len() >= MAX_BYTES {
        let expected = "fewer than 2^31 bytes";
        return Err(JsonError { kind: JsonErrorKind::TooLong, offset: 0, expected });
    }
    let mut parser = Parser {
        text,
        bytes: text.as_bytes(),
        nodes,
        vectors,
        count: 0,
        open: NOWHERE,
        is_in_object: false,
        depth: 0,
        max_depth,
        error: None,
    };
    let _ = parser.document();
    parser.error.map_or(Ok(parser.count), Err)
}

/// Skips white space, and returns the position of the next byte and the byte.
#[inline(always)]
pub(super) fn token(bytes: &[u8], mut at: usize) -> (usize, u8) {
    loop {
        match byte(bytes, at) {
            b' ' | b'\n' | b'\r' | b'\t' => at += 1,
            other => return (at, other),
        }
    }
}

struct Parser<'t, 'n> {
    text: &'t str,
    bytes: &'t [u8],
    nodes: &'n mut Vec<Node>,
    vectors: &'n mut Vec<f64>,
    /// Number of nodes in use.
    count: usize,
    /// The innermost open container. While it is open, its `next` is its parent, so that no stack is needed.
    open: u32,
    is_in_object: bool,
    depth: usize,
    max_depth: usize,
    /// The error, set when [`Failed`] is returned.
    error: Option<JsonError>,
}

/// The text isn't JSON. The error is stored elsewhere, so that results stay in registers.
struct Failed;

/// Usually the position of the next byte.
type Parsed<T = usize> = Result<T, Failed>;

impl Parser<'_, '_> {
    fn document(&mut self) -> Parsed<()> {
        let mut at = 0;
        loop {
            at = self.value(at)?;
            // A value is followed by another one, or by ends of containers.
            at = loop {
                let (here, byte) = token(self.bytes, at);
                if self.open == NOWHERE {
                    let is_end = here >= self.bytes.len();
                    let fail_at = JsonErrorKind::TrailingText;
                    return if is_end { Ok(()) } else { self.fail(fail_at, here, "the end of the text") };
                }
                match (byte, self.is_in_object) {
                    (b',', true) => match token(self.bytes, here + 1) {
                        (name, b'"') => break self.member_name(name)?,
                        (other, _) => return self.unexpected(other, "a member name"),
                    },
                    (b',', false) => break here + 1,
                    (b'}', true) | (b']', false) => at = self.close(here),
                    (_, true) => return self.unexpected(here, "a comma or a closing brace"),
                    (_, false) => return self.unexpected(here, "a comma or a closing bracket"),
                }
            };
        }
    }

    /// Reads a scalar, or opens containers up to the first scalar, empty container or array of numbers inside them.
    #[inline(always)]
    fn value(&mut self, mut at: usize) -> Parsed {
        loop {
            let (start, byte) = token(self.bytes, at);
            match byte {
                b'"' => return self.string(start),
                b'{' => {
                    self.open(start, Shape::Object)?;
                    match token(self.bytes, start + 1) {
                        (inside, b'"') => at = self.member_name(inside)?,
                        (inside, b'}') => return Ok(self.close(inside)),
                        (inside, _) => {
                            return self.unexpected(inside, "a member name or a closing brace");
                        }
                    }
                }
                b'[' => {
                    let (inside, byte) = token(self.bytes, start + 1);
                    if let b'-' | b'0'..=b'9' = byte
                        && self.depth < self.max_depth
                        && let Some(end) = self.numbers(start, inside)
                    {
                        return Ok(end);
                    }
                    self.open(start, Shape::Array)?;
                    match byte {
                        b']' => return Ok(self.close(inside)),
                        _ if inside >= self.bytes.len() => {
                            return self.unexpected(inside, "a value or a closing bracket");
                        }
                        _ => at = inside,
                    }
                }
                b'-' | b'0'..=b'9' => return self.number(start),
                b't' => return self.literal(start, b"true", Shape::True),
                b'f' => return self.literal(start, b"false", Shape::False),
                b'n' => return self.literal(start, b"null", Shape::Null),
                _ => return self.unexpected(start, "a value"),
            }
        }
    }

    #[inline(always)]
    fn member_name(&mut self, start: usize) -> Parsed {
        let end = end_of_plain(self.bytes, start + 1);
        let end = match byte(self.bytes, end) {
            b'"' => {
                let name = names::find(self.bytes, start + 1, end);
                self.mark(names::mark(self.bytes.get(start + 1..end).unwrap_or_default()));
                self.name(start, end + 1, name)
            }
            _ => self.escaped_name(start, end)?,
        };
        // Usually the colon follows at once.
        if byte(self.bytes, end) == b':' {
            return Ok(end + 1);
        }
        match token(self.bytes, end) {
            (at, b':') => Ok(at + 1),
            (at, _) => self.unexpected(at, "a colon"),
        }
    }

    #[inline(never)]
    fn escaped_name(&mut self, start: usize, at: usize) -> Parsed {
        let index = self.count;
        let end = self.escaped_string(start, at)?;
        let text = string::decode(self.text.get(start + 1..end - 1).unwrap_or_default());
        let is_whole = text.lead.is_none() && text.trail.is_none();
        if let Some(node) = self.nodes.get_mut(index) {
            node.name = if is_whole { names::find_name(&text.text) } else { names::UNKNOWN };
        }
        self.mark(names::mark(text.text.as_bytes()));
        Ok(end)
    }

    #[inline(always)]
    fn string(&mut self, start: usize) -> Parsed {
        let at = end_of_plain(self.bytes, start + 1);
        match byte(self.bytes, at) {
            b'"' => Ok(self.scalar(start, at + 1, Shape::PlainString)),
            _ => self.escaped_string(start, at),
        }
    }

    /// Reads the rest of a string from its first special byte on.
    #[inline(never)]
    fn escaped_string(&mut self, start: usize, mut at: usize) -> Parsed {
        loop {
            match self.bytes.get(at) {
                Some(b'"') => return Ok(self.scalar(start, at + 1, Shape::EscapedString)),
                Some(b'\\') => at = self.escape(at + 1)?,
                Some(_) => {
                    return self.fail(JsonErrorKind::ControlCharacter, at, "an escaped control character");
                }
                None => return self.unexpected(at, "a closing quote"),
            }
            at = string::end_of_plain(self.bytes, at);
        }
    }

    /// Reads an escape after its backslash.
    fn escape(&mut self, at: usize) -> Parsed {
        match self.bytes.get(at) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 1),
            Some(b'u') => {
                for digit in at + 1..at + 5 {
                    if !byte(self.bytes, digit).is_ascii_hexdigit() {
                        return self.wrong(JsonErrorKind::BadEscape, digit, "four hexadecimal digits");
                    }
                }
                Ok(at + 5)
            }
            _ => self.wrong(JsonErrorKind::BadEscape, at, "one of \" \\ / b f n r t u"),
        }
    }

    #[inline(always)]
    fn number(&mut self, start: usize) -> Parsed {
        match end_of_number(self.bytes, start) {
            Ok(end) => Ok(self.scalar(start, end, Shape::Number)),
            Err((at, expected)) => self.wrong(JsonErrorKind::BadNumber, at, expected),
        }
    }

    fn literal(&mut self, start: usize, word: &'static [u8], shape: Shape) -> Parsed {
        for (at, letter) in (start..).zip(word) {
            if byte(self.bytes, at) != *letter {
                return self.unexpected(at, "true, false or null");
            }
        }
        Ok(self.scalar(start, start + word.len(), shape))
    }

    #[cold]
    #[inline(never)]
    fn unexpected<T>(&mut self, at: usize, expected: &'static str) -> Parsed<T> {
        self.wrong(JsonErrorKind::UnexpectedByte, at, expected)
    }

    /// Fails because of the byte at `at`, or because the text ends there.
    #[cold]
    #[inline(never)]
    fn wrong<T>(&mut self, kind: JsonErrorKind, at: usize, expected: &'static str) -> Parsed<T> {
        let is_end = at >= self.bytes.len();
        self.fail(if is_end { JsonErrorKind::UnexpectedEnd } else { kind }, at, expected)
    }

    #[cold]
    #[inline(never)]
    fn fail<T>(&mut self, kind: JsonErrorKind, offset: usize, expected: &'static str) -> Parsed<T> {
        self.error = Some(JsonError { kind, offset, expected });
        Err(Failed)
    }
}
