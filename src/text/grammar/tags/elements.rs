//! Arguments as nested elements, as `MiniMax` M3 writes them with a marker before each tag, or without if a server has
//! stripped that token.

use super::tag::Tag;
use crate::json::{Document, ToJson, Value};
use crate::keyed::Keyed;
use crate::text::reader::{slice, split};
use crate::text::schema::{self, ARRAY, OBJECT, STRING, types_of};
use crate::text::tools::Tool;

/// Marker before each tag.
const MARK: &str = "]<]minimax[>[";

/// Beginning of a tag.
const TAG: &str = "]<]minimax[>[<";

/// Maximum depth of elements. Deeper ones are text.
const MAX_DEPTH: usize = 32;

/// Member name of the text between elements.
const TEXT: &str = "$text";

/// Converts elements to a JSON object. Also returns the names of elements that don't fit the tool's schema.
pub(crate) fn object(text: &str, tool: Option<&Tool>) -> (String, Vec<String>) {
    let schema = tool.and_then(Tool::schema);
    let root = schema.as_ref().map(Document::root);
    let mut writer = Writer { root, tag: TAG, unfit: Vec::new(), json: String::new() };
    // Elements before an unclosed one are valid.
    let (elements, broken) = elements(text, TAG);
    writer.object(&elements, root, MAX_DEPTH);
    writer.unfit.extend(broken.map(str::to_owned));
    (writer.json, writer.unfit)
}

/// Converts the elements in the value of an argument that the schema declares as an array or an object.
pub(crate) fn value(text: &str, tool: Option<&Tool>, name: &str) -> Option<String> {
    let schema = tool?.schema()?;
    let root = schema.root();
    let argument = schema::property(root, root, name)?;
    let types = types_of(argument, root, MAX_DEPTH);
    if types & (ARRAY | OBJECT) == 0 || types & STRING != 0 || elements(text, "<").0.is_empty() {
        return None;
    }
    let mut writer = Writer { root: Some(root), tag: "<", unfit: Vec::new(), json: String::new() };
    writer.value(name, text, Some(argument), MAX_DEPTH);
    writer.unfit.is_empty().then_some(writer.json)
}

struct Writer<'s> {
    /// Beginning of a tag.
    tag: &'static str,
    /// The tool's schema.
    root: Option<Value<'s>>,
    unfit: Vec<String>,
    json: String,
}

impl<'s> Writer<'s> {
    /// Appends an object. Elements with the same name become an array, and the text between elements the last member.
    fn object(&mut self, elements: &[(&str, &str)], schema: Option<Value<'s>>, depth: usize) {
        let (mut named, mut text) = (Keyed::<String, Vec<(&str, &str)>>::new(), String::new());
        for element in elements {
            match element {
                (TEXT, part) => text.push_str(part),
                (name, _) => named.entry(*name, Vec::new).push(*element),
            }
        }
        let between = vec![(TEXT, &*text)];
        let mut before = "{";
        for same in named.iter().map(|(_, same)| same).chain((!text.is_empty()).then_some(&between)) {
            let Some((name, text)) = same.first() else { continue };
            let schema = schema.and_then(|schema| schema::property(schema, self.root?, name));
            self.json.push_str(before);
            name.write_json(&mut self.json);
            self.json.push(':');
            if same.len() > 1 {
                self.array(same, schema, depth);
            } else {
                self.value(name, text, schema, depth);
            }
            before = ",";
        }
        self.json.push_str(if before == "{" { "{}" } else { "}" });
    }

    fn array(&mut self, elements: &[(&str, &str)], schema: Option<Value<'s>>, depth: usize) {
        let items = schema.and_then(|schema| schema::keyword(schema, self.root?, "items"));
        let mut before = "[";
        for (name, text) in elements {
            self.json.push_str(before);
            self.value(name, text, items, depth);
            before = ",";
        }
        self.json.push(']');
    }

    fn value(&mut self, name: &str, text: &str, schema: Option<Value<'s>>, depth: usize) {
        let types = schema.zip(self.root).map_or(0, |(schema, root)| types_of(schema, root, MAX_DEPTH));
        let (inner, broken) = if depth > 0 { elements(text, self.tag) } else { (Vec::new(), None) };
        let inner = if broken.is_some() { Vec::new() } else { inner };
        let containers = types & (ARRAY | OBJECT);
        if !inner.is_empty() {
            // Array items have no names of their own: `item` is the usual one.
            if containers == ARRAY || containers != OBJECT && inner.iter().all(|(name, _)| *name == "item") {
                self.array(&inner, schema, depth - 1);
            } else {
                self.object(&inner, schema, depth - 1);
            }
        } else if containers != 0 && types & STRING == 0 && text.trim_ascii().is_empty() {
            self.json.push_str(if containers == OBJECT { "{}" } else { "[]" });
        } else {
            let (json, fits) = schema::convert(text, types);
            if !fits {
                self.unfit.push(name.to_owned());
            }
            self.json.push_str(&json);
        }
    }
}

/// Splits a text into its outermost elements: their names and contents, including the text between them. Stops at an
/// unclosed element, whose name is the second value.
fn elements<'t>(text: &'t str, mark: &str) -> (Vec<(&'t str, &'t str)>, Option<&'t str>) {
    let mut elements = Vec::new();
    let (mut rest, mut is_any, mut broken) = (text, false, None);
    'all: while let Some((before, tag, after)) = next_tag(rest, mark) {
        // `<parameter name="place">`
        let (name, given) =
            split(tag, " ").map_or((tag, tag), |(own, _)| (own, Tag::read(tag).name.unwrap_or(own)));
        if let (Some(name), Some(text)) =
            (name.strip_prefix('/'), before.trim_ascii_start().strip_prefix(MARK))
        {
            // Only the marker is left of the opening tag.
            elements.push((name, text));
            (rest, is_any) = (after, true);
            continue;
        }
        // Elements with the same name may be nested inside.
        let (mut level, mut inside, mut length) = (1, after, 0);
        while level > 0 {
            let Some((before, tag, behind)) = next_tag(inside, mark) else {
                (rest, broken) = (before, Some(given));
                break 'all;
            };
            length = after.len() - inside.len() + before.len();
            match tag.strip_prefix('/') {
                Some(closed) if closed == name => level -= 1,
                None if tag == name || split(tag, " ").is_some_and(|(own, _)| own == name) => level += 1,
                _ => {}
            }
            inside = behind;
        }
        elements.push((TEXT, before));
        elements.push((given, slice(after, 0, length)));
        (rest, is_any) = (inside, true);
    }
    elements.push((TEXT, rest));
    elements.retain(|(name, text)| is_any && (*name != TEXT || !text.trim_ascii().is_empty()));
    (elements, broken)
}

/// Returns the text before the next tag, the tag without its brackets, and the text after it.
fn next_tag<'t>(text: &'t str, mark: &str) -> Option<(&'t str, &'t str, &'t str)> {
    let (before, rest) = split(text, mark)?;
    let (tag, behind) = split(rest, ">")?;
    Some((before, tag, behind))
}
