//! Objects in text that isn't JSON as a whole.

use crate::json::{Progress, ProgressState};

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
pub(crate) fn objects_in(text: &str) -> Vec<&str> {
    let mut progress = Progress::lenient(text.len());
    let mut pieces = Vec::new();
    let mut has_object = false;
    // The start of the current piece without an object.
    let mut start = 0;
    let mut end = 0;
    for line in text.split_inclusive('\n') {
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

/// The length of the object that the line begins with.
fn first_object(progress: &mut Progress, line: &str) -> Option<usize> {
    let space = line.len() - line.trim_start().len();
    let text = line.get(space..).filter(|text| text.starts_with('{'))?;
    progress.restart();
    let length = progress.push_until_end(text.as_bytes())?;
    (progress.state() == ProgressState::Complete).then_some(space + length)
}

/// Skips the separator between two objects on a line.
fn skip_separator(rest: &str) -> &str {
    let rest = rest.trim_start_matches([' ', '\t', ',']);
    rest.strip_prefix("data:").unwrap_or(rest)
}

fn push<'t>(pieces: &mut Vec<&'t str>, piece: Option<&'t str>) {
    pieces.extend(piece.map(str::trim).filter(|piece| !piece.is_empty()));
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(objects_in(text), *pieces, "{text:?}");
        }
    }
}
