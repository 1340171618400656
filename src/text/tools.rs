//! The tools that may be called.

use std::borrow::Cow;

use super::python::is_name;
use super::reader::split;
use super::schema;
use crate::json::{Document, Value};
use crate::save::state;

/// How deep a tool's schema may be.
const MAX_DEPTH: usize = 128;

/// No tool's name is longer, if any name counts.
const MAX_NAME: usize = 256;

/// The tools that may be called.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tools {
    declared: Vec<Tool>,
    is_any: bool,
}

state! { struct Tools { declared, is_any } }

/// A declared tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// The JSON Schema of its arguments, as JSON text; empty if there is none.
    pub parameters: String,
}

state! { struct Tool { name, parameters } }

impl Tools {
    /// Reads tool definitions as they are sent to providers: `{type: "function", function: {name, parameters}}`,
    /// `{type: "function", name, parameters}` or `{name, input_schema}`. Definitions without a name are left out.
    /// The string `"any"` allows every well-formed name.
    ///
    /// ```
    /// use respool::json::Document;
    /// use respool::text::Tools;
    ///
    /// let json = r#"[{"name": "now"}, {"type": "function", "function": {"name": "tide", "parameters": {}}}]"#;
    /// let tools = Tools::new(Document::parse(json, 8).unwrap().root());
    /// assert!(tools.find("tide").is_some() && !tools.allows("rm"));
    ///
    /// let any = Tools::new(Document::parse(r#""any""#, 8).unwrap().root());
    /// assert!(any.allows("rm") && !any.allows("no name"));
    /// ```
    pub fn new(definitions: Value<'_>) -> Self {
        let tool = |definition: Value<'_>| {
            let of = definition.get("function").unwrap_or(definition);
            let schema =
                ["parameters", "input_schema", "inputSchema"].into_iter().find_map(|name| of.get(name));
            let parameters = schema.and_then(Value::compact).unwrap_or_default();
            Some(Tool { name: of.get_label("name")?.to_owned(), parameters })
        };
        Self { declared: definitions.items().filter_map(tool).collect(), is_any: definitions.is("any") }
    }

    /// The declared tool of this name. Models also write it with a namespace: `functions.tide`, `tide.tide`.
    #[inline(never)]
    pub fn find(&self, name: &str) -> Option<&Tool> {
        let find = |name: &str| self.declared.iter().find(|tool| tool.name == name);
        find(name).or_else(|| {
            let (space, own) = split(name, ".")?;
            if space == "functions" || space == own { find(own) } else { None }
        })
    }

    /// The declared tool with whose name a text begins, if one of its arguments is the rest.
    pub(super) fn find_with_argument<'t>(&self, text: &'t str) -> Option<(&Tool, &'t str)> {
        self.declared.iter().find_map(|tool| {
            let argument = text.strip_prefix(&*tool.name)?.trim_ascii_start();
            tool.declares(argument).then_some((tool, argument))
        })
    }

    /// Whether a tool of this name may be called.
    pub fn allows(&self, name: &str) -> bool {
        self.find(name).is_some() || self.is_any && is_well_formed(name)
    }

    /// Whether no tool is declared and every well-formed name counts.
    pub(super) fn is_any(&self) -> bool {
        self.is_any
    }
}

/// Whether a name has a possible length and only characters of tools' names.
pub(super) fn is_well_formed(name: &str) -> bool {
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(is_name)
}

impl Tool {
    /// The schema of the arguments, if there is one.
    pub(super) fn schema(&self) -> Option<Document<'_>> {
        Document::parse(&self.parameters, MAX_DEPTH).ok()
    }

    /// Whether the schema names arguments.
    pub(super) fn has_properties(&self) -> bool {
        let schema = self.schema();
        schema
            .as_ref()
            .map(Document::root)
            .is_some_and(|root| schema::keyword(root, root, "properties").is_some())
    }

    /// Whether the schema has an argument of this name.
    pub(super) fn declares(&self, argument: &str) -> bool {
        let schema = self.schema();
        schema
            .as_ref()
            .map(Document::root)
            .is_some_and(|root| schema::property(root, root, argument).is_some())
    }

    /// The names of those arguments, an object, that the schema doesn't know although it knows some.
    pub fn unknown(&self, arguments: Value<'_>) -> Vec<String> {
        let mut unknown = Vec::new();
        if let Some(schema) = self.schema()
            && let root = schema.root()
            && root.get("additionalProperties").is_none_or(|more| more.boolean() == Some(false))
            && schema::keyword(root, root, "properties").is_some()
        {
            let names = arguments.others(&[]).map(|(name, _)| name);
            unknown.extend(
                names.filter(|name| schema::property(root, root, name).is_none()).map(Cow::into_owned),
            );
        }
        unknown
    }
}

/// The member of an object of this name.
pub(super) fn member<'a>(object: Value<'a>, name: &str) -> Option<Value<'a>> {
    object.others(&[]).find(|(known, _)| known == name).map(|(_, value)| value)
}
