//! Values that all objects of the module share. `thread_local!` would do, but costs a call or two for each access.

use std::cell::Cell;

/// A global value of the module.
pub(super) struct Shared<T>(Cell<T>);

// SAFETY: the module is built without threads.
#[cfg(not(target_feature = "atomics"))]
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    pub(super) const fn new(value: T) -> Self {
        Self(Cell::new(value))
    }

    /// Replaces the value, and returns the old one.
    pub(super) fn replace(&self, value: T) -> T {
        self.0.replace(value)
    }

    /// Puts a value back that was replaced with an empty one.
    pub(super) fn give_back(&self, value: T) {
        // An empty value has nothing to free, but checking that would cost a call.
        std::mem::forget(self.0.replace(value));
    }
}

/// Numbers that JavaScript reads from memory.
pub(super) struct Words<const N: usize>([Cell<usize>; N]);

// SAFETY: the module is built without threads.
#[cfg(not(target_feature = "atomics"))]
unsafe impl<const N: usize> Sync for Words<N> {}

impl<const N: usize> Words<N> {
    pub(super) const fn new() -> Self {
        Self([const { Cell::new(0) }; N])
    }

    /// Writes the first words.
    #[inline]
    pub(super) fn set<const FIRST: usize>(&self, first: [usize; FIRST]) {
        for (word, value) in self.0.iter().zip(first) {
            word.set(value);
        }
    }

    /// Returns the address of the words.
    pub(super) fn address(&self) -> usize {
        self.0.as_ptr() as usize
    }
}
