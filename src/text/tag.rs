//! Opening tags: their name and attributes.

use super::reader::{skip, slice, split, unquoted};

/// The name and the attributes of an opening tag.
#[derive(Debug, Default)]
pub(super) struct Tag<'t> {
    /// `None` for a tag without a name: `<parameter>`.
    pub(super) name: Option<&'t str>,
    /// Whether the name is an attribute: `<parameter name="place">`.
    pub(super) is_attribute: bool,
    /// Whether the tag closes itself: `<parameter=place/>`.
    pub(super) is_closed: bool,
    /// Whether an attribute says that the value is a string, or that it isn't.
    pub(super) is_string: Option<bool>,
}

/// The attributes that hold a name.
const NAMES: [&str; 3] = ["name=", "tool=", "key="];

impl<'t> Tag<'t> {
    /// Reads a tag without its brackets.
    pub(super) fn read(text: &'t str) -> Self {
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

/// Entities behind their `&`, and the marks that they stand for.
const ENTITIES: [(&str, &str); 4] = [("quot;", "\""), ("lt;", "<"), ("gt;", ">"), ("amp;", "&")];

/// A name without the entities that stand for marks in attributes, as Kimi K3 writes them.
pub(super) fn without_entities(name: &str) -> String {
    let mut pieces = name.split('&');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let found = ENTITIES.iter().find_map(|(entity, mark)| Some((*mark, piece.strip_prefix(entity)?)));
        let (mark, rest) = found.unwrap_or(("&", piece));
        out.extend([mark, rest]);
    }
    out
}

/// The value of an attribute, in quotes of either kind.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let (_, value) = split(tag, name)?;
    let quote = value.get(..1).filter(|quote| matches!(*quote, "\"" | "'"))?;
    split(slice(value, 1, value.len()), quote).map(|(value, _)| value)
}
