//! Records the positions of values.

use super::{Parsed, Parser};
use crate::json::JsonErrorKind;
use crate::json::names::{NameId, VALUE};
use crate::json::tape::{Node, Shape};

/// Typical number of bytes of a value or name.
const BYTES_OF_NODE: usize = 12;

impl Parser<'_, '_> {
    /// Opens a container.
    #[inline(always)]
    pub(super) fn open(&mut self, start: usize, shape: Shape) -> Parsed<()> {
        if self.depth >= self.max_depth {
            return self.fail(JsonErrorKind::TooDeep, start, "fewer levels of nesting");
        }
        self.depth += 1;
        let index = self.count as u32;
        self.push_node(Node { start: start as u32, end: 0, next: self.open, name: VALUE, shape });
        self.open = index;
        self.is_in_object = matches!(shape, Shape::Object);
        Ok(())
    }

    /// Closes the innermost container, whose last byte is at `at`.
    #[inline(always)]
    pub(super) fn close(&mut self, at: usize) -> usize {
        self.depth -= 1;
        self.scalar(at, at + 1, Shape::End);
        let next = self.count as u32;
        if let Some(node) = self.nodes.get_mut(self.open as usize) {
            self.open = node.next;
            node.next = next;
        }
        self.is_in_object =
            matches!(self.nodes.get(self.open as usize), Some(Node { shape: Shape::Object, .. }));
        at + 1
    }

    /// Adds the bit of a name to the open object.
    #[inline(always)]
    pub(super) fn mark(&mut self, mark: u32) {
        if let Some(object) = self.nodes.get_mut(self.open as usize) {
            object.end |= mark;
        }
    }

    #[inline(always)]
    pub(super) fn name(&mut self, start: usize, end: usize, name: NameId) -> usize {
        let next = self.count as u32 + 1;
        self.push_node(Node { start: start as u32, end: end as u32, next, name, shape: Shape::PlainString });
        end
    }

    /// Records a value without contents, and returns its end.
    #[inline(always)]
    pub(super) fn scalar(&mut self, start: usize, end: usize, shape: Shape) -> usize {
        let next = self.count as u32 + 1;
        self.push_node(Node { start: start as u32, end: end as u32, next, name: VALUE, shape });
        end
    }

    #[inline(always)]
    pub(super) fn push_node(&mut self, node: Node) {
        match self.nodes.get_mut(self.count) {
            Some(place) => *place = node,
            None => self.push_node_slow(node),
        }
        self.count += 1;
    }

    #[cold]
    #[inline(never)]
    pub(super) fn push_node_slow(&mut self, node: Node) {
        let usual = (self.bytes.len() / BYTES_OF_NODE).clamp(32, 1 << 10);
        self.nodes.resize((self.count * 2).max(usual), node);
    }
}
