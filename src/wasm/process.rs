//! `process`, `processAsync`, `decode` and `detectApi`.

use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::deltas::json_to_js;
use super::host;
use super::input::with_body;
use super::options::{ProcessOptions, VectorsOption, read_agent, read_process_options};
use crate::ProcessResult;
use crate::json::Numbers;
use crate::model::Vector;
use crate::provider::detect_codec;

#[wasm_bindgen]
pub fn process(agent: &JsValue, response: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    let options = read_process_options(options)?;
    let agent = read_agent(agent);
    with_body(response, false, |body| {
        // While the body is open: it may have what the result is made of.
        crate::process(&agent, body, options.text_blocks).map(|result| to_js(result, &options))
    })
    .map_err(Into::into)
}

fn to_js(result: ProcessResult, options: &ProcessOptions) -> JsValue {
    match result {
        ProcessResult::Text(text) => text.into(),
        ProcessResult::Structured(json) => host::structured(&json),
        ProcessResult::ToolCalls(calls) => json_to_js(&calls),
        ProcessResult::Images(images) => one_or_list(images.into_iter().map(JsValue::from)),
        ProcessResult::Vectors(vectors) => {
            one_or_list(vectors.rows.iter().map(|row| vector_to_js(row, options.vectors)))
        }
    }
}

/// The same, for a response that is still on its way: a promise, or a fetch `Response`.
#[wasm_bindgen(js_name = processAsync)]
pub async fn process_async(agent: JsValue, response: JsValue, options: JsValue) -> Result<JsValue, JsValue> {
    let response = JsFuture::from(Promise::resolve(&response)).await?;
    let body = match body_reader(&response) {
        Some(read) => JsFuture::from(Promise::resolve(&read.call0(&response)?)).await?,
        None => response,
    };
    process(&agent, &body, &options)
}

/// How the bytes of a fetch `Response` are read; nothing for any other value.
fn body_reader(response: &JsValue) -> Option<Function> {
    let has_status = response.is_object() && Reflect::has(response, &"status".into()).unwrap_or(false);
    let reader = has_status.then(|| Reflect::get(response, &"arrayBuffer".into()).ok())??;
    reader.dyn_into().ok()
}

#[wasm_bindgen]
pub fn decode(response: &JsValue) -> Result<JsValue, JsValue> {
    Ok(json_to_js(&with_body(response, true, crate::decode)?))
}

#[wasm_bindgen(js_name = detectApi)]
pub fn detect_api(response: &JsValue) -> Option<String> {
    let api = with_body(response, false, |body| {
        let codec = detect_codec(body).map(|codec| codec.name().to_owned());
        Ok(codec.or_else(|| crate::detect_api(body).map(|api| api.as_str().to_owned())))
    });
    api.ok().flatten()
}

fn vector_to_js(vector: &Vector, form: VectorsOption) -> JsValue {
    let form = form as u32;
    match vector {
        Vector::Floats(floats) => host::vector_of_floats(floats, form),
        Vector::Numbers(Numbers::Read(numbers)) => host::vector_of_numbers(numbers, form),
        Vector::Numbers(Numbers::OfHost(node)) => host::vector_of_node(*node, form),
    }
}

/// A single value by itself, several as a list.
fn one_or_list(values: impl ExactSizeIterator<Item = JsValue>) -> JsValue {
    let list: Array = values.collect();
    if list.length() == 1 { list.get(0) } else { list.into() }
}
