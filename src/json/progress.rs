//! Tracks whether a JSON text that arrives in pieces is complete.

mod at;

use crate::json::levels::{Level, Levels};
use crate::json::string::end_of_plain;
use crate::save::state;
pub(super) use at::{At, Text};
use at::{Number, Word};

/// The state of a text. See [`Progress`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressState {
    /// Only white space so far.
    Empty,
    /// The beginning of a value, which more text may complete.
    Partial,
    /// A complete value, followed only by white space. A number counts as soon as it could end: after `1`, more digits
    /// may follow.
    Complete,
    /// No further text can make it valid JSON.
    Invalid {
        /// The offset of the first invalid byte, counted from the first piece on.
        offset: u64,
    },
}

/// Tracks whether a JSON text that arrives in pieces, split anywhere, is complete or can still become so.
///
/// Looks at each byte once and stores none, only one bit for each open array and object. Agrees with
/// [`Document::parse`](crate::json::Document::parse): a text is complete if that accepts it, and partial if that
/// reports it as incomplete.
///
/// ```
/// use respool::json::{Progress, ProgressState};
///
/// let mut progress = Progress::default();
/// progress.push(r#"{"city": "Par"#);
/// assert_eq!(progress.state(), ProgressState::Partial);
/// progress.push(r#"is"}"#);
/// assert_eq!(progress.state(), ProgressState::Complete);
/// progress.push("}");
/// assert_eq!(progress.state(), ProgressState::Invalid { offset: 17 });
/// ```
#[derive(Debug, Clone)]
pub struct Progress {
    pub(super) at: At,
    open: Levels,
    max_depth: usize,
    /// Whether control characters in strings, other than line breaks, are valid.
    is_lenient: bool,
    /// Number of valid bytes so far.
    pub(super) offset: u64,
}

state! { struct Progress { at, open, max_depth, is_lenient, offset } }

impl Default for Progress {
    /// Starts a text without a depth limit.
    fn default() -> Self {
        Self::new(usize::MAX)
    }
}

impl Progress {
    /// Starts a text. `max_depth` is the maximum nesting depth of arrays and objects.
    #[inline(never)]
    pub fn new(max_depth: usize) -> Self {
        Self { at: At::Start, open: Levels::default(), max_depth, is_lenient: false, offset: 0 }
    }

    /// Starts a text in which strings may contain bare control characters other than line breaks: some servers send
    /// them.
    pub(crate) fn lenient(max_depth: usize) -> Self {
        Self { is_lenient: true, ..Self::new(max_depth) }
    }

    /// Returns the state of the text so far.
    pub fn state(&self) -> ProgressState {
        match self.at {
            At::Start => ProgressState::Empty,
            At::End => ProgressState::Complete,
            At::Number(number) if number.can_end() && self.open.depth() == 0 => ProgressState::Complete,
            At::Invalid => ProgressState::Invalid { offset: self.offset },
            _ => ProgressState::Partial,
        }
    }

    /// Reads the next piece.
    pub fn push(&mut self, text: &str) {
        self.push_bytes(text.as_bytes());
    }

    /// Reads the next piece, which may be split inside a character. Doesn't check whether the bytes are UTF-8.
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        let taken = self.push_until_end(bytes).unwrap_or(bytes.len());
        let rest = bytes.get(taken..).unwrap_or_default();
        if self.at == At::End {
            let space = rest.iter().take_while(|byte| is_space(**byte)).count();
            self.offset += space as u64;
            if space < rest.len() {
                self.at = At::Invalid;
            }
        }
    }

    /// Reads the next piece up to the end of the value. Returns the number of bytes read, or `None` while the value
    /// hasn't ended. A number that is the whole value only ends before the byte that follows it.
    ///
    /// ```
    /// let mut progress = respool::json::Progress::default();
    /// assert_eq!(progress.push_until_end(b" {\"a\""), None);
    /// assert_eq!(progress.push_until_end(b": 1} {"), Some(4));
    /// ```
    pub fn push_until_end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut taken = 0;
        while !matches!(self.at, At::End | At::Invalid) {
            if matches!(self.at, At::String(_)) {
                taken = end_of_plain(bytes, taken);
            }
            let Some(&byte) = bytes.get(taken) else { break };
            taken += self.advance(byte);
        }
        self.offset += taken as u64;
        (self.at == At::End).then_some(taken)
    }

    /// Starts a new text, reusing the memory.
    pub fn restart(&mut self) {
        self.open.clear();
        (self.at, self.offset) = (At::Start, 0);
    }

    /// Reads one byte; inside a string, one that isn't plain text. Returns the number of bytes read: 0 if the byte is
    /// invalid, or if it ended a number and has to be read again. The caller updates the offset.
    #[inline]
    pub(super) fn advance(&mut self, byte: u8) -> usize {
        match self.step(byte) {
            Step::Taken => return 1,
            Step::NumberEnded => self.at = self.after_value(),
            Step::Wrong => self.at = At::Invalid,
        }
        0
    }

    /// Returns the number of valid bytes so far.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the number of open arrays and objects.
    pub(super) fn depth(&self) -> usize {
        self.open.depth()
    }

    /// Whether a value has just ended, perhaps followed by white space.
    pub(super) fn is_after_value(&self) -> bool {
        matches!(self.at, At::AfterItem | At::AfterMember | At::End)
    }

    /// Ends the text, and with it a number that is the whole value.
    pub(super) fn end(&mut self) {
        if self.state() == ProgressState::Complete {
            self.at = At::End;
        }
    }

    fn step(&mut self, byte: u8) -> Step {
        let next = match self.at {
            At::String(kind) => match byte {
                b'"' => Some(self.after_string(kind)),
                b'\\' => Some(At::Escape(kind)),
                _ => (self.is_lenient && !matches!(byte, b'\n' | b'\r')).then_some(At::String(kind)),
            },
            At::Escape(kind) => match byte {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(At::String(kind)),
                b'u' => Some(At::Hex { kind, left: 4 }),
                _ => None,
            },
            At::Hex { kind, left } => byte.is_ascii_hexdigit().then_some(if left == 1 {
                At::String(kind)
            } else {
                At::Hex { kind, left: left - 1 }
            }),
            At::Number(number) => match number.next(byte) {
                None if number.can_end() => return Step::NumberEnded,
                next => next.map(At::Number),
            },
            At::Word { word, read } => match word.text().get(usize::from(read)..) {
                Some([expected]) if *expected == byte => Some(self.after_value()),
                Some([expected, ..]) if *expected == byte => Some(At::Word { word, read: read + 1 }),
                _ => None,
            },
            at if is_space(byte) => Some(at),
            At::FirstItem if byte == b']' => Some(self.close()),
            At::Start | At::Value | At::FirstItem => self.value(byte),
            At::AfterItem => match byte {
                b',' => Some(At::Value),
                b']' => Some(self.close()),
                _ => None,
            },
            At::FirstName if byte == b'}' => Some(self.close()),
            At::FirstName | At::Name => (byte == b'"').then_some(At::String(Text::Name)),
            At::Colon => (byte == b':').then_some(At::Value),
            At::AfterMember => match byte {
                b',' => Some(At::Name),
                b'}' => Some(self.close()),
                _ => None,
            },
            At::End | At::Invalid => None,
        };
        let Some(next) = next else { return Step::Wrong };
        self.at = next;
        Step::Taken
    }

    /// Returns the state after the first byte of a value.
    fn value(&mut self, byte: u8) -> Option<At> {
        let word = |word| Some(At::Word { word, read: 1 });
        match byte {
            b'"' => Some(At::String(Text::Value)),
            b'{' => self.open.push(Level::Object, self.max_depth).then_some(At::FirstName),
            b'[' => self.open.push(Level::Array, self.max_depth).then_some(At::FirstItem),
            b'-' => Some(At::Number(Number::Minus)),
            b'0' => Some(At::Number(Number::Zero)),
            b'1'..=b'9' => Some(At::Number(Number::Whole)),
            b't' => word(Word::True),
            b'f' => word(Word::False),
            b'n' => word(Word::Null),
            _ => None,
        }
    }

    fn close(&mut self) -> At {
        self.open.pop();
        self.after_value()
    }

    fn after_value(&self) -> At {
        match self.open.top() {
            None => At::End,
            Some(Level::Array) => At::AfterItem,
            Some(Level::Object) => At::AfterMember,
        }
    }

    fn after_string(&self, kind: Text) -> At {
        match kind {
            Text::Name => At::Colon,
            Text::Value => self.after_value(),
        }
    }
}

/// Whether a byte is white space in JSON, which doesn't include form feeds.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// The effect of a byte.
enum Step {
    Taken,
    /// The byte ended a number, and has to be read again.
    NumberEnded,
    Wrong,
}
