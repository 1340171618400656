//! The class behind `SseDecoder`.

use js_sys::Array;
use tsify::Tsify;
use wasm_bindgen::prelude::*;

use super::deltas::json_to_js;
use super::input::{bytes_of, describe};
use crate::error::{Error, ErrorCode};
use crate::framing;
use crate::json::{ObjectWriter, ToJson};

/// One event of a stream of server-sent events.
#[derive(Tsify)]
#[expect(dead_code, reason = "the shape of what users get; it is made by to_js")]
pub(super) struct SseEvent<'a> {
    /// The name in its `event:` line; `""` where there was none.
    event: &'a str,
    /// Its `data:` lines, joined with line feeds.
    data: &'a str,
    /// The last `id:` of the stream; `""` where there was none.
    id: &'a str,
    /// The time to wait before connecting again, in milliseconds, where one was given since the last event.
    #[tsify(optional)]
    retry: Option<u64>,
}

#[wasm_bindgen]
pub struct SseReader(framing::SseDecoder);

#[wasm_bindgen]
impl SseReader {
    #[wasm_bindgen(constructor)]
    pub fn new() -> SseReader {
        Self(framing::SseDecoder::default())
    }

    pub fn push(&mut self, bytes: &JsValue) -> Result<Array, JsValue> {
        let bytes = bytes_of(bytes).ok_or_else(|| {
            let message = format!("push takes a Uint8Array or ArrayBuffer, not {}", describe(bytes));
            Error::new(ErrorCode::InvalidChunk, message)
        })?;
        let events = Array::new();
        self.0.push(&bytes, &mut |event| {
            events.push(&to_js(&event));
        });
        Ok(events)
    }

    pub fn finish(&mut self) -> Array {
        let events = Array::new();
        self.0.finish(&mut |event| {
            events.push(&to_js(&event));
        });
        events
    }
}

fn to_js(event: &framing::SseEvent<'_>) -> JsValue {
    struct Written<'a>(&'a framing::SseEvent<'a>);

    impl ToJson for Written<'_> {
        fn write_json(&self, out: &mut String) {
            let event = self.0;
            let mut object = ObjectWriter::new(out);
            object.member("event", &event.event).member("data", &event.data).member("id", &event.id);
            object.optional("retry", event.retry.as_ref()).end();
        }
    }

    json_to_js(&Written(event))
}
