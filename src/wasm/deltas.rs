//! Deltas on their way to JavaScript: all those of a read at once, in memory, where js/deltas.js takes them.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::host;
use super::shared::Shared;
use super::units::{Layout, lay_out};
use super::usage::{Likeness, compare};
use crate::json::{RawJson, ToJson, to_json};
use crate::model::{Delta, JsonIndex};

/// What JavaScript makes of a row: see js/deltas.js.
#[derive(Clone, Copy)]
pub(super) enum Row {
    Text,
    Reasoning,
    Refusal,
    ToolCallDelta,
    /// Its text is its JSON.
    Other,
    /// The same, and it is the usage with which later ones are compared.
    UsagePattern,
    /// Usage that differs from that in numbers, which begin behind the rows at the place that stands in place of the
    /// index: how many, and two words for each.
    UsageNumbers,
    /// Its id is the JSON of the path. One more where it is done, and two where its text is the JSON of a value, four
    /// where it is to be appended. It has no index where it is of the text of the answer.
    Json,
}

/// No index.
const NO_INDEX: u32 = u32::MAX;

/// Where JavaScript finds the deltas: the ids and texts of all rows, one after the other; the address of the rows. A
/// row is five numbers: what it is, its choice, its index, and how many code units its id and its text have.
#[repr(C)]
struct Letter {
    text: Layout,
    rows: usize,
}

static LETTER: Shared<Letter> = Shared::new(Letter { text: [0; 5], rows: 0 });
static ROWS: Shared<Vec<u32>> = Shared::new(Vec::new());
static TEXT: Shared<String> = Shared::new(String::new());
static UNITS: Shared<Vec<u8>> = Shared::new(Vec::new());
static NUMBERS: Shared<Vec<u32>> = Shared::new(Vec::new());

/// In place of a number of deltas: there is one, of the first choice, which is nothing but text. Plus what it is.
const ONLY_TEXT: u32 = 0xffff_fff0;

/// Room for so much is kept.
const KEPT_BYTES: usize = 1 << 16;

/// Where it is told in memory where the deltas are.
#[wasm_bindgen(js_name = outbox)]
pub fn outbox() -> usize {
    LETTER.address()
}

/// Puts deltas where JavaScript takes them; how many there are, or [`ONLY_TEXT`].
pub(super) fn send(deltas: &[Delta]) -> u32 {
    if deltas.is_empty() {
        return 0;
    }
    let (mut rows, mut text, mut units) =
        (ROWS.replace(Vec::new()), TEXT.replace(String::new()), UNITS.replace(Vec::new()));
    rows.clear();
    text.clear();
    if text.capacity() > KEPT_BYTES {
        (rows, text, units) = (Vec::new(), String::new(), Vec::new());
    }
    let only = if let [delta] = deltas { added_text(delta) } else { None };
    let mut count = deltas.len() as u32;
    match only {
        Some(Added { row, text: added, choice: 0, index: None, .. }) => {
            text.push_str(added);
            count = ONLY_TEXT + row as u32;
        }
        _ => {
            let mut numbers = NUMBERS.replace(Vec::new());
            numbers.clear();
            for delta in deltas {
                add_row(delta, &mut rows, &mut text, &mut numbers);
            }
            rows.extend_from_slice(&numbers);
            NUMBERS.give_back(numbers);
        }
    }
    LETTER.replace(Letter { text: lay_out(text.as_bytes(), &mut units), rows: rows.as_ptr() as usize });
    ROWS.give_back(rows);
    TEXT.give_back(text);
    UNITS.give_back(units);
    count
}

/// A delta that is nothing but more of a text.
pub(super) struct Added<'d> {
    pub(super) row: Row,
    pub(super) text: &'d str,
    choice: u32,
    /// That of a call, and its id.
    index: Option<u32>,
    id: &'d str,
}

pub(super) fn added_text(delta: &Delta) -> Option<Added<'_>> {
    let (row, text, choice) = match delta {
        Delta::Text { text, choice } => (Row::Text, text, choice),
        Delta::Reasoning { text, choice } => (Row::Reasoning, text, choice),
        Delta::Refusal { text, choice } => (Row::Refusal, text, choice),
        Delta::ToolCallDelta { arguments, choice, .. } => (Row::ToolCallDelta, arguments, choice),
        _ => return None,
    };
    let (index, id) = match delta {
        Delta::ToolCallDelta { index, id, .. } => (Some(*index), &**id),
        _ => (None, ""),
    };
    Some(Added { row, text, choice: *choice, index, id })
}

fn add_row(delta: &Delta, rows: &mut Vec<u32>, text: &mut String, numbers: &mut Vec<u32>) {
    if let Delta::Json { index, path, value, append, done, choice } = delta {
        let added = value.as_ref().map(RawJson::get).or(append.as_deref()).unwrap_or_default();
        let before = text.len();
        path.write_json(text);
        let path = code_units(text.get(before..).unwrap_or_default());
        text.push_str(added);
        let bits = u32::from(*done) | u32::from(value.is_some()) << 1 | u32::from(append.is_some()) << 2;
        let index = if let JsonIndex::Call(index) = index { *index } else { NO_INDEX };
        return rows.extend_from_slice(&[Row::Json as u32 + bits, *choice, index, path, code_units(added)]);
    }
    let Some(Added { row, text: added, choice, index, id }) = added_text(delta) else {
        let mut row = Row::Other;
        if let Delta::Usage { usage } = delta {
            let place = numbers.len();
            numbers.push(0);
            match compare(usage, numbers) {
                Likeness::Numbers => {
                    let count = (numbers.len() - place) / 2;
                    if let Some(first) = numbers.get_mut(place) {
                        *first = count as u32;
                    }
                    return rows.extend_from_slice(&[Row::UsageNumbers as u32, 0, place as u32, 0, 0]);
                }
                Likeness::Pattern => row = Row::UsagePattern,
                Likeness::None => {}
            }
        }
        let before = text.len();
        delta.write_json(text);
        let units = code_units(text.get(before..).unwrap_or_default());
        return rows.extend_from_slice(&[row as u32, 0, 0, 0, units]);
    };
    text.push_str(id);
    text.push_str(added);
    rows.extend_from_slice(&[
        row as u32,
        choice,
        index.unwrap_or_default(),
        code_units(id),
        code_units(added),
    ]);
}

/// How long a text is in JavaScript: a code unit for each character, and one more for those of four bytes.
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

/// A value as JavaScript reads its JSON: what a provider sent is plain data, whatever its members are named.
pub(super) fn json_to_js<T: ToJson>(value: &T) -> JsValue {
    host::parse(&to_json(value))
}
