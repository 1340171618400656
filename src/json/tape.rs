//! JSON text, read in one pass into a flat list of where its values are.

use std::borrow::Cow;

use crate::json::lanes::byte;
use crate::json::number::to_f64;
use crate::json::parse::{parse, token};
use crate::json::string::decode;
use crate::json::{Document, Fragment, JsonError, Kind, NodeId, Nodes, Numbers, RawJson, compact};
use crate::keyed::Keyed;

/// What a node is, told finer than [`Kind`] does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Null,
    False,
    True,
    Number,
    /// A string that stands in the text as it is.
    PlainString,
    /// A string with escapes.
    EscapedString,
    /// An array whose items are listed.
    Array,
    /// An array that has numbers, one at least, and nothing else: they are not listed. See [`UNLISTED`]. Where
    /// there are many a second node says which of the values in [`Tape::vectors`] are its own.
    Numbers,
    Object,
}

/// The number of a node that is not listed, an item of [`Shape::Numbers`], is this bit and its first byte.
const UNLISTED: NodeId = 1 << 31;

/// A value, or the name of a member.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// Its first byte in the text.
    pub(super) start: u32,
    /// The byte after its last.
    pub(super) end: u32,
    /// The node after it and all that is in it.
    pub(super) next: u32,
    pub(super) shape: Shape,
}

/// A JSON text whose grammar is checked and whose values are found, but not decoded: that is done for those
/// which are asked for.
#[derive(Debug, Clone)]
pub(super) struct Tape<'t> {
    text: &'t str,
    nodes: Cow<'t, [Node]>,
    /// The numbers of long arrays.
    vectors: Cow<'t, [f64]>,
}

/// Memory for one [`Document`] after another.
///
/// ```
/// use respool::json::TapeBuffer;
///
/// let mut buffer = TapeBuffer::new();
/// for event in [r#"{"text": "a"}"#, r#"{"text": "b"}"#] {
///     let document = buffer.parse(event, 64)?;
///     assert!(document.root().get("text").is_some());
/// }
/// # Ok::<(), respool::json::JsonError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct TapeBuffer {
    nodes: Vec<Node>,
    vectors: Vec<f64>,
}

impl TapeBuffer {
    /// An empty buffer. It allocates nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a text, as [`Document::parse`] does, into the memory of the text before.
    ///
    /// # Errors
    /// Where the text is not one JSON value with nothing but white space around it.
    pub fn parse<'t>(&'t mut self, text: &'t str, max_depth: usize) -> Result<Document<'t>, JsonError> {
        let count = parse(text, max_depth, &mut self.nodes, &mut self.vectors)?;
        let nodes = Cow::Borrowed(self.nodes.get(..count).unwrap_or_default());
        Ok(Tape { text, nodes, vectors: Cow::Borrowed(&self.vectors) }.into())
    }

    /// How many bytes of memory it holds.
    pub fn capacity(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.vectors.capacity() * size_of::<f64>()
    }
}

impl<'t> Tape<'t> {
    pub(super) fn parse(text: &'t str, max_depth: usize) -> Result<Self, JsonError> {
        let (mut nodes, mut vectors) = (Vec::new(), Vec::new());
        let count = parse(text, max_depth, &mut nodes, &mut vectors)?;
        nodes.truncate(count);
        Ok(Self { text, nodes: Cow::Owned(nodes), vectors: Cow::Owned(vectors) })
    }

    fn node(&self, node: NodeId) -> Option<Node> {
        match self.nodes.get(node as usize) {
            Some(node) => Some(*node),
            None => self.unlisted(node),
        }
    }

    /// A number that is not listed; the node after it is the item after it, or no item where that is beyond
    /// the array.
    #[inline(never)]
    fn unlisted(&self, node: NodeId) -> Option<Node> {
        let start = node.checked_sub(UNLISTED)?;
        let bytes = self.text.as_bytes();
        let mut end = start as usize;
        while let b'0'..=b'9' | b'.' | b'e' | b'E' | b'-' | b'+' = byte(bytes, end) {
            end += 1;
        }
        let (comma, _) = token(bytes, end);
        let (next, _) = token(bytes, comma + 1);
        Some(Node { start, end: end as u32, next: UNLISTED + next as u32, shape: Shape::Number })
    }

    fn slice(&self, node: Node) -> &'t str {
        self.text.get(node.start as usize..node.end as usize).unwrap_or_default()
    }

    /// A string without its quotes.
    fn inner(&self, node: Node) -> &'t str {
        let (start, end) = (node.start as usize + 1, node.end as usize);
        self.text.get(start..end.saturating_sub(1)).unwrap_or_default()
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

    /// The names and values of an object, in their order.
    #[expect(clippy::inline_always, reason = "half of the time of reading an event is spent here")]
    #[inline(always)]
    fn each_member(&self, object: NodeId, mut take: impl FnMut(Node, NodeId)) {
        let nodes: &[Node] = &self.nodes;
        let Some(Node { shape: Shape::Object, next: end, .. }) = nodes.get(object as usize) else { return };
        let mut key = object + 1;
        while key < *end
            && let Some([name, value]) = nodes.get(key as usize..key as usize + 2)
        {
            take(*name, key + 1);
            key = value.next;
        }
    }

    #[expect(clippy::inline_always, reason = "see each_member")]
    #[inline(always)]
    fn is_named(&self, key: Node, name: &str) -> bool {
        if !matches!(key.shape, Shape::PlainString) {
            return self.is_named_with_escapes(key, name);
        }
        // Lengths first: they differ mostly, and need no look at the text.
        let (start, end) = (key.start as usize + 1, key.end as usize - 1);
        end - start == name.len()
            && self.text.as_bytes().get(start..end).is_some_and(|key| key == name.as_bytes())
    }

    #[inline(never)]
    fn is_named_with_escapes(&self, key: Node, name: &str) -> bool {
        self.decoded(key)
            .is_some_and(|decoded| decoded.lead.is_none() && decoded.trail.is_none() && decoded.text == name)
    }
}

/// Of members with the same name keeps the place of the first and the value of the last, as JavaScript does.
fn keep_last(members: &mut Vec<(String, NodeId)>) {
    let mut kept: Keyed<String, NodeId> = Keyed::default();
    for (name, value) in members.drain(..) {
        kept.insert(name, value);
    }
    members.extend(kept.iter().map(|(name, value)| (name.clone(), *value)));
}

/// The largest integer up to which a JavaScript number has all integers: 2^53.
const MAX_SAFE: f64 = 9_007_199_254_740_992.0;

impl Nodes for Tape<'_> {
    fn kind(&self, node: NodeId) -> Kind {
        match self.node(node).map(|node| node.shape) {
            None | Some(Shape::Null) => Kind::Null,
            Some(Shape::False | Shape::True) => Kind::Boolean,
            Some(Shape::Number) => Kind::Number,
            Some(Shape::PlainString | Shape::EscapedString) => Kind::String,
            Some(Shape::Array | Shape::Numbers) => Kind::Array,
            Some(Shape::Object) => Kind::Object,
        }
    }

    fn member(&self, object: NodeId, name: &'static str) -> Option<NodeId> {
        let mut found = None;
        self.each_member(object, |key, value| {
            if self.is_named(key, name) {
                found = Some(value);
            }
        });
        found.filter(|value| self.kind(*value) != Kind::Null)
    }

    fn other_members(&self, object: NodeId, known: &'static [&'static str]) -> Vec<(String, NodeId)> {
        let mut others: Vec<(String, NodeId)> = Vec::new();
        self.each_member(object, |key, value| {
            if known.iter().all(|name| !self.is_named(key, name)) {
                let name = self.decoded(key).map(Cow::from).unwrap_or_default();
                others.push((name.into_owned(), value));
            }
        });
        if others.len() > 1 {
            keep_last(&mut others);
        }
        others
    }

    fn next_item(&self, array: NodeId, previous: Option<NodeId>) -> Option<NodeId> {
        let array_node = self.node(array)?;
        let (first, end) = match array_node.shape {
            Shape::Array => (array + 1, array_node.next),
            Shape::Numbers => {
                let (first, _) = token(self.text.as_bytes(), array_node.start as usize + 1);
                (UNLISTED + first as u32, UNLISTED + array_node.end)
            }
            _ => return None,
        };
        let item = match previous {
            None => first,
            Some(previous) => self.node(previous)?.next,
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

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
    fn unsigned(&self, number: NodeId) -> Option<u64> {
        let text = self.number_text(number)?;
        // Nearly all are short and plain, and need no floating point.
        if text.len() < 16 && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return text.parse().ok();
        }
        // Otherwise as JavaScript reads it, so that bytes and objects give the same.
        let value = to_f64(text);
        ((0.0..=MAX_SAFE).contains(&value) && value.fract() == 0.0).then_some(value as u64)
    }

    fn boolean(&self, boolean: NodeId) -> Option<bool> {
        match self.node(boolean)?.shape {
            Shape::True => Some(true),
            Shape::False => Some(false),
            _ => None,
        }
    }

    fn raw(&self, node: NodeId) -> Option<RawJson> {
        Some(RawJson::valid(self.slice(self.node(node)?)))
    }

    fn compact(&self, node: NodeId) -> Option<String> {
        Some(compact(self.slice(self.node(node)?)).into_owned())
    }

    fn span(&self, node: NodeId) -> Option<std::ops::Range<usize>> {
        self.node(node).map(|node| node.start as usize..node.end as usize)
    }
}
