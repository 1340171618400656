//! The class behind `StreamAccumulator`.

use js_sys::Array;
use wasm_bindgen::prelude::*;

use super::deltas::{json_to_js, to_js};
use super::input::{bytes_of, describe};
use super::js_document::JsDocument;
use super::options::read_stream_options;
use crate::StreamAccumulator;
use crate::error::{Error, ErrorCode};

#[wasm_bindgen]
pub struct Accumulator(StreamAccumulator);

#[wasm_bindgen]
impl Accumulator {
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Result<Accumulator, JsValue> {
        Ok(Self(StreamAccumulator::new(read_stream_options(options)?)?))
    }

    pub fn push(&mut self, chunk: &JsValue) -> Result<Array, JsValue> {
        if bytes_of(chunk).is_some() {
            let message = "a chunk must be a parsed event, not bytes; for bytes use pushBytes()";
            return Err(Error::new(ErrorCode::InvalidChunk, message).into());
        }
        let document = JsDocument::new(chunk);
        let mut deltas = self.0.push(document.root())?;
        if let Some(trouble) = JsDocument::take_trouble() {
            deltas.extend(self.0.warn_of_trouble(&trouble));
        }
        Ok(to_js(&deltas))
    }

    #[wasm_bindgen(js_name = pushBytes)]
    pub fn push_bytes(&mut self, bytes: &JsValue) -> Result<Array, JsValue> {
        let bytes = bytes_of(bytes).ok_or_else(|| {
            let message = format!("pushBytes takes a Uint8Array or ArrayBuffer, not {}", describe(bytes));
            Error::new(ErrorCode::InvalidChunk, message)
        })?;
        Ok(to_js(&self.0.push_bytes(&bytes)?))
    }

    pub fn finish(&mut self) -> JsValue {
        json_to_js(&self.0.finish())
    }

    pub fn abort(&mut self, reason: &JsValue) -> JsValue {
        json_to_js(&self.0.abort(reason.as_string().as_deref()))
    }

    pub fn snapshot(&self) -> JsValue {
        json_to_js(&self.0.snapshot())
    }

    /// The deltas that ending the stream has brought.
    #[wasm_bindgen(js_name = takeDeltas)]
    pub fn take_deltas(&mut self) -> Array {
        to_js(&self.0.take_deltas())
    }
}
