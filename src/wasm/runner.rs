//! The class behind `runRequest`: see js/runner/.

use wasm_bindgen::prelude::*;

use super::deltas::json_to_js;
use super::js_document::JsDocument;
use crate::runner::{Command, Event, Machine, RunnerOptions};

#[wasm_bindgen]
pub struct RequestMachine(Machine);

#[wasm_bindgen]
impl RequestMachine {
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> RequestMachine {
        Self(Machine::new(RunnerOptions::read(JsDocument::new(options).root())))
    }

    /// Handles an event, and returns the next command.
    pub fn handle(&mut self, event: &JsValue) -> JsValue {
        let event = Event::read(JsDocument::new(event).root());
        json_to_js(&event.map_or(Command::Ignore, |event| self.0.handle(event)))
    }

    pub fn result(&self) -> JsValue {
        json_to_js(&self.0.result())
    }
}
