//! Errors as instances of the exported classes.

use wasm_bindgen::JsValue;

use super::host;
use crate::error::Error;

impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        host::create_error(error.code.as_str(), &error.message, error.provider_type, error.provider_code)
    }
}
