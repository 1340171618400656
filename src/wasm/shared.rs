//! What all objects of the module share. `thread_local!` would do, but costs a call or two each time.

use std::cell::Cell;

/// A value that is there once in the module.
pub(super) struct Shared<T>(Cell<T>);

// SAFETY: the module is built without threads.
#[cfg(not(target_feature = "atomics"))]
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    pub(super) const fn new(value: T) -> Self {
        Self(Cell::new(value))
    }

    /// Takes the value and leaves another one.
    pub(super) fn replace(&self, value: T) -> T {
        self.0.replace(value)
    }

    /// Gives the value back in whose place an empty one was left.
    pub(super) fn give_back(&self, value: T) {
        // An empty value has nothing to free, which finding out would cost a call.
        std::mem::forget(self.0.replace(value));
    }

    /// Where it is in memory.
    pub(super) fn address(&self) -> usize {
        self.0.as_ptr() as usize
    }
}
