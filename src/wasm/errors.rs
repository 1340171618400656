//! Errors as instances of the exported classes.

use wasm_bindgen::JsValue;

use super::host;
use crate::error::Error;

impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        let Error { code, message, provider_type, provider_code, http, partial } = error;
        let (status, request_id) = http.map_or((None, None), |http| (http.status, http.request_id));
        let partial = partial.map(Into::into);
        host::create_error(code.as_str(), &message, provider_type, provider_code, status, request_id, partial)
    }
}
