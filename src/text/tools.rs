//! The tools that may be called.

use std::borrow::Cow;

use super::grammar::python::is_name;
use super::reader::split;
use super::schema;
use crate::error::{Error, ErrorCode, Result, quote};
use crate::json::{Document, Value};
use crate::save::state;

/// Maximum depth of a tool's schema.
const MAX_DEPTH: usize = 128;

/// Maximum length of a name if any name is allowed.
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
    /// Name of the tool.
    pub name: String,
    /// JSON Schema of the arguments, as JSON text; empty if there is none.
    pub parameters: String,
}

state! { struct Tool { name, parameters } }

impl Tools {
    /// Reads tool definitions as sent to providers: `{type: "function", function: {name, parameters}}`,
    /// `{type: "function", name, parameters}`, `{type: "custom", custom: {name}}`, `{name, input_schema}`,
    /// `{functionDeclarations: [{name, parameters}]}` or `{toolSpec: {name, inputSchema: {json}}}`. Tools that the
    /// provider runs itself are ignored. The string `"any"` allows every well-formed name.
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
            // Gemini reads names in both spellings.
            let functions = definition.first(&["functionDeclarations", "function_declarations"]);
            if let Some(functions) = functions.filter(|list| list.is_array()) {
                for function in functions.items() {
                    declared.push(Tool::of(function).ok_or_else(|| invalid_definition(definition))?);
                }
            } else if let Some(tool) = Tool::of(definition) {
                declared.push(tool);
            } else if !is_provider_tool(definition) {
                return Err(invalid_definition(definition));
            }
        }
        Ok(Self { declared, is_any: definitions.is("any") })
    }

    /// Returns the declared tool of this name. Models also write names with a namespace: `functions.tide`,
    /// `default_api.tide`, `tide.tide`.
    #[inline(never)]
    pub fn find(&self, name: &str) -> Option<&Tool> {
        let find = |name: &str| self.declared.iter().find(|tool| tool.name == name);
        find(name).or_else(|| {
            let (space, own) = split(name, ".")?;
            if ["functions", "default_api", own].contains(&space) { find(own) } else { None }
        })
    }

    /// Finds the declared tool whose name the text begins with, if the rest is the name of one of its arguments.
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

    /// Whether a declared tool's name begins with `name`, perhaps with a namespace.
    pub(crate) fn has_name_prefix(&self, name: &str) -> bool {
        self.declared.iter().any(|tool| {
            let spaces = ["", "functions.", &[&*tool.name, "."].concat()];
            spaces.into_iter().any(|space| [space, &*tool.name].concat().starts_with(name))
        })
    }

    /// Whether every well-formed name is allowed.
    pub(crate) fn is_any(&self) -> bool {
        self.is_any
    }
}

/// Whether a name has a valid length and only characters that are valid in tool names.
pub(crate) fn is_well_formed(name: &str) -> bool {
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(is_name)
}

/// What a definition may be in.
const WRAPPERS: &[&str] = &["function", "toolSpec", "custom"];

/// Whether this is a tool that the provider runs itself, such as `{type: "web_search"}` or `{googleSearch: {}}`.
fn is_provider_tool(definition: Value<'_>) -> bool {
    if let Some(kind) = definition.get_non_empty("type") {
        return kind != "function";
    }
    let is_function = definition.first(WRAPPERS).is_some();
    let mut members = definition.others(&[]);
    !is_function && members.next().is_some_and(|(_, value)| value.is_object()) && members.next().is_none()
}

#[cold]
fn invalid_definition(definition: Value<'_>) -> Error {
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
        let inner = definition.first(WRAPPERS);
        let of = inner.unwrap_or(definition);
        let schema = of
            .first(&[
                "parameters",
                "parametersJsonSchema",
                "parameters_json_schema",
                "input_schema",
                "inputSchema",
            ])
            .map(|schema| schema.get("json").unwrap_or(schema));
        let parameters = schema.and_then(Value::compact).unwrap_or_default();
        Some(Self { name: of.get_non_empty("name")?.to_owned(), parameters })
    }

    /// Returns the schema of the arguments, if there is one.
    pub(crate) fn schema(&self) -> Option<Document<'_>> {
        Document::parse(&self.parameters, MAX_DEPTH).ok()
    }

    /// Whether the schema declares properties.
    pub(crate) fn has_properties(&self) -> bool {
        let schema = self.schema();
        schema
            .as_ref()
            .map(Document::root)
            .is_some_and(|root| schema::keyword(root, root, "properties").is_some())
    }

    /// Whether the schema declares any argument.
    pub(crate) fn has_arguments(&self) -> bool {
        let schema = self.schema();
        let root = schema.as_ref().map(Document::root);
        let properties = root.and_then(|root| schema::keyword(root, root, "properties"));
        properties.is_some_and(|properties| properties.others(&[]).next().is_some())
    }

    /// Whether the schema declares an argument of this name.
    pub(crate) fn declares(&self, argument: &str) -> bool {
        let schema = self.schema();
        schema
            .as_ref()
            .map(Document::root)
            .is_some_and(|root| schema::property(root, root, argument).is_some())
    }

    /// Returns the names of `arguments`, an object, that the schema doesn't declare; none if it declares no properties
    /// or allows additional ones.
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

/// Returns the member of this name, also if it is null.
pub(crate) fn member<'a>(object: Value<'a>, name: &str) -> Option<Value<'a>> {
    object.others(&[]).find(|(known, _)| known == name).map(|(_, value)| value)
}
