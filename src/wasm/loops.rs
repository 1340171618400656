//! The class behind `LoopDetector`: see `js/loop_detector.js`.

use wasm_bindgen::prelude::*;

use super::options::loop_options;
use crate::text;

#[wasm_bindgen]
pub struct LoopFinder(text::LoopDetector);

#[wasm_bindgen]
impl LoopFinder {
    #[wasm_bindgen(constructor)]
    pub fn new(options: &[u32]) -> LoopFinder {
        Self(text::LoopDetector::new(loop_options(options)))
    }

    /// Feeds text. Returns a description of the repetition once the detector has fired.
    pub fn feed(&mut self, text: &str) -> Option<String> {
        self.0.feed(text);
        self.0.reason().map(Into::into)
    }
}
