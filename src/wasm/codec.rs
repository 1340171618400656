//! Codecs that are written in JavaScript: see js/codecs.js.

use std::rc::Rc;

use js_sys::{Function, JSON};
use wasm_bindgen::prelude::*;

use super::errors::message_of;
use super::js_document::JsDocument;
use crate::accumulator::{Builder, ProviderFields};
use crate::error::{Error, ErrorCode};
use crate::json::Value;
use crate::model::{Api, Failure, FailureCode};
use crate::provider::{
    Codec, CustomFields, Event, PROVIDERS, Provider, apply_update, register_codec, unregister_codec,
};

/// Adds a codec: `detects(value)` answers whether a body or event is its own, `decode(body)` turns a body into
/// updates, and `open()` gives a function that does so with the events of one stream. The name must
/// not be one that respool reads itself: the option `api` and the field `api` of a result could mean either.
#[wasm_bindgen(js_name = registerCodec)]
pub fn register(name: String, detects: Function, decode: Function, open: Function) -> Result<(), Error> {
    if name == "auto" || is_built_in(&name) {
        let message = format!("the name {name} is not free for a codec: give it one of its own");
        return Err(Error::new(ErrorCode::InvalidOption, message));
    }
    register_codec(Rc::new(JsCodec { name, detects, decode, open }));
    Ok(())
}

fn is_built_in(name: &str) -> bool {
    let streamed = PROVIDERS.iter().map(|entry| entry.api);
    streamed.chain([Api::OpenaiEmbeddings, Api::OpenaiImages]).any(|api| api.as_str() == name)
}

#[wasm_bindgen(js_name = unregisterCodec)]
pub fn unregister(name: &str) {
    unregister_codec(name);
}

struct JsCodec {
    name: String,
    detects: Function,
    decode: Function,
    open: Function,
}

/// Reads one answer; `read` is what opening the codec gave, or threw.
struct JsReader {
    name: String,
    read: Result<Function, JsValue>,
    custom: CustomFields,
}

impl Codec for JsCodec {
    fn name(&self) -> &str {
        &self.name
    }

    fn detects(&self, value: Value<'_>) -> bool {
        let answer = to_js(value).and_then(|value| self.detects.call1(&JsValue::UNDEFINED, &value));
        answer.is_ok_and(|answer| answer.is_truthy())
    }

    fn body_reader(&self) -> Box<dyn Provider> {
        JsReader::boxed(&self.name, Ok(self.decode.clone()))
    }

    fn stream_reader(&self) -> Box<dyn Provider> {
        JsReader::boxed(&self.name, self.open.call0(&JsValue::UNDEFINED).and_then(JsCast::dyn_into))
    }
}

impl JsReader {
    fn boxed(name: &str, read: Result<Function, JsValue>) -> Box<dyn Provider> {
        Box::new(Self { name: name.to_owned(), read, custom: CustomFields::default() })
    }

    fn updates(&self, event: Value<'_>) -> Result<JsDocument, JsValue> {
        let read = self.read.as_ref().map_err(Clone::clone)?;
        Ok(JsDocument::new(&read.call1(&JsValue::UNDEFINED, &to_js(event)?)?))
    }
}

impl Provider for JsReader {
    fn read(&mut self, event: &Event<'_>, out: &mut Builder) {
        let told = self.updates(event.body).map_err(|thrown| message_of(&thrown)).and_then(|updates| {
            updates.root().items().try_for_each(|update| apply_update(update, &mut self.custom, out))
        });
        if let Err(trouble) = told {
            let message = format!("the codec {} failed: {trouble}", self.name);
            out.fail(Failure::new(FailureCode::CodecError, message));
        }
    }

    fn fields(&self, _out: &Builder) -> ProviderFields {
        self.custom.fields(&self.name)
    }
}

/// The value as a plain object of its own.
fn to_js(value: Value<'_>) -> Result<JsValue, JsValue> {
    JSON::parse(&value.compact().unwrap_or_else(|| "null".to_owned()))
}
