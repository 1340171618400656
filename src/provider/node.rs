//! JSON values that can be extended after they were received.

use std::borrow::Cow;

use crate::accumulator::Channel;
use crate::json::{Fragment, ObjectWriter, RawJson, ToJson, Value, string_of, to_json, write_list};
use crate::keyed::Keyed;
use crate::save::state;

/// A JSON value. It is parsed only if something inside it is extended.
#[derive(Debug)]
pub(in crate::provider) enum Node {
    /// JSON as received.
    Raw(RawJson),
    /// A string that is appended to.
    Text(Box<Channel>),
    Object(Keyed<String, Node>),
    /// Items by index; some may still be missing.
    List(Keyed<u64, Node>),
}

state! { enum Node { 0 Raw(raw), 1 Text(text), 2 Object(members), 3 List(items) } }

impl Node {
    /// Creates a value from JSON as received.
    pub(in crate::provider) fn raw(raw: RawJson) -> Self {
        Self::Raw(raw)
    }

    /// Creates a `null`, which takes the type of whatever is added to it.
    pub(in crate::provider) fn null() -> Self {
        Self::Raw(RawJson::null())
    }

    /// Replaces the value with this JSON.
    #[inline(never)]
    pub(in crate::provider) fn set(&mut self, raw: RawJson) {
        *self = Self::raw(raw);
    }

    /// Replaces the value with this string.
    #[inline(never)]
    pub(in crate::provider) fn set_text(&mut self, text: &str) {
        self.set(RawJson::string(text));
    }

    /// Returns the member with this name, and adds `null` if there is none.
    pub(in crate::provider) fn member(&mut self, name: &str) -> &mut Self {
        self.make_object();
        match self {
            Self::Object(members) => members.entry(name, Self::null),
            other => other,
        }
    }

    /// Takes the value of a member, and leaves `null`. Returns `null` if there is no such member.
    pub(in crate::provider) fn take(&mut self, name: &str) -> Self {
        self.make_object();
        let member = if let Self::Object(members) = self { members.get_mut(name) } else { None };
        member.map_or_else(Self::null, |member| std::mem::replace(member, Self::null()))
    }

    /// Returns the item at this index, and adds `null` if there is none. For an object, the index is the name of a
    /// member.
    pub(in crate::provider) fn item(&mut self, index: u64) -> &mut Self {
        self.make_list();
        match self {
            Self::List(items) => items.entry(&index, Self::null),
            Self::Object(members) => members.entry(to_json(&index).as_str(), Self::null),
            other => other,
        }
    }

    /// Appends an item to a list.
    pub(in crate::provider) fn add(&mut self, raw: RawJson) {
        self.make_list();
        if let Self::List(items) = self {
            let next = items.last_key().map_or(0, |last| last.saturating_add(1));
            items.insert(next, Self::raw(raw));
        }
    }

    /// Appends to a string.
    pub(in crate::provider) fn push(&mut self, piece: &Fragment<'_>) {
        if !matches!(self, Self::Text(_)) {
            let mut text = Box::<Channel>::default();
            text.push(&Fragment::from(&*self.text()));
            *self = Self::Text(text);
        }
        if let Self::Text(text) = self {
            text.push(piece);
        }
    }

    /// Returns the text of a string so far.
    pub(in crate::provider) fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => text.as_str().into(),
            Self::Raw(raw) if raw.get().starts_with('"') => string_of(raw.get()).unwrap_or_default().into(),
            _ => "".into(),
        }
    }

    /// Whether this is a parsed object with this member.
    #[cfg(feature = "gemini")]
    pub(in crate::provider) fn has_member(&self, name: &str) -> bool {
        matches!(self, Self::Object(members) if members.get(name).is_some())
    }

    /// Whether the value was received like this, and hasn't been changed since.
    pub(in crate::provider) fn is(&self, value: Value<'_>) -> bool {
        let Self::Raw(known) = self else { return false };
        match value.json_text() {
            Some(text) => known.get() == text,
            None => value.raw().is_some_and(|raw| raw == *known),
        }
    }

    /// Whether the value is empty.
    pub(in crate::provider) fn is_empty(&self) -> bool {
        match self {
            Self::Raw(raw) => matches!(raw.get(), "null" | "\"\"" | "[]" | "{}"),
            Self::Text(text) => text.is_empty(),
            Self::Object(members) => members.is_empty(),
            Self::List(items) => items.is_empty(),
        }
    }

    /// Returns the JSON text of an object up to an empty member that will be sent in pieces, including the opening
    /// quote. The member is a string, or a list whose first string is sent in pieces. Returns `None` if there is no
    /// such member.
    pub(in crate::provider) fn json_up_to(&mut self, member: &str) -> Option<String> {
        self.make_object();
        let Self::Object(members) = self else { return None };
        let mut json = String::from("{");
        for (name, node) in members.iter() {
            name.write_json(&mut json);
            json.push(':');
            let start = json.len();
            node.write_json(&mut json);
            if name == member {
                let opening = match json.get(start..) {
                    Some("\"\"") => "\"",
                    Some("[]") => "[\"",
                    _ => return None,
                };
                json.truncate(start);
                json.push_str(opening);
                return Some(crate::json::compact(&json).into_owned());
            }
            json.push(',');
        }
        None
    }

    /// Returns the members of an object, in order.
    pub(in crate::provider) fn into_members(mut self) -> impl Iterator<Item = (String, Self)> {
        self.make_object();
        let members = if let Self::Object(members) = self { members } else { Keyed::default() };
        members.into_entries()
    }

    /// Converts the value to an object: the items of a list become members named by index, other values are dropped.
    fn make_object(&mut self) {
        if let Self::Object(_) = self {
            return;
        }
        let mut members = Keyed::default();
        match self {
            Self::Raw(raw) => {
                if let Some(tape) = raw.document() {
                    for (name, value) in tape.root().others(&[]) {
                        *members.entry(&*name, Self::null) = Self::or_null(value.raw());
                    }
                }
            }
            Self::List(items) => {
                for (index, item) in std::mem::take(items).into_entries() {
                    *members.entry(to_json(&index).as_str(), Self::null) = item;
                }
            }
            _ => {}
        }
        *self = Self::Object(members);
    }

    /// Converts the value to a list, unless it is an object. Other values are dropped.
    fn make_list(&mut self) {
        if let Self::List(_) | Self::Object(_) = self {
            return;
        }
        let mut items = Keyed::default();
        if let Self::Raw(raw) = self
            && let Some(tape) = raw.document()
        {
            for (index, item) in (0..).zip(tape.root().items()) {
                items.insert(index, Self::or_null(item.raw()));
            }
        }
        *self = Self::List(items);
    }

    fn or_null(raw: Option<RawJson>) -> Self {
        raw.map_or_else(Self::null, Self::raw)
    }
}

impl ToJson for Node {
    fn write_json(&self, out: &mut String) {
        match self {
            Self::Raw(raw) => out.push_str(raw.get()),
            Self::Text(text) => text.text_or_placeholder().write_json(out),
            Self::Object(members) => {
                let mut object = ObjectWriter::new(out);
                for (name, node) in members.iter() {
                    object.member(name, node);
                }
                object.end();
            }
            Self::List(items) => write_list(items.sorted(), out, |(_, node), out| node.write_json(out)),
        }
    }
}

/// Escapes text as in a JSON string.
pub(in crate::provider) fn escaped(piece: &Fragment<'_>) -> Fragment<'static> {
    let json = RawJson::string(&piece.text);
    let inner = json.get().get(1..json.get().len().saturating_sub(1)).unwrap_or_default();
    Fragment { lead: piece.lead, text: Cow::Owned(inner.to_owned()), trail: piece.trail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_and_items_are_extended() {
        let mut node = Node::raw(RawJson::valid(r#"{"a":[1],"b":"x"}"#));
        node.member("a").item(2).set(RawJson::valid("3"));
        node.member("a").item(1).set_text("two");
        node.member("b").push(&Fragment::from("y"));
        node.member("c").add(RawJson::null());
        assert_eq!(to_json(&node), r#"{"a":[1,"two",3],"b":"xy","c":[null]}"#);
    }

    #[test]
    fn a_list_with_named_members_becomes_an_object() {
        let mut node = Node::null();
        node.item(1).set_text("one");
        node.member("name").set_text("b");
        node.item(2).set_text("two");
        assert_eq!(to_json(&node), r#"{"1":"one","name":"b","2":"two"}"#);
    }
}
