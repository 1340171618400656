//! Paths of values in arguments.

use memchr::{memchr, memchr2};

use crate::json::string_of;
use crate::save::state;

/// Maximum number of steps in a path; deeper values are skipped.
const MAX_STEPS: usize = 64;

/// A step of a path.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    Member(String),
    Item(u64),
}

state! { enum Step { 0 Member(name), 1 Item(index) } }

/// Parses a path like `$.operations[1].price` or `$['a b']`. Returns `None` if it is invalid or has no steps.
/// <https://www.rfc-editor.org/rfc/rfc9535>
pub(super) fn steps(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if steps.len() >= MAX_STEPS {
            return None;
        }
        if let Some(after) = rest.strip_prefix('.') {
            let end = memchr2(b'.', b'[', after.as_bytes()).unwrap_or(after.len());
            let (name, next) = after.split_at_checked(end)?;
            if name.is_empty() {
                return None;
            }
            steps.push(Step::Member(name.to_owned()));
            rest = next;
        } else {
            let inside = rest.strip_prefix('[')?.trim_ascii_start();
            let (step, next) = if let Some(quote @ ('\'' | '"')) = inside.chars().next() {
                let (name, next) = quoted(inside.get(1..)?, quote)?;
                (Step::Member(name), next)
            } else {
                let (index, next) = inside.split_at_checked(memchr(b']', inside.as_bytes())?)?;
                let index = index.trim_ascii_end().parse().ok().filter(|index| *index < 1 << 20)?;
                (Step::Item(index), next)
            };
            steps.push(step);
            rest = next.trim_ascii_start().strip_prefix(']')?;
        }
    }
    // The arguments are an object.
    matches!(steps.first(), Some(Step::Member(_))).then_some(steps)
}

/// Parses a name up to its closing quote, with the escapes of a JSON string. Returns the name and the rest of the text.
fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let mut json = String::from('"');
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => match characters.next()?.1 {
                '\'' => json.push('\''),
                escaped => json.extend(['\\', escaped]),
            },
            end if end == quote => {
                json.push('"');
                return Some((string_of(&json)?, text.get(at + 1..)?));
            }
            '"' => json.push_str("\\\""),
            other => json.push(other),
        }
    }
    None
}
