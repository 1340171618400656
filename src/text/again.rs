//! Text that isn't what it looked like, and is read again. A model, or who writes what it reads, may write much of it.

use crate::save::state;

/// At most so many bytes are read again, apart from short texts.
const MAX_AGAIN: usize = 1 << 20;
const SHORT: usize = 512;

/// How much text was read in vain, or looked through.
#[derive(Debug, Default)]
pub(crate) struct Again {
    bytes: usize,
}

state! { struct Again { bytes } }

impl Again {
    /// So many more bytes were. Answers whether they may be read again.
    pub(crate) fn add(&mut self, length: usize) -> bool {
        if length > SHORT {
            self.bytes = self.bytes.saturating_add(length);
        }
        length <= SHORT || self.bytes <= MAX_AGAIN
    }

    /// How far something may be looked for that may not be there.
    pub(crate) fn reach(&self) -> usize {
        if self.bytes > MAX_AGAIN { SHORT } else { usize::MAX }
    }
}
