//! Texts of whole items, compared with what was streamed.

use crate::json::Value;

/// The text of a message, or of a reasoning item.
pub(super) fn whole_text(item: Value<'_>) -> String {
    let text = text_of(item, "content");
    if text.is_empty() { text_of(item, "summary") } else { text }
}

/// The text of a member: a string, or a list of parts, which are joined with nothing between.
pub(super) fn text_of(item: Value<'_>, member: &'static str) -> String {
    let mut text = item.get_filled(member).unwrap_or_default().into_owned();
    for part in item.get_items(member) {
        text.push_str(&part.get_text("text").unwrap_or_default());
    }
    text
}

/// Whether two texts differ only in white space: some gateways insert it between parts.
pub(super) fn is_same_text(left: &str, right: &str) -> bool {
    let visible =
        |text: &'_ str| text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect::<Vec<u8>>();
    visible(left) == visible(right)
}
