//! `process`, `processAsync`, `decode` and `detectApi`.

use js_sys::{Array, Float32Array, Float64Array, Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::deltas::json_to_js;
use super::host;
use super::input::with_body;
use super::options::{VectorsOption, read_agent, read_process_options};
use crate::ProcessResult;
use crate::model::Vectors;
use crate::provider::detect_codec;

#[wasm_bindgen]
pub fn process(agent: &JsValue, response: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    let options = read_process_options(options)?;
    let agent = read_agent(agent);
    let result = with_body(response, false, |body| crate::process(&agent, body, options.text_blocks))?;
    match result {
        ProcessResult::Text(text) => Ok(text.into()),
        ProcessResult::Structured(json) => Ok(host::structured(&json)),
        ProcessResult::ToolCalls(calls) => Ok(json_to_js(&calls)),
        ProcessResult::Images(images) => match images.as_slice() {
            [image] => Ok(image.into()),
            images => serde_wasm_bindgen::to_value(images).map_err(Into::into),
        },
        ProcessResult::Vectors(vectors) => Ok(vectors_to_js(vectors, options.vectors)),
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

fn vectors_to_js(vectors: Vectors, form: VectorsOption) -> JsValue {
    one_or_list(vectors.rows.into_iter().map(|row| match form {
        VectorsOption::Array => JsValue::from(Array::from(&Float64Array::from(row.as_slice()))),
        VectorsOption::Float32 => {
            let row: Vec<f32> = row.into_iter().map(|number| number as f32).collect();
            JsValue::from(Float32Array::from(row.as_slice()))
        }
    }))
}

/// A single value by itself, several as a list.
fn one_or_list(values: impl ExactSizeIterator<Item = JsValue>) -> JsValue {
    let list: Array = values.collect();
    if list.length() == 1 { list.get(0) } else { list.into() }
}
