//! OpenAI embeddings, and everything compatible with them.
//! <https://platform.openai.com/docs/api-reference/embeddings/object>
//!
//! A vector is an array of numbers, or, with `encoding_format: "base64"`, little-endian 32-bit floats in
//! base64.

use crate::error::{Error, ErrorCode, Result};
use crate::json::Value;
use crate::model::Vectors;

/// Whether this is an answer with embeddings.
pub(super) fn is_body(body: Value<'_>) -> bool {
    let first = body.get("data").and_then(|data| data.items().next());
    first.is_some_and(|item| item.get("embedding").is_some())
}

/// The vectors of an answer, in the order of their `index`. An item without a fitting one takes a
/// place that is left.
///
/// # Errors
/// [`ErrorCode::EmptyResponse`] where there are none, [`ErrorCode::UnknownResponse`] where one is no vector.
pub fn read_embeddings(body: Value<'_>) -> Result<Vectors> {
    let items: Vec<Value<'_>> = body.get("data").map(|data| data.items().collect()).unwrap_or_default();
    if items.is_empty() {
        return Err(Error::new(ErrorCode::EmptyResponse, "Empty embedding response"));
    }
    let mut rows: Vec<Option<Vec<f64>>> = vec![None; items.len()];
    let mut misplaced = Vec::new();
    for (at, item) in items.into_iter().enumerate() {
        let row = item.get("embedding").and_then(read_vector).ok_or_else(|| {
            let message =
                format!("data[{at}].embedding is neither an array of numbers nor base64 of 32-bit floats");
            Error::new(ErrorCode::UnknownResponse, message)
        })?;
        let index = item.get_unsigned("index").and_then(|index| usize::try_from(index).ok());
        match rows.get_mut(index.unwrap_or(at)) {
            Some(place @ None) => *place = Some(row),
            _ => misplaced.push(row),
        }
    }
    let mut misplaced = misplaced.into_iter();
    Ok(Vectors { rows: rows.into_iter().filter_map(|row| row.or_else(|| misplaced.next())).collect() })
}

fn read_vector(value: Value<'_>) -> Option<Vec<f64>> {
    if let Some(text) = value.text() {
        return decode_base64_floats(&text);
    }
    value.is_array().then(|| value.items().map(Value::number).collect())?
}

/// Little-endian 32-bit floats out of base64, both alphabets, padded or not.
fn decode_base64_floats(text: &str) -> Option<Vec<f64>> {
    let mut floats = Vec::with_capacity(text.len() * 3 / 16);
    let mut bits = 0u32;
    let mut bit_count = 0u32;
    let mut word = [0u8; 4];
    let mut filled = 0usize;
    for byte in text.bytes().take_while(|byte| *byte != b'=') {
        bits = (bits << 6) | u32::from(sextet(byte)?);
        bit_count += 6;
        if bit_count >= 8 {
            bit_count -= 8;
            *word.get_mut(filled)? = (bits >> bit_count) as u8;
            filled += 1;
            if filled == word.len() {
                floats.push(f64::from(f32::from_le_bytes(word)));
                filled = 0;
            }
        }
    }
    let is_whole = filled == 0 && bit_count < 6;
    is_whole.then_some(floats)
}

fn sextet(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_floats() {
        assert_eq!(decode_base64_floats("AACAPwAAAMA=").unwrap(), [1.0, -2.0]);
        assert_eq!(decode_base64_floats("AACAPwAAAMA").unwrap(), [1.0, -2.0], "without padding");
        assert_eq!(decode_base64_floats("").unwrap(), [0.0; 0]);
        assert!(decode_base64_floats("AACA").is_none(), "three bytes are no float");
        assert!(decode_base64_floats("AAC?PwAA").is_none(), "not in the alphabet");
    }
}
