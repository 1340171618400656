//! Unrecognised members of an object, kept and updated while a stream brings more of them.

use serde::{Serialize, Serializer};

use crate::collect::Collect;
use crate::json::{Kind, List, RawJson, ToJson, Value, string_of, to_json};
use crate::keyed::Keyed;
use crate::save::{Coder, State, state};

/// Maximum depth to which objects are merged member by member; below it, the later one replaces the earlier.
const MERGE_DEPTH: usize = 64;

/// Members whose contents may arrive in each chunk as the next of several, or all again: provider-specific fields
/// (LiteLLM), and sources (Gemini).
const COLLECTED_MEMBERS: [&str; 5] = [
    "provider_specific_fields",
    "citationMetadata",
    "citation_metadata",
    "urlContextMetadata",
    "url_context_metadata",
];

/// JSON members by name, in order of arrival.
///
/// Streams repeat such members, or send them piece by piece. There are two ways to add them: [`put`](Self::put) for a
/// state, of which the latest value counts, and [`append`](Self::append) for pieces. The cost of either depends only on
/// the added value. Most objects stay empty, so one without members is no more than a pointer.
///
/// ```
/// use respool::json::{Object, Document};
///
/// let mut object = Object::default();
/// for json in [r#"{"from": "LHR", "seat": {"row": 7}}"#, r#"{"seat": {"letter": "A"}, "from": null}"#] {
///     object.put_all(Document::parse(json, 64).unwrap().root());
/// }
/// assert_eq!(object.to_json(), r#"{"from":"LHR","seat":{"row":7,"letter":"A"}}"#);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Object(Option<Box<Keyed<String, Member>>>);

/// The members of an empty object, as most are.
static NONE: Keyed<String, Member> = Keyed::new();

impl State for Object {
    fn blank() -> Self {
        Self::default()
    }

    #[inline(never)]
    fn code(&mut self, coder: &mut Coder<'_>) {
        let mut entries = self.0.take().unwrap_or_default();
        entries.code(coder);
        self.0 = (!entries.is_empty()).then_some(entries);
    }
}

/// A member, in a form to which more can be added.
#[derive(Debug, Clone, PartialEq)]
enum Member {
    Raw(RawJson),
    Text(String),
    Items(List),
    Members(Object),
}

state! { enum Member { 0 Raw(raw), 1 Text(text), 2 Items(items), 3 Members(members) } }

impl Object {
    fn entries(&self) -> &Keyed<String, Member> {
        self.0.as_deref().unwrap_or(&NONE)
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.entries().is_empty()
    }

    /// Returns the object as JSON text.
    pub fn to_json(&self) -> String {
        to_json(self)
    }

    /// Returns the names and values, in order.
    pub(super) fn members(&self) -> impl Iterator<Item = (&String, &dyn ToJson)> {
        self.entries().iter().map(|(name, member)| (name, member as &dyn ToJson))
    }

    /// Returns the names of the members that aren't `null`.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let is_null = |member: &Member| matches!(member, Member::Raw(raw) if raw.get() == "null");
        self.entries().iter().filter(move |(_, member)| !is_null(member)).map(|(name, _)| name.as_str())
    }

    /// Returns a member as JSON.
    pub fn get(&self, name: &str) -> Option<RawJson> {
        self.entries().get(name).map(RawJson::of)
    }

    /// Sets all members of another object; each replaces the member of the same name.
    pub fn set_all(&mut self, other: &Self) {
        for (name, member) in other.entries().iter() {
            *self.member(name) = member.clone();
        }
    }

    /// Returns the text of a member that is a string.
    pub fn text(&self, name: &str) -> Option<String> {
        match self.entries().get(name)? {
            Member::Text(text) => Some(text.clone()),
            Member::Raw(raw) => string_of(raw.get()),
            Member::Items(_) | Member::Members(_) => None,
        }
    }

    /// Sets a member to this JSON.
    pub fn set(&mut self, name: &str, value: RawJson) {
        *self.member(name) = Member::Raw(value);
    }

    /// Sets a member to a value, as it is written; usually the member has it already.
    pub(crate) fn set_value(&mut self, name: &str, value: Value<'_>) {
        let member = self.member(name);
        if !member.is(value)
            && let Some(raw) = value.raw()
        {
            *member = Member::Raw(raw);
        }
    }

    /// Appends an item to a member that is an array, or replaces any other member with an array.
    pub fn add_item(&mut self, name: &str, item: RawJson) {
        match self.member(name) {
            Member::Items(items) => items.push(item),
            other => *other = Member::Items(vec![item].into()),
        }
    }

    /// Appends a parsed item to a member that is an array, or replaces any other member with an array.
    pub fn add(&mut self, name: &str, item: Value<'_>) {
        if let Some(raw) = item.raw() {
            self.add_item(name, raw);
        }
    }

    /// Updates a member with its latest state, which replaces the previous one. Objects are merged member by member,
    /// and `null` never replaces anything.
    pub fn put(&mut self, name: &str, value: Value<'_>) {
        if COLLECTED_MEMBERS.contains(&name) && value.is_object() {
            let member = self.member(name);
            if !matches!(member, Member::Members(_)) {
                *member = Member::Members(members_of(&RawJson::of(&*member)));
            }
            if let Member::Members(members) = member {
                value.others(&[]).for_each(|(name, value)| members.collect_member(&name, value));
            }
            return;
        }
        self.put_at_depth(name, value, MERGE_DEPTH);
    }

    /// Updates the members with the latest state of all members of an object.
    pub fn put_all(&mut self, object: Value<'_>) {
        self.put_others(object, &[]);
    }

    /// Updates the members with the latest state of the members that aren't in `known`.
    #[inline(never)]
    pub(crate) fn put_others(&mut self, object: Value<'_>, known: &'static [&'static str]) {
        for (name, value) in object.others(known) {
            self.put(&name, value);
        }
    }

    /// Appends what may be pieces of the members that aren't in `known`.
    #[inline(never)]
    pub(crate) fn append_others(&mut self, object: Value<'_>, known: &'static [&'static str]) {
        for (name, value) in object.others(known) {
            self.append(&name, value);
        }
    }

    /// Appends to a member that is a string.
    pub fn join(&mut self, name: &str, piece: &str) {
        self.append_string_with(name, piece, String::push_str);
    }

    /// Appends to a member that is a string, with a function that joins the piece and the text before it.
    pub(crate) fn append_string_with(&mut self, name: &str, piece: &str, append: fn(&mut String, &str)) {
        match self.member(name) {
            Member::Text(text) => append(text, piece),
            other => *other = Member::Text(piece.to_owned()),
        }
    }

    /// Appends what may be a piece of an unrecognised member: strings and arrays are joined, all else is handled as in
    /// [`put`](Self::put). A string that equals the whole member is a repeated label, not a piece; use
    /// [`join`](Self::join) for strings that are known to be pieces.
    pub fn append(&mut self, name: &str, value: Value<'_>) {
        match value.kind() {
            Kind::String => {
                let piece = value.text().unwrap_or_default();
                match self.member(name) {
                    Member::Text(text) if *text != piece => text.push_str(&piece),
                    Member::Text(_) => {}
                    other => *other = Member::Text(piece.into_owned()),
                }
            }
            Kind::Array => {
                let pieces = value.items().filter_map(Value::raw);
                match self.member(name) {
                    Member::Items(items) => items.extend(pieces),
                    other => *other = Member::Items(pieces.collect_vec().into()),
                }
            }
            _ => self.put(name, value),
        }
    }

    /// Adds a value that may be the latest state or the next of several: a value that differs from the last one forms a
    /// list with it, and a list is appended unless it begins with all known items.
    fn collect_member(&mut self, name: &str, value: Value<'_>) {
        let Some(raw) = value.raw().filter(|raw| raw.get() != "null" || self.entries().get(name).is_none())
        else {
            return;
        };
        let member = self.member(name);
        if let Member::Raw(known) = member {
            if known.get() == "null" || *known == raw {
                *known = raw;
                return;
            }
            let list = known.document().filter(|known| known.root().is_array());
            let items = list.map(|list| list.root().items().filter_map(Value::raw).collect_vec());
            *member = Member::Items(items.unwrap_or_else(|| vec![known.clone()]).into());
        }
        let Member::Items(items) = member else { return };
        if value.is_array() {
            let sent = value.items().filter_map(Value::raw).collect_vec();
            let known = if sent.starts_with(items) { items.len() } else { 0 };
            items.extend(sent.into_iter().skip(known));
        } else if items.last() != Some(&raw) {
            items.push(raw);
        }
    }

    /// Returns the member of this name, inserted as `null` if it is missing.
    fn member(&mut self, name: &str) -> &mut Member {
        self.0.get_or_insert_default().entry(name, || Member::Raw(RawJson::null()))
    }

    fn put_at_depth(&mut self, name: &str, value: Value<'_>, depth: usize) {
        if value.kind() == Kind::Null && self.entries().get(name).is_some() {
            return;
        }
        let member = self.member(name);
        if member.is(value) {
            return;
        }
        let Some(raw) = value.raw() else { return };
        match (value.kind(), depth) {
            (Kind::Object, 1..) => member.merge(value, raw, depth - 1),
            _ => *member = Member::Raw(raw),
        }
    }
}

impl Member {
    /// Whether the member is this value, as it is written.
    fn is(&self, value: Value<'_>) -> bool {
        matches!((self, value.json_text()), (Self::Raw(kept), Some(text)) if kept.get() == text)
    }

    /// Merges the members of an object into this one.
    fn merge(&mut self, value: Value<'_>, raw: RawJson, depth: usize) {
        if let Self::Raw(kept) = self {
            // Usually a repetition, or the first value.
            if *kept == raw || !kept.get().starts_with('{') {
                *kept = raw;
                return;
            }
            *self = Self::Members(members_of(kept));
        }
        let Self::Members(members) = self else {
            *self = Self::Raw(raw);
            return;
        };
        for (name, member) in value.others(&[]) {
            members.put_at_depth(&name, member, depth);
        }
    }
}

/// Returns the members of an object that is kept as text.
fn members_of(raw: &RawJson) -> Object {
    let mut object = Object::default();
    if let Some(tape) = raw.document() {
        for (name, value) in tape.root().others(&[]) {
            if let Some(raw) = value.raw() {
                object.set(&name, raw);
            }
        }
    }
    object
}

impl ToJson for Member {
    fn write_json(&self, out: &mut String) {
        match self {
            Self::Raw(raw) => raw.write_json(out),
            Self::Text(text) => text.write_json(out),
            Self::Items(items) => items.write_json(out),
            Self::Members(members) => members.write_json(out),
        }
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.entries().iter())
    }
}

impl Serialize for Member {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Raw(raw) => raw.serialize(serializer),
            Self::Text(text) => text.serialize(serializer),
            Self::Items(items) => items.serialize(serializer),
            Self::Members(members) => members.serialize(serializer),
        }
    }
}
