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
    make: impl FnOnce() -> (StreamResult, Option<String>),
) -> (String, Tails) {
    let ((result, status), tails) = hand_over(nonce, min_bytes, marks, make);
    (to_json(&Handed { result: &result, status: status.as_slice() }), tails)
}

/// A result in which nothing stands twice.
struct Handed<'r> {
    result: &'r StreamResult,
    /// What stands for the states of the calls, if it isn't those of the result.
    status: &'r [String],
}

impl ToJson for Handed<'_> {
    fn write_json(&self, out: &mut String) {
        let StreamResult { text, usage, response, .. } = self.result;
        let is_message = matches!(&response.message, Some(MessageContent::Text(message)) if message == text);
        let has_usage = usage.is_some() && *usage == response.usage;
        self.result.write_without(is_message, has_usage, self.status, out);
    }
}
