//! The function behind `repairJson` and the functions that read the output of models: see js/outputs/.

use wasm_bindgen::prelude::*;

use crate::json::{self, Completeness, Document, ToJson};

/// Returns a list as JSON: the strategy, whether the value is complete, and its JSON text. If the text can't be
/// repaired, or `is_strict`, the list has only the error of the parser, if there is one.
#[wasm_bindgen(js_name = repairText)]
pub fn repair_text(text: &str, is_strict: bool) -> String {
    let repaired = if is_strict { None } else { json::repair(text).ok() };
    let mut list = String::from("[");
    if let Some(repaired) = repaired {
        repaired.strategy.as_str().write_json(&mut list);
        list.push(',');
        (repaired.state == Completeness::Complete).write_json(&mut list);
        list.push(',');
        repaired.json.write_json(&mut list);
    } else if let Err(error) = Document::parse(text, usize::MAX) {
        error.to_string().write_json(&mut list);
    }
    list.push(']');
    list
}
