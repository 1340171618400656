//! JSON text in its shortest usual form.

use std::borrow::Cow;

use crate::json::progress::is_space;
use crate::json::string::{Escape, end_of_plain, read_escape};
use crate::json::write::{push_escape, push_unit};

/// Writes valid JSON text as JavaScript's `JSON.stringify` writes its value: no white space, and only the escapes that
/// are required. Unlike there, numbers and duplicate members stay as they are written.
///
/// A text in this form already isn't copied. Text that isn't valid JSON is returned in an unspecified form.
///
/// ```
/// use respool::json::compact;
///
/// assert_eq!(compact(r#"{ "a\/b": [1.0, "\u00e9\u001F"] }"#), r#"{"a/b":[1.0,"é\u001f"]}"#);
/// ```
pub fn compact(valid: &str) -> Cow<'_, str> {
    let mut writer = Writer { text: valid, kept: 0, out: String::new() };
    let bytes = valid.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at = match byte {
            b' ' | b'\n' | b'\r' | b'\t' => writer.replace(at, after_space(bytes, at), ""),
            b'"' => writer.string(at),
            _ => at + 1,
        };
    }
    writer.finish()
}

fn after_space(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| is_space(**byte)).count()
}

/// Copies a text with replacements, and only if there are any.
struct Writer<'t> {
    text: &'t str,
    /// Start of the text that is neither copied nor replaced yet.
    kept: usize,
    out: String,
}

impl<'t> Writer<'t> {
    /// Replaces the text from `start` to `end` if it differs; returns `end`.
    fn replace(&mut self, start: usize, end: usize, replacement: &str) -> usize {
        if self.text.get(start..end) != Some(replacement) {
            self.out.push_str(self.text.get(self.kept..start).unwrap_or_default());
            self.out.push_str(replacement);
            self.kept = end;
        }
        end
    }

    /// Reads the string at `start`, and returns its end.
    fn string(&mut self, start: usize) -> usize {
        let mut escape = String::new();
        let mut at = start + 1;
        loop {
            at = end_of_plain(self.text.as_bytes(), at);
            if self.text.as_bytes().get(at) != Some(&b'\\') {
                return at + 1;
            }
            let (meaning, end) = read_escape(self.text, at);
            write_escape(meaning, &mut escape);
            at = self.replace(at, end, &escape);
        }
    }

    fn finish(mut self) -> Cow<'t, str> {
        let rest = self.text.get(self.kept..).unwrap_or_default();
        // If all of it was white space, `out` is empty too, but then `kept` has moved.
        if self.kept == 0 {
            return Cow::Borrowed(self.text);
        }
        self.out.push_str(rest);
        Cow::Owned(self.out)
    }
}

/// Writes the meaning of an escape in its shortest form.
fn write_escape(meaning: Escape, out: &mut String) {
    out.clear();
    match meaning {
        Escape::Char(character @ ('"' | '\\' | '\0'..='\u{1f}')) => push_escape(character as u8, out),
        Escape::Char(other) => out.push(other),
        Escape::LoneSurrogate(unit) => push_unit(unit, out),
    }
}
