//! The members of an object, by the numbers of their names.

use super::{Node, Shape};
use crate::json::NodeId;
use crate::json::names::NameId;

/// The members of an object.
pub(crate) struct TapeMembers<'a> {
    pub(super) nodes: &'a [Node],
    pub(super) first: NodeId,
}

impl TapeMembers<'_> {
    /// The number of each name, and the node of its value plus one, or 0 for `null`.
    #[expect(
        clippy::inline_always,
        reason = "the inner loop of reading an event; the crate is compiled for size"
    )]
    #[inline(always)]
    pub(crate) fn each(&self, mut read: impl FnMut(NameId, NodeId)) {
        let mut name = self.first;
        while let Some([key, value]) = self.nodes.get(name as usize..).and_then(<[Node]>::first_chunk) {
            read(key.name, if matches!(value.shape, Shape::Null) { 0 } else { name + 2 });
            name = value.next;
        }
    }
}
