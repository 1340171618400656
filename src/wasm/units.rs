//! Lays out text for JavaScript in the form that engines read fastest. Except for ASCII, that isn't UTF-8: decoding it
//! takes them longer than it took to read the stream.

use crate::json::{byte, chunk};

/// The encoding in which JavaScript reads a text: see `readUnits` in js/memory.js.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Form {
    /// The text's own bytes, which are ASCII.
    Ascii,
    /// One byte for each character.
    Latin1,
    /// Two bytes for each code unit.
    Utf16,
}

/// Where JavaScript finds a text.
pub(super) struct Layout {
    pub(super) address: usize,
    pub(super) length: usize,
    pub(super) form: Form,
    /// Address of the code units if the text isn't ASCII, and their size in bytes.
    pub(super) units: usize,
    pub(super) size: usize,
}

impl Layout {
    pub(super) fn is_ascii(&self) -> bool {
        self.form == Form::Ascii
    }
}

/// Number of bytes processed at once.
const WIDTH: usize = 16;

/// At most one character in this number of bytes is escaped.
const BYTES_OF_ESCAPE: usize = 64;

/// Length of the escape of a code unit, in bytes.
const ESCAPE: usize = 6;

/// Lays out a UTF-8 text. `units` is the buffer for code units.
#[inline]
pub(super) fn lay_out(text: &[u8], units: &mut Vec<u8>) -> Layout {
    let (form, size) = if text.is_ascii() { (Form::Ascii, 0) } else { widen(text, units) };
    Layout { address: text.as_ptr() as usize, length: text.len(), form, units: units.as_ptr() as usize, size }
}

/// Lays out JSON text. If only a few characters aren't ASCII, they are escaped, as engines parse one byte for each
/// character faster.
pub(super) fn lay_out_json(json: &[u8], units: &mut Vec<u8>) -> Layout {
    if json.is_ascii() || !escape(json, units) {
        return lay_out(json, units);
    }
    Layout { address: units.as_ptr() as usize, length: units.len(), form: Form::Ascii, units: 0, size: 0 }
}

/// Writes JSON as ASCII. Gives up and returns `false` if too many characters have to be escaped.
fn escape(json: &[u8], ascii: &mut Vec<u8>) -> bool {
    let most = json.len() / BYTES_OF_ESCAPE;
    ascii.clear();
    ascii.reserve(json.len() + 2 * ESCAPE * most);
    let (mut at, mut escapes) = (0, 0);
    while at < json.len() {
        while let Some(bytes) = chunk::<WIDTH>(json, at).filter(|bytes| bytes.is_ascii()) {
            ascii.extend_from_slice(&bytes);
            at += WIDTH;
        }
        let end = json.len().min(at + WIDTH);
        while at < end {
            let (character, length) = decode(json, at);
            at += length;
            if character < 0x80 {
                ascii.push(character as u8);
                continue;
            }
            escapes += 1;
            if escapes > most {
                return false;
            }
            for unit in char::from_u32(character).unwrap_or_default().encode_utf16(&mut [0; 2]) {
                push_escape(*unit, ascii);
            }
        }
    }
    true
}

#[inline(never)]
fn push_escape(unit: u16, ascii: &mut Vec<u8>) {
    ascii.extend_from_slice(b"\\u");
    for shift in [12, 8, 4, 0] {
        ascii.push(byte(b"0123456789abcdef", usize::from(unit >> shift & 0xf)));
    }
}

/// Converts UTF-8 to code units. Returns their form and size in bytes.
fn widen(bytes: &[u8], units: &mut Vec<u8>) -> (Form, usize) {
    if units.len() < bytes.len() * 2 {
        *units = vec![0; bytes.len() * 2];
    }
    let (mut at, mut to, mut seen) = (0, 0, 0);
    while at < bytes.len() {
        while let Some(ascii) = chunk::<WIDTH>(bytes, at).and_then(wide)
            && let Some(place) = units.get_mut(to..).and_then(<[u8]>::first_chunk_mut)
        {
            *place = ascii;
            (at, to) = (at + WIDTH, to + 2 * WIDTH);
        }
        let end = bytes.len().min(at + WIDTH);
        while at < end {
            let (character, length) = decode(bytes, at);
            at += length;
            // If a character has two units, neither of them fits Latin-1.
            let (first, second) = match character.checked_sub(0x1_0000) {
                Some(rest) => (0xd800 | rest >> 10, Some(0xdc00 | rest & 0x3ff)),
                None => (character, None),
            };
            seen |= first;
            for unit in [Some(first), second].into_iter().flatten() {
                if let Some(place) = units.get_mut(to..).and_then(<[u8]>::first_chunk_mut) {
                    *place = (unit as u16).to_le_bytes();
                }
                to += 2;
            }
        }
    }
    if seen > 0xff {
        return (Form::Utf16, to);
    }
    for at in 0..to / 2 {
        let low = byte(units, at * 2);
        if let Some(place) = units.get_mut(at) {
            *place = low;
        }
    }
    (Form::Latin1, to / 2)
}

/// Decodes the character of valid UTF-8 at `at`, and returns it with its length in bytes.
fn decode(bytes: &[u8], at: usize) -> (u32, usize) {
    let first = u32::from(byte(bytes, at));
    let more = |n: usize| u32::from(byte(bytes, at + n) & 0x3f);
    match first {
        0..=0x7f => (first, 1),
        0x80..=0xdf => ((first & 0x1f) << 6 | more(1), 2),
        0xe0..=0xef => ((first & 0xf) << 12 | more(1) << 6 | more(2), 3),
        _ => ((first & 7) << 18 | more(1) << 12 | more(2) << 6 | more(3), 4),
    }
}

/// Widens bytes to code units if all are ASCII.
#[cfg(not(target_feature = "simd128"))]
fn wide(_: [u8; WIDTH]) -> Option<[u8; 2 * WIDTH]> {
    None // the caller converts one by one
}

/// Widens bytes to code units if all are ASCII.
#[cfg(target_feature = "simd128")]
fn wide(bytes: [u8; WIDTH]) -> Option<[u8; 2 * WIDTH]> {
    use std::arch::wasm32::{
        i8x16_bitmask, u16x8_extend_high_u8x16, u16x8_extend_low_u8x16, u64x2, u64x2_extract_lane, v128,
    };
    let both = u128::from_le_bytes(bytes);
    let bytes = u64x2(both as u64, (both >> 64) as u64);
    if i8x16_bitmask(bytes) != 0 {
        return None;
    }
    let number = |half: v128| {
        u128::from(u64x2_extract_lane::<0>(half)) | u128::from(u64x2_extract_lane::<1>(half)) << 64
    };
    let mut wide = [0; 2 * WIDTH];
    let (low, high) = wide.split_at_mut(WIDTH);
    low.copy_from_slice(&number(u16x8_extend_low_u8x16(bytes)).to_le_bytes());
    high.copy_from_slice(&number(u16x8_extend_high_u8x16(bytes)).to_le_bytes());
    Some(wide)
}
