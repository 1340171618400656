//! Functions that this module imports from JavaScript: see js/host.js.

use js_sys::Array;
use wasm_bindgen::prelude::*;

use super::units::{Layout, lay_out, lay_out_json};

#[wasm_bindgen(raw_module = "../../js/host.js")]
extern "C" {
    /// Creates an instance of the error class for a code.
    #[wasm_bindgen(js_name = createError)]
    pub(super) fn create_error(
        code: &str,
        message: &str,
        provider_type: Option<String>,
        provider_code: Option<String>,
        status: Option<u16>,
        request_id: Option<String>,
        custom_id: Option<String>,
        partial: Option<String>,
    ) -> JsValue;

    /// Returns the bytes of an `ArrayBuffer`, of a view of one, and, with `or_text`, of a string.
    #[wasm_bindgen(js_name = bytesOf)]
    pub(super) fn bytes_of(value: &JsValue, or_text: bool) -> Option<Vec<u8>>;

    /// Writes a small object that has only JSON values into the inbox as JSON text. Returns its length in bytes, or -1
    /// for any other value.
    #[wasm_bindgen(js_name = writePlainJson)]
    pub(super) fn write_plain_json(value: &JsValue) -> i32;

    /// Describes a value for messages.
    pub(super) fn describe(value: &JsValue) -> String;

    /// Passes the module's memory to JavaScript, which reads names of members and text from it.
    #[wasm_bindgen(js_name = setMemory)]
    pub(super) fn set_memory(memory: &JsValue);

    /// Calls [`process`](super::process::process) by way of JavaScript.
    #[wasm_bindgen(catch)]
    pub(super) fn process(
        response: &JsValue,
        first_block: bool,
        form: u32,
        agent: &str,
    ) -> Result<JsValue, JsValue>;

    /// Reports the message of a panic, which the trap that follows doesn't have.
    pub(super) fn panicked(message: &str);

    /// Opens a value as a document, and returns the number of its root. See js/nodes.js.
    #[wasm_bindgen(js_name = openDocument)]
    pub(super) fn open_document(value: &JsValue) -> u32;

    /// Closes a document.
    #[wasm_bindgen(js_name = closeDocument)]
    pub(super) fn close_document(root: u32);

    /// Returns why a value couldn't be read, if any couldn't since the last call.
    #[wasm_bindgen(js_name = takeTrouble)]
    pub(super) fn take_trouble() -> Option<String>;

    /// Returns the number of values in open documents.
    #[wasm_bindgen(js_name = nodeCount)]
    pub(super) fn node_count() -> u32;

    /// Returns the kind of a value: 1 boolean, 2 number, 3 string, 4 array, 5 object, 0 anything else.
    pub(super) fn kind(node: u32) -> u32;

    /// Returns a member that is present and not null, or 0. The name must be static text, as JavaScript remembers names
    /// by address.
    pub(super) fn member(node: u32, name: *const u8, length: usize) -> u32;

    /// Returns the item after `previous`, or the first one if that is 0. Returns 0 if there is none.
    #[wasm_bindgen(js_name = nextItem)]
    pub(super) fn next_item(node: u32, previous: u32, limit: u32) -> u32;

    /// Adds the members that aren't in a list of known names to the values of the document. The list must be static.
    #[wasm_bindgen(js_name = otherMembers)]
    pub(super) fn other_members(node: u32, known: *const &'static str, count: usize);

    /// Returns the name of a member that [`other_members`] added.
    #[wasm_bindgen(js_name = nameOf)]
    pub(super) fn name_of(node: u32) -> String;

    /// Returns the text of a string.
    #[wasm_bindgen(js_name = textOf)]
    pub(super) fn text_of(node: u32) -> Option<String>;

    /// Returns the length of a string in code units; -1 for anything else.
    #[wasm_bindgen(js_name = lengthOf)]
    pub(super) fn length_of(node: u32) -> i32;

    /// Returns the lone low surrogate at the beginning of a string, in the upper 16 bits, and the lone high one at its
    /// end; 0 for none.
    #[wasm_bindgen(js_name = halvesOf)]
    pub(super) fn halves_of(node: u32) -> u32;

    /// Returns the value of a number; NaN for anything else.
    #[wasm_bindgen(js_name = numberOf)]
    pub(super) fn number_of(node: u32) -> f64;

    /// Returns the value of a boolean.
    #[wasm_bindgen(js_name = booleanOf)]
    pub(super) fn boolean_of(node: u32) -> Option<bool>;

    /// Whether a value is an array that contains only numbers.
    #[wasm_bindgen(js_name = isVector)]
    pub(super) fn is_vector(node: u32) -> bool;

    /// Returns an array of numbers in a form: 0 for an array, 1 for a `Float32Array`, 2 for a `Float64Array`.
    #[wasm_bindgen(js_name = vectorOf)]
    pub(super) fn vector_of_node(node: u32, form: u32) -> JsValue;

    /// Converts numbers to such a form.
    #[wasm_bindgen(js_name = vectorFrom)]
    pub(super) fn vector_of_numbers(numbers: &[f64], form: u32) -> JsValue;

    /// Converts numbers to such a form.
    #[wasm_bindgen(js_name = vectorFrom)]
    pub(super) fn vector_of_floats(numbers: &[f32], form: u32) -> JsValue;

    /// Parses JSON text that this module wrote.
    #[wasm_bindgen(js_name = parse)]
    fn parse_units(address: usize, length: usize, form: usize, units: usize, size: usize) -> JsValue;

    /// Reads a text of this module as a string.
    #[wasm_bindgen(js_name = readUnits)]
    fn read_units(address: usize, length: usize, form: usize, units: usize, size: usize) -> JsValue;

    /// Returns the only item of a list, or the list if it has any other length.
    #[wasm_bindgen(js_name = oneOrList)]
    pub(super) fn one_or_list(list: &JsValue) -> JsValue;

    /// Returns the JSON text of a value, if it has one.
    pub(super) fn stringify(node: u32) -> Option<String>;

    /// Parses JSON text, and attaches the text to an object or a list.
    pub(super) fn structured(json: &str) -> JsValue;
}

/// Parses JSON text that this module wrote.
pub(super) fn parse(json: &str) -> JsValue {
    let mut units = Vec::new();
    let Layout { address, length, form, units: at, size } = lay_out_json(json.as_bytes(), &mut units);
    parse_units(address, length, form as usize, at, size)
}

/// Converts a text to a JavaScript string.
pub(super) fn string(text: &str) -> JsValue {
    let mut units = Vec::new();
    let Layout { address, length, form, units: at, size } = lay_out(text.as_bytes(), &mut units);
    read_units(address, length, form as usize, at, size)
}

/// Converts a result as JSON, and what was appended to its long texts, to a list: the result, then the number of each
/// text and the text that was appended. See js/results.js.
pub(super) fn changes_to_js(result: &str, tails: &[(u32, String)]) -> Array {
    let list = Array::of1(&parse(result));
    for (number, tail) in tails {
        list.push(&JsValue::from(*number));
        list.push(&string(tail));
    }
    list
}
