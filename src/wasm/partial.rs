//! The function behind `parsePartialJson`.

use js_sys::Array;
use wasm_bindgen::prelude::*;

use crate::json::{self, ProgressState};

/// How far a text has come, how many of its UTF-16 code units are kept, and what to append to them.
#[wasm_bindgen(js_name = closePartial)]
pub fn close_partial(text: &str) -> Array {
    let closed = json::close_partial(text);
    let state = match closed.state {
        ProgressState::Complete => "complete",
        ProgressState::Empty | ProgressState::Partial => "partial",
        ProgressState::Invalid { .. } => "invalid",
    };
    let kept: usize = text.get(..closed.kept).unwrap_or_default().chars().map(char::len_utf16).sum();
    Array::of3(&state.into(), &kept.into(), &closed.closing.into())
}
