//! Reads a malformed object or array, and writes it as valid JSON.

pub(super) mod closing;
mod fence;
#[cfg(test)]
mod tests;
mod token;

use memchr::memchr;

use crate::json::progress::is_space;
use crate::json::repair::Strategy;
use crate::json::repairer::closing::{is_quote, skip_white_space};
use crate::json::repairer::fence::opens_fence;

/// How a value ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueEnd {
    /// With its closing bracket.
    Complete,
    /// With the end of the text.
    Truncated,
    /// It isn't a value.
    Invalid,
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The outermost value, or the value of a member.
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

/// Reads the values in a text one after the other. Looks at each byte once, and after quotes a bit further.
#[expect(
    clippy::struct_excessive_bools,
    reason = "where the value is, who wrote it and what was read of it, in any combination"
)]
pub(super) struct Repairer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    next: Next,
    /// Whether a comma was read and nothing after it.
    has_comma: bool,
    /// Closing brackets of the open arrays and objects.
    open: Vec<u8>,
    has_object: bool,
    /// Whether the value is an object at the beginning of the text.
    is_lead: bool,
    /// Whether the value is the first one in a code fence.
    is_fenced: bool,
    out: String,
    /// Length of the output that is kept if the text ends here.
    kept_len: usize,
    /// Whether that is more than opening brackets.
    is_known: bool,
    strategy: Strategy,
    /// Whether a model wrote the text, and may have left out quotes. A program only leaves out escapes.
    pub(super) lacks_quotes: bool,
    /// Number of bytes looked at, counting repetitions.
    #[cfg(test)]
    pub(super) work: std::cell::Cell<usize>,
}

impl<'a> Repairer<'a> {
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
            kept_len: 0,
            is_known: false,
            strategy: Strategy::Direct,
            lacks_quotes: true,
            #[cfg(test)]
            work: std::cell::Cell::default(),
        }
    }

    /// Returns the unread bytes.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Whether the value is an object, or contains one.
    pub(super) fn has_object(&self) -> bool {
        self.has_object
    }

    /// Whether a member was read, or its name.
    pub(super) fn has_members(&self) -> bool {
        memchr(b':', self.out.as_bytes()).is_some()
    }

    /// Whether only a part of an object was read: neither that part nor anything inside it is a value of its own. A
    /// text that begins with such an object has no other value; elsewhere the rest of the object is skipped.
    pub(super) fn is_part(&mut self, end: ValueEnd) -> bool {
        match end {
            ValueEnd::Truncated => false,
            ValueEnd::Invalid => {
                let has_members = self.has_members();
                if has_members || self.open.len() > 1 {
                    self.skip_open_containers();
                }
                self.is_lead && has_members
            }
            // Not checked for empty objects, of which there may be many.
            ValueEnd::Complete => self.out.len() > 2 && self.out.starts_with('{') && closes_more(self.rest()),
        }
    }

    /// Skips the text up to the brackets that close the open arrays and objects, or all of it if they are missing.
    fn skip_open_containers(&mut self) {
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

    /// Returns the JSON of the value that was read, and the repair strategy.
    pub(super) fn take_result(&mut self) -> (String, Strategy) {
        (std::mem::take(&mut self.out), self.strategy)
    }

    /// Reads the value whose opening bracket comes after `skipped` bytes of the rest.
    pub(super) fn read(&mut self, skipped: usize) -> ValueEnd {
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
        (self.kept_len, self.is_known) = (0, false);
        while self.next != Next::Nothing {
            match self.step() {
                ValueEnd::Complete => {}
                ValueEnd::Truncated if self.is_known => {
                    self.out.truncate(self.kept_len);
                    while let Some(closer) = self.open.pop() {
                        self.out.push(char::from(closer));
                    }
                    self.record_strategy(Strategy::MissingClosers);
                    return ValueEnd::Truncated;
                }
                _ => return ValueEnd::Invalid,
            }
        }
        let end = self.skip_space(self.at);
        let end = if self.strategy == Strategy::Fence { self.skip_fence(end) } else { end };
        // Without any other fault, the text has white space that JSON doesn't allow.
        if end < self.bytes.len() || self.strategy == Strategy::Direct {
            self.record_strategy(Strategy::Extracted);
        }
        ValueEnd::Complete
    }

    /// Reads the next token.
    fn step(&mut self) -> ValueEnd {
        self.skip_to_token();
        let Some(byte) = self.byte(self.at) else { return ValueEnd::Truncated };
        let is_quote = is_quote(byte);
        match (self.next, byte) {
            (Next::Item | Next::Name | Next::Comma, b']' | b'}') => self.close(byte),
            (_, b'`') if self.ends_fence(self.at) => ValueEnd::Truncated,
            (Next::Comma, b',') => {
                self.at += 1;
                self.has_comma = true;
                self.expect_next();
                ValueEnd::Complete
            }
            (Next::Comma, b'{' | b'[' | b'-' | b'0'..=b'9') if !self.is_in_object() => {
                self.add_missing_comma()
            }
            // Before a comma, the quote ends text that should have been a string.
            (Next::Comma, _) if is_quote && self.byte(self.at + 1) != Some(b',') => self.add_missing_comma(),
            (Next::Colon, b':') => {
                self.push(byte);
                self.next = Next::Value;
                ValueEnd::Complete
            }
            (Next::Comma, _) if self.is_before_prose() => ValueEnd::Truncated,
            (Next::Comma | Next::Colon, _) => ValueEnd::Invalid,
            (Next::Name, _) => {
                self.write_separator();
                self.next = Next::Colon;
                if is_quote { self.string(byte, true) } else { self.word(true) }
            }
            (_, b'{' | b'[') => {
                self.write_separator();
                self.push(byte);
                self.kept_len = self.out.len();
                self.has_object |= byte == b'{';
                self.open.push(byte + 2);
                self.expect_next();
                ValueEnd::Complete
            }
            _ => {
                self.write_separator();
                self.next = Next::Comma;
                if is_quote { self.string(byte, false) } else { self.word(false) }
            }
        }
    }

    /// Closes the innermost array or object that this bracket can close.
    fn close(&mut self, byte: u8) -> ValueEnd {
        if std::mem::take(&mut self.has_comma) {
            self.record_strategy(Strategy::TrailingCommas);
        }
        let Some(opened) = self.open.iter().rposition(|closer| *closer == byte) else {
            self.at += 1;
            return ValueEnd::Invalid;
        };
        while let Some(closer) = self.open.pop()
            && self.open.len() > opened
        {
            self.out.push(char::from(closer));
            self.record_strategy(Strategy::MissingClosers);
        }
        self.push(byte);
        self.keep_output();
        self.next = if self.open.is_empty() { Next::Nothing } else { Next::Comma };
        ValueEnd::Complete
    }

    fn add_missing_comma(&mut self) -> ValueEnd {
        self.record_strategy(Strategy::MissingCommas);
        self.expect_next();
        ValueEnd::Complete
    }

    /// Whether a line of prose begins here, and no JSON follows; closing brackets are then missing before it.
    fn is_before_prose(&self) -> bool {
        let line = self.text.get(..self.at).unwrap_or_default();
        let is_mark = |byte: &u8| matches!(byte, b'"' | b'{' | b'[' | b'}' | b']');
        let rest = self.rest();
        line.trim_end_matches([' ', '\t']).ends_with('\n')
            && rest.first().is_some_and(u8::is_ascii_alphabetic)
            && !rest.iter().any(is_mark)
    }

    /// Expects another item or member.
    fn expect_next(&mut self) {
        self.next = if self.is_in_object() { Next::Name } else { Next::Item };
    }

    /// Writes a comma if the next token follows a value.
    fn write_separator(&mut self) {
        self.has_comma = false;
        if !matches!(self.out.as_bytes().last(), None | Some(b'{' | b'[' | b':')) {
            self.out.push(',');
        }
    }

    /// Skips white space and comments.
    fn skip_to_token(&mut self) {
        loop {
            self.at = self.skip_space(self.at);
            let rest = self.rest();
            let length = match rest {
                // The text may end inside a comment, even before its second byte.
                [b'/'] => None,
                [b'/', b'/', ..] => memchr(b'\n', rest),
                // Python's comments; before a value, `#` may begin a colour.
                [b'#', ..] if matches!(self.next, Next::Comma | Next::Name) => memchr(b'\n', rest),
                [b'/', b'*', inner @ ..] => inner.windows(2).position(|pair| pair == b"*/").map(|at| at + 4),
                _ => return,
            };
            self.at += length.unwrap_or(rest.len());
            self.record_strategy(Strategy::Comments);
        }
    }

    /// Returns the position of the next byte that isn't white space.
    fn skip_space(&self, at: usize) -> usize {
        skip_white_space(self.bytes, at)
    }

    fn byte(&self, at: usize) -> Option<u8> {
        #[cfg(test)]
        self.work.set(self.work.get() + 1);
        self.bytes.get(at).copied()
    }

    /// Writes the text from `from` up to the current position.
    fn copy(&mut self, from: usize) {
        self.out.push_str(self.text.get(from..self.at).unwrap_or_default());
    }

    /// Reads a byte, and writes it.
    fn push(&mut self, byte: u8) {
        self.at += 1;
        self.out.push(char::from(byte));
    }

    /// Keeps what was written so far, which is more than brackets.
    fn keep_output(&mut self) {
        self.kept_len = self.out.len();
        self.is_known = true;
    }

    fn record_strategy(&mut self, strategy: Strategy) {
        self.strategy = self.strategy.max(strategy);
    }

    fn is_in_object(&self) -> bool {
        self.open.last() == Some(&b'}')
    }
}

/// Whether a brace closes something that was opened before this text, not counting the closing brackets at its start.
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
