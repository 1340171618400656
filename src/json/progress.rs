//! How far a JSON text has come that arrives in pieces.

mod at;

use crate::json::levels::{Level, Levels};
use crate::json::string::end_of_plain;
use crate::save::state;
pub(super) use at::{At, Text};
use at::{Number, Word};

/// How far a text has come. See [`Progress`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressState {
    /// Nothing but white space.
    Empty,
    /// The beginning of a value: more may complete it.
    Partial,
    /// A whole value, and nothing but white space after it. A number counts as soon as it could end: after
    /// `1` more digits may still come.
    Complete,
    /// Nothing that follows can make it JSON.
    Invalid {
        /// The byte, counted from the first piece on, that cannot stand where it stands.
        offset: u64,
    },
}

/// Watches a JSON text that arrives in pieces, cut anywhere: is it whole, can it still become so?
///
/// It looks at each byte once and keeps none: only one bit for each array and object that is open. It agrees
/// with [`Document::parse`](crate::json::Document::parse): complete is what that accepts, partial what it calls incomplete.
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
    /// Whether control characters in strings, but for line breaks, are right.
    is_lenient: bool,
    /// How many bytes were right so far.
    pub(super) offset: u64,
}

state! { struct Progress { at, open, max_depth, is_lenient, offset } }

impl Default for Progress {
    /// Without a limit to the depth.
    fn default() -> Self {
        Self::new(usize::MAX)
    }
}

impl Progress {
    /// At the beginning of a text. `max_depth` is how many arrays and objects may be inside one another.
    pub fn new(max_depth: usize) -> Self {
        Self { at: At::Start, open: Levels::default(), max_depth, is_lenient: false, offset: 0 }
    }

    /// The same, but bare control characters in strings are right, other than line breaks: some servers send them.
    pub(crate) fn lenient(max_depth: usize) -> Self {
        Self { is_lenient: true, ..Self::new(max_depth) }
    }

    /// How far the text has come.
    pub fn state(&self) -> ProgressState {
        match self.at {
            At::Start => ProgressState::Empty,
            At::End => ProgressState::Complete,
            At::Number(number) if number.can_end() && self.open.depth() == 0 => ProgressState::Complete,
            At::Invalid => ProgressState::Invalid { offset: self.offset },
            _ => ProgressState::Partial,
        }
    }

    /// Takes in the next piece.
    pub fn push(&mut self, text: &str) {
        self.push_bytes(text.as_bytes());
    }

    /// Takes in the next piece, which may be cut inside a character. Whether the bytes are UTF-8 is not
    /// looked at.
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

    /// Takes in the next piece up to where the value ends: returns how many bytes of the piece that takes,
    /// `None` while it has not ended. A number on the outside ends only before the byte that follows it.
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

    /// Begins a new text, in the memory of this one.
    pub fn restart(&mut self) {
        self.open.clear();
        (self.at, self.offset) = (At::Start, 0);
    }

    /// Goes on by one byte; in a string, one that is not plain. Returns how many it took: none where the byte is
    /// wrong, and none where it ended a number, and is still to be looked at. The caller counts the offset.
    #[inline]
    pub(super) fn advance(&mut self, byte: u8) -> usize {
        match self.step(byte) {
            Step::Taken => return 1,
            Step::NumberEnded => self.at = self.after_value(),
            Step::Wrong => self.at = At::Invalid,
        }
        0
    }

    /// How many bytes were right so far.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// How many arrays and objects are open.
    pub(super) fn depth(&self) -> usize {
        self.open.depth()
    }

    /// Whether a value has just ended. (White space may have followed.)
    pub(super) fn is_after_value(&self) -> bool {
        matches!(self.at, At::AfterItem | At::AfterMember | At::End)
    }

    /// Nothing will follow: a number on the outside ends.
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

    /// Where the first byte of a value leads.
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

/// Whether it is white space in JSON, where form feeds aren't.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// What a byte did.
enum Step {
    Taken,
    /// It ended a number, and is still to be looked at.
    NumberEnded,
    Wrong,
}
