//! OpenAI embeddings, and everything compatible with them.
//! <https://platform.openai.com/docs/api-reference/embeddings/object>
//!
//! A vector is an array of numbers, or, with `encoding_format: "base64"`, little-endian 32-bit floats in
//! base64.

use crate::error::{Error, ErrorCode, Result, quote};
use crate::json::Value;
use crate::model::{Vector, Vectors};
use crate::provider::base64_floats;

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
    let mut rows: Vec<Option<Vector>> = vec![None; items.len()];
    let mut misplaced = Vec::new();
    for (at, item) in items.into_iter().enumerate() {
        let row = item.get("embedding").and_then(read_vector).ok_or_else(|| {
            let text = item.compact().unwrap_or_default();
            let message = format!(
                "Expected `embedding` to be an array of numbers or base64-encoded 32-bit floats in data[{at}]: {}",
                quote(&text)
            );
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

fn read_vector(value: Value<'_>) -> Option<Vector> {
    // Numbers first: bytes of JavaScript are numbers, and text as well.
    match value.numbers() {
        Some(numbers) => Some(Vector::Numbers(numbers)),
        None => base64_floats::decode(&value.text()?).map(Vector::Floats),
    }
}
