//! The arrays and objects that are open in a JSON text.

use crate::save::{Coder, State};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Array,
    Object,
}

/// The open arrays and objects, one bit each.
#[derive(Debug, Clone, Default)]
pub(super) struct Levels {
    bits: Vec<u64>,
    depth: usize,
}

impl State for Levels {
    fn blank() -> Self {
        Self::default()
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        self.depth.code(coder);
        State::code_list(&mut self.bits, self.depth.div_ceil(64), coder);
    }
}

impl Levels {
    /// Opens an array or object; returns `false` if that would exceed `max_depth`.
    pub(super) fn push(&mut self, level: Level, max_depth: usize) -> bool {
        if self.depth >= max_depth {
            return false;
        }
        let (word, bit) = (self.depth / 64, 1 << (self.depth % 64));
        if word == self.bits.len() {
            self.bits.push(0);
        }
        if let Some(bits) = self.bits.get_mut(word) {
            match level {
                Level::Object => *bits |= bit,
                Level::Array => *bits &= !bit,
            }
        }
        self.depth += 1;
        true
    }

    /// Returns the number of open arrays and objects.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Closes all arrays and objects.
    pub(super) fn clear(&mut self) {
        self.depth = 0;
        self.bits.clear();
    }

    pub(super) fn pop(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Returns the innermost open array or object.
    pub(super) fn top(&self) -> Option<Level> {
        let index = self.depth.checked_sub(1)?;
        let bits = self.bits.get(index / 64)?;
        Some(if bits >> (index % 64) & 1 == 1 { Level::Object } else { Level::Array })
    }
}
