//! JSON text, parsed in one pass into a flat list of the positions of its values.

use std::borrow::Cow;

use crate::json::lanes::byte;
use crate::json::names::{self, NameId, UNKNOWN};
use crate::json::number::to_f64;
use crate::json::parse::{parse, token};
use crate::json::string::decode;
use crate::json::{Fragment, JsonError, Kind, NodeId, Nodes, Numbers, RawJson, compact};

mod buffer;
mod known;
mod members;
mod others;

pub use buffer::TapeBuffer;
pub(super) use known::Known;
pub(crate) use members::TapeMembers;
use others::Others;

/// The kind of a node, in more detail than [`Kind`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Null,
    False,
    True,
    Number,
    /// A string without escapes.
    PlainString,
    /// A string with escapes.
    EscapedString,
    /// An array whose items are listed.
    Array,
    /// An array of numbers only, at least one, which aren't listed. See [`UNLISTED`]. If there are many, a second node
    /// holds the range of their values in [`Tape::vectors`].
    Numbers,
    Object,
    /// The closing bracket of an object, or of an array whose items are listed: its last node.
    End,
}

/// The id of a node that isn't listed, an item of [`Shape::Numbers`], is this bit and the position of its first byte.
const UNLISTED: NodeId = 1 << 31;

/// A value, or the name of a member.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    /// Position of its first byte in the text.
    pub(super) start: u32,
    /// Position after its last byte; for an object, the [marks](names::mark) of its names instead.
    pub(super) end: u32,
    /// The node after it and its contents.
    pub(super) next: u32,
    pub(super) shape: Shape,
    /// Id of the name; [`names::VALUE`] if the node is a value.
    pub(super) name: NameId,
}

/// A JSON text whose grammar is checked and whose values are found, but only decoded when they are read.
#[derive(Debug, Clone)]
pub(super) struct Tape<'t> {
    /// The text, from the first byte of the value on.
    bytes: &'t [u8],
    /// The same bytes as text, or empty if they weren't validated as a whole.
    text: &'t str,
    nodes: Cow<'t, [Node]>,
    /// The numbers of long arrays.
    vectors: Cow<'t, [f64]>,
}

impl<'t> Tape<'t> {
    pub(super) fn parse(text: &'t str, max_depth: usize) -> Result<Self, JsonError> {
        let (mut nodes, mut vectors) = (Vec::new(), Vec::new());
        let count = parse(text, max_depth, &mut nodes, &mut vectors)?;
        nodes.truncate(count);
        Ok(Self { bytes: text.as_bytes(), text, nodes: Cow::Owned(nodes), vectors: Cow::Owned(vectors) })
    }

    /// Returns a tape without values.
    pub(super) const fn empty() -> Self {
        Self::of(&[], &[])
    }

    /// Returns a tape whose nodes are known already.
    pub(super) const fn of(bytes: &'t [u8], nodes: &'t [Node]) -> Self {
        Self { bytes, text: "", nodes: Cow::Borrowed(nodes), vectors: Cow::Borrowed(&[]) }
    }

    /// Returns the members of an object; none for any other value.
    #[expect(clippy::inline_always, reason = "see object")]
    #[inline(always)]
    pub(super) fn members(&self, object: NodeId) -> TapeMembers<'_> {
        let end = match self.object(object) {
            Some(node) => node.next as usize - 1,
            None => 0,
        };
        TapeMembers { nodes: self.nodes.get(..end).unwrap_or_default(), at: object + 1 }
    }

    /// Returns the names and values of an object's members that aren't known, in order.
    #[inline(never)]
    pub(super) fn unknown_members(&self, object: NodeId, known: Known<'_>) -> Vec<(Cow<'_, str>, NodeId)> {
        let mut others = Others::with_capacity(self.members(object).count());
        for (node, name, _) in self.members(object) {
            if !known.has(name, self) {
                others.add(self.decoded(*name).map(Cow::from).unwrap_or_default(), node);
            }
        }
        others.finish()
    }

    /// Whether an object has members that aren't known. `set`: not counting `null`.
    #[inline(never)]
    pub(super) fn has_unknown(&self, object: NodeId, known: Known<'_>, set: bool) -> bool {
        let mut members = self.members(object);
        members.any(|(_, name, value)| !(set && value.shape == Shape::Null || known.has(name, self)))
    }

    /// Returns the node after the last item of an array whose items are listed; otherwise 0.
    pub(super) fn end_of_items(&self, array: NodeId) -> NodeId {
        match self.nodes.get(array as usize) {
            Some(node @ Node { shape: Shape::Array, .. }) => node.next - 1,
            _ => 0,
        }
    }

    /// Returns the node after a listed value and its contents.
    pub(super) fn after(&self, node: NodeId) -> NodeId {
        match self.nodes.get(node as usize) {
            Some(node) => node.next,
            None => NodeId::MAX,
        }
    }

    fn node(&self, node: NodeId) -> Option<Node> {
        match self.nodes.get(node as usize) {
            Some(node) => Some(*node),
            None => self.unlisted(node),
        }
    }

    /// Returns a number that isn't listed. Its next node is the item after it; beyond the end of the array, there is
    /// none.
    #[inline(never)]
    fn unlisted(&self, node: NodeId) -> Option<Node> {
        let start = node.checked_sub(UNLISTED)?;
        let bytes = self.bytes;
        let mut end = start as usize;
        while let b'0'..=b'9' | b'.' | b'e' | b'E' | b'-' | b'+' = byte(bytes, end) {
            end += 1;
        }
        let (comma, _) = token(bytes, end);
        let (next, _) = token(bytes, comma + 1);
        Some(Node {
            start,
            end: end as u32,
            next: UNLISTED + next as u32,
            name: names::VALUE,
            shape: Shape::Number,
        })
    }

    /// Returns a value as it is written.
    pub(super) fn json_text(&self, node: NodeId) -> Option<&str> {
        self.node(node).map(|node| self.slice(node))
    }

    fn slice(&self, node: Node) -> &'t str {
        self.text(node.start as usize, self.end(node))
    }

    /// Returns the position after the last byte of a value.
    fn end(&self, node: Node) -> usize {
        let last = match node.shape {
            Shape::Array | Shape::Object => self.nodes.get(node.next as usize - 1).copied(),
            _ => None,
        };
        last.unwrap_or(node).end as usize
    }

    /// Returns a string without its quotes.
    fn inner(&self, node: Node) -> &'t str {
        let (start, end) = (node.start as usize + 1, node.end as usize);
        self.text(start, end.saturating_sub(1))
    }

    /// Returns a slice of the text.
    fn text(&self, start: usize, end: usize) -> &'t str {
        match self.text.get(start..end) {
            Some(text) => text,
            None => str::from_utf8(self.bytes.get(start..end).unwrap_or_default()).unwrap_or_default(),
        }
    }

    fn number_text(&self, number: NodeId) -> Option<&'t str> {
        self.node(number).filter(|node| node.shape == Shape::Number).map(|node| self.slice(node))
    }

    fn decoded(&self, node: Node) -> Option<Fragment<'t>> {
        match node.shape {
            Shape::PlainString => Some(Fragment::from(self.inner(node))),
            Shape::EscapedString => Some(decode(self.inner(node))),
            _ => None,
        }
    }

    /// Returns the node of an object.
    #[expect(clippy::inline_always, reason = "most of the time of reading an event is spent here")]
    #[inline(always)]
    fn object(&self, object: NodeId) -> Option<&Node> {
        match self.nodes.get(object as usize) {
            Some(node @ Node { shape: Shape::Object, .. }) => Some(node),
            _ => None,
        }
    }

    /// Whether a member has this name, whose id is `id`.
    #[expect(clippy::inline_always, reason = "see object")]
    #[inline(always)]
    fn is_named(&self, key: &Node, name: &str, id: NameId) -> bool {
        key.name == id && (id != UNKNOWN || self.is_text_of(key, name))
    }

    #[inline(never)]
    fn is_text_of(&self, string: &Node, text: &str) -> bool {
        match string.shape {
            Shape::PlainString => self.has_text(string, text),
            _ => self.is_text(string, text),
        }
    }

    /// Whether a plain string has this text.
    #[expect(clippy::inline_always, reason = "see object")]
    #[inline(always)]
    fn has_text(&self, string: &Node, text: &str) -> bool {
        match self.bytes.get(string.start as usize + 1..string.end as usize - 1) {
            Some(bytes) => bytes == text.as_bytes(),
            None => false,
        }
    }

    /// Whether a string with escapes has this text.
    #[inline(never)]
    fn is_text(&self, string: &Node, text: &str) -> bool {
        let inner = self.inner(*string);
        // An escape takes up to six bytes for each byte of its character.
        if inner.len() > 6 * text.len() {
            return false;
        }
        let decoded = decode(inner);
        decoded.is(text)
    }
}

/// 2^53: JavaScript numbers represent all integers up to it exactly.
const MAX_SAFE: f64 = 9_007_199_254_740_992.0;

/// A number below this is still exact with another digit, as an integer and as a float.
const MAX_PLAIN: u64 = 100_000_000_000_000;

/// Returns a number if it is whole and from 0 to 2^53. Unusual numbers are read as JavaScript reads them, so that bytes
/// and objects have the same result.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
fn to_safe_integer(number: f64) -> Option<u64> {
    ((0.0..=MAX_SAFE).contains(&number) && number.fract() == 0.0).then_some(number as u64)
}

impl Nodes for Tape<'_> {
    fn kind(&self, node: NodeId) -> Kind {
        match self.node(node).map(|node| node.shape) {
            None | Some(Shape::Null | Shape::End) => Kind::Null,
            Some(Shape::False | Shape::True) => Kind::Boolean,
            Some(Shape::Number) => Kind::Number,
            Some(Shape::PlainString | Shape::EscapedString) => Kind::String,
            Some(Shape::Array | Shape::Numbers) => Kind::Array,
            Some(Shape::Object) => Kind::Object,
        }
    }

    #[expect(clippy::inline_always, reason = "it is asked most, and from one place")]
    #[inline(always)]
    fn member(&self, object: NodeId, name: &'static str) -> Option<NodeId> {
        if self.object(object)?.end & names::mark(name.as_bytes()) == 0 {
            return None;
        }
        let id = names::find_name(name);
        let mut found = None;
        for (node, named, value) in self.members(object) {
            if self.is_named(named, name, id) {
                found = if value.shape == Shape::Null { None } else { Some(node) };
            }
        }
        found
    }

    fn other_members(&self, object: NodeId, known: &'static [&'static str]) -> Vec<(Cow<'_, str>, NodeId)> {
        self.unknown_members(object, Known::names(known))
    }

    fn next_item(&self, array: NodeId, previous: Option<NodeId>) -> Option<NodeId> {
        let array_node = self.node(array)?;
        let (first, end) = match array_node.shape {
            Shape::Array => (array + 1, array_node.next - 1),
            Shape::Numbers => {
                let (first, _) = token(self.bytes, array_node.start as usize + 1);
                (UNLISTED + first as u32, UNLISTED + array_node.end)
            }
            _ => return None,
        };
        let item = match (previous, array_node.shape) {
            (None, _) => first,
            (Some(previous), Shape::Array) => self.nodes.get(previous as usize)?.next,
            (Some(previous), _) => self.node(previous)?.next,
        };
        (item < end).then_some(item)
    }

    fn numbers(&self, array: NodeId) -> Option<Numbers> {
        let node = self.node(array).filter(|node| node.shape == Shape::Numbers)?;
        if node.next - array < 2 {
            return None;
        }
        let Node { start, end, .. } = self.node(array + 1)?;
        Some(Numbers::Read(self.vectors.get(start as usize..end as usize)?.to_vec()))
    }

    fn fragment(&self, string: NodeId) -> Option<Fragment<'_>> {
        self.decoded(self.node(string)?)
    }

    fn number(&self, number: NodeId) -> Option<f64> {
        self.number_text(number).map(to_f64)
    }

    fn unsigned(&self, number: NodeId) -> Option<u64> {
        let node = self.node(number).filter(|node| node.shape == Shape::Number)?;
        // Nearly all numbers are short and plain, and need no floating point.
        let mut plain = 0;
        for byte in self.bytes.get(node.start as usize..node.end as usize)? {
            match byte {
                b'0'..=b'9' if plain < MAX_PLAIN => plain = plain * 10 + u64::from(byte - b'0'),
                _ => return to_safe_integer(to_f64(self.slice(node))),
            }
        }
        Some(plain)
    }

    fn boolean(&self, boolean: NodeId) -> Option<bool> {
        match self.node(boolean)?.shape {
            Shape::True => Some(true),
            Shape::False => Some(false),
            _ => None,
        }
    }

    fn is(&self, string: NodeId, text: &str) -> bool {
        match self.nodes.get(string as usize) {
            Some(node @ Node { shape: Shape::PlainString, .. }) => self.has_text(node, text),
            Some(node @ Node { shape: Shape::EscapedString, .. }) => self.is_text(node, text),
            _ => false,
        }
    }

    fn raw(&self, node: NodeId) -> Option<RawJson> {
        Some(RawJson::valid(self.slice(self.node(node)?)))
    }

    fn compact(&self, node: NodeId) -> Option<String> {
        Some(compact(self.slice(self.node(node)?)).into_owned())
    }

    fn span(&self, node: NodeId) -> Option<std::ops::Range<usize>> {
        self.node(node).map(|node| node.start as usize..self.end(node))
    }
}
