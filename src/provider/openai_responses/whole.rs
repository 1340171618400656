//! Texts of whole items, compared with what was streamed.

use crate::json::Value;

/// The text of a message, or of a reasoning item.
pub(super) fn whole_text(item: Value<'_>) -> String {
    let text = thought_of(item, "content");
    if text.is_empty() { text_of(item, "summary") } else { text }
}

/// The text of a member of a reasoning item. Some servers write what should be its content as `text`.
pub(super) fn thought_of(item: Value<'_>, member: &'static str) -> String {
    let text = text_of(item, member);
    if text.is_empty() && member == "content" { text_of(item, "text") } else { text }
}

/// The refusal of a message.
pub(super) fn refusal_of(item: Value<'_>) -> String {
    item.get_items("content").filter_map(|part| part.get_text("refusal")).collect()
}

/// Shorter texts begin alike by accident.
const MIN_TELLING: usize = 8;

/// Whether it is no accident that a message begins with this text.
pub(super) fn is_telling(text: &str) -> bool {
    text.trim().len() >= MIN_TELLING
}

/// Between two parts of a summary, each of which is a paragraph, mostly with a heading.
pub(super) const GAP: &str = "\n\n";

/// Whether [`GAP`] belongs between the parts of a summary that aren't empty: some servers write it themselves.
pub(super) fn needs_gap(before: &str, after: &str) -> bool {
    !before.is_empty() && !before.ends_with('\n') && !after.starts_with('\n')
}

/// The text of a member: a string, or a list of parts, which are joined with nothing between, unless they are paragraphs
/// of a summary.
pub(super) fn text_of(item: Value<'_>, member: &'static str) -> String {
    let mut text = item.get_non_empty(member).unwrap_or_default().to_owned();
    for part in item.get_items(member) {
        let part = part.text().or_else(|| part.get_text("text")).unwrap_or_default();
        if member == "summary" && !part.is_empty() && needs_gap(&text, &part) {
            text.push_str(GAP);
        }
        text.push_str(&part);
    }
    text
}

/// Whether two texts differ only in white space: some gateways insert it between parts.
pub(super) fn is_same_text(left: &str, right: &str) -> bool {
    let visible =
        |text: &'_ str| text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect::<Vec<u8>>();
    visible(left) == visible(right)
}

/// Whether both items have a phase, and not the same: an answer may well begin like the comment before it.
pub(super) fn have_other_phases(one: Value<'_>, other: Value<'_>) -> bool {
    let phases = one.get_non_empty("phase").zip(other.get_non_empty("phase"));
    phases.is_some_and(|(one, other)| one != other)
}
