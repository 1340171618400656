//! A result whose long texts and lists are [handed over](crate::json::handover).

use crate::json::handover::{Tails, hand_over};
use crate::json::{ToJson, to_json};
use crate::model::{MessageContent, StreamResult};

/// Makes a result whose long texts and lists are handed over; `marks` counts their marks. Returns the result as JSON,
/// and the additions since the last time. `text` and `usage` are `null` if they equal those of the response: writing
/// and parsing them twice would take a third of the time.
pub(crate) fn hand_over_result(
    nonce: &str,
    min_bytes: usize,
    marks: &mut u32,
    make: impl FnOnce() -> StreamResult,
) -> (String, Tails) {
    let (result, tails) = hand_over(nonce, min_bytes, marks, make);
    (to_json(&Handed(&result)), tails)
}

/// A result without duplicate members.
struct Handed<'r>(&'r StreamResult);

impl ToJson for Handed<'_> {
    fn write_json(&self, out: &mut String) {
        let StreamResult { text, usage, response, .. } = self.0;
        let is_message = matches!(&response.message, Some(MessageContent::Text(message)) if message == text);
        let has_usage = usage.is_some() && *usage == response.usage;
        self.0.write_without(is_message, has_usage, out);
    }
}
