//! A result whose long texts and lists are [handed over](crate::json::handover).

use crate::json::handover::{Tails, hand_over};
use crate::json::{ToJson, to_json};
use crate::model::{MessageContent, StreamResult};

/// Makes a result of which long texts and lists are handed over; `marks` is how many have a mark. Gives the result as
/// JSON, and what came since. Where the text or the usage is that of the response, `null` stands in its place: writing
/// and reading it once more would take a third of the time.
pub(crate) fn hand_over_result(
    nonce: &str,
    min_bytes: usize,
    marks: &mut u32,
    make: impl FnOnce() -> StreamResult,
) -> (String, Tails) {
    let (result, tails) = hand_over(nonce, min_bytes, marks, make);
    (to_json(&Handed(&result)), tails)
}

/// A result in which nothing stands twice.
struct Handed<'r>(&'r StreamResult);

impl ToJson for Handed<'_> {
    fn write_json(&self, out: &mut String) {
        let StreamResult { text, usage, response, .. } = self.0;
        let is_message = matches!(&response.message, Some(MessageContent::Text(message)) if message == text);
        let has_usage = usage.is_some() && *usage == response.usage;
        self.0.write_without(is_message, has_usage, out);
    }
}
