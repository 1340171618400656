//! Reading a JSON value without knowing where it lives.
//!
//! Providers read what a server sent through [`Value`], and do not see whether its [`Document`] is JSON text
//! or an object of the host (JavaScript's, through the boundary). So everything that is known about a wire
//! format is written once.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZero;
use std::ops::Range;

use crate::json::tape::{Tape, TapeMembers};
use crate::json::{Fragment, JsonError, Kind, NodeId, Nodes, Numbers, RawJson};

/// A [`NodeId`] plus one, so that 0 is left for no value. A function that finds a value returns one number by this, and
/// an optional [`Value`] is no larger than one that is there.
type Place = NonZero<NodeId>;

/// Where a JSON value lives: in text, or in an object of the host.
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
    /// Reads a text: its grammar is checked and its values are found, but none is decoded before it is asked
    /// for. `max_depth` is how many arrays and objects may be inside one another: with 0 there may be none.
    ///
    /// # Errors
    /// Where the text is not one JSON value (RFC 8259) with nothing but white space around it. A lone half
    /// of a surrogate pair, written as an escape, is allowed; of members with the same name the last counts.
    pub fn parse(text: &'t str, max_depth: usize) -> Result<Self, JsonError> {
        Tape::parse(text, max_depth).map(Self::from)
    }

    /// An object of the host; its node 0 is the outermost value.
    pub fn host(nodes: impl Nodes + 't) -> Self {
        Self { source: Source::Host(Box::new(nodes)), decoded: Decoded::none() }
    }

    /// The outermost value.
    pub fn root(&self) -> Value<'_> {
        self.value(0)
    }

    /// The value with this number.
    pub(crate) fn value(&self, node: NodeId) -> Value<'_> {
        Value { place: place_of(node).unwrap_or(Place::MIN), document: self }
    }
}

/// The text of a JSON string; nothing for any other value.
pub(crate) fn string_of(json: &str) -> Option<String> {
    Document::parse(json, 0).ok()?.root().text().map(Cow::into_owned)
}

/// Where a node is. There are fewer of them than numbers.
fn place_of(node: NodeId) -> Option<Place> {
    Place::new(node.wrapping_add(1))
}

/// Asks the document of a value about it. By this, and not by a common trait object, text is asked directly: it is
/// asked most, and most questions are small.
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

/// Its JSON.
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
    /// First, so that it is this that says that an optional value is absent.
    place: Place,
    /// With one reference and a number a value fits two registers, which matters for code that does little
    /// else than hand values around.
    document: &'a Document<'a>,
}

impl<'a> Value<'a> {
    /// What the value is.
    #[inline(never)]
    pub fn kind(self) -> Kind {
        ask!(self.kind())
    }

    /// Whether it is an object.
    pub fn is_object(self) -> bool {
        self.kind() == Kind::Object
    }

    /// Whether it is an array.
    pub fn is_array(self) -> bool {
        self.kind() == Kind::Array
    }

    /// The number of the value in its document.
    pub(crate) fn node(self) -> NodeId {
        self.place.get() - 1
    }

    /// The members of an object in their order, by the numbers of their names; `None` for an object of the host.
    #[expect(clippy::inline_always, reason = "the loop around reads events")]
    #[inline(always)]
    pub(crate) fn members(self) -> Option<TapeMembers<'a>> {
        match &self.document.source {
            Source::Text(tape) => Some(tape.members(self.node())),
            Source::Host(_) => None,
        }
    }

    /// Where it is in its document.
    pub(crate) fn place(self) -> Place {
        self.place
    }

    /// Another value of the document.
    #[expect(clippy::inline_always, reason = "it does nothing but put the two together")]
    #[inline(always)]
    pub(crate) fn sibling(self, place: Option<Place>) -> Option<Value<'a>> {
        Some(Self { place: place?, ..self })
    }

    /// A member of an object. `null` means absent.
    #[expect(clippy::inline_always, reason = "see sibling")]
    #[inline(always)]
    pub fn get(self, name: &'static str) -> Option<Value<'a>> {
        self.sibling(self.member(name))
    }

    #[inline(never)]
    fn member(self, name: &'static str) -> Option<Place> {
        place_of(ask!(self.member(name))?)
    }

    /// The items of an array; nothing for anything else.
    pub fn items(self) -> Items<'a> {
        Items::of(self)
    }

    /// All items of an array that has numbers and nothing else; `None` for anything else.
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

    /// The text of a string, U+FFFD in place of a lone surrogate.
    #[inline(never)]
    pub fn text(self) -> Option<Cow<'a, str>> {
        self.fragment().map(Cow::from)
    }

    /// The text of a string that is not empty. For ids, names and the like, where `""` means absent.
    #[inline(never)]
    pub fn non_empty_text(self) -> Option<Cow<'a, str>> {
        self.text().filter(|text| !text.is_empty())
    }

    /// The text of a string that is not empty, kept by the document. For ids, names and the like, where `""` means absent.
    #[inline(never)]
    pub(crate) fn non_empty(self) -> Option<&'a str> {
        match self.non_empty_text()? {
            Cow::Borrowed(text) => Some(text),
            Cow::Owned(text) => Some(self.document.decoded.keep(text)),
        }
    }

    /// The text of a string with the halves at its ends. For text that arrives in pieces.
    #[inline(never)]
    pub fn fragment(self) -> Option<Fragment<'a>> {
        ask!(self.fragment())
    }

    /// The same, also of a number or a boolean: some gateways parse each token, so that those of `1` and `true` are none
    /// any more.
    #[inline(never)]
    pub(crate) fn spoken(self) -> Option<Fragment<'a>> {
        let scalar = || matches!(self.kind(), Kind::Number | Kind::Boolean).then(|| self.compact()).flatten();
        self.fragment().or_else(|| Some(Fragment { text: scalar()?.into(), ..Fragment::default() }))
    }

    /// Whether it is this very string.
    #[inline(never)]
    pub fn is(self, text: &str) -> bool {
        ask!(self.is(text))
    }

    /// The value of a number, as JavaScript would read it.
    #[inline(never)]
    pub fn number(self) -> Option<f64> {
        ask!(self.number())
    }

    /// The value of a whole number from 0 to 2^53, which may be digits in a string.
    #[inline(never)]
    pub fn unsigned(self) -> Option<u64> {
        ask!(self.unsigned()).or_else(|| self.text()?.parse().ok())
    }

    /// The value of a boolean.
    #[inline(never)]
    pub fn boolean(self) -> Option<bool> {
        ask!(self.boolean())
    }

    /// The value as JSON text, to keep. `None` where a host object cannot be written as JSON.
    #[inline(never)]
    pub fn raw(self) -> Option<RawJson> {
        ask!(self.raw())
    }

    /// The value as JSON text, where that is at hand.
    pub(crate) fn json_text(self) -> Option<&'a str> {
        match &self.document.source {
            Source::Text(tape) => tape.json_text(self.node()),
            Source::Host(_) => None,
        }
    }

    /// The value as `JSON.stringify` writes it, but for numbers, which are kept as they are written.
    #[inline(never)]
    pub fn compact(self) -> Option<String> {
        ask!(self.compact())
    }

    /// Where in the text of its document the value is; nothing for one that lives in an object of the host.
    pub fn span(self) -> Option<Range<usize>> {
        ask!(self.span())
    }
}
