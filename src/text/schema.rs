//! Text that becomes a JSON value as a schema says.

use super::literal::{Literal, Stop};
use super::reader::{Reader, slice, split};
use crate::json::{Document, Kind, RawJson, ToJson, Value, to_json};

use super::tools::{Tool, member};

/// So deep a schema is looked into for its types.
const MAX_DEPTH: usize = 8;

/// What a schema allows, by bits.
pub(super) const STRING: u8 = 1;
const NUMBER: u8 = 2;
const INTEGER: u8 = 4;
const BOOLEAN: u8 = 8;
const NULL: u8 = 16;
pub(super) const ARRAY: u8 = 32;
pub(super) const OBJECT: u8 = 64;
const TYPES: [(&str, u8); 13] = [
    ("string", STRING),
    ("number", NUMBER | INTEGER),
    ("integer", INTEGER),
    ("boolean", BOOLEAN),
    ("null", NULL),
    ("array", ARRAY),
    ("object", OBJECT),
    // No names of JSON Schema, but of what schemas are made of.
    ("float", NUMBER | INTEGER),
    ("int", INTEGER),
    ("str", STRING),
    ("bool", BOOLEAN),
    ("list", ARRAY),
    ("dict", OBJECT),
];

/// An argument as JSON, and whether it fits its schema. One of which nothing is known is a string.
pub(super) fn typed(text: &str, tool: &Tool, argument: &str) -> (String, bool) {
    let schema = tool.schema();
    let schema = schema.as_ref().map(Document::root);
    let of = schema.and_then(|schema| member(schema.get("properties")?, argument));
    value(text, of.zip(schema).map_or(0, |(of, schema)| types_of(of, schema, MAX_DEPTH)))
}

/// What a schema refers to; itself where it does not.
pub(super) fn resolved<'s>(schema: Value<'s>, root: Value<'s>) -> Option<Value<'s>> {
    let Some(name) = schema.get_text("$ref") else { return Some(schema) };
    let from = memchr::memrchr(b'/', name.as_bytes()).map_or(0, |at| at + 1);
    let name = slice(&name, from, name.len());
    ["$defs", "definitions"].into_iter().find_map(|place| member(root.get(place)?, name))
}

/// The types that a schema allows; 0 where it does not say.
pub(super) fn types_of(schema: Value<'_>, root: Value<'_>, depth: usize) -> u8 {
    let Some(depth) = depth.checked_sub(1) else { return 0 };
    let is_reference = schema.get("$ref").is_some();
    let Some(schema) = resolved(schema, root) else { return 0 };
    if is_reference {
        return types_of(schema, root, depth);
    }
    let mut types = 0;
    let mut add = |name: Value<'_>| {
        let known = TYPES.iter().find(|(known, _)| name.is(known));
        types |= known.map_or(0, |(_, bits)| *bits);
    };
    if let Some(name) = schema.get("type") {
        add(name);
        name.items().for_each(add);
    }
    for several in ["anyOf", "oneOf", "allOf"] {
        for one in schema.get_items(several) {
            types |= types_of(one, root, depth);
        }
    }
    if types == 0 {
        let values = schema.get_items("enum").chain(member(schema, "const"));
        types = values.fold(0, |types, value| types | type_of(value.kind()));
    }
    if schema.get("nullable").and_then(Value::boolean) == Some(true) {
        types |= NULL;
    }
    types
}

fn type_of(kind: Kind) -> u8 {
    match kind {
        Kind::Null => NULL,
        Kind::Boolean => BOOLEAN,
        Kind::Number => NUMBER | INTEGER,
        Kind::String => STRING,
        Kind::Array => ARRAY,
        Kind::Object => OBJECT,
    }
}

/// Text as a value of one of these types, and whether it is one.
pub(super) fn value(text: &str, types: u8) -> (String, bool) {
    let is = |bits| types & bits != 0;
    let word = text.trim_ascii();
    let json = match word {
        "null" | "None" if is(NULL) => Some("null".to_owned()),
        "true" | "True" if is(BOOLEAN) => Some("true".to_owned()),
        "false" | "False" if is(BOOLEAN) => Some("false".to_owned()),
        _ if is(INTEGER) && is_number(word) && (is(NUMBER) || is_whole(word)) => Some(word.to_owned()),
        _ if is(ARRAY) && matches!(word.as_bytes(), [b'[' | b'(', ..])
            || is(OBJECT) && word.starts_with('{') =>
        {
            literal(word)
        }
        _ => None,
    };
    let fits = json.is_some() || types == 0 || is(STRING);
    (json.unwrap_or_else(|| to_json(text)), fits)
}

fn is_number(word: &str) -> bool {
    matches!(word.as_bytes(), [b'-' | b'0'..=b'9', ..]) && RawJson::parse(word).is_some()
}

/// Whether a number has no fraction, but for zeros.
fn is_whole(word: &str) -> bool {
    let (whole, fraction) = split(word, ".").unwrap_or((word, ""));
    whole.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit())
        && fraction.bytes().all(|byte| byte == b'0')
}

/// A text that is one literal and nothing else, as JSON.
pub(super) fn literal(text: &str) -> Option<String> {
    let mut reader = Reader::new(text, 0, 0, true);
    let mut literal = Literal::new(usize::MAX);
    let stop = literal.read(&mut reader);
    reader.skip_space();
    (stop == Stop::End && reader.peek().is_none() && !literal.lacks_value).then(|| literal.json().to_owned())
}

/// A text that is told to be JSON; what is none is a string.
pub(super) fn json(text: &str) -> String {
    let word = text.trim_ascii();
    if Document::parse(word, 512).is_ok() {
        return word.to_owned();
    }
    let is_compound = matches!(word.as_bytes(), [b'{' | b'[', ..]);
    let found = if is_compound || matches!(word, "True" | "False" | "None") { literal(word) } else { None };
    found.unwrap_or_else(|| to_json(text))
}

/// Writes a member of an object.
pub(super) fn write_member(name: &str, value: &str, is_first: bool, out: &mut String) {
    out.push(if is_first { '{' } else { ',' });
    name.write_json(out);
    out.push(':');
    out.push_str(value);
}
