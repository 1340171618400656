//! Reads complete bodies in any form that users pass, and bytes.

use wasm_bindgen::JsValue;

use super::host;
use super::js_document::JsDocument;
use crate::body::parse_limited;
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Document, JsonError, JsonErrorKind, Value};
use crate::model::Limits;

/// A function that reads a body and returns a value for JavaScript.
type Read<'a> = dyn FnMut(Value<'_>) -> Result<JsValue> + 'a;

/// Runs `read` once on a body: an object, JSON text, or the bytes of JSON text. `must_be_whole`: a member that can't be
/// read is an error, even if `read` manages without it.
pub(super) fn with_body(body: &JsValue, must_be_whole: bool, read: &mut Read<'_>) -> Result<JsValue> {
    with_body_in(&Limits::default(), body, must_be_whole, read)
}

/// Like [`with_body`], within these limits.
pub(super) fn with_body_in(
    limits: &Limits,
    body: &JsValue,
    must_be_whole: bool,
    read: &mut Read<'_>,
) -> Result<JsValue> {
    if let Some(bytes) = host::bytes_of(body, true) {
        return match String::from_utf8(bytes) {
            Ok(text) => read_text(&text, limits, read),
            Err(broken) => read_text(&String::from_utf8_lossy(broken.as_bytes()), limits, read),
        };
    }
    if !body.is_object() {
        let message = format!(
            "Expected the parsed body (an object), its JSON text, or its bytes as the response, got {}",
            describe(body)
        );
        return Err(Error::new(ErrorCode::UnknownResponse, message));
    }
    let document = JsDocument::new(body);
    let result = read(document.root());
    let Some(trouble) = JsDocument::take_trouble() else { return result };
    match result {
        Err(mut error) => {
            error.message = format!("{} (reading it threw: {trouble})", error.message);
            Err(error)
        }
        Ok(_) if must_be_whole => {
            let message =
                format!("A property of the response could not be read or serialised as JSON: {trouble}");
            Err(Error::new(ErrorCode::InvalidJson, message))
        }
        result => result,
    }
}

/// Runs `read` on a body that is JSON text.
pub(super) fn read_text(text: &str, limits: &Limits, read: &mut Read<'_>) -> Result<JsValue> {
    #[cfg(feature = "planted-faults")]
    super::planted::fail_if_asked(text.as_bytes());
    let advice: &dyn Fn(&JsonError) -> &'static str = &|error| {
        if is_stream(text, error) {
            ". It looks like a stream: use `processAsync`, or `collect([text])`"
        } else {
            ""
        }
    };
    let json = text.strip_prefix('\u{feff}').unwrap_or(text);
    let document = parse_limited("body", json, limits, advice, |max_depth| Document::parse(json, max_depth))?;
    read(document.root())
}

/// Whether text that isn't a body looks like server-sent events or lines of JSON.
fn is_stream(text: &str, error: &JsonError) -> bool {
    let start = text.trim_ascii_start();
    ["data:", "event:", "id:", "retry:", ":"].iter().any(|field| start.starts_with(field))
        || error.kind == JsonErrorKind::TrailingText
            && start.starts_with('{')
            && text.get(error.offset..).is_some_and(|rest| rest.starts_with('{'))
}

/// Returns the bytes of an `ArrayBuffer` or of a view of one.
pub(super) fn bytes_of(value: &JsValue) -> Option<Vec<u8>> {
    host::bytes_of(value, false)
}

/// Returns the bytes that were passed to `function`.
pub(super) fn bytes_for(function: &str, value: &JsValue) -> Result<Vec<u8>> {
    bytes_of(value).ok_or_else(|| {
        let message = [function, "() expects a Uint8Array or ArrayBuffer, got ", &describe(value)].concat();
        Error::new(ErrorCode::InvalidChunk, message)
    })
}

/// Returns an error if a chunk is bytes.
pub(super) fn refuse_bytes(chunk: &JsValue) -> Result<()> {
    if bytes_of(chunk).is_none() {
        return Ok(());
    }
    let message = "push() expects a parsed event (an object), got bytes. Use pushBytes() for bytes.";
    Err(Error::new(ErrorCode::InvalidChunk, message))
}

/// Returns the bytes of a saved state.
pub(super) fn saved_of(value: &JsValue) -> Result<Vec<u8>> {
    bytes_of(value).ok_or_else(|| {
        let message = format!("restore() expects the bytes of save(), got {}", describe(value));
        Error::new(ErrorCode::InvalidState, message)
    })
}

/// Describes a value for messages.
pub(super) fn describe(value: &JsValue) -> String {
    host::describe(value)
}
