//! Compares a record with a known one.

use std::num::NonZeroUsize;

use super::scalar::{any_scalar, scalar};
use super::{Change, Layout, ScalarSet, is_alike};
use crate::json::NodeId;
use crate::json::lanes::{common_prefix_len, is_equal, is_same_text};
use crate::json::names::VALUE;
use crate::json::tape::{Node, Shape};

/// A scalar that didn't differ in more consecutive matches than this is compared like any other byte again.
pub(super) const MAX_IDLE: u8 = 8;

impl Layout {
    /// Compares bytes with those of the record from `from` to `end`, and lists the differing scalars. Returns the
    /// number of matching bytes: not as an `Option<usize>`, which WebAssembly returns in memory.
    pub(super) fn compare(&mut self, bytes: &[u8], from: usize, end: usize) -> Option<NonZeroUsize> {
        self.compare_expected(bytes, from, end).or_else(|| self.compare_all(bytes, from, end))
    }

    /// Fast path of [`compare`](Self::compare), for the usual case: only listed scalars differ.
    #[expect(clippy::inline_always, reason = "half of the time of reading a stream is spent here")]
    #[inline(always)]
    fn compare_expected(&mut self, bytes: &[u8], from: usize, end: usize) -> Option<NonZeroUsize> {
        let known = self.bytes.get(from..end)?;
        let json = self.json - from;
        let (mut at, mut to, mut differing) = (0, 0, ScalarSet::default());
        let mut changes = self.changes.get_mut(..self.count)?.iter_mut();
        loop {
            let change = changes.next();
            let node = match &change {
                Some(change) => Some(self.nodes.get(change.node as usize)?),
                None => None,
            };
            let before = known.get(at..node.map_or(known.len(), |node| json + node.start as usize))?;
            let begin = to + before.len();
            if !is_equal(before, bytes.get(to..begin)?) {
                return None;
            }
            to = begin;
            let (Some(change), Some(node)) = (change, node) else { break };
            let (shape, stop) = scalar(bytes, begin)?;
            let end = json + node.end as usize;
            if is_same(known.get(json + node.start as usize..end)?, bytes.get(begin..stop)?) {
                if change.idle == MAX_IDLE {
                    return None;
                }
                change.idle += 1;
            } else {
                change.idle = 0;
                differing.insert(change.node);
                if !is_alike(shape, node.shape) {
                    differing.insert_other();
                }
            }
            (change.start, change.end, change.shape) = ((begin - json) as u32, (stop - json) as u32, shape);
            (at, to) = (end, stop);
        }
        self.differing = differing;
        NonZeroUsize::new(to)
    }

    /// Slow path of [`compare`](Self::compare): other scalars differ.
    #[inline(never)]
    fn compare_all(&mut self, bytes: &[u8], from: usize, end: usize) -> Option<NonZeroUsize> {
        let Self { nodes, changes, .. } = self;
        let known = self.bytes.get(from..end)?;
        // Start of the JSON in both, relative to `from`, which is either 0 or that start.
        let json = self.json - from;
        // Positions up to which both are compared, and the number of nodes and changes so far.
        let (mut at, mut to, mut done, mut count) = (0, 0, 0, 0);
        let (mut guesses, mut differing) = (self.count, ScalarSet::default());
        loop {
            // Usually the same scalars differ again.
            let guess = changes.get(count).filter(|_| count < guesses).map(|change| change.node as usize);
            let guess = guess.filter(|node| *node >= done).and_then(|node| Some((node, nodes.get(node)?)));
            let next = guess.map_or(known.len(), |(_, node)| json + node.start as usize);
            let same = common_prefix_len(known.get(at..next)?, bytes.get(to..)?);
            (at, to) = (at + same, to + same);
            let (node, begin) = if at == next {
                let Some((node, _)) = guess else { break };
                (node, to)
            } else {
                // Bytes before the JSON have no node.
                let place = at.checked_sub(json)? as u32;
                let node = scalar_at(nodes, done, place)?.get() - 1;
                (node, to.checked_sub((place - nodes.get(node)?.start) as usize)?)
            };
            let known_node = nodes.get(node)?;
            let (start, end) = (known_node.start as usize, known_node.end as usize);
            let (shape, stop) = any_scalar(bytes, begin)?;
            (at, to, done) = (json + end, stop, node + 1);
            let is_same = is_same_text(known.get(json + start..at)?, bytes.get(begin..stop)?);
            let change = changes.get_mut(count)?;
            let idle = if is_same { change.idle + 1 } else { 0 };
            if !is_same {
                differing.insert(node as NodeId);
                if !is_alike(shape, known_node.shape) {
                    differing.insert_other();
                }
            }
            if idle > MAX_IDLE {
                changes.copy_within((count + 1).min(guesses)..guesses, count);
                guesses = guesses.saturating_sub(1);
                continue;
            }
            let (start, end) = ((begin - json) as u32, (stop - json) as u32);
            *change = Change { node: node as u32, start, end, shape, idle };
            count += 1;
        }
        (self.count, self.differing) = (count, differing);
        NonZeroUsize::new(to)
    }
}

/// Whether two scalars are equal. Different ones usually differ at the end, and `memcmp` is slow in WebAssembly.
#[expect(clippy::inline_always, reason = "half of the time of reading a stream is spent here")]
#[inline(always)]
fn is_same(known: &[u8], other: &[u8]) -> bool {
    known.len() == other.len()
        && known.last_chunk::<2>() == other.last_chunk::<2>()
        && is_same_text(known, other)
}

/// Returns the number plus one of the scalar at a position, searched from node `from` on.
#[inline(never)]
fn scalar_at(nodes: &[Node], from: usize, place: u32) -> Option<NonZeroUsize> {
    let mut count = nodes.get(from..)?.partition_point(|node| node.start <= place);
    // The end of an array or object is also the end of the last scalar in it.
    let is_end = |node: &Node| node.shape == Shape::End && node.start == place;
    if count > 1 && nodes.get(from + count - 1).is_some_and(is_end) {
        count -= 1;
    }
    let after = NonZeroUsize::new(from + count).filter(|after| after.get() > from)?;
    let Node { end, shape, name, .. } = *nodes.get(after.get() - 1)?;
    let is_scalar = name == VALUE
        && !matches!(shape, Shape::Array | Shape::Object | Shape::Numbers | Shape::End)
        && place <= end;
    is_scalar.then_some(after)
}
