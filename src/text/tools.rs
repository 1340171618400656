//! The tools that may be called.

use std::borrow::Cow;

use super::grammar::python::is_name;
use super::reader::split;
use super::schema;
use crate::error::{Error, ErrorCode, Result, quote};
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
    /// `{type: "function", name, parameters}`, `{name, input_schema}`, `{functionDeclarations: [{name, parameters}]}` or
    /// `{toolSpec: {name, inputSchema: {json}}}`. Tools that the provider runs itself are left out. The string `"any"` allows
    /// every well-formed name.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidOption`] for a definition in another form.
    ///
    /// ```
    /// use respool::json::Document;
    /// use respool::text::Tools;
    ///
    /// let json = r#"[{"name": "now"}, {"type": "function", "function": {"name": "tide", "parameters": {}}}]"#;
    /// let tools = Tools::new(Document::parse(json, 8).unwrap().root()).unwrap();
    /// assert!(tools.find("tide").is_some() && !tools.allows("rm"));
    ///
    /// let any = Tools::new(Document::parse(r#""any""#, 8).unwrap().root()).unwrap();
    /// assert!(any.allows("rm") && !any.allows("no name"));
    /// ```
    pub fn new(definitions: Value<'_>) -> Result<Self> {
        let mut declared = Vec::new();
        for definition in definitions.items() {
            if let Some(functions) = definition.get("functionDeclarations").filter(|list| list.is_array()) {
                for function in functions.items() {
                    declared.push(Tool::of(function).ok_or_else(|| unreadable(definition))?);
                }
            } else if let Some(tool) = Tool::of(definition) {
                declared.push(tool);
            } else if !is_of_provider(definition) {
                return Err(unreadable(definition));
            }
        }
        Ok(Self { declared, is_any: definitions.is("any") })
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
    pub(crate) fn find_with_argument<'t>(&self, text: &'t str) -> Option<(&Tool, &'t str)> {
        self.declared.iter().find_map(|tool| {
            let argument = text.strip_prefix(&*tool.name)?.trim_ascii_start();
            tool.declares(argument).then_some((tool, argument))
        })
    }

    /// Whether a tool of this name may be called.
    pub fn allows(&self, name: &str) -> bool {
        self.find(name).is_some() || self.is_any && is_well_formed(name)
    }

    /// Whether the name of a declared tool begins so, perhaps with a namespace.
    pub(crate) fn has_beginning(&self, name: &str) -> bool {
        self.declared.iter().any(|tool| {
            let spaces = ["", "functions.", &[&*tool.name, "."].concat()];
            spaces.into_iter().any(|space| [space, &*tool.name].concat().starts_with(name))
        })
    }

    /// Whether no tool is declared and every well-formed name counts.
    pub(crate) fn is_any(&self) -> bool {
        self.is_any
    }
}

/// Whether a name has a possible length and only characters of tools' names.
pub(crate) fn is_well_formed(name: &str) -> bool {
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(is_name)
}

/// Whether this is a tool that the provider runs itself, such as `{type: "web_search"}` or `{googleSearch: {}}`.
fn is_of_provider(definition: Value<'_>) -> bool {
    if let Some(kind) = definition.get_non_empty("type") {
        return kind != "function";
    }
    let is_function = ["function", "toolSpec"].into_iter().any(|name| definition.get(name).is_some());
    let mut members = definition.others(&[]);
    !is_function && members.next().is_some_and(|(_, value)| value.is_object()) && members.next().is_none()
}

#[cold]
fn unreadable(definition: Value<'_>) -> Error {
    let message = [
        "A tool definition in `tools` can't be read: ",
        &quote(&definition.compact().unwrap_or_default()),
        ". Forms: { type: \"function\", function: { name, parameters } }, { name, parameters }, { name, input_schema }, \
         { name, inputSchema }, { functionDeclarations: [{ name, parameters }] }, { toolSpec: { name, inputSchema: { json } } }",
    ];
    Error::new(ErrorCode::InvalidOption, message.concat())
}

impl Tool {
    fn of(definition: Value<'_>) -> Option<Self> {
        let inner = ["function", "toolSpec"].into_iter().find_map(|name| definition.get(name));
        let of = inner.unwrap_or(definition);
        let schema = ["parameters", "parametersJsonSchema", "input_schema", "inputSchema"]
            .into_iter()
            .find_map(|name| of.get(name))
            .map(|schema| schema.get("json").unwrap_or(schema));
        let parameters = schema.and_then(Value::compact).unwrap_or_default();
        Some(Self { name: of.get_non_empty("name")?.to_owned(), parameters })
    }

    /// The schema of the arguments, if there is one.
    pub(crate) fn schema(&self) -> Option<Document<'_>> {
        Document::parse(&self.parameters, MAX_DEPTH).ok()
    }

    /// Whether the schema names arguments.
    pub(crate) fn has_properties(&self) -> bool {
        let schema = self.schema();
        schema
            .as_ref()
            .map(Document::root)
            .is_some_and(|root| schema::keyword(root, root, "properties").is_some())
    }

    /// Whether the schema has an argument of this name.
    pub(crate) fn declares(&self, argument: &str) -> bool {
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
pub(crate) fn member<'a>(object: Value<'a>, name: &str) -> Option<Value<'a>> {
    object.others(&[]).find(|(known, _)| known == name).map(|(_, value)| value)
}
