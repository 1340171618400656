//! Opening tags with their names and attributes.

use crate::text::reader::{skip, slice, split, unquoted};

/// The name and the attributes of an opening tag.
#[derive(Debug, Default)]
pub(crate) struct Tag<'t> {
    /// Name; `None` for a tag without one: `<parameter>`.
    pub(crate) name: Option<&'t str>,
    /// Whether the name is an attribute: `<parameter name="place">`.
    pub(crate) is_attribute: bool,
    /// Whether the tag closes itself: `<parameter=place/>`.
    pub(crate) is_closed: bool,
    /// Whether the value is a string, if an attribute declares it.
    pub(crate) is_string: Option<bool>,
}

/// Attributes that hold a name.
const NAMES: [&str; 3] = ["name=", "tool=", "key="];

impl<'t> Tag<'t> {
    /// Parses a tag, given without its brackets.
    pub(crate) fn read(text: &'t str) -> Self {
        let open = text.trim_ascii_end();
        let is_closed = open.ends_with('/');
        let open = open.strip_suffix('/').unwrap_or(open);
        let named = NAMES.iter().find_map(|name| attribute(open, name));
        let shorthand = || {
            let (_, name) = split(open, "=")?;
            let name = name.trim_ascii_start();
            // Attributes may follow.
            let name = match split(name, " ") {
                Some((first, rest))
                    if skip(name, b"\"'").len() == name.len() && split(rest, "=").is_some() =>
                {
                    first
                }
                _ => name,
            };
            Some(unquoted(name.trim_ascii()).trim_ascii())
        };
        let is_string = attribute(open, "string=").map(|word| word == "true");
        Self {
            name: named.map(str::trim_ascii).or_else(shorthand).filter(|name| !name.is_empty()),
            is_attribute: named.is_some(),
            is_closed,
            is_string: is_string.or_else(|| attribute(open, "type=").map(|word| word == "string")),
        }
    }
}

/// Entities without their `&`, and their characters.
const ENTITIES: [(&str, &str); 5] =
    [("quot;", "\""), ("lt;", "<"), ("gt;", ">"), ("amp;", "&"), ("apos;", "'")];

/// Returns the character of the entity after an `&`, and the text after the entity.
fn entity(behind: &str) -> Option<(&'static str, &str)> {
    ENTITIES.iter().find_map(|(entity, mark)| Some((*mark, behind.strip_prefix(entity)?)))
}

/// Decodes the entities in a name, which Kimi K3 writes in attributes.
pub(crate) fn without_entities(name: &str) -> String {
    let mut pieces = name.split('&');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (mark, rest) = entity(piece).unwrap_or(("&", piece));
        out.extend([mark, rest]);
    }
    out
}

/// Decodes the entities of a text if it is XML. Other text has none: `a < b && c`.
pub(crate) fn xml_text(text: &str) -> String {
    let is_xml = memchr::memchr(b'<', text.as_bytes()).is_none()
        && text.split('&').skip(1).all(|piece| entity(piece).is_some());
    if is_xml { without_entities(text) } else { text.to_owned() }
}

/// Returns the value of an attribute with quotes of either kind.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let (_, value) = split(tag, name)?;
    if let Some(value) = value.strip_prefix('“') {
        return split(value, "”").map(|(value, _)| value);
    }
    let quote = value.get(..1).filter(|quote| matches!(*quote, "\"" | "'"))?;
    split(slice(value, 1, value.len()), quote).map(|(value, _)| value)
}
