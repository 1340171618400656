//! An item as it came, with what has grown in it since.

use crate::accumulator::Channel;
use crate::json::{Document, Fragment, RawJson, ToJson, Value};

/// A JSON value, which is taken apart only where something in it grows.
#[derive(Debug)]
pub(in crate::provider) struct Node {
    form: Form,
    /// What is in an object or a list that is taken apart: a list is sorted.
    children: Vec<Child>,
}

#[derive(Debug)]
enum Form {
    Raw(RawJson),
    Text(Channel),
    Object,
    List,
}

#[derive(Debug)]
struct Child {
    /// The name of a member; empty in a list.
    name: String,
    /// The index in a list.
    index: u64,
    node: Node,
}

impl Node {
    /// As the provider sent it.
    pub(in crate::provider) fn raw(raw: RawJson) -> Self {
        Self { form: Form::Raw(raw), children: Vec::new() }
    }

    /// `null`, which becomes whatever is put in it.
    pub(in crate::provider) fn null() -> Self {
        Self::raw(RawJson::null())
    }

    /// Makes it this value.
    #[inline(never)]
    pub(in crate::provider) fn set(&mut self, raw: RawJson) {
        *self = Self::raw(raw);
    }

    /// Makes it this string.
    #[inline(never)]
    pub(in crate::provider) fn set_text(&mut self, text: &str) {
        self.set(RawJson::string(text));
    }

    /// The member of this name; a new one, `null`, where there is none.
    pub(in crate::provider) fn member(&mut self, name: &str) -> &mut Self {
        self.child(name, 0)
    }

    /// The item at this index; a new one, `null`, where there is none.
    pub(in crate::provider) fn item(&mut self, index: u64) -> &mut Self {
        self.child("", index)
    }

    /// Adds an item to a list.
    pub(in crate::provider) fn add(&mut self, raw: RawJson) {
        self.take_apart(true);
        let next = self.children.last().map_or(0, |last| last.index.saturating_add(1));
        self.item(next).set(raw);
    }

    /// More of a string.
    pub(in crate::provider) fn push(&mut self, piece: &Fragment<'_>) {
        if !matches!(self.form, Form::Text(_)) {
            let mut text = Channel::default();
            text.push(&Fragment::from(&*self.text()));
            self.form = Form::Text(text);
        }
        if let Form::Text(text) = &mut self.form {
            text.push(piece);
        }
    }

    /// The text of a string, as far as it has come.
    pub(in crate::provider) fn text(&self) -> std::borrow::Cow<'_, str> {
        match &self.form {
            Form::Text(text) => text.as_str().into(),
            Form::Raw(raw) if raw.get().starts_with('"') => {
                let text = Document::parse(raw.get(), 0)
                    .ok()
                    .and_then(|tape| Some(tape.root().text()?.into_owned()));
                text.unwrap_or_default().into()
            }
            _ => "".into(),
        }
    }

    /// Whether there is nothing in it.
    pub(in crate::provider) fn is_empty(&self) -> bool {
        match &self.form {
            Form::Raw(raw) => matches!(raw.get(), "null" | "\"\"" | "[]" | "{}"),
            Form::Text(text) => text.is_empty(),
            Form::Object | Form::List => self.children.is_empty(),
        }
    }

    /// The JSON text of an object up to a member that is empty yet and that comes in pieces: a string, or the
    /// first one of a list. `None` where there is no such member.
    pub(in crate::provider) fn up_to(&mut self, member: &str) -> Option<String> {
        self.take_apart(false);
        let mut json = String::from("{");
        for child in &self.children {
            child.name.write_json(&mut json);
            json.push(':');
            let start = json.len();
            child.node.write_json(&mut json);
            if child.name == member {
                let opening = match json.get(start..) {
                    Some("\"\"") => "\"",
                    Some("[]") => "[\"",
                    _ => return None,
                };
                json.truncate(start);
                json.push_str(opening);
                return Some(crate::json::compact(&json).into_owned());
            }
            json.push(',');
        }
        None
    }

    fn child(&mut self, name: &str, index: u64) -> &mut Self {
        let is_list = name.is_empty();
        self.take_apart(is_list);
        let found = self.children.iter().rposition(|child| child.index == index && child.name == name);
        let at = found.unwrap_or_else(|| {
            let at = self.children.partition_point(|child| child.index <= index);
            self.children.insert(at, Child { name: name.to_owned(), index, node: Self::null() });
            at
        });
        #[expect(clippy::indexing_slicing, reason = "it was found or inserted there")]
        &mut self.children[at].node
    }

    /// Makes it an object or a list. What is neither is replaced.
    fn take_apart(&mut self, is_list: bool) {
        let old = match &mut self.form {
            Form::Object | Form::List => return,
            form => std::mem::replace(form, if is_list { Form::List } else { Form::Object }),
        };
        let Form::Raw(raw) = old else { return };
        let Ok(tape) = Document::parse(raw.get(), usize::MAX) else { return };
        let mut keep = |name: String, index: u64, value: Value<'_>| {
            let node = Self::raw(value.raw().unwrap_or_else(RawJson::null));
            self.children.push(Child { name, index, node });
        };
        if is_list {
            for (index, value) in (0..).zip(tape.root().items()) {
                keep(String::new(), index, value);
            }
        } else {
            for (name, value) in tape.root().others(&[]) {
                keep(name.into_owned(), 0, value);
            }
        }
    }
}

impl ToJson for Node {
    fn write_json(&self, out: &mut String) {
        let (open, close) = match &self.form {
            Form::Raw(raw) => return out.push_str(raw.get()),
            Form::Text(text) => return text.shown().write_json(out),
            Form::Object => ('{', '}'),
            Form::List => ('[', ']'),
        };
        out.push(open);
        for (at, child) in self.children.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            if open == '{' {
                child.name.write_json(out);
                out.push(':');
            }
            child.node.write_json(out);
        }
        out.push(close);
    }
}
