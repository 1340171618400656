//! Limits how much text is read again after a misinterpretation, because its author controls how often that happens.

use crate::save::state;

/// Maximum number of bytes that are read again, not counting texts of up to `SHORT` bytes.
const MAX_REREAD: usize = 1 << 20;
const SHORT: usize = 512;

/// Number of bytes that were read or searched in vain.
#[derive(Debug, Default)]
pub(crate) struct RereadBudget {
    bytes: usize,
}

state! { struct RereadBudget { bytes } }

impl RereadBudget {
    /// Adds text that was read in vain. Returns whether it may be read again.
    pub(crate) fn record(&mut self, length: usize) -> bool {
        if length > SHORT {
            self.bytes = self.bytes.saturating_add(length);
        }
        length <= SHORT || self.bytes <= MAX_REREAD
    }

    /// Returns how many bytes ahead a search for an optional token may go.
    pub(crate) fn lookahead(&self) -> usize {
        if self.bytes > MAX_REREAD { SHORT } else { usize::MAX }
    }
}
