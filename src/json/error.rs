//! Why a text is no JSON.

use std::fmt;

/// In which way a text is no JSON. See [`JsonError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonErrorKind {
    /// The text ends too early: more of it may make it valid. Every other kind is final.
    UnexpectedEnd,
    /// A byte that cannot stand where it stands.
    UnexpectedByte,
    /// A backslash in a string that begins no escape of JSON.
    BadEscape,
    /// A number that is not written as JSON wants it, such as `01` or `1.e5`.
    BadNumber,
    /// A control character in a string that is not escaped, such as a line break.
    ControlCharacter,
    /// More arrays and objects inside one another than the caller allows.
    TooDeep,
    /// The text has more bytes than can be indexed: 2^31 and more.
    TooLong,
    /// Something follows the value.
    TrailingText,
}

/// A text that is no JSON, or not yet: what is wrong with it, and where.
///
/// ```
/// use respool::json::{JsonErrorKind, Document};
///
/// let error = Document::parse(r#"{"a" 1}"#, 64).unwrap_err();
/// assert_eq!((error.kind, error.offset), (JsonErrorKind::UnexpectedByte, 5));
/// assert_eq!(error.to_string(), "expected a colon at byte 5");
/// assert!(Document::parse(r#"{"a""#, 64).unwrap_err().is_incomplete());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonError {
    /// In which way.
    pub kind: JsonErrorKind,
    /// The first byte from which on no text could make it valid; the length of the text where it ends too
    /// early.
    pub offset: usize,
    /// What could have stood there, in words.
    pub expected: &'static str,
}

impl JsonError {
    /// Whether the text only ends too early.
    pub fn is_incomplete(&self) -> bool {
        self.kind == JsonErrorKind::UnexpectedEnd
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, offset, expected } = self;
        match kind {
            JsonErrorKind::UnexpectedEnd => {
                write!(f, "unexpected end of text at byte {offset}, expected {expected}")
            }
            _ => write!(f, "expected {expected} at byte {offset}"),
        }
    }
}

impl std::error::Error for JsonError {}
