//! Texts of complete items, and their comparison with streamed text.

use crate::collect::Collect;
use crate::json::{Field, Value};

/// Returns the text of a message or of a reasoning item.
pub(super) fn whole_text(item: Value<'_>) -> String {
    let text = reasoning_text(item, "content");
    if text.is_empty() { text_of(item, "summary") } else { text }
}

/// Returns the parts in a member of an item. In place of `content`, the answer of an app has `blocks`.
pub(super) fn parts_in<'a>(item: Value<'a>, member: &'static str) -> impl Iterator<Item = Value<'a>> {
    item.get(member).or_else(|| item.get("blocks")).items()
}

/// Returns the text of a member of a reasoning item. Some servers send its `content` as `text`.
pub(super) fn reasoning_text(item: Value<'_>, member: &'static str) -> String {
    let text = text_of(item, member);
    if text.is_empty() && member == "content" { text_of(item, "text") } else { text }
}

pub(super) fn refusal_of(item: Value<'_>) -> String {
    item.get_items("content").filter_map(|part| part.get_text("refusal")).collect_string()
}

/// Minimum length in bytes of a significant text: shorter texts may match by accident.
const MIN_SIGNIFICANT: usize = 8;

/// Whether this text is long enough that a message doesn't begin with it by accident.
pub(super) fn is_significant(text: &str) -> bool {
    text.trim().len() >= MIN_SIGNIFICANT
}

/// Separator between two parts of a summary, each of which is a paragraph, usually with a heading.
pub(super) const PARAGRAPH_BREAK: &str = "\n\n";

/// Whether [`PARAGRAPH_BREAK`] must be inserted between two parts of a summary: some servers send line breaks
/// themselves.
pub(super) fn needs_paragraph_break(before: &str, after: &str) -> bool {
    !before.is_empty() && !before.ends_with('\n') && !after.starts_with('\n')
}

/// Returns the text of a member: a string, or a list of parts. Parts are joined without a separator, those of a summary
/// with [`PARAGRAPH_BREAK`].
pub(super) fn text_of(item: Value<'_>, member: &'static str) -> String {
    let mut text = item.get_non_empty(member).unwrap_or_default().to_owned();
    for part in parts_in(item, member) {
        let part = part.text().or_else(|| part.get_text("text")).unwrap_or_default();
        if member == "summary" && !part.is_empty() && needs_paragraph_break(&text, &part) {
            text.push_str(PARAGRAPH_BREAK);
        }
        text.push_str(&part);
    }
    text
}

/// Whether two texts differ only in white space: some gateways insert it between parts.
pub(super) fn is_same_text(left: &str, right: &str) -> bool {
    let without_spaces =
        |text: &'_ str| text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect::<Vec<u8>>();
    without_spaces(left) == without_spaces(right)
}

/// Whether both items have a phase and the phases differ: a final answer may begin like the commentary before it.
pub(super) fn have_different_phases(one: Value<'_>, other: Value<'_>) -> bool {
    let phases = one.get_non_empty("phase").zip(other.get_non_empty("phase"));
    phases.is_some_and(|(one, other)| one != other)
}
