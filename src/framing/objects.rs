//! Finds objects in text that isn't JSON as a whole.

use memchr::memchr;

use crate::json::{Progress, ProgressState, find};

/// Whether the text is exactly one complete object.
pub(super) fn is_object(progress: &mut Progress, text: &[u8]) -> bool {
    progress.restart();
    text.trim_ascii_start().starts_with(b"{") && {
        progress.push_bytes(text);
        progress.state() == ProgressState::Complete
    }
}

/// Splits text into its complete objects, one or several to a line, and the pieces between them. Consecutive lines
/// without a complete object form one piece. Returns an empty list if there is no object, or if the text is exactly
/// one.
///
/// Some servers send events without an empty line between them, or several chunks in one event
/// (<https://github.com/openai/openai-python/issues/663>). Each byte is scanned once.
pub(crate) fn split_objects(text: &str) -> Vec<&str> {
    let mut progress = Progress::lenient(text.len());
    let mut pieces = Vec::new();
    let mut has_object = false;
    // The start of the current piece without an object.
    let mut start = 0;
    let mut end = 0;
    while let Some(others) = text.get(end..).filter(|others| !others.is_empty()) {
        let length = memchr(b'\n', others.as_bytes()).map_or(others.len(), |at| at + 1);
        let line = others.get(..length).unwrap_or_default();
        let mut rest = line;
        while let Some(length) = first_object(&mut progress, rest) {
            let from = end + line.len() - rest.len();
            push(&mut pieces, text.get(start..from));
            push(&mut pieces, rest.get(..length));
            has_object = true;
            rest = skip_separator(rest.get(length..).unwrap_or_default());
            start = end + line.len() - rest.len();
        }
        end += line.len();
    }
    push(&mut pieces, text.get(start..));
    if has_object && pieces != [text] { pieces } else { Vec::new() }
}

/// Maximum number of marks that are tried.
const MAX_MARKS: usize = 8;

/// Splits a truncated event from those that follow it on the same line, `{"id":"c","cho data: {"id":"d"}`, or on the
/// next one. Returns an empty list unless the text ends with complete events after a mark.
///
/// Other text doesn't match: a mark inside a string is followed by the closing brackets of its own event.
pub(crate) fn split_glued_events(text: &str) -> Vec<&str> {
    let mut from = 0;
    for _ in 0..MAX_MARKS {
        let marks = [MARK, "\n{"].into_iter().filter_map(|mark| Some((find(text, mark, from)?, mark)));
        let Some((mark, found)) = marks.min() else { break };
        from = mark + if found == MARK { MARK.len() } else { 1 };
        let rest = text.get(from..).unwrap_or_default().trim_ascii_end().trim_start_matches([' ', '\t']);
        if !rest.starts_with('{') {
            continue;
        }
        let events = split(rest);
        if events
            .iter()
            .all(|event| *event == "[DONE]" || is_object(&mut Progress::new(MAX_DEPTH), event.as_bytes()))
        {
            let mut pieces = split(text.get(..mark).unwrap_or_default().trim_ascii());
            pieces.extend(events);
            return pieces;
        }
    }
    Vec::new()
}

/// Maximum depth of the events after a mark.
const MAX_DEPTH: usize = 512;

/// The beginning of an event.
const MARK: &str = "data:";

/// Returns the objects in a text and the pieces between them; the text itself if there are none.
fn split(text: &str) -> Vec<&str> {
    let pieces = split_objects(text);
    if pieces.is_empty() && !text.is_empty() { vec![text] } else { pieces }
}

/// Returns the length of the object that the line begins with.
fn first_object(progress: &mut Progress, line: &str) -> Option<usize> {
    let space = line.len() - line.trim_ascii_start().len();
    let text = line.get(space..).filter(|text| text.starts_with('{'))?;
    progress.restart();
    let length = progress.push_until_end(text.as_bytes())?;
    (progress.state() == ProgressState::Complete).then_some(space + length)
}

/// Skips the separator between two objects on a line.
fn skip_separator(rest: &str) -> &str {
    let separator = rest.bytes().position(|byte| !matches!(byte, b' ' | b'\t' | b','));
    let rest = rest.get(separator.unwrap_or(rest.len())..).unwrap_or_default();
    rest.strip_prefix("data:").unwrap_or(rest)
}

fn push<'t>(pieces: &mut Vec<&'t str>, piece: Option<&'t str>) {
    pieces.extend(piece.map(str::trim_ascii).filter(|piece| !piece.is_empty()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_an_event_that_is_cut_off_from_the_next_one() {
        let event = r#"{"id":"c","choices":[{"delta":{"content":"say data: or so"}}]}"#;
        let next = r#"{"id":"d","choices":[{"delta":{"content":"data: {\"a\":1}"}}]}"#;
        for cut in 1..event.len() {
            let text = format!("{}data: {next}", &event[..cut]);
            assert_eq!(split_glued_events(&text), [event[..cut].trim(), next], "{text}");
            let text = format!("{}\n{next}", &event[..cut]);
            assert_eq!(split_glued_events(&text), [event[..cut].trim(), next], "{text}");
            let text = format!("{}data: {next} data: [DONE]", &event[..cut]);
            assert_eq!(split_glued_events(&text), [event[..cut].trim(), next, "[DONE]"], "{text}");
        }
        for text in [event, next, "{\"a\":\"data: {}\nb\"}", "data: {", "x data: y"] {
            assert!(split_glued_events(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn splits_text_into_objects_and_the_pieces_between() {
        let table: &[(&str, &[&str])] = &[
            ("", &[]),
            ("x", &[]),
            ("{\n{\n", &[]),
            ("{}", &[]),
            ("{},", &["{}"]),
            ("{\"a\":1}{\"b\":\"}\"} {}", &["{\"a\":1}", "{\"b\":\"}\"}", "{}"]),
            ("{},{}data: {}\n", &["{}", "{}", "{}"]),
            ("{\"a\":\n{}\n", &["{\"a\":", "{}"]),
            ("a\nb\n {} c\nd\n{}", &["a\nb", "{}", "c\nd", "{}"]),
            ("{} [DONE]\n", &["{}", "[DONE]"]),
        ];
        for (text, pieces) in table {
            assert_eq!(split_objects(text), *pieces, "{text:?}");
        }
    }
}
