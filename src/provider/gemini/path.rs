//! Paths to the values of arguments.

use memchr::{memchr, memchr2};

use crate::save::state;

/// How deeply arguments may be nested; what is deeper isn't put anywhere.
const MAX_STEPS: usize = 64;

/// A step of a path.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    Member(String),
    Item(u64),
}

state! { enum Step { 0 Member(name), 1 Item(index) } }

/// The steps of a path like `$.operations[1].price` or `$['a b']`. `None` where it is none, or has no steps.
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
        } else if let Some(quote @ ('\'' | '"')) = rest.strip_prefix('[')?.chars().next() {
            let (name, next) = quoted(rest.get(2..)?, quote)?;
            steps.push(Step::Member(name));
            rest = next.strip_prefix(']')?;
        } else {
            let end = memchr(b']', rest.as_bytes())?;
            let index = rest.get(1..end)?.parse().ok().filter(|index| *index < 1 << 20)?;
            steps.push(Step::Item(index));
            rest = rest.get(end + 1..)?;
        }
    }
    // Arguments are an object.
    matches!(steps.first(), Some(Step::Member(_))).then_some(steps)
}

/// A name up to its closing quote, in which a backslash makes the next character stand for itself; and what follows.
fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => name.push(characters.next()?.1),
            end if end == quote => return Some((name, text.get(at + end.len_utf8()..)?)),
            other => name.push(other),
        }
    }
    None
}
