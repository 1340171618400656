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

/// In place of a number of deltas: the stream is over.
const FINISHED: u32 = u32::MAX;
/// In place of a number of deltas: there is one, which is what [`Accumulator::push_repeat`] was called for.
const AS_EXPECTED: u32 = u32::MAX - 1;
/// In place of a number of deltas: nothing was read, because the stream is over or it isn't JSON.
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

    /// Goes on with a stream that was [saved](Self::save).
    pub fn restore(bytes: &JsValue) -> Result<Accumulator, JsValue> {
        Ok(Self { stream: StreamAccumulator::restore(&saved_of(bytes)?)?, repeatable: None })
    }

    pub fn save(&mut self) -> Result<Vec<u8>, JsValue> {
        Ok(self.stream.save()?)
    }

    /// Puts the deltas of a client that comes late where JavaScript takes them; how many there are.
    #[wasm_bindgen(js_name = catchUp)]
    pub fn catch_up(&self) -> u32 {
        Deltas::show_all(self.stream.catch_up(), send)
    }

    /// Whether events may be repeated, whether the text of one that is may wait, and whether something is looked for in
    /// the text. By bits.
    pub fn switches(&self) -> u32 {
        let options = self.stream.options();
        let may_wait = !options.partial_json && options.loop_detector.is_none();
        let switches = [options.templates, may_wait, options.text.is_some()];
        (0..).zip(switches).fold(0, |bits, (nth, is_on)| bits | u32::from(is_on) << nth)
    }

    /// Whether an option is the same as for another accumulator: by its number, in the order of js/options.js. Limits
    /// come last.
    #[wasm_bindgen(js_name = hasOptionOf)]
    pub fn has_option_of(&self, other: &Self, number: u32) -> bool {
        has_same(number, &self.stream.options(), &other.stream.options())
    }

    /// The ASCII characters with which something may begin that is looked for in the text; none where nothing is.
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
            if is_read { self.stream.show_deltas(send) } else { UNREAD }
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
            Some(trouble) => self.stream.warn_of_trouble(&trouble),
            None => self.repeatable = self.stream.repeatable(document.root()),
        }
        Ok(self.stream.show_deltas(send))
    }

    /// What the chunk that was pushed last may be repeated as: the number of its shape, and, from 2^16 on, its
    /// own number; all ones where it may not.
    pub fn repeatable(&self) -> u32 {
        self.repeatable.map_or(u32::MAX, |again| (again.number << 16) | repeats::number_of(again.shape))
    }

    /// Pushes a chunk again with the text that is in the inbox. Where that gives one delta with that text, of which
    /// nothing is held back, and JavaScript knows it, it is not told again.
    /// `kind` is the number of that delta's type, or any other where JavaScript does not know it.
    #[wasm_bindgen(js_name = pushRepeat)]
    pub fn push_repeat(&mut self, number: u32, length: usize, kind: u32) -> u32 {
        with_inbox(length, |bytes| {
            let text = String::from_utf8_lossy(bytes);
            match self.stream.accept_repeat(number, &Fragment::from(&*text)) {
                Ok(()) => {
                    let is_all = self.stream.holds_no_text();
                    self.stream.show_deltas(|deltas| match only_text(deltas) {
                        Some((of, only)) if is_all && of as u32 == kind && only == text => AS_EXPECTED,
                        _ => send(deltas),
                    })
                }
                Err(_) => FINISHED,
            }
        })
    }

    /// Pushes a chunk again with this text, of which JavaScript has given the deltas.
    #[wasm_bindgen(js_name = pushRepeatedText)]
    pub fn push_repeated_text(&mut self, number: u32, text: &str) {
        if self.stream.accept_joined_repeat(number, &Fragment::from(text)).is_ok() {
            self.stream.forget_deltas();
        }
    }

    /// Reads so many bytes that are in the inbox.
    #[wasm_bindgen(js_name = pushInbox)]
    pub fn push_inbox(&mut self, length: usize) -> u32 {
        with_inbox(length, |bytes| {
            if self.stream.ending().is_some() {
                return FINISHED;
            }
            self.stream.read_part(bytes);
            self.stream.show_deltas(send)
        })
    }

    /// Reads bytes of any kind.
    #[wasm_bindgen(js_name = pushBytes)]
    pub fn push_bytes(&mut self, bytes: &JsValue) -> Result<u32, JsValue> {
        let bytes = bytes_for("pushBytes", bytes)?;
        self.stream.accept_bytes(&bytes)?;
        Ok(self.stream.show_deltas(send))
    }

    /// The input is over.
    pub fn finish(&mut self) {
        self.stream.close();
    }

    pub fn abort(&mut self, reason: &JsValue) {
        self.stream.break_off(reason.as_string().as_deref());
    }

    /// What is known so far; where something came of its long texts since the last time, a list that begins with it:
    /// then the number of a text, what came, and so on. See js/results.js.
    pub fn result(&mut self, nonce: &str, min_bytes: usize) -> JsValue {
        let (result, tails) = self.stream.snapshot_changes(nonce, min_bytes);
        if tails.is_empty() { host::parse(&result) } else { host::changes_to_js(&result, &tails).into() }
    }

    /// The deltas that ending the stream has brought.
    #[wasm_bindgen(js_name = takeDeltas)]
    pub fn take_deltas(&mut self) -> u32 {
        self.stream.show_deltas(send)
    }
}
