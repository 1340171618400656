//! The functions behind `repairJson` and what reads the output of models: see js/outputs/.

use wasm_bindgen::prelude::*;

use crate::json::{self, Completeness, Document, ToJson};

/// As a list in JSON: the strategy, whether the value is whole, and its JSON text. Only what is wrong with the text
/// where nothing can be made of it.
#[wasm_bindgen(js_name = repairText)]
pub fn repair_text(text: &str) -> String {
    let mut list = String::from("[");
    match json::repair(text) {
        Ok(repaired) => {
            repaired.strategy.as_str().write_json(&mut list);
            list.push(',');
            (repaired.state == Completeness::Complete).write_json(&mut list);
            list.push(',');
            repaired.json.write_json(&mut list);
        }
        Err(error) => error.to_string().write_json(&mut list),
    }
    list.push(']');
    list
}

/// What is wrong with a text that is no JSON, and where.
#[wasm_bindgen(js_name = jsonFault)]
pub fn json_fault(text: &str) -> Option<String> {
    Document::parse(text, usize::MAX).err().map(|error| error.to_string())
}
