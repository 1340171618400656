//! The function behind `parsePartialJson`.

use wasm_bindgen::prelude::*;

use crate::json::{self, ProgressState, ToJson};

/// Returns a list as JSON: the state of a text, the number of its UTF-16 code units that are kept, and the text to
/// append to them.
#[wasm_bindgen(js_name = closePartial)]
pub fn close_partial(text: &str) -> String {
    let closed = json::close_partial(text);
    let state = match closed.state {
        ProgressState::Complete => "complete",
        ProgressState::Empty | ProgressState::Partial => "partial",
        ProgressState::Invalid { .. } => "invalid",
    };
    let kept = super::deltas::code_units(text.get(..closed.kept).unwrap_or_default());
    let (mut list, mut separator) = (String::new(), '[');
    for item in [&state as &dyn ToJson, &kept, &closed.closing] {
        list.push(separator);
        item.write_json(&mut list);
        separator = ',';
    }
    list.push(']');
    list
}
