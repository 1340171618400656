//! The streams that the bytes of a module are sorted into.

/// How many streams there are.
pub const STREAMS: usize = Stream::Integers5 as usize + 1;

/// What the bytes of a stream are. They are in the order that gzip made least of, of some thousand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Integers4,
    Calls,
    /// What is before the first function.
    Before,
    /// Operands of all other operators, and declarations of locals, each with its length before it.
    Rare,
    /// What is after the last function.
    After,
    Operators,
    LoadOffsets,
    StoreOffsets,
    Integers2,
    Labels,
    Locals,
    /// Integers of one byte.
    Integers1,
    Longs,
    Blocks,
    Globals,
    /// Those that are not natural.
    Alignments,
    Integers3,
    Integers5,
}

impl Stream {
    /// The integers of so many bytes, one to five.
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
