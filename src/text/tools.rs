//! The tools that a caller has declared.

use std::borrow::Cow;

use crate::json::{Document, Value};

/// How deep a tool's schema may be.
const MAX_DEPTH: usize = 128;

/// The tools that a caller has declared.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tools(Vec<Tool>);

/// A tool that can be called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// The JSON Schema of its arguments, as JSON text; empty where there is none.
    pub parameters: String,
}

impl Tools {
    /// Out of definitions as they are sent to providers: `{type: "function", function: {name, parameters}}`,
    /// `{type: "function", name, parameters}` or `{name, input_schema}`. Those without a name are left out.
    ///
    /// ```
    /// use respool::json::Document;
    /// use respool::text::Tools;
    ///
    /// let json = r#"[{"name": "now"}, {"type": "function", "function": {"name": "tide", "parameters": {}}}]"#;
    /// let tools = Tools::new(Document::parse(json, 8).unwrap().root());
    /// assert!(tools.find("tide").is_some() && tools.find("rm").is_none());
    /// ```
    pub fn new(definitions: Value<'_>) -> Self {
        let tool = |definition: Value<'_>| {
            let of = definition.get("function").unwrap_or(definition);
            let schema =
                ["parameters", "input_schema", "inputSchema"].into_iter().find_map(|name| of.get(name));
            let parameters = schema.and_then(Value::compact).unwrap_or_default();
            Some(Tool { name: of.get_filled("name")?.into_owned(), parameters })
        };
        Self(definitions.items().filter_map(tool).collect())
    }

    /// The tool of this name.
    pub fn find(&self, name: &str) -> Option<&Tool> {
        self.0.iter().find(|tool| tool.name == name)
    }
}

impl Tool {
    /// The schema of the arguments; nothing where there is none.
    pub(super) fn schema(&self) -> Option<Document<'_>> {
        Document::parse(&self.parameters, MAX_DEPTH).ok()
    }

    /// The names of those arguments, an object, that the schema does not name although it names some.
    pub fn unknown(&self, arguments: Value<'_>) -> Vec<String> {
        let mut unknown = Vec::new();
        if let Some(schema) = self.schema()
            && schema.root().get("additionalProperties").is_none_or(|more| more.boolean() == Some(false))
            && let Some(known) = schema.root().get("properties")
        {
            let names = arguments.others(&[]).map(|(name, _)| name);
            unknown.extend(names.filter(|name| member(known, name).is_none()).map(Cow::into_owned));
        }
        unknown
    }

    /// Whether all arguments that the schema requires are among these.
    pub(super) fn has_required(&self, arguments: &[String]) -> bool {
        self.schema().is_none_or(|schema| {
            let mut required = schema.root().get_items("required");
            required.all(|name| arguments.iter().any(|argument| name.is(argument)))
        })
    }
}

/// The member of an object of this name.
pub(super) fn member<'a>(object: Value<'a>, name: &str) -> Option<Value<'a>> {
    object.others(&[]).find(|(known, _)| known == name).map(|(_, value)| value)
}
