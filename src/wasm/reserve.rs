//! Reserves memory in advance. Each time the module's memory grows, V8 counts all of it as new and soon collects
//! garbage: with thousands of open streams, growing in steps of 64 KB takes as long as reading them.

use core::arch::wasm32::memory_size;
use std::cell::Cell;
use std::hint::black_box;

/// Memory up to this size grows on demand. In pages of 64 KB.
const SMALL: usize = 64;

const PAGE: usize = 1 << 16;

thread_local! {
    /// Size of the memory at the last check, in pages.
    static PAGES: Cell<usize> = const { Cell::new(SMALL) };
}

/// If the memory has grown, grows it by another quarter at once, unless that much is already free.
#[inline]
pub(super) fn reserve() {
    let pages = memory_size::<0>();
    if PAGES.get() < pages {
        grow(pages);
    }
}

#[inline(never)]
fn grow(pages: usize) {
    let mut ahead: Vec<u8> = Vec::new();
    // If there is no more memory, the current size has to do.
    let _ = ahead.try_reserve_exact(pages / 4 * PAGE);
    drop(black_box(ahead));
    PAGES.set(memory_size::<0>());
}
