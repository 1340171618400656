//! Deltas as JavaScript objects.

use js_sys::{Array, JSON};
use wasm_bindgen::JsValue;

use super::host;
use crate::json::{ToJson, to_json};
use crate::model::Delta;

/// The deltas as an array of plain objects.
pub(super) fn to_js(deltas: &[Delta]) -> Array {
    deltas.iter().map(delta_to_js).collect()
}

/// The frequent ones are made directly.
fn delta_to_js(delta: &Delta) -> JsValue {
    match delta {
        Delta::Text { text, choice } => host::text_delta("text", text, *choice),
        Delta::Reasoning { text, choice } => host::text_delta("reasoning", text, *choice),
        Delta::Refusal { text, choice } => host::text_delta("refusal", text, *choice),
        Delta::ToolCallDelta { index, id, arguments, choice } => {
            host::tool_call_delta(*index, id, arguments, *choice)
        }
        other => json_to_js(other),
    }
}

/// A value as JavaScript reads its JSON: what a provider sent is plain data, whatever its members are named.
pub(super) fn json_to_js<T: ToJson>(value: &T) -> JsValue {
    JSON::parse(&to_json(value)).unwrap_or(JsValue::UNDEFINED)
}
