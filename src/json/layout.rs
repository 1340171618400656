//! Reading JSON that differs from JSON read before in nothing but scalars, as most events of a stream do.
//!
//! What a byte of JSON means depends on nothing but what is open where it stands. So where two texts have the same
//! bytes up to a scalar, and the same bytes behind it, they have the same values there, only shifted. A text is
//! compared with one that was parsed: scalars that differ are read again, and all else is known. Where anything but a
//! scalar differs, the text has to be parsed.

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

/// More scalars than this may not differ.
const MAX_CHANGES: usize = 16;

/// In longer strings, escapes are looked for faster than byte by byte.
const MAX_EASY: usize = 256;

/// Most pieces of text have no more bytes.
const SHORT: usize = 16;

/// Longer records, and such with more nodes, are not learned.
const MAX_BYTES: usize = 1 << 13;
const MAX_NODES: usize = 1 << 9;

/// A record of a stream: JSON, and what frames it. It was parsed, or it [fits](Self::fit) one that was.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// The record.
    bytes: Vec<u8>,
    length: usize,
    /// Where the JSON begins, and how many bytes follow it.
    json: usize,
    after: usize,
    /// The values in the JSON.
    nodes: Vec<Node>,
    /// How deep the parser was allowed to go.
    max_depth: usize,
    /// The scalars that differ in what fitted last, or did not long before, and how many: mostly they differ again.
    changes: [Change; MAX_CHANGES],
    count: usize,
    /// Those that differ in what fitted last.
    differing: ScalarSet,
}

/// A scalar that differs.
#[derive(Debug, Clone, Copy)]
struct Change {
    /// Which node it is.
    node: u32,
    /// Where it stands in the JSON.
    start: u32,
    end: u32,
    shape: Shape,
    /// How many times in a row it was the same, and might have differed.
    idle: u8,
}

/// A place in JSON: its first byte, and the byte after its last.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// What stands there.
    pub(crate) fn of(self, json: &[u8]) -> &[u8] {
        json.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// A string as it stands in JSON, without its quotes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spelled<'j> {
    /// The JSON from the string's first byte on.
    from: &'j [u8],
    length: usize,
    has_escapes: bool,
}

impl<'j> Spelled<'j> {
    /// What is between the quotes.
    pub(crate) fn inner(self) -> &'j [u8] {
        self.from.get(..self.length).unwrap_or_default()
    }

    pub(crate) fn is_empty(self) -> bool {
        self.length == 0
    }

    /// Appends the text, and answers whether that was easy: otherwise nothing is appended.
    pub(crate) fn append(self, text: &mut Vec<u8>) -> bool {
        if self.has_escapes {
            return self.length <= MAX_EASY && decode_letters(self.inner(), text);
        }
        // A copy of so many bytes is one instruction, where one of any number is a call out of the module.
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

    /// The text.
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
    /// Learns a record whose JSON stands at `json` and was parsed into this tape. Answers whether it is worth it.
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

    /// How long the record is with which these bytes begin, where it differs from this one in nothing but scalars.
    pub(crate) fn fit(&mut self, bytes: &[u8], max_depth: usize) -> Option<NonZeroUsize> {
        if self.length == 0 || self.max_depth != max_depth {
            return None;
        }
        self.compare(bytes, 0, self.length)
    }

    /// Whether the JSON of a record that is framed otherwise does.
    pub(crate) fn fit_json(&mut self, json: &[u8], max_depth: usize) -> bool {
        if self.length == 0 || self.max_depth != max_depth {
            return false;
        }
        self.fit_again(json)
    }

    /// Whether JSON does that has fitted before, when the record that was taken in last was another one.
    pub(crate) fn fit_again(&mut self, json: &[u8]) -> bool {
        self.compare(json, self.json, self.length - self.after) == NonZeroUsize::new(json.len())
    }

    /// Takes in the JSON that was found to fit.
    pub(crate) fn take_in(&mut self, json: &[u8]) {
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

    /// The JSON in such a record.
    pub(crate) fn json_of<'r>(&self, record: &'r [u8]) -> &'r [u8] {
        record.get(self.json..record.len().saturating_sub(self.after)).unwrap_or_default()
    }

    /// The JSON that was taken in last, which these bytes are.
    pub(crate) fn document<'t>(&'t self, json: &'t [u8]) -> Document<'t> {
        Tape::of(json, &self.nodes).into()
    }

    /// The node behind a value and all that is in it.
    pub(crate) fn end_of(&self, node: NodeId) -> NodeId {
        self.nodes.get(node as usize).map_or(node, |node| node.next)
    }

    /// The scalars that differ in what fits.
    pub(crate) fn changed(&self) -> impl Iterator<Item = NodeId> {
        self.changes.iter().take(self.count).filter(|change| change.idle == 0).map(|change| change.node)
    }

    /// The scalars that differ in what fits, as a set that is [within none](ScalarSet::insert_other) where one is of
    /// another type than before.
    #[inline]
    pub(crate) fn differing(&self) -> ScalarSet {
        self.differing
    }

    /// Whether a scalar that differs is of the same type as before.
    pub(crate) fn is_alike(&self, scalar: NodeId) -> bool {
        let change = self.changes.iter().take(self.count).find(|change| change.node == scalar);
        let before = self.nodes.get(scalar as usize);
        change.zip(before).is_none_or(|(change, before)| is_alike(change.shape, before.shape))
    }

    /// Where these nodes, a value and all that is in it, stand in the JSON that fits, before that is taken in.
    pub(crate) fn place_of(&self, value: &Range<NodeId>) -> Option<Span> {
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

    /// A string in the JSON that fits, before that is taken in.
    #[expect(clippy::inline_always, reason = "what it returns would be passed in memory")]
    #[inline(always)]
    pub(crate) fn text_of<'j>(&'j self, string: NodeId, json: &'j [u8]) -> Option<Spelled<'j>> {
        let (shape, bytes, length) = self.scalar_of(string, json)?;
        let (Shape::PlainString | Shape::EscapedString) = shape else { return None };
        let (from, length) = (bytes.get(1..)?, length.checked_sub(2)?);
        Some(Spelled { from, length, has_escapes: shape == Shape::EscapedString })
    }

    /// A digest of a seed and a scalar in the JSON that fits: of two that differ it is the same once in 2^64.
    pub(crate) fn digest(&self, scalar: NodeId, json: &[u8], seed: u64) -> u64 {
        let scalar = self.scalar_of(scalar, json).and_then(|(_, bytes, length)| bytes.get(..length));
        let (words, rest) = scalar.unwrap_or_default().as_chunks();
        let words = words.iter().map(|word| u64::from_le_bytes(*word));
        let rest = rest.iter().fold(1, |number, byte| number << 8 | u64::from(*byte));
        words.chain([rest]).fold(seed, |digest, word| {
            let digest = spread(digest ^ word);
            digest ^ digest >> 32
        })
    }

    /// A scalar in the JSON that fits: the JSON from its first byte on, and how long it is. Where it doesn't differ, that is
    /// the JSON that is known.
    #[expect(clippy::inline_always, reason = "what it returns would be passed in memory")]
    #[inline(always)]
    fn scalar_of<'j>(&'j self, scalar: NodeId, json: &'j [u8]) -> Option<(Shape, &'j [u8], usize)> {
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

    /// Brings the nodes to where they stand in the record that was compared.
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
