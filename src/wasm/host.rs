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

    /// Gives JavaScript the memory in which the names are that it is asked for.
    #[wasm_bindgen(js_name = setMemory)]
    pub(super) fn set_memory(memory: &JsValue);

    /// What a value is: 1 a boolean, 2 a number, 3 a string, 4 an array, 5 an object, 0 anything else.
    pub(super) fn kind(value: &JsValue) -> u32;

    /// An item of an array; undefined past its end.
    #[wasm_bindgen(catch)]
    pub(super) fn item(array: &JsValue, position: u32) -> Result<JsValue, JsValue>;

    /// The JSON text of a value; undefined where it has none.
    #[wasm_bindgen(catch)]
    pub(super) fn stringify(value: &JsValue) -> Result<JsValue, JsValue>;

    /// A member of an object. The name is text of the program: where it is, it stays.
    #[wasm_bindgen(catch)]
    pub(super) fn member(object: &JsValue, name: *const u8, length: usize) -> Result<JsValue, JsValue>;

    /// The members whose names are not in a list, which is text of the program, as a flat list of names and
    /// values; undefined for none.
    #[wasm_bindgen(js_name = otherMembers, catch)]
    pub(super) fn other_members(
        object: &JsValue,
        known: *const &'static str,
        count: usize,
    ) -> Result<JsValue, JsValue>;

    /// The value of a JSON text, with the text beside it.
    pub(super) fn structured(json: &str) -> JsValue;

    /// A delta that has nothing but text.
    #[wasm_bindgen(js_name = textDelta)]
    pub(super) fn text_delta(kind: &str, text: &str, choice: u32) -> JsValue;

    /// A delta of type `tool-call-delta`.
    #[wasm_bindgen(js_name = toolCallDelta)]
    pub(super) fn tool_call_delta(index: u32, id: &str, arguments: &str, choice: u32) -> JsValue;
}
