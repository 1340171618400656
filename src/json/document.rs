//! Reads JSON values wherever they are stored.
//!
//! Providers read a response through [`Value`], and don't see whether its [`Document`] is JSON text or a host object (a
//! JavaScript object, across the boundary). So each wire format is implemented only once.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZero;
use std::ops::Range;

use crate::json::tape::{Tape, TapeMembers};
use crate::json::{Fragment, JsonError, Kind, NodeId, Nodes, Numbers, RawJson};

/// A [`NodeId`] plus one, so that 0 means no value. A function that finds a value then returns a single number, and an
/// optional [`Value`] is no larger than a [`Value`].
type Place = NonZero<NodeId>;

/// A JSON document: JSON text, or a host object.
///
/// ```
/// use respool::json::Document;
///
/// let document = Document::parse(r#" {"n": [1, 2.0, "\ud83d\ude00"]} "#, 64)?;
/// let items: Vec<_> = document.root().get("n").unwrap().items().collect();
/// assert_eq!(items[1].unsigned(), Some(2));
/// assert_eq!(items[2].text().unwrap(), "😀");
/// # Ok::<(), respool::json::JsonError>(())
/// ```
pub struct Document<'t> {
    source: Source<'t>,
    decoded: Decoded,
}

enum Source<'t> {
    Text(Tape<'t>),
    Host(Box<dyn Nodes + 't>),
}

impl<'t> Document<'t> {
    /// Parses a text: checks its grammar and finds its values, but decodes a value only when it is read. `max_depth` is
    /// the maximum nesting depth of arrays and objects; 0 allows none.
    ///
    /// # Errors
    /// If the text isn't one JSON value (RFC 8259), with only white space around it. A lone surrogate is allowed if it
    /// is escaped; of members with the same name, the last one counts.
    pub fn parse(text: &'t str, max_depth: usize) -> Result<Self, JsonError> {
        Tape::parse(text, max_depth).map(Self::from)
    }

    /// Creates a document from a host object; its node 0 is the outermost value.
    pub fn host(nodes: impl Nodes + 't) -> Self {
        Self { source: Source::Host(Box::new(nodes)), decoded: Decoded::none() }
    }

    /// Returns the outermost value.
    pub fn root(&self) -> Value<'_> {
        self.value(0)
    }

    /// Returns the value of a node.
    pub(crate) fn value(&self, node: NodeId) -> Value<'_> {
        Value { place: place_of(node).unwrap_or(Place::MIN), document: self }
    }
}

/// Returns the text of a JSON string, or `None` for any other value.
pub(crate) fn string_of(json: &str) -> Option<String> {
    Document::parse(json, 0).ok()?.root().text().map(Cow::into_owned)
}

/// Returns the place of a node. The greatest number is never a node.
fn place_of(node: NodeId) -> Option<Place> {
    Place::new(node.wrapping_add(1))
}

/// Queries the source of a value's document. Not a common trait object, so that text is queried directly: it is queried
/// most often, and most queries are small.
macro_rules! ask {
    ($value:ident.$question:ident($($argument:expr),*)) => {
        match &$value.document.source {
            Source::Text(tape) => tape.$question($value.node() $(, $argument)*),
            Source::Host(nodes) => nodes.$question($value.node() $(, $argument)*),
        }
    };
}

mod decoded;
mod get;
mod items;
use decoded::Decoded;
pub use items::{Items, Members};

impl fmt::Debug for Document<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Document").field(&self.root()).finish()
    }
}

/// Shows the value as JSON.
impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.compact().as_deref().unwrap_or("what is no JSON"))
    }
}

impl<'t> From<Tape<'t>> for Document<'t> {
    fn from(tape: Tape<'t>) -> Self {
        Self { source: Source::Text(tape), decoded: Decoded::none() }
    }
}

/// A JSON value that a provider sent, read lazily.
///
/// ```
/// use respool::json::Document;
///
/// let document = Document::parse(r#"{"choices": [{"delta": {"content": "Hi"}}], "usage": null}"#, 64).unwrap();
/// let choice = document.root().get("choices").unwrap().items().next().unwrap();
/// assert_eq!(choice.get("delta").unwrap().get("content").unwrap().text().unwrap(), "Hi");
/// assert!(document.root().get("usage").is_none(), "null is absent");
/// ```
#[derive(Clone, Copy)]
pub struct Value<'a> {
    /// First, so that this field marks an absent optional value.
    place: Place,
    /// With one reference and a number, a value fits two registers, which matters for code that does little else than
    /// pass values around.
    document: &'a Document<'a>,
}

impl<'a> Value<'a> {
    /// Returns the kind of the value.
    #[inline(never)]
    pub fn kind(self) -> Kind {
        ask!(self.kind())
    }

    /// Whether the value is an object.
    pub fn is_object(self) -> bool {
        self.kind() == Kind::Object
    }

    /// Whether the value is an array.
    pub fn is_array(self) -> bool {
        self.kind() == Kind::Array
    }

    /// Returns the node of the value in its document.
    pub(crate) fn node(self) -> NodeId {
        self.place.get() - 1
    }

    /// Returns the members of an object in order, with the ids of their names; `None` for a host object.
    #[expect(clippy::inline_always, reason = "the loop around reads events")]
    #[inline(always)]
    pub(crate) fn members(self) -> Option<TapeMembers<'a>> {
        match &self.document.source {
            Source::Text(tape) => Some(tape.members(self.node())),
            Source::Host(_) => None,
        }
    }

    /// Returns the place of the value in its document.
    pub(crate) fn place(self) -> Place {
        self.place
    }

    /// Returns another value of the same document.
    #[expect(clippy::inline_always, reason = "it does nothing but put the two together")]
    #[inline(always)]
    pub(crate) fn sibling(self, place: Option<Place>) -> Option<Value<'a>> {
        Some(Self { place: place?, ..self })
    }

    /// Returns a member of an object. `null` counts as absent.
    #[expect(clippy::inline_always, reason = "see sibling")]
    #[inline(always)]
    pub fn get(self, name: &'static str) -> Option<Value<'a>> {
        self.sibling(self.member(name))
    }

    #[inline(never)]
    fn member(self, name: &'static str) -> Option<Place> {
        place_of(ask!(self.member(name))?)
    }

    /// Returns the items of an array; none for any other value.
    pub fn items(self) -> Items<'a> {
        Items::of(self)
    }

    /// Returns the items of an array of numbers; `None` for any other value.
    ///
    /// ```
    /// use respool::json::{Document, Numbers};
    ///
    /// let numbers = |json| Document::parse(json, 64).unwrap().root().numbers();
    /// assert_eq!(numbers("[1, -2.5, 1e3]"), Some(Numbers::Read(vec![1.0, -2.5, 1000.0])));
    /// assert_eq!(numbers(r#"[1, "2"]"#), None);
    /// ```
    pub fn numbers(self) -> Option<Numbers> {
        ask!(self.numbers()).or_else(|| {
            let numbers: Option<_> = self.is_array().then(|| self.items().map(Self::number).collect())?;
            numbers.map(Numbers::Read)
        })
    }

    /// Returns the text of a string, with U+FFFD for each lone surrogate.
    #[inline(never)]
    pub fn text(self) -> Option<Cow<'a, str>> {
        self.fragment().map(Cow::from)
    }

    /// Returns the text of a non-empty string. For ids, names and the like, where `""` means absent.
    #[inline(never)]
    pub fn non_empty_text(self) -> Option<Cow<'a, str>> {
        self.text().filter(|text| !text.is_empty())
    }

    /// Returns the text of a non-empty string, kept by the document. For ids, names and the like, where `""` means
    /// absent.
    #[inline(never)]
    pub(crate) fn non_empty(self) -> Option<&'a str> {
        match self.non_empty_text()? {
            Cow::Borrowed(text) => Some(text),
            Cow::Owned(text) => Some(self.document.decoded.keep(text)),
        }
    }

    /// Returns the text of a string, with the surrogates of characters that are split at its ends. For text that
    /// arrives in pieces.
    #[inline(never)]
    pub fn fragment(self) -> Option<Fragment<'a>> {
        ask!(self.fragment())
    }

    /// Returns the text of a string, number or boolean: some gateways parse each token, so that `1` and `true` are no
    /// longer strings.
    #[inline(never)]
    pub(crate) fn scalar_fragment(self) -> Option<Fragment<'a>> {
        let scalar = || matches!(self.kind(), Kind::Number | Kind::Boolean).then(|| self.compact()).flatten();
        self.fragment().or_else(|| Some(Fragment { text: scalar()?.into(), ..Fragment::default() }))
    }

    /// Whether the value is a string with this text.
    #[inline(never)]
    pub fn is(self, text: &str) -> bool {
        ask!(self.is(text))
    }

    /// Returns the value of a number, as JavaScript would read it.
    #[inline(never)]
    pub fn number(self) -> Option<f64> {
        ask!(self.number())
    }

    /// Returns the value of a whole number from 0 to 2^53, or of a string of digits.
    #[inline(never)]
    pub fn unsigned(self) -> Option<u64> {
        ask!(self.unsigned()).or_else(|| self.text()?.parse().ok())
    }

    /// Returns the value of a boolean.
    #[inline(never)]
    pub fn boolean(self) -> Option<bool> {
        ask!(self.boolean())
    }

    /// Returns the value as JSON text to keep; `None` if a host object can't be written as JSON.
    #[inline(never)]
    pub fn raw(self) -> Option<RawJson> {
        ask!(self.raw())
    }

    /// Returns the value's JSON text, if the document is text.
    pub(crate) fn json_text(self) -> Option<&'a str> {
        match &self.document.source {
            Source::Text(tape) => tape.json_text(self.node()),
            Source::Host(_) => None,
        }
    }

    /// Returns the value as `JSON.stringify` writes it, except that numbers stay as they are written.
    #[inline(never)]
    pub fn compact(self) -> Option<String> {
        ask!(self.compact())
    }

    /// Returns the text of a string, and any other value as [`compact`](Self::compact) does. For tool arguments, which
    /// some servers send as JSON text and others as an object.
    ///
    /// ```
    /// use respool::json::Document;
    ///
    /// let arguments = |json| Document::parse(json, 64).unwrap().root().text_or_compact();
    /// assert_eq!(arguments(r#"{"x": 1}"#).unwrap(), r#"{"x":1}"#);
    /// assert_eq!(arguments(r#""{\"x\":1}""#).unwrap(), r#"{"x":1}"#);
    /// ```
    #[inline(never)]
    pub fn text_or_compact(self) -> Option<String> {
        self.text().map(Cow::into_owned).or_else(|| self.compact())
    }

    /// Returns the byte range of the value in the text of its document; `None` for a host object.
    pub fn span(self) -> Option<Range<usize>> {
        ask!(self.span())
    }
}
