//! Limits how much text is read again after a misinterpretation, because its author controls how often that happens.

use crate::save::state;

/// Maximum number of bytes that are read again, not counting texts of up to `SHORT` bytes.
const MAX_AGAIN: usize = 1 << 20;
const SHORT: usize = 512;

/// Number of bytes that were read or searched in vain.
#[derive(Debug, Default)]
pub(crate) struct Again {
    bytes: usize,
}

state! { struct Again { bytes } }

impl Again {
    /// Adds text that was read in vain. Returns whether it may be read again.
    pub(crate) fn add(&mut self, length: usize) -> bool {
        if length > SHORT {
            self.bytes = self.bytes.saturating_add(length);
        }
        length <= SHORT || self.bytes <= MAX_AGAIN
    }

    /// Returns how many bytes ahead a search for an optional token may go.
    pub(crate) fn reach(&self) -> usize {
        if self.bytes > MAX_AGAIN { SHORT } else { usize::MAX }
    }
}
