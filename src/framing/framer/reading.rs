//! The states of the framer.

use crate::save::state;

/// The state of the framer: what the next byte belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// The beginning of the stream: an optional byte order mark, whose bytes so far the value counts, or the first byte
    /// of a message.
    Mark(u8),
    /// The beginning of a record or a line.
    Between,
    /// A line of an event stream.
    Line,
    /// The opening bracket of an array, and white space: what follows decides whether its items are records.
    Opening,
    /// An object, or an array that is one record.
    Json,
    /// An object or array that exceeds the size limit.
    LargeJson,
    /// The rest of a line after invalid JSON.
    Broken,
    /// The rest of a skipped line.
    RestOfLine,
    /// A skipped event, up to the next empty line.
    LargeEvent {
        /// Whether the current line is empty so far.
        is_empty_line: bool,
    },
    /// A message of an AWS event stream, or its beginning.
    Message,
    /// A message that exceeds the size limit.
    LargeMessage {
        /// Number of its bytes still to come.
        left: usize,
    },
    /// Input after a damaged message.
    Damaged,
}

state! { enum Reading {
    0 Mark(read), 1 Between, 2 Line, 3 Opening, 4 Json, 5 LargeJson, 6 Broken, 7 RestOfLine,
    8 LargeEvent { is_empty_line }, 9 Message, 10 LargeMessage { left }, 11 Damaged,
} }
