//! Codecs that are written in JavaScript: see js/codecs.js.

use std::rc::Rc;

use wasm_bindgen::prelude::*;

use super::js_document::JsDocument;
use crate::accumulator::{Builder, ProviderFields};
use crate::json::Value;
use crate::model::{Failure, FailureCode};
use crate::provider::{
    Codec, CustomFields, Event, Provider, apis, apply_update, register_codec, unregister_codec,
};
use crate::save::{State, load_bytes, to_bytes};

#[wasm_bindgen]
extern "C" {
    /// A codec. Values are passed as JSON, so that the codec gets its own copies.
    pub type Bridge;

    #[wasm_bindgen(method)]
    fn detects(this: &Bridge, json: &str) -> bool;

    /// Opens a reader for a whole body.
    #[wasm_bindgen(method, js_name = bodyReader)]
    fn body_reader(this: &Bridge) -> Reader;

    /// Opens a reader for the events of one stream.
    #[wasm_bindgen(method, js_name = streamReader)]
    fn stream_reader(this: &Bridge) -> Reader;

    /// A codec's reader of one answer.
    type Reader;

    /// Opens a document with the updates for a value, and returns its number; `None` if the codec throws.
    #[wasm_bindgen(method)]
    fn read(this: &Reader, json: &str) -> Option<u32>;

    /// Returns the reader's state as JSON; `None` if it can't be saved.
    #[wasm_bindgen(method)]
    fn save(this: &Reader) -> Option<String>;

    /// Restores a saved state. Returns `false` if that isn't possible.
    #[wasm_bindgen(method)]
    fn restore(this: &Reader, json: &str) -> bool;

    /// The message of the error that the codec threw.
    #[wasm_bindgen(method, getter)]
    fn error(this: &Reader) -> String;
}

/// Registers a codec. Returns `false` if its name is that of a built-in interface, as the option `api` and the field
/// `api` of a result could then mean either.
#[wasm_bindgen(js_name = registerCodec)]
pub fn register(name: String, bridge: Bridge) -> bool {
    if name == "auto" || apis().any(|api| api.as_str() == name) {
        return false;
    }
    register_codec(Rc::new(JsCodec { name, bridge }));
    true
}

#[wasm_bindgen(js_name = unregisterCodec)]
pub fn unregister(name: &str) {
    unregister_codec(name);
}

struct JsCodec {
    name: String,
    bridge: Bridge,
}

/// A codec's reader of one answer.
struct JsReader {
    name: String,
    reader: Reader,
    custom: CustomFields,
}

impl Codec for JsCodec {
    fn name(&self) -> &str {
        &self.name
    }

    fn detects(&self, value: Value<'_>) -> bool {
        self.bridge.detects(&json_of(value))
    }

    fn body_reader(&self) -> Box<dyn Provider> {
        JsReader::boxed(&self.name, self.bridge.body_reader())
    }

    fn stream_reader(&self) -> Box<dyn Provider> {
        JsReader::boxed(&self.name, self.bridge.stream_reader())
    }
}

impl JsReader {
    fn boxed(name: &str, reader: Reader) -> Box<dyn Provider> {
        Box::new(Self { name: name.to_owned(), reader, custom: CustomFields::default() })
    }
}

impl Provider for JsReader {
    fn read(&mut self, event: &Event<'_>, out: &mut Builder) {
        let applied = match self.reader.read(&json_of(event.body)) {
            Some(root) => {
                let updates = JsDocument::opened(root);
                updates.root().items().try_for_each(|update| apply_update(update, &mut self.custom, out))
            }
            None => Err(self.reader.error()),
        };
        if let Err(trouble) = applied {
            let message = format!("The codec {} failed: {trouble}", self.name);
            out.fail(Failure::new(FailureCode::CodecError, message));
        }
    }

    fn fields(&self, _out: &Builder) -> ProviderFields {
        self.custom.fields(&self.name)
    }

    fn save(&mut self) -> Option<Vec<u8>> {
        let mut state = (std::mem::take(&mut self.custom), self.reader.save()?);
        let bytes = to_bytes(&mut state);
        self.custom = state.0;
        Some(bytes)
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let mut loaded = <(CustomFields, String)>::blank();
        if !load_bytes(&mut loaded, state) {
            return false;
        }
        let (custom, json) = loaded;
        self.custom = custom;
        self.reader.restore(&json)
    }
}

fn json_of(value: Value<'_>) -> String {
    value.compact().unwrap_or_else(|| "null".to_owned())
}
