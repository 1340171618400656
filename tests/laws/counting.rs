//! A counting allocator, which measures work without a clock.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts the bytes that each thread allocates.
struct Counting;

thread_local! {
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

fn count(bytes: usize) {
    // The counter of an exiting thread no longer exists.
    let _ = BYTES.try_with(|counter| counter.set(counter.get() + bytes));
}

#[expect(
    unsafe_code,
    reason = "an allocator is unsafe by nature; it hands everything on to that of the system"
)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the result of a function and the bytes that it allocated. A reallocation counts with its full new size.
pub(crate) fn allocated<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = BYTES.get();
    let result = run();
    (result, BYTES.get() - before)
}
