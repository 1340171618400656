//! Errors as instances of the exported classes.

use wasm_bindgen::JsValue;

use super::host;
use crate::error::{Error, ErrorCode};

/// The class whose instance is thrown for a code.
fn class_of(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::InvalidJson
        | ErrorCode::UnknownResponse
        | ErrorCode::EmptyResponse
        | ErrorCode::CodecError => "DecodeError",
        ErrorCode::ProviderError => "ProviderError",
        ErrorCode::LimitExceeded => "LimitError",
        ErrorCode::InvalidChunk | ErrorCode::StreamFinished | ErrorCode::InvalidOption => "RespoolError",
    }
}

impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        let class = class_of(error.code);
        host::create_error(
            class,
            error.code.as_str(),
            &error.message,
            error.provider_type,
            error.provider_code,
        )
    }
}

/// The message of whatever JavaScript threw.
pub(super) fn message_of(thrown: &JsValue) -> String {
    let message =
        js_sys::Reflect::get(thrown, &"message".into()).ok().and_then(|message| message.as_string());
    message.or_else(|| thrown.as_string()).unwrap_or_else(|| "an error without a message".to_owned())
}
