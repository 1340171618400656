//! Arguments of a call that are sent value by value, each with its path (Vertex AI), written as JSON text that grows
//! with them.
//! <https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc>

use super::member;
use super::path::{Step, steps};
use crate::accumulator::{Builder, Place};
use crate::json::{Fragment, RawJson, ToJson, Value, to_json};
use crate::keyed::Keyed;
use crate::model::WarningCode;
use crate::provider::node::{Node, escaped};
use crate::save::state;

/// The arguments so far.
#[derive(Debug)]
pub(super) struct CallArguments {
    /// The arguments as a JSON value.
    node: Node,
    /// Path of the value that was written last. The objects and lists on it are still open.
    last_path: Vec<Step>,
    /// Whether that value is a string, which is closed when another value follows.
    is_string: bool,
    /// Whether more of that string will follow.
    is_in_string: bool,
    /// Members that are written at the end, because a value wasn't sent in the order of the text.
    late_members: Keyed<String, Node>,
}

state! { struct CallArguments { node, last_path, is_string, is_in_string, late_members } }

impl Default for CallArguments {
    fn default() -> Self {
        Self {
            node: Node::null(),
            last_path: Vec::new(),
            is_string: false,
            is_in_string: false,
            late_members: Keyed::new(),
        }
    }
}

/// Members of a piece that only continues or ends a value, or whose value is `null`.
const WITHOUT_VALUE: &[&str] =
    &["jsonPath", "json_path", "willContinue", "will_continue", "nullValue", "null_value"];

/// A piece of a string, or a whole value.
enum NewValue<'a> {
    Text(Fragment<'a>),
    Whole(RawJson),
}

impl CallArguments {
    /// Adds the `args` of a call that is sent in pieces. Each member is a complete value.
    pub(super) fn merge(&mut self, args: Value<'_>, place: Place, out: &mut Builder) {
        for (name, value) in args.others(&[]) {
            let Some(json) = value.compact() else { continue };
            if !self.node.has_member(&name) || to_json(self.node.member(&name)) != json {
                let path = vec![Step::Member(name.into_owned())];
                self.insert(path, NewValue::Whole(RawJson::valid(json)), place, out);
            }
        }
    }

    /// Adds an item of `partialArgs`. Returns whether it is understood.
    ///
    /// Pieces of a string have the same path, and `willContinue` except for the last one, which is often empty.
    pub(super) fn add(&mut self, piece: Value<'_>, place: Place, out: &mut Builder) -> bool {
        let path = member(piece, "jsonPath", "json_path").and_then(Value::text);
        let Some(path) = path.as_deref().and_then(steps) else { return false };
        let will_continue =
            member(piece, "willContinue", "will_continue").and_then(Value::boolean) == Some(true);
        let number = || member(piece, "numberValue", "number_value");
        let value = number().or_else(|| member(piece, "boolValue", "bool_value")).and_then(Value::raw);
        let text = member(piece, "stringValue", "string_value").and_then(Value::scalar_fragment);
        if text.is_none() && value.is_none() && piece.has_others(WITHOUT_VALUE) {
            return false;
        }
        if let Some(text) = text {
            self.insert(path, NewValue::Text(text), place, out);
        } else if value.is_some() || path != self.last_path && !will_continue {
            self.insert(path, NewValue::Whole(value.unwrap_or_else(RawJson::null)), place, out);
        }
        self.is_in_string = self.is_string && will_continue;
        true
    }

    /// Stores a value at its path, and writes it if the text can continue with it.
    fn insert(&mut self, path: Vec<Step>, given: NewValue<'_>, place: Place, out: &mut Builder) {
        let shared = self.last_path.iter().zip(&path).take_while(|(known, step)| known == step).count();
        let is_text = matches!(given, NewValue::Text(_));
        let continues = path == self.last_path && self.is_string && is_text;
        let Some(Step::Member(root)) = path.first() else { return };
        let is_known = self.node.has_member(root);
        let mut follows = continues || self.is_next_in_text(shared, &path);
        let mut node = &mut self.node;
        for (depth, step) in path.iter().enumerate() {
            node = match step {
                Step::Member(name) => {
                    follows &= depth != shared || !node.has_member(name);
                    node.member(name)
                }
                Step::Item(index) => node.item(*index),
            };
        }
        let piece = match given {
            NewValue::Text(text) => {
                if node.is_empty() {
                    node.set_text("");
                }
                node.push(&text);
                escaped(&text)
            }
            NewValue::Whole(value) => {
                let text = value.get().to_owned().into();
                node.set(value);
                Fragment { text, ..Fragment::default() }
            }
        };
        if self.late_members.get(root).is_some() {
            return;
        }
        if !follows {
            if is_known {
                let message = "A value of a tool call's arguments arrived out of order; its member comes again at the end";
                out.warn(WarningCode::OutOfOrder, message.to_owned());
            }
            self.late_members.entry(root, Node::null);
            return;
        }
        if continues {
            return out.push_arguments(place, &piece);
        }
        let mut json = String::new();
        self.open(shared, &path, &mut json);
        if is_text {
            json.push('"');
        }
        if piece.lead.is_some() {
            json.push(char::REPLACEMENT_CHARACTER); // its high surrogate isn't in this string
        }
        json.push_str(&piece.text);
        out.push_arguments(place, &Fragment { lead: None, text: json.into(), trail: piece.trail });
        (self.last_path, self.is_string) = (path, is_text);
    }

    /// Whether a path can be next in the text, according to its indices. `shared` is the number of steps that it shares
    /// with the last path.
    fn is_next_in_text(&self, shared: usize, path: &[Step]) -> bool {
        let is_next = match (path.get(shared), self.last_path.get(shared)) {
            (Some(Step::Member(_)), Some(Step::Member(_))) => true,
            (Some(Step::Item(index)), Some(Step::Item(last))) => last.checked_add(1) == Some(*index),
            (Some(Step::Member(_)), None) => self.last_path.is_empty(),
            _ => false,
        };
        is_next && path.iter().skip(shared + 1).all(|step| matches!(step, Step::Member(_) | Step::Item(0)))
    }

    /// Closes the objects and lists that aren't on the path, and opens those that are.
    fn open(&self, shared: usize, path: &[Step], json: &mut String) {
        let is_first = self.last_path.is_empty();
        if !is_first {
            self.close(shared, json);
            json.push(',');
        }
        for (depth, step) in path.iter().enumerate().skip(shared) {
            let is_new = is_first || depth > shared;
            match step {
                Step::Member(name) => {
                    json.push_str(if is_new { "{" } else { "" });
                    name.write_json(json);
                    json.push(':');
                }
                Step::Item(_) => json.push_str(if is_new { "[" } else { "" }),
            }
        }
    }

    /// Closes the last value, and the objects and lists around it, down to this number of steps.
    fn close(&self, shared: usize, json: &mut String) {
        if self.is_string {
            json.push('"');
        }
        for step in self.last_path.iter().skip(shared + 1).rev() {
            json.push(if matches!(step, Step::Member(_)) { '}' } else { ']' });
        }
    }

    /// Writes the rest. Arguments that were cut off aren't closed.
    pub(super) fn end(&mut self, is_cut: bool, place: Place, out: &mut Builder) {
        let mut json = String::new();
        for (name, _) in std::mem::take(&mut self.late_members).into_entries() {
            let path = vec![Step::Member(name.clone())];
            self.open(0, &path, &mut json);
            self.node.member(&name).write_json(&mut json);
            (self.last_path, self.is_string) = (path, false);
        }
        if is_cut {
            json.push_str(if self.is_string && !self.is_in_string { "\"" } else { "" });
        } else if !self.last_path.is_empty() {
            self.close(0, &mut json);
            json.push('}');
        }
        out.push_arguments(place, &Fragment::from(&*json));
    }
}
