//! Reads an object or array that is written with faults, and writes it as JSON.

pub(super) mod closing;
mod fence;
#[cfg(test)]
mod tests;
mod token;

use memchr::memchr;

use crate::json::mend::closing::{behind_space, is_quote};
use crate::json::mend::fence::opens_fence;
use crate::json::progress::is_space;
use crate::json::repair::Strategy;

/// How a value ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// With a bracket.
    Whole,
    /// With the text.
    Cut,
    /// It is no value.
    Wrong,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The outermost value, or that of a member.
    Value,
    /// An item, or the end of the array.
    Item,
    /// A name, or the end of the object.
    Name,
    Colon,
    /// A comma, or the end of the array or object.
    Comma,
    Nothing,
}

/// Reads values out of a text, one after the other. It looks at each byte once, and behind quotes a bit further.
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(super) struct Mender<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    next: Next,
    /// Whether a comma has come after which nothing has.
    has_comma: bool,
    /// The closing brackets of what is open.
    open: Vec<u8>,
    has_object: bool,
    /// Whether the value is an object with which the text begins.
    is_lead: bool,
    /// Whether the value is the first in a code fence.
    is_fenced: bool,
    out: String,
    /// How much of it stands if the text ends here.
    settled: usize,
    /// Whether that is more than open brackets.
    is_known: bool,
    strategy: Strategy,
    /// Whether a model has written it, which may leave out quotes. A program only leaves out escapes.
    pub(super) lacks_quotes: bool,
    /// How often a byte was looked at.
    #[cfg(test)]
    pub(super) work: std::cell::Cell<usize>,
}

impl<'a> Mender<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
            next: Next::Value,
            has_comma: false,
            open: Vec::new(),
            has_object: false,
            is_lead: false,
            is_fenced: false,
            out: String::new(),
            settled: 0,
            is_known: false,
            strategy: Strategy::Direct,
            lacks_quotes: true,
            #[cfg(test)]
            work: std::cell::Cell::default(),
        }
    }

    /// What was not read.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Whether the value is an object, or has one in it.
    pub(super) fn has_object(&self) -> bool {
        self.has_object
    }

    /// Whether only a part was read of an object: what was read is no value of its own, and neither is anything inside.
    /// A text that begins with one has no other value; elsewhere what is inside is passed.
    pub(super) fn is_part(&mut self, end: End) -> bool {
        match end {
            End::Cut => false,
            End::Wrong => {
                let has_members = memchr(b':', self.out.as_bytes()).is_some();
                if has_members || self.open.len() > 1 {
                    self.pass_open();
                }
                self.is_lead && has_members
            }
            // Of empty ones there may be many.
            End::Whole => self.out.len() > 2 && self.out.starts_with('{') && closes_more(self.rest()),
        }
    }

    /// Goes behind the brackets that close what is open, or to the end where they are missing.
    fn pass_open(&mut self) {
        let mut depth = self.open.len();
        let end = self.rest().iter().position(|byte| {
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        });
        self.at = end.map_or(self.bytes.len(), |end| self.at + end + 1);
    }

    /// Takes the JSON of the value that was read, and what it took.
    pub(super) fn take(&mut self) -> (String, Strategy) {
        (std::mem::take(&mut self.out), self.strategy)
    }

    /// Reads the value that begins with the bracket after so many bytes of the rest.
    pub(super) fn read(&mut self, skipped: usize) -> End {
        self.strategy = Strategy::Extracted;
        if self.at == 0 {
            let lead = self.skip_space(0);
            if skipped == self.skip_fence(lead) {
                self.strategy = if skipped == lead { Strategy::Direct } else { Strategy::Fence };
            }
        }
        self.at += skipped;
        self.is_fenced = opens_fence(self.bytes.get(..self.at).unwrap_or_default());
        self.is_lead = self.strategy != Strategy::Extracted && self.byte(self.at) == Some(b'{');
        self.out.clear();
        self.open.clear();
        (self.next, self.has_comma, self.has_object) = (Next::Value, false, false);
        (self.settled, self.is_known) = (0, false);
        while self.next != Next::Nothing {
            match self.step() {
                End::Whole => {}
                End::Cut if self.is_known => {
                    self.out.truncate(self.settled);
                    while let Some(closer) = self.open.pop() {
                        self.out.push(char::from(closer));
                    }
                    self.note(Strategy::MissingClosers);
                    return End::Cut;
                }
                _ => return End::Wrong,
            }
        }
        let end = self.skip_space(self.at);
        let end = if self.strategy == Strategy::Fence { self.skip_fence(end) } else { end };
        // Without any fault, there is white space that JSON does not have.
        if end < self.bytes.len() || self.strategy == Strategy::Direct {
            self.note(Strategy::Extracted);
        }
        End::Whole
    }

    /// Goes on by one token.
    fn step(&mut self) -> End {
        self.skip_to_token();
        let Some(byte) = self.byte(self.at) else { return End::Cut };
        let is_quote = is_quote(byte);
        match (self.next, byte) {
            (Next::Item | Next::Name | Next::Comma, b']' | b'}') => self.close(byte),
            (_, b'`') if self.ends_fence(self.at) => End::Cut,
            (Next::Comma, b',') => {
                self.at += 1;
                self.has_comma = true;
                self.go_on();
                End::Whole
            }
            (Next::Comma, b'{' | b'[' | b'-' | b'0'..=b'9') if !self.is_in_object() => self.miss_comma(),
            // Before a comma, the quote ends what should have been a string.
            (Next::Comma, _) if is_quote && self.byte(self.at + 1) != Some(b',') => self.miss_comma(),
            (Next::Colon, b':') => {
                self.push(byte);
                self.next = Next::Value;
                End::Whole
            }
            (Next::Comma, _) if self.is_before_prose() => End::Cut,
            (Next::Comma | Next::Colon, _) => End::Wrong,
            (Next::Name, _) => {
                self.separate();
                self.next = Next::Colon;
                if is_quote { self.string(byte, true) } else { self.word(true) }
            }
            (_, b'{' | b'[') => {
                self.separate();
                self.push(byte);
                self.settled = self.out.len();
                self.has_object |= byte == b'{';
                self.open.push(byte + 2);
                self.go_on();
                End::Whole
            }
            _ => {
                self.separate();
                self.next = Next::Comma;
                if is_quote { self.string(byte, false) } else { self.word(false) }
            }
        }
    }

    /// Ends the innermost array or object that this bracket can end.
    fn close(&mut self, byte: u8) -> End {
        if std::mem::take(&mut self.has_comma) {
            self.note(Strategy::TrailingCommas);
        }
        let Some(opened) = self.open.iter().rposition(|closer| *closer == byte) else {
            self.at += 1;
            return End::Wrong;
        };
        while let Some(closer) = self.open.pop()
            && self.open.len() > opened
        {
            self.out.push(char::from(closer));
            self.note(Strategy::MissingClosers);
        }
        self.push(byte);
        self.settle();
        self.next = if self.open.is_empty() { Next::Nothing } else { Next::Comma };
        End::Whole
    }

    fn miss_comma(&mut self) -> End {
        self.note(Strategy::MissingCommas);
        self.go_on();
        End::Whole
    }

    /// Whether a line of prose begins here, and nothing of JSON follows: then closers are missing before it.
    fn is_before_prose(&self) -> bool {
        let line = self.text.get(..self.at).unwrap_or_default();
        let is_mark = |byte: &u8| matches!(byte, b'"' | b'{' | b'[' | b'}' | b']');
        let rest = self.rest();
        line.trim_end_matches([' ', '\t']).ends_with('\n')
            && rest.first().is_some_and(u8::is_ascii_alphabetic)
            && !rest.iter().any(is_mark)
    }

    /// Another item or member may come.
    fn go_on(&mut self) {
        self.next = if self.is_in_object() { Next::Name } else { Next::Item };
    }

    /// Something comes: after a value, behind a comma.
    fn separate(&mut self) {
        self.has_comma = false;
        if !matches!(self.out.as_bytes().last(), None | Some(b'{' | b'[' | b':')) {
            self.out.push(',');
        }
    }

    /// Passes white space and comments.
    fn skip_to_token(&mut self) {
        loop {
            self.at = self.skip_space(self.at);
            let rest = self.rest();
            let length = match rest {
                // The text may end in a comment, and before its second byte.
                [b'/'] => None,
                [b'/', b'/', ..] => memchr(b'\n', rest),
                // Python's; before a value it may be a colour.
                [b'#', ..] if matches!(self.next, Next::Comma | Next::Name) => memchr(b'\n', rest),
                [b'/', b'*', inner @ ..] => inner.windows(2).position(|pair| pair == b"*/").map(|at| at + 4),
                _ => return,
            };
            self.at += length.unwrap_or(rest.len());
            self.note(Strategy::Comments);
        }
    }

    /// Where what is no white space comes next.
    fn skip_space(&self, at: usize) -> usize {
        behind_space(self.bytes, at)
    }

    fn byte(&self, at: usize) -> Option<u8> {
        #[cfg(test)]
        self.work.set(self.work.get() + 1);
        self.bytes.get(at).copied()
    }

    /// Writes the text from here up to where the reading is.
    fn copy(&mut self, from: usize) {
        self.out.push_str(self.text.get(from..self.at).unwrap_or_default());
    }

    /// Passes a byte, and writes it.
    fn push(&mut self, byte: u8) {
        self.at += 1;
        self.out.push(char::from(byte));
    }

    /// What was written so far stands, and is more than brackets.
    fn settle(&mut self) {
        self.settled = self.out.len();
        self.is_known = true;
    }

    fn note(&mut self, strategy: Strategy) {
        self.strategy = self.strategy.max(strategy);
    }

    fn is_in_object(&self) -> bool {
        self.open.last() == Some(&b'}')
    }
}

/// Whether a brace closes something that was opened before, apart from those that come first.
fn closes_more(rest: &[u8]) -> bool {
    let mut depth = 0_usize;
    let first = rest.iter().position(|byte| !is_space(*byte) && !matches!(byte, b'}' | b']'));
    rest.iter().skip(first.unwrap_or(rest.len())).any(|byte| {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => return true,
            b'}' => depth -= 1,
            _ => {}
        }
        false
    })
}
