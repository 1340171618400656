//! The shapes of chunks that may be repeated, by number, for js/repeats.js.

use std::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::json::{RawJson, to_json};
use crate::provider::Shape;

thread_local! {
    static SHAPES: RefCell<Vec<&'static Shape>> = const { RefCell::new(Vec::new()) };
}

/// The number of a shape, which it keeps.
pub(super) fn number_of(shape: &'static Shape) -> u32 {
    SHAPES.with_borrow_mut(|shapes| {
        let found = shapes.iter().position(|known| std::ptr::eq(*known, shape));
        found.unwrap_or_else(|| {
            shapes.push(shape);
            shapes.len() - 1
        }) as u32
    })
}

/// The shape with a number, as JSON: the way to its text, and the members that make no difference.
#[wasm_bindgen(js_name = shapeOf)]
pub fn shape_of(number: usize) -> String {
    let list =
        |names: &[&str]| RawJson::of(&names.iter().map(|name| RawJson::string(name)).collect::<Vec<_>>());
    let shape = SHAPES.with_borrow(|shapes| shapes.get(number).copied());
    to_json(&shape.map(|shape| vec![list(shape.path), list(shape.ignored)]).unwrap_or_default())
}
