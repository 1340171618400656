//! Converts text to JSON values of the types that a schema declares.

use std::cell::Cell;

use super::arguments::Arguments;
use super::literal::bare::python_number;
use super::literal::{Literal, Stop};
use super::reader::{Reader, slice, split, unquoted};
use super::tools::{Tool, member};
use crate::json::{Document, Kind, RawJson, Value, to_json};

/// Depth to which a schema is searched for types and properties.
const MAX_DEPTH: usize = 8;

/// Maximum depth of values whose types are looked up.
const MAX_PATH: usize = 32;

/// JSON types that a schema allows, as bits.
pub(crate) const STRING: u8 = 1;
const NUMBER: u8 = 2;
const INTEGER: u8 = 4;
const BOOLEAN: u8 = 8;
const NULL: u8 = 16;
pub(crate) const ARRAY: u8 = 32;
pub(crate) const OBJECT: u8 = 64;
/// Prefixes of the names of types. Those after `obj` aren't JSON Schema, but schema generators write them: `float64`,
/// `List[str]`, `uint32`.
const TYPES: [(&str, u8); 14] = [
    ("str", STRING),
    ("num", NUMBER | INTEGER),
    ("int", INTEGER),
    ("bool", BOOLEAN),
    ("null", NULL),
    ("arr", ARRAY),
    ("obj", OBJECT),
    ("float", NUMBER | INTEGER),
    ("double", NUMBER | INTEGER),
    ("uint", INTEGER),
    ("long", INTEGER),
    ("list", ARRAY),
    ("tuple", ARRAY),
    ("dict", OBJECT),
];

/// Converts an argument to JSON. Returns the JSON, and whether it fits the schema. Without a type in the schema it is a
/// string, unless `is_string` is `Some(false)`. `given`: the previous arguments, which may have selected an alternative
/// of the schema.
pub(crate) fn convert_argument(
    text: &str,
    tool: Option<&Tool>,
    argument: &str,
    is_string: Option<bool>,
    given: &Arguments,
) -> (String, bool) {
    let types = types_at(tool, &[Some(argument)], given);
    if is_string == Some(false) {
        let json = json(text);
        let is_unfit = types & !NULL == STRING && !matches!(json.as_bytes(), [b'"' | b'n', ..]);
        return (if is_unfit { to_json(text) } else { json }, true);
    }
    convert(text, if is_string.is_some() && types & STRING != 0 { STRING } else { types })
}

/// Returns the types that a tool's schema declares for a value in its arguments; 0 if it declares none. `path`: the
/// names of the members that lead to the value, with `None` for an array item.
pub(crate) fn types_at(tool: Option<&Tool>, path: &[Option<&str>], given: &Arguments) -> u8 {
    let types = Cell::new(0);
    let schema = tool.and_then(Tool::schema);
    if let Some(root) = schema.as_ref().map(Document::root)
        && path.len() <= MAX_PATH
        && let Some((last, outer)) = path.split_last()
    {
        let around = outer.iter().try_fold(root, |schema, name| match name {
            Some(name) => property(schema, root, name),
            None => keyword(schema, root, "items"),
        });
        // Several alternatives may declare the value, each with other types.
        around.and_then(|around| {
            find(around, root, MAX_DEPTH, &|schema| {
                let of = match last {
                    Some(name) => {
                        let properties = schema.get("properties")?;
                        member(properties, name).filter(|_| given.match_schema(properties))?
                    }
                    None => schema.get("items")?,
                };
                types.set(types.get() | types_of(of, root, MAX_DEPTH));
                None
            })
        });
    }
    types.get()
}

/// Returns the target of a schema's `$ref`, or the schema itself if it has none.
fn resolve_ref<'s>(schema: Value<'s>, root: Value<'s>) -> Option<Value<'s>> {
    let Some(path) = schema.get_text("$ref") else { return Some(schema) };
    if path == "#" {
        return Some(root);
    }
    // `#/$defs/Tide`, or any other path from the root: a JSON Pointer (RFC 6901) in a URI fragment.
    let (mut found, mut path) = (root, path.strip_prefix("#/")?);
    while let Some((name, rest)) = split(path, "/") {
        found = member(found, &unescape_segment(name))?;
        path = rest;
    }
    member(found, &unescape_segment(path))
}

/// Unescapes a segment of such a path: `~1` is a slash, `~0` a tilde, and any byte may be percent-encoded.
fn unescape_segment(name: &str) -> String {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (mut bytes, mut rest) = (Vec::with_capacity(name.len()), name.as_bytes());
    loop {
        let escaped = match rest {
            [] => return String::from_utf8_lossy(&bytes).into_owned(),
            [b'~', b'0', behind @ ..] => Some((b'~', behind)),
            [b'~', b'1', behind @ ..] => Some((b'/', behind)),
            [b'%', high, low, behind @ ..] => {
                digit(*high).zip(digit(*low)).map(|(high, low)| (high << 4 | low, behind))
            }
            _ => None,
        };
        let (byte, behind) = match (escaped, rest) {
            (Some(escaped), _) => escaped,
            (None, [byte, behind @ ..]) => (*byte, behind),
            (None, []) => continue,
        };
        bytes.push(byte);
        rest = behind;
    }
}

/// Keywords that list alternatives or parts of a schema.
const COMBINATORS: [&str; 3] = ["anyOf", "oneOf", "allOf"];

/// Returns the schema of a property, which an alternative, a part or a reference may declare.
pub(crate) fn property<'s>(schema: Value<'s>, root: Value<'s>, name: &str) -> Option<Value<'s>> {
    find(schema, root, MAX_DEPTH, &|schema| member(schema.get("properties")?, name))
}

/// Returns the value of a keyword, which may also be in an alternative, a part or a reference.
pub(crate) fn keyword<'s>(schema: Value<'s>, root: Value<'s>, name: &'static str) -> Option<Value<'s>> {
    find(schema, root, MAX_DEPTH, &|schema| schema.get(name))
}

/// Returns the first match in a schema, its alternatives and its parts.
fn find<'s>(
    schema: Value<'s>,
    root: Value<'s>,
    depth: usize,
    found: &dyn Fn(Value<'s>) -> Option<Value<'s>>,
) -> Option<Value<'s>> {
    let depth = depth.checked_sub(1)?;
    if schema.get("$ref").is_some() {
        return find(resolve_ref(schema, root)?, root, depth, found);
    }
    let inner = |name: &'static str| schema.get_items(name).find_map(|one| find(one, root, depth, found));
    found(schema).or_else(|| COMBINATORS.into_iter().find_map(inner))
}

/// Returns the types that a schema allows; 0 if it declares none.
pub(crate) fn types_of(schema: Value<'_>, root: Value<'_>, depth: usize) -> u8 {
    let Some(depth) = depth.checked_sub(1) else { return 0 };
    let is_reference = schema.get("$ref").is_some();
    let Some(schema) = resolve_ref(schema, root) else { return 0 };
    if is_reference {
        return types_of(schema, root, depth);
    }
    let mut types = 0;
    let mut add = |name: Value<'_>| {
        // Gemini's type names are in capitals.
        let name = name.text().unwrap_or_default();
        let known = TYPES.iter().find(|(known, _)| slice(&name, 0, known.len()).eq_ignore_ascii_case(known));
        types |= known.map_or(0, |(_, bits)| *bits);
    };
    if let Some(name) = schema.get("type") {
        add(name);
        name.items().for_each(add);
    }
    for several in COMBINATORS {
        // A value must fit every part of `allOf`, but only one alternative of the others.
        let (mut inner, is_all) = (0, several == "allOf");
        for one in schema.get_items(several) {
            let one = types_of(one, root, depth);
            inner = if is_all && inner & one != 0 { inner & one } else { inner | one };
        }
        types = if types & inner != 0 { types & inner } else { types | inner };
    }
    if types == 0 {
        let values = schema.get_items("enum").chain(member(schema, "const"));
        types = values.fold(0, |types, value| types | type_of(value.kind()));
    }
    for (keyword, of) in [("properties", OBJECT), ("additionalProperties", OBJECT), ("items", ARRAY)] {
        if types == 0 && schema.get(keyword).is_some() {
            types = of;
        }
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

/// Converts text to JSON of one of these types. Returns the JSON, and whether it has such a type.
pub(crate) fn convert(text: &str, types: u8) -> (String, bool) {
    let is = |bits| types & bits != 0;
    let word = text.trim_ascii();
    // Quotes belong to the value only if it may be a string.
    let word = if types == 0 || is(STRING) { word } else { unquoted(word) };
    let words = [("null", NULL), ("true", BOOLEAN), ("false", BOOLEAN)];
    let known = words.into_iter().find(|(known, of)| is(*of) && word.eq_ignore_ascii_case(known));
    let json = match known {
        Some((known, _)) => Some(known.to_owned()),
        None if word == "None" && is(NULL) => Some("null".to_owned()),
        None if types & !NULL == BOOLEAN && matches!(word, "0" | "1") => Some((word == "1").to_string()),
        None if is(INTEGER) => {
            let fits = |number: &String| {
                (is(NUMBER) || has_no_fraction(number)) && (!is(STRING) || number.as_str() == word)
            };
            number(word).filter(fits)
        }
        None => None,
    };
    let json = json.or_else(|| {
        let is_array = is(ARRAY) && matches!(word.as_bytes(), [b'[' | b'(', ..]);
        if is_array || is(OBJECT) && word.starts_with('{') { parse_compound(word) } else { None }
    });
    let fits = json.is_some() || types == 0 || is(STRING);
    // A bare null doesn't become a string, although the schema doesn't allow null.
    (json.unwrap_or_else(|| if !fits && word == "null" { word.to_owned() } else { to_json(text) }), fits)
}

/// Converts a number to JSON. It may have leading zeros, or be in a form that only Python allows.
fn number(word: &str) -> Option<String> {
    let sign = if word.starts_with('-') { "-" } else { "" };
    let digits = slice(word, usize::from(matches!(word.as_bytes(), [b'-' | b'+', ..])), word.len());
    let zeros = digits.bytes().take_while(|byte| *byte == b'0').count();
    let is_digit = |at| digits.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let from = if is_digit(zeros) { zeros } else { zeros.saturating_sub(1) };
    let number = python_number(&[sign, slice(digits, from, digits.len())].concat());
    let is_number = digits.bytes().next().is_some_and(|byte| byte.is_ascii_digit() || byte == b'.');
    (is_number && RawJson::parse(&number).is_some()).then_some(number)
}

/// Whether a number has no fraction, except zeros.
fn has_no_fraction(word: &str) -> bool {
    let (whole, fraction) = split(word, ".").unwrap_or((word, ""));
    whole.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit())
        && fraction.bytes().all(|byte| byte == b'0')
}

/// Converts a text that consists of exactly one literal to JSON.
pub(crate) fn literal(text: &str) -> Option<String> {
    let mut reader = Reader::new(text, 0, 0, true);
    let mut literal = Literal::new(usize::MAX);
    let mut stop = literal.read(&mut reader);
    while let Ok(Stop::Typed) = stop {
        stop = literal.read(&mut reader);
    }
    reader.skip_space();
    (stop == Ok(Stop::End) && reader.peek().is_none() && !literal.lacks_value)
        .then(|| literal.json().to_owned())
}

/// Returns the trimmed text of a JSON string; `None` if it is empty, or for any other value.
pub(crate) fn text_of(json: &str) -> Option<String> {
    let document = Document::parse(json, 0).ok()?;
    let text = document.root().non_empty()?;
    Some(text.trim_ascii().to_owned())
}

/// Converts a list or an object, perhaps escaped as in a string, to JSON.
fn parse_compound(text: &str) -> Option<String> {
    literal(text).or_else(|| literal(&text_of(&["\"", text, "\""].concat())?))
}

/// Returns text that is declared to be JSON, repaired if necessary. Other text becomes a JSON string.
pub(crate) fn json(text: &str) -> String {
    let word = text.trim_ascii();
    if Document::parse(word, 512).is_ok() {
        return word.to_owned();
    }
    let is_compound = matches!(word.as_bytes(), [b'{' | b'[', ..]);
    let found = if is_compound || matches!(word, "True" | "False" | "None") { literal(word) } else { None };
    found.unwrap_or_else(|| to_json(text))
}
