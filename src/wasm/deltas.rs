//! Passes deltas to JavaScript: all deltas of a read at once, in memory, where js/deltas.js reads them.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::host;
use super::shared::{Shared, Words};
use super::units::{Form, Layout, lay_out};
use super::usage::{Likeness, compare};
use crate::accumulator::{Deltas, RowKind};
use crate::json::{RawJson, ToJson, to_json};
use crate::model::{Delta, JsonIndex};

/// The kinds of rows other than those of [`RowKind`], as js/deltas.js reads them.
#[derive(Clone, Copy)]
enum OtherKind {
    /// A delta as JSON, which is the row's text.
    Json = RowKind::Other as isize,
    /// A usage delta as JSON, with which later ones are compared. The number of the pattern replaces the choice.
    UsagePattern,
    /// A usage delta that differs from a pattern only in numbers. The number of the pattern replaces the choice. The
    /// index is an offset into the words after all rows: the count of the changed numbers is there, followed by two
    /// words for each.
    UsageNumbers,
    /// A `json` delta. The row's id is the path as JSON. Flags are added to the kind: 1 if the value is done, 2 if the
    /// row's text is the JSON of a value, 4 if it is text to append. There is no index if the delta is about the text
    /// of the answer.
    Value,
}

/// Index of a row that has none.
const NO_INDEX: u32 = u32::MAX;

/// Where JavaScript finds the deltas: the [`Layout`] of the ids and texts of all rows, concatenated, and the address of
/// the rows. A row has five numbers: its kind, choice and index, and the lengths of its id and text in code units.
static OUTBOX: Words<6> = Words::new();

static UNITS: Shared<Vec<u8>> = Shared::new(Vec::new());
static LAID_OUT: Shared<LaidOut> = Shared::new(LaidOut::NONE);

/// Rows and text that were rewritten because the deltas can't be passed unchanged, and the numbers after the rows.
struct LaidOut {
    rows: Vec<u32>,
    text: String,
    numbers: Vec<u32>,
}

/// Returned instead of a number of deltas: there is one, of the first choice, with nothing but text. Its kind is added.
const ONLY_TEXT: u32 = 0xffff_fff0;

/// Buffers up to this size are kept for the next read.
const KEPT_BYTES: usize = 1 << 16;

/// Returns the address of the outbox.
#[wasm_bindgen(js_name = outbox)]
pub fn outbox() -> usize {
    OUTBOX.address()
}

/// Writes deltas to the outbox. Returns their number, or [`ONLY_TEXT`] plus a kind.
pub(super) fn send(deltas: &mut Deltas) -> u32 {
    let [first, rest @ ..] = &*deltas.rows else { return 0 };
    let is_only = rest.is_empty() && first.choice == 0 && (first.kind as u32) < RowKind::Arguments as u32;
    let text = deltas.text.as_bytes();
    if is_only && text.is_ascii() {
        OUTBOX.set([text.as_ptr() as usize, text.len(), Form::Ascii as usize]);
        return ONLY_TEXT + first.kind as u32;
    }
    send_laid_out(deltas, is_only)
}

/// Slow path of [`send`]: several deltas, or text that isn't ASCII.
#[inline(never)]
fn send_laid_out(deltas: &Deltas, is_only: bool) -> u32 {
    let mut units = UNITS.replace(Vec::new());
    if units.capacity() > KEPT_BYTES {
        units = Vec::new();
    }
    let text = lay_out(deltas.text.as_bytes(), &mut units);
    if is_only || deltas.others.is_empty() && text.is_ascii() {
        post(&text, deltas.rows.as_ptr() as usize);
    } else {
        let mut laid_out = LAID_OUT.replace(LaidOut::NONE);
        if laid_out.text.capacity() > KEPT_BYTES {
            laid_out = LaidOut::NONE;
        }
        laid_out.lay_out(deltas);
        let text = lay_out(laid_out.text.as_bytes(), &mut units);
        post(&text, laid_out.rows.as_ptr() as usize);
        LAID_OUT.give_back(laid_out);
    }
    UNITS.give_back(units);
    match deltas.rows.first() {
        Some(first) if is_only => ONLY_TEXT + first.kind as u32,
        _ => deltas.rows.len() as u32,
    }
}

fn post(text: &Layout, rows: usize) {
    OUTBOX.set([text.address, text.length, text.form as usize, text.units, text.size, rows]);
}

impl LaidOut {
    const NONE: Self = Self { rows: Vec::new(), text: String::new(), numbers: Vec::new() };

    /// Writes rows whose lengths are in code units, and the numbers of usage after them. Needed for text that isn't
    /// ASCII, and for deltas that aren't text.
    fn lay_out(&mut self, deltas: &Deltas) {
        self.rows.clear();
        self.text.clear();
        self.numbers.clear();
        let mut others = deltas.others.iter();
        deltas.for_each_row(|row, id, added| {
            if row.kind == RowKind::Other {
                if let Some(delta) = others.next() {
                    self.add_other(delta);
                }
                return;
            }
            self.text.push_str(id);
            self.text.push_str(added);
            self.add(row.kind as u32, row.choice, row.index, code_units(id), code_units(added));
        });
        self.rows.extend_from_slice(&self.numbers);
    }

    fn add(&mut self, kind: u32, choice: u32, index: u32, id: u32, text: u32) {
        self.rows.extend_from_slice(&[kind, choice, index, id, text]);
    }

    fn add_other(&mut self, delta: &Delta) {
        let before = self.text.len();
        if let Delta::Json { index, path, value, append, done, choice } = delta {
            let added = value.as_ref().map(RawJson::get).or(append.as_deref()).unwrap_or_default();
            path.write_json(&mut self.text);
            let path = code_units(self.text.get(before..).unwrap_or_default());
            self.text.push_str(added);
            let bits = u32::from(*done) | u32::from(value.is_some()) << 1 | u32::from(append.is_some()) << 2;
            let index = if let JsonIndex::Call(index) = index { *index } else { NO_INDEX };
            return self.add(OtherKind::Value as u32 + bits, *choice, index, path, code_units(added));
        }
        let (mut kind, mut pattern) = (OtherKind::Json, 0);
        if let Delta::Usage { usage } = delta {
            let place = self.numbers.len();
            self.numbers.push(0);
            match compare(usage, &mut self.numbers) {
                Likeness::Numbers(pattern) => {
                    let count = (self.numbers.len() - place) / 2;
                    if let Some(first) = self.numbers.get_mut(place) {
                        *first = count as u32;
                    }
                    return self.add(OtherKind::UsageNumbers as u32, pattern, place as u32, 0, 0);
                }
                Likeness::Pattern(at) => (kind, pattern) = (OtherKind::UsagePattern, at),
                Likeness::None => {}
            }
        }
        delta.write_json(&mut self.text);
        let units = code_units(self.text.get(before..).unwrap_or_default());
        self.add(kind as u32, pattern, 0, 0, units);
    }
}

/// Returns the kind and text of the only delta, if it is one that appends text.
pub(super) fn only_text(deltas: &Deltas) -> Option<(RowKind, &str)> {
    let [row] = &*deltas.rows else { return None };
    let text = deltas.text.get(row.id as usize..)?;
    (row.kind != RowKind::Other).then_some((row.kind, text))
}

/// Returns the length of a text in UTF-16 code units: one for each character, or two if it has four bytes in UTF-8.
pub(super) fn code_units(text: &str) -> u32 {
    if text.is_ascii() {
        return text.len() as u32;
    }
    let mut units = 0;
    for byte in text.as_bytes() {
        units += u32::from(byte & 0xc0 != 0x80) + u32::from(*byte >= 0xf0);
    }
    units
}

/// Converts a value to JavaScript through JSON, so that data of providers becomes plain objects, whatever its members
/// are named.
pub(super) fn json_to_js<T: ToJson>(value: &T) -> JsValue {
    host::parse(&to_json(value))
}
