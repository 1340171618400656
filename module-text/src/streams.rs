//! The streams that a module's bytes are separated into.

/// The number of streams.
pub const STREAMS: usize = Stream::Integers5 as usize + 1;

/// The content of a stream. This order compresses best with gzip, out of several thousand that were tried.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Integers4,
    Calls,
    /// Everything before the first function.
    Before,
    /// Operands of all other operators and declarations of locals, each prefixed with its length.
    Rare,
    /// Everything after the last function.
    After,
    Operators,
    LoadOffsets,
    StoreOffsets,
    Integers2,
    Labels,
    Locals,
    /// Integers of one byte. The streams of longer ones are named by their length.
    Integers1,
    Longs,
    Blocks,
    Globals,
    /// Alignments other than the natural ones.
    Alignments,
    Integers3,
    Integers5,
}

impl Stream {
    /// Returns the stream of integers with this length, in bytes from 1 to 5.
    pub(crate) fn integers(length: u8) -> Self {
        match length {
            2 => Self::Integers2,
            3 => Self::Integers3,
            4 => Self::Integers4,
            5 => Self::Integers5,
            _ => Self::Integers1,
        }
    }
}
