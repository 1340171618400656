//! The function behind `extractToolCalls`: see js/text.js.

use wasm_bindgen::prelude::*;

use super::deltas::json_to_js;
use super::options::text_options;

/// `options` is JSON from js/options.js.
#[wasm_bindgen(js_name = extractToolCalls)]
pub fn extract_tool_calls(text: &str, options: &str) -> Result<JsValue, JsValue> {
    Ok(json_to_js(&crate::extract_tool_calls(text, text_options(options)?)))
}
