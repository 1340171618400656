//! Lines that differ from the previous one only in a piece of text.

use super::reader::{reasoning_place, text_place};
use crate::json::{Kind, Value};
use crate::provider::{Growing, Repeat, Shape, Target};

const fn shape(path: &'static [&'static str]) -> Shape {
    Shape { path, ignored: &["created_at"], usage: None }
}

/// Members of a line whose text may be repeated.
const KNOWN: &[&str] = &["model", "created_at", "message", "response", "thinking", "done"];

/// Paths of the text, and what it extends.
static SHAPES: [(Shape, Growing); 4] = [
    (shape(&["message", "content"]), Growing::Text),
    (shape(&["message", "thinking"]), Growing::Reasoning),
    (shape(&["response"]), Growing::Text),
    (shape(&["thinking"]), Growing::Reasoning),
];

/// Returns how the line that was read last can be repeated with another text.
pub(super) fn repeatable(line: Value<'_>) -> Option<Repeat> {
    let is_open = line.get("done").and_then(Value::boolean) == Some(false);
    let is_plain =
        line.get("message").is_none_or(|message| message.has_only(&["role", "content", "thinking"]));
    if !is_open || !is_plain || !line.has_only(KNOWN) {
        return None;
    }
    // Values other than strings can have content, too.
    let has_content = |value: Value<'_>| value.kind() != Kind::Null && !value.is("");
    let mut texts = SHAPES.iter().filter(|(shape, _)| shape.text_of(line).is_some_and(has_content));
    let (shape, growing) = texts.next().filter(|_| texts.next().is_none())?;
    shape.text_of(line)?.non_empty()?;
    let place = if *growing == Growing::Text { text_place() } else { reasoning_place() };
    Some(Repeat { shape, target: Target::new(place, *growing), is_alone: true })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    #[test]
    fn a_line_with_two_texts_is_read_each_time() {
        let is_repeatable = |beside: &str| {
            let line = format!(r#"{{{beside}"message":{{"content":"","thinking":"a"}},"done":false}}"#);
            repeatable(Document::parse(&line, 8).unwrap().root()).is_some()
        };
        assert!(
            is_repeatable("") && is_repeatable(r#""thinking":"","#) && is_repeatable(r#""thinking":null,"#)
        );
        for beside in [r#""thinking":"b","#, r#""thinking":{"content":"b"},"#, r#""response":["b"],"#] {
            assert!(!is_repeatable(beside), "{beside}");
        }
    }
}
