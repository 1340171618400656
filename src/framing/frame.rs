//! The output of a [`Framer`](crate::framing::Framer).

use std::borrow::Cow;

use crate::framing::event::decode_utf8_lossy;

/// A record of a stream, or a report of skipped input.
///
/// `offset` is the byte offset of the record in the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame<'a> {
    /// A server-sent event with data or the name `error`, or the end marker `[DONE]`, as the data of an event or alone
    /// on a line. The marker is trimmed; other data aren't parsed. Also an object outside an event that isn't valid
    /// JSON, if it is clear what was meant.
    Event {
        /// The `event` field, or `""` if there is none.
        name: &'a str,
        /// The values of the `data` fields, joined with line feeds. Never blank, except that an event named `error`
        /// without data has its comments here, which may be none.
        data: &'a str,
        /// The offset of the event's first line.
        offset: u64,
    },
    /// An object or array outside an event: a line of JSON Lines, or a body that spans several lines.
    Json {
        /// The trimmed JSON. Its strings may contain unescaped control characters other than line breaks.
        text: &'a str,
        /// The offset of the record.
        offset: u64,
    },
    /// Input that is neither an event nor JSON.
    Garbage {
        /// The beginning of the input: at most [`Frame::MAX_GARBAGE`] bytes.
        text: &'a str,
        /// Why it is neither.
        reason: GarbageReason,
        /// The offset of the record.
        offset: u64,
    },
    /// A message of an AWS event stream that reports an error.
    Exception {
        /// The type of the exception, or the code of the error.
        name: &'a str,
        /// The error message in the headers, or `""`.
        message: &'a str,
        /// The payload.
        data: &'a str,
        /// The offset of the message.
        offset: u64,
    },
    /// A damaged message of an AWS event stream, after which nothing more is read.
    Damaged {
        /// What is wrong with it.
        damage: Damage,
        /// The offset of the message.
        offset: u64,
    },
    /// A record that exceeds the size limit and is skipped.
    TooLarge {
        /// The offset of the record.
        offset: u64,
    },
}

impl Frame<'_> {
    /// Maximum length of [`Frame::Garbage`] text, in bytes.
    pub const MAX_GARBAGE: usize = 200;
}

/// Why input is [`Frame::Garbage`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GarbageReason {
    /// It begins like an object or array, but isn't valid JSON.
    InvalidJson,
    /// It begins like an object or array, but the stream ends before it does.
    IncompleteJson,
    /// One or more consecutive lines, such as HTML, that are neither JSON nor event fields; or a comma or bracket
    /// between JSON values.
    UnknownLine,
}

/// How a message of an AWS event stream is [damaged](Frame::Damaged).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// The checksum of its lengths is wrong.
    PreludeChecksum,
    /// Its lengths don't fit together.
    Lengths,
    /// The checksum of the whole message is wrong.
    MessageChecksum,
    /// Its headers can't be read.
    Headers,
    /// The stream ends before it does.
    CutOff,
}

/// Returns the trimmed beginning of skipped input.
pub(super) fn excerpt(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.trim_ascii();
    // Decode a few more bytes than are kept, so that the last character isn't split.
    let text = decode_utf8_lossy(bytes.get(..Frame::MAX_GARBAGE + 4).unwrap_or(bytes));
    let end = text.floor_char_boundary(Frame::MAX_GARBAGE);
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(..end).unwrap_or_default()),
        Cow::Owned(mut text) => {
            text.truncate(end);
            Cow::Owned(text)
        }
    }
}
