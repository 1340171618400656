//! Receives bytes from JavaScript: each piece is written into the same memory, and read there.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::host;
use super::reserve::reserve;
use super::shared::Shared;
use crate::provider::has_codecs;

static INBOX: Shared<Option<Box<[u8]>>> = Shared::new(None);

/// Allocates the inbox with this size, and returns its address.
#[wasm_bindgen(js_name = inbox)]
pub fn inbox(size: usize) -> usize {
    // The old content isn't needed any more, so it isn't copied.
    INBOX.replace(None);
    let room = vec![0; size].into_boxed_slice();
    let address = room.as_ptr() as usize;
    INBOX.give_back(Some(room));
    address
}

/// Runs `read` on the first `length` bytes of the inbox. JavaScript doesn't use the inbox in the meantime.
pub(super) fn with_inbox<T>(length: usize, read: impl FnOnce(&[u8]) -> T) -> T {
    let inbox = INBOX.replace(None);
    let bytes = inbox.as_deref().and_then(|inbox| inbox.get(..length)).unwrap_or_default();
    #[cfg(feature = "planted-faults")]
    super::planted::fail_if_asked(bytes);
    reserve();
    let result = read(bytes);
    INBOX.give_back(inbox);
    result
}

/// Runs `read` on the JSON text of an object, if it is small and has only JSON values. Returns `None` otherwise, and if
/// there are codecs, which get the object itself.
pub(super) fn with_plain_json<T>(object: &JsValue, read: impl FnOnce(&str) -> T) -> Option<T> {
    if has_codecs() {
        return None;
    }
    let length = usize::try_from(host::write_plain_json(object)).ok()?;
    with_inbox(length, |bytes| std::str::from_utf8(bytes).ok().map(read))
}
