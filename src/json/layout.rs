//! Reads JSON that differs from earlier JSON only in scalars, as most events of a stream do.
//!
//! The meaning of a byte of JSON depends only on what is open before it. So if two texts have the same bytes up to a
//! scalar, and the same bytes after it, they have the same values there, only shifted. A text is compared with a parsed
//! one: differing scalars are read again, and all else is known. If anything but a scalar differs, the text has to be
//! parsed.

mod compare;
mod scalar;
mod scalar_set;

use std::num::NonZeroUsize;
use std::ops::Range;

use crate::hash::spread;
use crate::json::string::{decode, decode_letters};
use crate::json::tape::{Node, Shape, Tape, TapeBuffer};
use crate::json::{Document, Fragment, NodeId};

pub(crate) use scalar_set::ScalarSet;

/// Maximum number of scalars that may differ.
const MAX_CHANGES: usize = 16;

/// Maximum length of strings that are unescaped byte by byte; in longer ones, searching for the escapes is faster.
const MAX_BYTEWISE: usize = 256;

/// Most pieces of text have at most this many bytes.
const SHORT: usize = 16;

/// Records with more bytes or nodes aren't learned.
const MAX_BYTES: usize = 1 << 13;
const MAX_NODES: usize = 1 << 9;

/// A record of a stream: JSON and its framing. It was parsed, or it [matches](Self::match_record) one that was.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// Bytes of the record, and their number.
    bytes: Vec<u8>,
    length: usize,
    /// Start of the JSON, and number of bytes after it.
    json: usize,
    after: usize,
    /// Nodes of the JSON.
    nodes: Vec<Node>,
    /// Maximum depth with which the JSON was parsed.
    max_depth: usize,
    /// Scalars that differed in the latest match or a few matches before, and their number: usually the same ones
    /// differ again.
    changes: [Change; MAX_CHANGES],
    count: usize,
    /// Scalars that differ in the latest match.
    differing: ScalarSet,
}

/// A scalar that differs.
#[derive(Debug, Clone, Copy)]
struct Change {
    /// Node of the scalar.
    node: u32,
    /// Byte range of the scalar in the JSON that was compared.
    start: u32,
    end: u32,
    shape: Shape,
    /// Number of consecutive matches in which the scalar could have differed but didn't.
    idle: u8,
}

/// A byte range in JSON.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// Returns the bytes of the range.
    pub(crate) fn of(self, json: &[u8]) -> &[u8] {
        json.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// A string as it is written in JSON, without its quotes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EncodedString<'j> {
    /// JSON from the string's first byte on.
    from: &'j [u8],
    length: usize,
    has_escapes: bool,
}

impl<'j> EncodedString<'j> {
    /// Returns the bytes between the quotes.
    pub(crate) fn inner(self) -> &'j [u8] {
        self.from.get(..self.length).unwrap_or_default()
    }

    pub(crate) fn is_empty(self) -> bool {
        self.length == 0
    }

    /// Appends the text and returns `true` if that is fast; otherwise appends nothing.
    pub(crate) fn append(self, text: &mut Vec<u8>) -> bool {
        if self.has_escapes {
            return self.length <= MAX_BYTEWISE && decode_letters(self.inner(), text);
        }
        // Copying a fixed number of bytes is one instruction; copying a variable number is a call out of the module.
        match self.from.first_chunk::<SHORT>() {
            Some(chunk) if self.length <= SHORT => {
                let end = text.len() + self.length;
                text.extend_from_slice(chunk);
                text.truncate(end);
            }
            _ => text.extend_from_slice(self.inner()),
        }
        true
    }

    /// Decodes the text.
    pub(crate) fn read(self) -> Fragment<'j> {
        let inner = str::from_utf8(self.inner()).unwrap_or_default();
        if self.has_escapes { decode(inner) } else { Fragment::from(inner) }
    }
}

impl Default for Change {
    fn default() -> Self {
        Self { node: 0, start: 0, end: 0, shape: Shape::Null, idle: 0 }
    }
}

impl Layout {
    /// Learns a record whose JSON, at `json`, was parsed into this tape. Returns `false` if it is too large or has
    /// vectors.
    pub(crate) fn learn(
        &mut self,
        record: &[u8],
        json: Range<usize>,
        tape: &TapeBuffer,
        max_depth: usize,
    ) -> bool {
        let nodes = tape.nodes();
        let is_usual = record.len() <= MAX_BYTES && nodes.len() <= MAX_NODES && !tape.has_vectors();
        if is_usual {
            self.nodes.clear();
            self.nodes.extend_from_slice(nodes);
            self.after = record.len() - json.end;
            (self.json, self.max_depth) = (json.start, max_depth);
            self.bytes.clear();
            self.bytes.extend_from_slice(record);
            self.length = record.len();
            self.count = 0;
        }
        is_usual
    }

    /// Returns the length of the record at the start of `bytes` if it differs from this one only in scalars.
    pub(crate) fn match_record(&mut self, bytes: &[u8], max_depth: usize) -> Option<NonZeroUsize> {
        if self.length == 0 || self.max_depth != max_depth {
            return None;
        }
        self.compare(bytes, 0, self.length)
    }

    /// Whether the JSON of a record with other framing differs from this one only in scalars.
    pub(crate) fn matches_json(&mut self, json: &[u8], max_depth: usize) -> bool {
        if self.length == 0 || self.max_depth != max_depth {
            return false;
        }
        self.matches_json_again(json)
    }

    /// Compares JSON without its framing. Also for JSON that has matched before, if the layout has changed since.
    pub(crate) fn matches_json_again(&mut self, json: &[u8]) -> bool {
        self.compare(json, self.json, self.length - self.after) == NonZeroUsize::new(json.len())
    }

    /// Updates the layout with JSON that was found to match.
    pub(crate) fn update(&mut self, json: &[u8]) {
        self.shift();
        let end = self.length - self.after;
        if end - self.json == json.len() {
            if let Some(place) = self.bytes.get_mut(self.json..end) {
                place.copy_from_slice(json);
            }
            return;
        }
        let after = self.bytes.get(end..self.length).unwrap_or_default().to_vec();
        self.bytes.truncate(self.json);
        self.bytes.extend_from_slice(json);
        self.bytes.extend_from_slice(&after);
        self.length = self.bytes.len();
    }

    /// Returns the JSON in a matching record.
    pub(crate) fn json_of<'r>(&self, record: &'r [u8]) -> &'r [u8] {
        record.get(self.json..record.len().saturating_sub(self.after)).unwrap_or_default()
    }

    /// Returns the document of `json`, with which the layout was updated last.
    pub(crate) fn document<'t>(&'t self, json: &'t [u8]) -> Document<'t> {
        Tape::of(json, &self.nodes).into()
    }

    /// Returns the node after a value and its contents.
    pub(crate) fn node_after(&self, node: NodeId) -> NodeId {
        self.nodes.get(node as usize).map_or(node, |node| node.next)
    }

    /// Returns the scalars that differ in the latest match.
    pub(crate) fn changed(&self) -> impl Iterator<Item = NodeId> {
        self.changes.iter().take(self.count).filter(|change| change.idle == 0).map(|change| change.node)
    }

    /// Returns the scalars that differ in the latest match, as a set that is [within no other](ScalarSet::insert_other)
    /// if one has a different type than before.
    #[inline]
    pub(crate) fn differing(&self) -> ScalarSet {
        self.differing
    }

    /// Whether a differing scalar has the same type as before.
    pub(crate) fn is_alike(&self, scalar: NodeId) -> bool {
        let change = self.changes.iter().take(self.count).find(|change| change.node == scalar);
        let before = self.nodes.get(scalar as usize);
        change.zip(before).is_none_or(|(change, before)| is_alike(change.shape, before.shape))
    }

    /// Returns the span of a value, given by its nodes, in matching JSON with which the layout wasn't updated yet.
    pub(crate) fn value_span(&self, value: &Range<NodeId>) -> Option<Span> {
        let (mut start, mut end) = (self.nodes.get(value.start as usize)?.start, 0);
        let last = self.nodes.get(value.end.checked_sub(1)? as usize)?.end;
        for change in self.changes.iter().take(self.count).take_while(|change| change.node < value.end) {
            let by = change.end.wrapping_sub(self.nodes.get(change.node as usize)?.end);
            if change.node < value.start {
                start = self.nodes.get(value.start as usize)?.start.wrapping_add(by);
            }
            end = by;
        }
        Some(Span { start, end: last.wrapping_add(end) })
    }

    /// Returns a string of matching JSON with which the layout wasn't updated yet.
    #[expect(clippy::inline_always, reason = "what it returns would be passed in memory")]
    #[inline(always)]
    pub(crate) fn string_at<'j>(&'j self, string: NodeId, json: &'j [u8]) -> Option<EncodedString<'j>> {
        let (shape, bytes, length) = self.scalar_in(string, json)?;
        let (Shape::PlainString | Shape::EscapedString) = shape else { return None };
        let (from, length) = (bytes.get(1..)?, length.checked_sub(2)?);
        Some(EncodedString { from, length, has_escapes: shape == Shape::EscapedString })
    }

    /// Returns a digest of a seed and a scalar of matching JSON. Two different scalars share one once in 2^64.
    pub(crate) fn digest(&self, scalar: NodeId, json: &[u8], seed: u64) -> u64 {
        let scalar = self.scalar_in(scalar, json).and_then(|(_, bytes, length)| bytes.get(..length));
        let (words, rest) = scalar.unwrap_or_default().as_chunks();
        let words = words.iter().map(|word| u64::from_le_bytes(*word));
        let rest = rest.iter().fold(1, |number, byte| number << 8 | u64::from(*byte));
        words.chain([rest]).fold(seed, |digest, word| {
            let digest = spread(digest ^ word);
            digest ^ digest >> 32
        })
    }

    /// Returns a scalar of matching JSON: its shape, the JSON from its first byte on, and its length. If the scalar
    /// doesn't differ, that is the known JSON.
    #[expect(clippy::inline_always, reason = "what it returns would be passed in memory")]
    #[inline(always)]
    fn scalar_in<'j>(&'j self, scalar: NodeId, json: &'j [u8]) -> Option<(Shape, &'j [u8], usize)> {
        for change in self.changes.iter().take(self.count) {
            if change.node == scalar {
                let length = change.end.checked_sub(change.start)?;
                return Some((change.shape, json.get(change.start as usize..)?, length as usize));
            }
        }
        let node = self.nodes.get(scalar as usize)?;
        let known = self.bytes.get(self.json + node.start as usize..)?;
        Some((node.shape, known, node.end.checked_sub(node.start)? as usize))
    }

    /// Moves the nodes to their positions in the record that was compared.
    fn shift(&mut self) {
        let mut changes = self.changes.iter().take(self.count).peekable();
        while let Some(change) = changes.next() {
            let Some(node) = self.nodes.get_mut(change.node as usize) else { return };
            let by = change.end.wrapping_sub(node.end);
            (node.start, node.end, node.shape) = (change.start, change.end, change.shape);
            let next = changes.peek().map_or(self.nodes.len(), |next| next.node as usize);
            if by == 0 {
                continue;
            }
            for node in self.nodes.get_mut(change.node as usize + 1..next).unwrap_or_default() {
                node.start = node.start.wrapping_add(by);
                if node.shape != Shape::Object {
                    node.end = node.end.wrapping_add(by);
                }
            }
        }
    }
}

/// Whether two scalars are of the same type.
fn is_alike(shape: Shape, other: Shape) -> bool {
    shape == other || is_string(shape) && is_string(other)
}

fn is_string(shape: Shape) -> bool {
    matches!(shape, Shape::PlainString | Shape::EscapedString)
}

#[cfg(test)]
mod tests;
