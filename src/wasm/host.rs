//! What JavaScript does for this module: see js/host.js.

use js_sys::Array;
use wasm_bindgen::prelude::*;

use super::units::{Layout, lay_out, lay_out_json};

#[wasm_bindgen(raw_module = "../../js/host.js")]
extern "C" {
    /// Makes an instance of the error class of this code.
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

    /// The bytes of an `ArrayBuffer`, of a view of one, and, with `or_text`, of a string.
    #[wasm_bindgen(js_name = bytesOf)]
    pub(super) fn bytes_of(value: &JsValue, or_text: bool) -> Option<Vec<u8>>;

    /// Writes the JSON text of a small object that has nothing that JSON doesn't have into the inbox; how long it is,
    /// or -1 for any other value.
    #[wasm_bindgen(js_name = writePlainJson)]
    pub(super) fn write_plain_json(value: &JsValue) -> i32;

    /// What a value is, for messages.
    pub(super) fn describe(value: &JsValue) -> String;

    /// Gives JavaScript the memory in which the names are that it is asked for.
    #[wasm_bindgen(js_name = setMemory)]
    pub(super) fn set_memory(memory: &JsValue);

    /// [`process`](super::process::process), as JavaScript calls it.
    #[wasm_bindgen(catch)]
    pub(super) fn process(
        response: &JsValue,
        first_block: bool,
        form: u32,
        agent: &str,
    ) -> Result<JsValue, JsValue>;

    /// Says what went wrong; the trap that follows does not.
    pub(super) fn panicked(message: &str);

    /// Begins to read a value; gives its number. See js/nodes.js.
    #[wasm_bindgen(js_name = openDocument)]
    pub(super) fn open_document(value: &JsValue) -> u32;

    /// Ends the reading of a value.
    #[wasm_bindgen(js_name = closeDocument)]
    pub(super) fn close_document(root: u32);

    /// Why something could not be read since this was asked last.
    #[wasm_bindgen(js_name = takeTrouble)]
    pub(super) fn take_trouble() -> Option<String>;

    /// How many values are being read.
    #[wasm_bindgen(js_name = nodeCount)]
    pub(super) fn node_count() -> u32;

    /// What a value is: 1 a boolean, 2 a number, 3 a string, 4 an array, 5 an object, 0 anything else.
    pub(super) fn kind(node: u32) -> u32;

    /// A member that is there and not null, or 0. The name is text of the program: where it is, it stays.
    pub(super) fn member(node: u32, name: *const u8, length: usize) -> u32;

    /// The item after another one, or the first after 0; 0 where there is none.
    #[wasm_bindgen(js_name = nextItem)]
    pub(super) fn next_item(node: u32, previous: u32, limit: u32) -> u32;

    /// Begins to read the members that are not in a list, which is text of the program.
    #[wasm_bindgen(js_name = otherMembers)]
    pub(super) fn other_members(node: u32, known: *const &'static str, count: usize);

    /// The name of such a member.
    #[wasm_bindgen(js_name = nameOf)]
    pub(super) fn name_of(node: u32) -> String;

    /// The text of a string.
    #[wasm_bindgen(js_name = textOf)]
    pub(super) fn text_of(node: u32) -> Option<String>;

    /// How many code units a string has; -1 for anything else.
    #[wasm_bindgen(js_name = lengthOf)]
    pub(super) fn length_of(node: u32) -> i32;

    /// The low surrogate at the beginning of a string, and the high one at its end.
    #[wasm_bindgen(js_name = halvesOf)]
    pub(super) fn halves_of(node: u32) -> u32;

    /// The value of a number; NaN for anything else.
    #[wasm_bindgen(js_name = numberOf)]
    pub(super) fn number_of(node: u32) -> f64;

    /// The value of a boolean.
    #[wasm_bindgen(js_name = booleanOf)]
    pub(super) fn boolean_of(node: u32) -> Option<bool>;

    /// Whether a value is an array of numbers and nothing else.
    #[wasm_bindgen(js_name = isVector)]
    pub(super) fn is_vector(node: u32) -> bool;

    /// Such a value in a form: 0 an array, 1 a `Float32Array`, 2 a `Float64Array`.
    #[wasm_bindgen(js_name = vectorOf)]
    pub(super) fn vector_of_node(node: u32, form: u32) -> JsValue;

    /// Numbers in such a form.
    #[wasm_bindgen(js_name = vectorFrom)]
    pub(super) fn vector_of_numbers(numbers: &[f64], form: u32) -> JsValue;

    /// Numbers in such a form.
    #[wasm_bindgen(js_name = vectorFrom)]
    pub(super) fn vector_of_floats(numbers: &[f32], form: u32) -> JsValue;

    /// The value of a JSON text that this module has written.
    #[wasm_bindgen(js_name = parse)]
    fn parse_units(address: usize, length: usize, form: usize, units: usize, size: usize) -> JsValue;

    /// A text of this module.
    #[wasm_bindgen(js_name = readUnits)]
    fn read_units(address: usize, length: usize, form: usize, units: usize, size: usize) -> JsValue;

    /// A single item by itself, several as a list.
    #[wasm_bindgen(js_name = oneOrList)]
    pub(super) fn one_or_list(list: &JsValue) -> JsValue;

    /// The JSON text of a value, where it has one.
    pub(super) fn stringify(node: u32) -> Option<String>;

    /// The value of a JSON text, with the text beside it.
    pub(super) fn structured(json: &str) -> JsValue;
}

/// The value of a JSON text that this module has written.
pub(super) fn parse(json: &str) -> JsValue {
    let mut units = Vec::new();
    let Layout { address, length, form, units: at, size } = lay_out_json(json.as_bytes(), &mut units);
    parse_units(address, length, form as usize, at, size)
}

/// A text as a string of JavaScript.
pub(super) fn string(text: &str) -> JsValue {
    let mut units = Vec::new();
    let Layout { address, length, form, units: at, size } = lay_out(text.as_bytes(), &mut units);
    read_units(address, length, form as usize, at, size)
}

/// A result as JSON and what came of its long texts, as a list: the result, the number of a text, what came, and so on.
/// See js/results.js.
pub(super) fn changes_to_js(result: &str, tails: &[(u32, String)]) -> Array {
    let list = Array::of1(&parse(result));
    for (number, tail) in tails {
        list.push(&JsValue::from(*number));
        list.push(&string(tail));
    }
    list
}
