//! Plain-text arguments of a call, collected until the call ends.

use super::schema;
use super::tools::{Tool, member};
use crate::json::{Document, Object, RawJson, Value};
use crate::save::state;

/// Names of arguments with which some models wrap all others.
const WRAPPERS: [&str; 4] = ["arguments", "parameters", "input", "properties"];

/// Arguments so far, without duplicate names.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    members: Object,
    count: usize,
    /// JSON of the only argument, if it is a wrapper that contains an object.
    wrapped: Option<String>,
}

state! { struct Arguments { members, count, wrapped } }

impl Arguments {
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.members.get(name).is_some()
    }

    /// Adds an argument; the last value of a name wins.
    pub(crate) fn put(&mut self, name: &str, json: String, text: &str, tool: Option<&Tool>) {
        self.count += 1;
        let is_wrapper = self.count == 1 && is_wrapper(name, tool);
        self.wrapped =
            is_wrapper.then(|| schema::literal(text)).flatten().filter(|json| json.starts_with('{'));
        self.members.set(name, RawJson::valid(json));
    }

    /// Returns the arguments as a JSON object.
    pub(crate) fn to_json(&self) -> String {
        match &self.wrapped {
            Some(inner) => inner.clone(),
            None => self.members.to_json(),
        }
    }

    /// Whether no argument contradicts the `enum` or `const` of its schema in `properties`.
    pub(crate) fn match_schema(&self, properties: Value<'_>) -> bool {
        properties.others(&[]).all(|(name, schema)| {
            let Some(given) = self.members.get(&name) else { return true };
            let mut allowed = schema.get_items("enum").chain(member(schema, "const")).peekable();
            allowed.peek().is_none() || allowed.any(|value| value.compact().as_deref() == Some(given.get()))
        })
    }

    /// Whether all arguments that the tool requires are present.
    pub(crate) fn has_required(&self, tool: &Tool) -> bool {
        let wrapped = self.wrapped.as_ref().and_then(|json| Document::parse(json, 512).ok());
        let has = |name: &str| match &wrapped {
            Some(wrapped) => member(wrapped.root(), name).is_some(),
            None => self.has(name),
        };
        tool.schema().as_ref().map(Document::root).is_none_or(|schema| {
            let mut required = schema.get_items("required").filter_map(Value::text);
            required.all(|name| has(&name))
        })
    }
}

/// Whether an argument of this name is a wrapper, which the tool doesn't declare.
pub(crate) fn is_wrapper(name: &str, tool: Option<&Tool>) -> bool {
    WRAPPERS.contains(&name) && !tool.is_some_and(|tool| tool.declares(name))
}
