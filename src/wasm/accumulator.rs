//! The class behind `StreamAccumulator`: see js/accumulator.js.

use wasm_bindgen::prelude::*;

use super::deltas::{only_text, send};
use super::host;
use super::inbox::with_inbox;
use super::input::{bytes_for, refuse_bytes, saved_of};
use super::js_document::JsDocument;
use super::options::{has_same, stream_options};
use super::repeats;
use super::reserve::reserve;
use crate::accumulator::Deltas;
use crate::json::Fragment;
use crate::{Repeatable, StreamAccumulator};

/// Returned instead of a number of deltas: the stream is over.
const FINISHED: u32 = u32::MAX;
/// Returned instead of a number of deltas: there is one, and it is the delta that the caller of
/// [`Accumulator::push_repeat`] expects.
const AS_EXPECTED: u32 = u32::MAX - 1;
/// Returned instead of a number of deltas: nothing was read, because the stream is over or the text isn't valid JSON.
const UNREAD: u32 = u32::MAX - 2;

#[wasm_bindgen]
pub struct Accumulator {
    stream: StreamAccumulator,
    repeatable: Option<Repeatable>,
}

#[wasm_bindgen]
impl Accumulator {
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> Result<Accumulator, JsValue> {
        let options = stream_options(options)?;
        reserve();
        Ok(Self { stream: StreamAccumulator::new(options)?, repeatable: None })
    }

    /// Continues a stream that was [saved](Self::save).
    pub fn restore(bytes: &JsValue) -> Result<Accumulator, JsValue> {
        Ok(Self { stream: StreamAccumulator::restore(&saved_of(bytes)?)?, repeatable: None })
    }

    pub fn save(&mut self) -> Result<Vec<u8>, JsValue> {
        Ok(self.stream.save()?)
    }

    /// Sends the deltas for a client that joins late, and returns their number.
    #[wasm_bindgen(js_name = catchUp)]
    pub fn catch_up(&self) -> u32 {
        Deltas::with_list(self.stream.catch_up(), send)
    }

    /// Returns three flags, one per bit: whether events may be repeated, whether the text of a repeated event may wait,
    /// and whether the text is searched.
    pub fn switches(&self) -> u32 {
        let options = self.stream.options();
        let may_wait = !options.partial_json && options.loop_detector.is_none();
        let switches = [options.templates, may_wait, options.text.is_some()];
        (0..).zip(switches).fold(0, |bits, (nth, is_on)| bits | u32::from(is_on) << nth)
    }

    /// Whether an option has the same value as that of another accumulator. Options are numbered in the order of
    /// js/options.js, with the limits last.
    #[wasm_bindgen(js_name = hasOptionOf)]
    pub fn has_option_of(&self, other: &Self, number: u32) -> bool {
        has_same(number, &self.stream.options(), &other.stream.options())
    }

    /// Returns the ASCII characters with which anything begins that the text is searched for, or none if it isn't
    /// searched.
    pub fn leads(&self) -> String {
        let options = self.stream.options();
        let leads = options.text.iter().flat_map(|text| text.leads()).filter(|lead| lead.is_ascii());
        leads.map(|lead| char::from(*lead)).collect()
    }

    /// Reads a chunk whose JSON text is in the inbox.
    #[wasm_bindgen(js_name = pushJson)]
    pub fn push_json(&mut self, length: usize) -> u32 {
        with_inbox(length, |bytes| {
            let is_read = str::from_utf8(bytes).is_ok_and(|json| {
                self.stream.accept_json(json, &mut self.repeatable).is_ok_and(|is_read| is_read)
            });
            if is_read { self.stream.with_deltas(send) } else { UNREAD }
        })
    }

    /// Reads a chunk of any kind.
    pub fn push(&mut self, chunk: &JsValue) -> Result<u32, JsValue> {
        reserve();
        refuse_bytes(chunk)?;
        let document = JsDocument::new(chunk);
        self.repeatable = None;
        self.stream.accept(document.root())?;
        match JsDocument::take_trouble() {
            Some(trouble) => self.stream.warn_unreadable_property(&trouble),
            None => self.repeatable = self.stream.repeatable(document.root()),
        }
        Ok(self.stream.with_deltas(send))
    }

    /// Returns how the last pushed chunk may be repeated: the number of its shape in the lower 16 bits, and its own
    /// number above. All bits are set if it may not be repeated.
    pub fn repeatable(&self) -> u32 {
        self.repeatable.map_or(u32::MAX, |again| (again.number << 16) | repeats::number_of(again.shape))
    }

    /// Pushes a chunk again with the text in the inbox. `kind` is the type of the delta that JavaScript expects, or
    /// another number if it expects none. If that delta is the only one, with exactly this text, and no text is held
    /// back, it isn't sent.
    #[wasm_bindgen(js_name = pushRepeat)]
    pub fn push_repeat(&mut self, number: u32, length: usize, kind: u32) -> u32 {
        with_inbox(length, |bytes| {
            let text = String::from_utf8_lossy(bytes);
            match self.stream.accept_repeat(number, &Fragment::from(&*text)) {
                Ok(()) => {
                    let is_all = self.stream.has_no_held_back_text();
                    self.stream.with_deltas(|deltas| match only_text(deltas) {
                        Some((of, only)) if is_all && of as u32 == kind && only == text => AS_EXPECTED,
                        _ => send(deltas),
                    })
                }
                Err(_) => FINISHED,
            }
        })
    }

    /// Pushes a chunk again with this text, whose deltas JavaScript has already emitted.
    #[wasm_bindgen(js_name = pushRepeatedText)]
    pub fn push_repeated_text(&mut self, number: u32, text: &str) {
        if self.stream.accept_joined_repeat(number, &Fragment::from(text)).is_ok() {
            self.stream.forget_deltas();
        }
    }

    /// Reads the first `length` bytes of the inbox.
    #[wasm_bindgen(js_name = pushInbox)]
    pub fn push_inbox(&mut self, length: usize) -> u32 {
        with_inbox(length, |bytes| {
            if self.stream.ending().is_some() {
                return FINISHED;
            }
            self.stream.read_until_note(bytes);
            self.stream.with_deltas(send)
        })
    }

    /// Reads bytes of any kind.
    #[wasm_bindgen(js_name = pushBytes)]
    pub fn push_bytes(&mut self, bytes: &JsValue) -> Result<u32, JsValue> {
        let bytes = bytes_for("pushBytes", bytes)?;
        self.stream.accept_bytes(&bytes)?;
        Ok(self.stream.with_deltas(send))
    }

    /// Whether the provider has marked the end of the stream.
    #[wasm_bindgen(js_name = isDone)]
    pub fn is_done(&self) -> bool {
        self.stream.is_done()
    }

    /// Ends the stream because the input has ended.
    pub fn finish(&mut self) {
        self.stream.close();
    }

    pub fn abort(&mut self, reason: &JsValue) {
        self.stream.end_early(reason.as_string().as_deref());
    }

    /// Returns the result so far. If its long texts have grown since the last call, returns a list that begins with the
    /// result, followed by the number of each text and the text that was appended. See js/results.js.
    pub fn result(&mut self, nonce: &str, min_bytes: usize) -> JsValue {
        let (result, tails) = self.stream.snapshot_changes(nonce, min_bytes);
        if tails.is_empty() { host::parse(&result) } else { host::changes_to_js(&result, &tails).into() }
    }

    /// Sends the deltas that were produced by ending the stream, and returns their number.
    #[wasm_bindgen(js_name = takeDeltas)]
    pub fn take_deltas(&mut self) -> u32 {
        self.stream.with_deltas(send)
    }
}
