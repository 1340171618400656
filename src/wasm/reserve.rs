//! Memory ahead of need. Each time the module's memory grows, V8 counts all of it as new and collects garbage soon:
//! with thousands of open streams, growing by 64 KB takes as long as reading them.

use core::arch::wasm32::memory_size;
use std::cell::Cell;
use std::hint::black_box;

/// A smaller memory grows as it needs to. In pages of 64 KB.
const SMALL: usize = 64;

const PAGE: usize = 1 << 16;

thread_local! {
    /// How large the memory was when it was looked at last.
    static PAGES: Cell<usize> = const { Cell::new(SMALL) };
}

/// Once the memory has grown, lets it grow by a quarter at once, unless as much is free already.
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
    // Where there is no more, what is there has to do.
    let _ = ahead.try_reserve_exact(pages / 4 * PAGE);
    drop(black_box(ahead));
    PAGES.set(memory_size::<0>());
}
