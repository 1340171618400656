//! `process`, `decode` and `detectApi`: see js/process.js.

use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::deltas::json_to_js;
use super::host;
use super::inbox::with_plain_json;
use super::input::{read_text, with_body};
use super::options;
use crate::body::batch_body;
use crate::json::{Numbers, Value};
use crate::model::{Limits, Vector, Vectors};
use crate::provider::detect_codec;
use crate::{ProcessResult, TextBlocks};

/// `form` is the form of embeddings, see [`host::vector_of_node`].
#[wasm_bindgen]
pub fn process(response: &JsValue, first_block: bool, form: u32, agent: &str) -> Result<JsValue, JsValue> {
    let text_blocks = if first_block { TextBlocks::First } else { TextBlocks::All };
    let agent = options::agent(agent)?;
    with_body(response, true, &mut |body| {
        // The result is converted while the body is open, as it may refer to values of the body.
        crate::process(&agent, body, text_blocks).map(|result| to_js(result, form))
    })
    .map_err(Into::into)
}

fn to_js(result: ProcessResult, form: u32) -> JsValue {
    match result {
        ProcessResult::Text(text) => host::string(&text),
        ProcessResult::Structured(json) => host::structured(&json),
        ProcessResult::ToolCalls(calls) => json_to_js(&calls),
        ProcessResult::Images(images) => {
            host::one_or_list(&serde_wasm_bindgen::to_value(&images).unwrap_or_default())
        }
        ProcessResult::Vectors(vectors) => host::one_or_list(&vectors_to_js(&vectors, form)),
    }
}

/// Converts vectors to an array.
pub(super) fn vectors_to_js(vectors: &Vectors, form: u32) -> Array {
    let list = Array::new();
    for row in &vectors.rows {
        list.push(&vector_to_js(row, form));
    }
    list
}

/// Like [`process`], for the promise of a response. Calls it by way of JavaScript, where a trap is caught: in here it
/// would leave the promise pending forever.
#[wasm_bindgen(js_name = processAsync)]
pub async fn process_async(
    response: Promise,
    first_block: bool,
    form: u32,
    agent: String,
) -> Result<JsValue, JsValue> {
    let response = JsFuture::from(response).await?;
    host::process(&response, first_block, form, &agent)
}

#[wasm_bindgen(unchecked_return_type = "AnnotatedLlmResponse")]
pub fn decode(
    #[wasm_bindgen(unchecked_param_type = "unknown")] response: &JsValue,
) -> Result<JsValue, JsValue> {
    let decode = &mut |body: Value<'_>| crate::decode(body).map(|answer| json_to_js(&answer));
    // Decoding reads the whole body, so it is faster from JSON text.
    let read = with_plain_json(response, |json| read_text(json, &Limits::default(), decode));
    Ok(read.unwrap_or_else(|| with_body(response, true, decode))?)
}

#[wasm_bindgen(js_name = detectApi, unchecked_return_type = "import(\"../../js/types/codecs.js\").ApiName | undefined")]
pub fn detect_api(#[wasm_bindgen(unchecked_param_type = "unknown")] response: &JsValue) -> JsValue {
    let api = with_body(response, false, &mut |body| {
        let body = batch_body(body)?;
        let codec = detect_codec(body).map(|codec| codec.name().into());
        let built_in = || crate::detect_api(body).map_or(JsValue::UNDEFINED, |api| api.as_str().into());
        Ok(codec.unwrap_or_else(built_in))
    });
    api.unwrap_or_default()
}

fn vector_to_js(vector: &Vector, form: u32) -> JsValue {
    match vector {
        Vector::Floats(floats) => host::vector_of_floats(floats, form),
        Vector::Numbers(Numbers::Read(numbers)) => host::vector_of_numbers(numbers, form),
        Vector::Numbers(Numbers::OfHost(node)) => host::vector_of_node(*node, form),
    }
}
