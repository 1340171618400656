//! Bytes on their way from JavaScript: each read is written into the same memory, and read there.

use std::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static INBOX: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for so many bytes; where that is in memory.
#[wasm_bindgen(js_name = inbox)]
pub fn inbox(size: usize) -> usize {
    INBOX.with_borrow_mut(|inbox| {
        // Not resized in place: what is in it is not needed any more.
        *inbox = Vec::new();
        *inbox = vec![0; size];
        inbox.as_ptr() as usize
    })
}

/// Runs `read` on the first bytes that JavaScript has written. It uses the memory for nothing else meanwhile.
pub(super) fn with_inbox<T>(length: usize, read: impl FnOnce(&[u8]) -> T) -> T {
    let inbox = INBOX.take();
    let result = read(inbox.get(..length).unwrap_or_default());
    INBOX.set(inbox);
    result
}
