//! Arguments of a call that come value by value, each with its path (Vertex AI).
//! <https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc>

use super::member;
use crate::json::{Fragment, RawJson, ToJson, Value};
use crate::provider::node::Node;
use crate::save::state;

/// How deeply arguments may be nested; what is deeper isn't put anywhere.
const MAX_STEPS: usize = 64;

/// The arguments, as far as they have come.
#[derive(Debug)]
pub(super) struct CallArguments {
    node: Node,
    /// Whether more of the last string follows.
    is_in_string: bool,
}

state! { struct CallArguments { node, is_in_string } }

impl Default for CallArguments {
    fn default() -> Self {
        Self { node: Node::null(), is_in_string: false }
    }
}

impl CallArguments {
    /// Takes in `args` of a call that comes in pieces. Each member counts as a whole.
    pub(super) fn merge(&mut self, args: Value<'_>) {
        for (name, value) in args.others(&[]) {
            if let Some(json) = value.compact() {
                self.node.member(&name).set(RawJson::valid(json));
                self.is_in_string = false;
            }
        }
    }

    /// Takes in one of `partialArgs`. Answers whether its path was understood.
    ///
    /// A string comes in pieces with the same path, as long as they say `willContinue`; the last one is often empty.
    pub(super) fn add(&mut self, piece: Value<'_>) -> bool {
        let path = member(piece, "jsonPath", "json_path").and_then(Value::text);
        let Some(steps) = path.as_deref().and_then(steps) else { return false };
        let mut node = &mut self.node;
        for step in steps {
            node = match step {
                Step::Member(name) => node.member(&name),
                Step::Item(index) => node.item(index),
            };
        }
        if let Some(text) = member(piece, "stringValue", "string_value").and_then(Value::fragment) {
            if node.is_empty() {
                node.set_text("");
            }
            node.push(&Fragment::from(&*text.text));
            self.is_in_string =
                member(piece, "willContinue", "will_continue").and_then(Value::boolean) == Some(true);
        } else if let Some(value) = member(piece, "numberValue", "number_value")
            .or_else(|| member(piece, "boolValue", "bool_value"))
            .and_then(Value::raw)
        {
            node.set(value);
        }
        true
    }

    /// The JSON text of the arguments. If they were cut off, it has no end. `None` if nothing has come.
    pub(super) fn to_json(&self, is_cut: bool) -> Option<String> {
        let mut json = String::new();
        self.node.write_json(&mut json);
        if is_cut {
            json.truncate(json.trim_end_matches(['}', ']']).len());
            if self.is_in_string && json.ends_with('"') {
                json.pop();
            }
        }
        (json != "null").then_some(json)
    }
}

/// A step of a path.
enum Step {
    Member(String),
    Item(u64),
}

/// The steps of a path like `$.operations[1].price` or `$['a b']`. `None` where it is none, or has no steps.
/// <https://www.rfc-editor.org/rfc/rfc9535>
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if steps.len() >= MAX_STEPS {
            return None;
        }
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
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
            let (index, next) = rest.get(1..)?.split_once(']')?;
            steps.push(Step::Item(index.parse().ok().filter(|index| *index < 1 << 20)?));
            rest = next;
        }
    }
    (!steps.is_empty()).then_some(steps)
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
