//! The members of an object, in order.

use super::Node;
use crate::json::NodeId;

/// The members of an object.
pub(crate) struct TapeMembers<'a> {
    pub(super) nodes: &'a [Node],
    /// The node of the next name.
    pub(super) at: NodeId,
}

impl<'a> Iterator for TapeMembers<'a> {
    /// The node of a member's value, its name, and its value.
    type Item = (NodeId, &'a Node, &'a Node);

    #[expect(
        clippy::inline_always,
        reason = "the inner loop of reading an event; the crate is compiled for size"
    )]
    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let [name, value] = self.nodes.get(self.at as usize..)?.first_chunk()?;
        let node = self.at + 1;
        self.at = value.next;
        Some((node, name, value))
    }
}
