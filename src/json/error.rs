//! Reasons why a text isn't valid JSON.

use std::fmt;

/// The reason why a text isn't valid JSON. See [`JsonError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonErrorKind {
    /// The text ends too early; more text may make it valid. Every other kind is final.
    UnexpectedEnd,
    /// A byte that isn't allowed in its place.
    UnexpectedByte,
    /// A backslash in a string that doesn't begin a JSON escape.
    BadEscape,
    /// A number in a form that JSON doesn't allow, such as `01` or `1.e5`.
    BadNumber,
    /// An unescaped control character in a string, such as a line break.
    ControlCharacter,
    /// More nested arrays and objects than the caller allows.
    TooDeep,
    /// The text has 2^31 bytes or more, too many to be indexed.
    TooLong,
    /// The value is followed by other text.
    TrailingText,
}

/// Why and where a text isn't valid JSON, or not yet.
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
    /// The reason.
    pub kind: JsonErrorKind,
    /// The byte offset from which on no text could make it valid; the length of the text if it ends too early.
    pub offset: usize,
    /// What was expected there, in words.
    pub expected: &'static str,
}

impl JsonError {
    /// Whether the text merely ends too early.
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
