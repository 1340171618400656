//! Errors as instances of the exported classes.

use wasm_bindgen::JsValue;

use super::host;
use crate::error::{Error, ErrorDetails};

impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        let ErrorDetails { code, message, provider_type, provider_code, http, custom_id, partial } =
            error.into_details();
        let (status, request_id) = http.map_or((None, None), |http| (http.status, http.request_id));
        host::create_error(
            code.as_str(),
            &message,
            provider_type,
            provider_code,
            status,
            request_id,
            custom_id,
            partial,
        )
    }
}
