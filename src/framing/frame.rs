//! What a [`Framer`](crate::framing::Framer) finds in a stream.

use std::borrow::Cow;

use crate::framing::event::text;

/// A record of a stream, or what stands in place of one.
///
/// `offset` is where it begins: counted in bytes from the beginning of the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame<'a> {
    /// A server-sent event that has data, or the end mark `[DONE]`: as data of an event or on a line alone,
    /// always without white space around it. Whether data is JSON is not looked at.
    Event {
        /// The `event` field; `""` where there was none.
        name: &'a str,
        /// The lines of its `data` fields, joined by line feeds. Never only white space.
        data: &'a str,
        /// Where its first line begins.
        offset: u64,
    },
    /// An object or array without an event around it: a JSON line, or a whole body over many lines.
    Json {
        /// JSON, without white space around it. In strings there may be bare control characters, other than line breaks.
        text: &'a str,
        /// Where it begins.
        offset: u64,
    },
    /// What is neither.
    Garbage {
        /// Its beginning: at most [`Frame::MAX_GARBAGE`] bytes.
        text: &'a str,
        /// What is wrong with it.
        reason: GarbageReason,
        /// Where it begins.
        offset: u64,
    },
    /// A record with more bytes than are allowed. It is skipped.
    TooLarge {
        /// Where it begins.
        offset: u64,
    },
}

impl Frame<'_> {
    /// How many bytes of garbage are handed on.
    pub const MAX_GARBAGE: usize = 200;
}

/// Why something is [`Frame::Garbage`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GarbageReason {
    /// It begins like an object or array, but is no JSON.
    InvalidJson,
    /// It begins like an object or array, but the stream ends in it.
    IncompleteJson,
    /// Lines, one or more in a row, that are neither JSON nor fields of an event: HTML, for example. Also a
    /// comma or bracket between JSON values.
    UnknownLine,
}

/// The beginning of garbage as text, without white space around it.
pub(super) fn excerpt(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.trim_ascii();
    // A little more than is shown, so that no character at the end is cut in two.
    let text = text(bytes.get(..Frame::MAX_GARBAGE + 4).unwrap_or(bytes));
    let end = text.floor_char_boundary(Frame::MAX_GARBAGE);
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(..end).unwrap_or_default()),
        Cow::Owned(mut text) => {
            text.truncate(end);
            Cow::Owned(text)
        }
    }
}
