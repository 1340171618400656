//! Numbers the shapes of chunks that may be repeated, for js/repeats.js.

use wasm_bindgen::prelude::wasm_bindgen;

use super::shared::Shared;
use crate::collect::Collect;
use crate::json::{RawJson, to_json};
use crate::provider::Shape;

static SHAPES: Shared<Vec<&'static Shape>> = Shared::new(Vec::new());

/// Returns the number of a shape, which never changes.
pub(super) fn number_of(shape: &'static Shape) -> u32 {
    let mut shapes = SHAPES.replace(Vec::new());
    let found = shapes.iter().position(|known| std::ptr::eq(*known, shape));
    let number = found.unwrap_or(shapes.len());
    if found.is_none() {
        shapes.push(shape);
    }
    SHAPES.give_back(shapes);
    number as u32
}

/// Returns the shape with a number as JSON: the path to its text, and the members to ignore.
#[wasm_bindgen(js_name = shapeOf)]
pub fn shape_of(number: usize) -> String {
    let list = |names: &[&str]| RawJson::of(&names.iter().map(|name| RawJson::string(name)).collect_vec());
    let shapes = SHAPES.replace(Vec::new());
    let shape = shapes.get(number).copied();
    SHAPES.give_back(shapes);
    let parts = shape.map(|shape| vec![list(shape.path), list(shape.ignored)]);
    to_json(&parts.unwrap_or_default())
}
