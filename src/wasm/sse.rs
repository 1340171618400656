//! The class behind `SseDecoder`.

use tsify::Tsify;
use wasm_bindgen::prelude::*;

use super::host;
use super::input::bytes_for;
use crate::framing;
use crate::json::ObjectWriter;

/// One event of a stream of server-sent events.
#[derive(Tsify)]
#[expect(dead_code, reason = "the shape of what users get; it is made by to_js")]
pub(super) struct SseEvent<'a> {
    /// The name in its `event:` line; `""` if there was none.
    event: &'a str,
    /// Its `data:` lines, joined with line feeds.
    data: &'a str,
    /// The last `id:` of the stream; `""` if there was none.
    id: &'a str,
    /// The time to wait before reconnecting, in milliseconds, if the stream set one since the last event.
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

    pub fn push(&mut self, bytes: &JsValue) -> Result<JsValue, JsValue> {
        let bytes = bytes_for("push", bytes)?;
        let mut list = String::from("[");
        self.0.push(&bytes, &mut |event| add(&event, &mut list));
        Ok(close(list))
    }

    pub fn finish(&mut self) -> JsValue {
        let mut list = String::from("[");
        self.0.finish(&mut |event| add(&event, &mut list));
        close(list)
    }
}

/// Adds an event to a list in JSON.
fn add(event: &framing::SseEvent<'_>, list: &mut String) {
    if list.len() > 1 {
        list.push(',');
    }
    let mut object = ObjectWriter::new(list);
    object.member("event", &event.event).member("data", &event.data).member("id", &event.id);
    object.optional("retry", event.retry.as_ref()).end();
}

fn close(mut list: String) -> JsValue {
    list.push(']');
    host::parse(&list)
}
