//! What JavaScript does for this module: see js/host.js.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(raw_module = "../../js/host.js")]
extern "C" {
    /// Makes an instance of the error class of this name.
    #[wasm_bindgen(js_name = createError)]
    pub(super) fn create_error(
        class: &str,
        code: &str,
        message: &str,
        provider_type: Option<String>,
        provider_code: Option<String>,
    ) -> JsValue;

    /// The members whose names are not in the set, as a flat list of names and values; undefined for none.
    #[wasm_bindgen(js_name = otherMembers, catch)]
    pub(super) fn other_members(object: &JsValue, known: &JsValue) -> Result<JsValue, JsValue>;

    /// The value of a JSON text, with the text beside it.
    pub(super) fn structured(json: &str) -> JsValue;

    /// A delta that has nothing but text.
    #[wasm_bindgen(js_name = textDelta)]
    pub(super) fn text_delta(kind: &str, text: &str, choice: u32) -> JsValue;

    /// A delta of type `tool-call-delta`.
    #[wasm_bindgen(js_name = toolCallDelta)]
    pub(super) fn tool_call_delta(index: u32, id: &str, arguments: &str, choice: u32) -> JsValue;
}
