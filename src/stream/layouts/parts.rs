//! The parts of an event that may differ when it is repeated.

use std::ops::Range;

use crate::json::{Layout, NodeId, ScalarSet, Value};
use crate::provider::Shape;

/// Maximum number of scalars that select the target of the text.
pub(super) const MAX_SELECTORS: usize = 4;

/// The nodes that may differ in an event when it is repeated.
pub(in crate::stream) struct Nodes {
    pub(in crate::stream) text: NodeId,
    pub(in crate::stream) ignored: Vec<NodeId>,
    pub(in crate::stream) usage: Option<NodeId>,
}

impl Nodes {
    /// Finds these nodes in an event.
    pub(in crate::stream) fn of(shape: &Shape, event: Value<'_>) -> Option<Self> {
        let text = shape.text_of(event)?.node();
        let ignored = shape.ignored.iter().filter_map(|name| event.get(name)).map(Value::node).collect();
        Some(Self { text, ignored, usage: shape.usage_of(event).map(Value::node) })
    }
}

/// The scalars of an event that may differ when it is repeated.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) shape: &'static Shape,
    pub(super) text: NodeId,
    /// Scalars whose values don't matter.
    ignored: Vec<NodeId>,
    /// Nodes of the usage.
    pub(super) usage: Range<NodeId>,
    /// All of these and the selectors, as a [set](Layout::differing).
    pub(super) harmless: ScalarSet,
    /// Scalars whose values select the target of the text: the index of a tool call, the id of an item.
    pub(super) selectors: Vec<NodeId>,
    pub(super) selector_set: ScalarSet,
}

impl Parts {
    pub(super) fn new(shape: &'static Shape, nodes: Nodes, layout: &Layout) -> Self {
        let Nodes { text, ignored, usage } = nodes;
        let mut parts = Self {
            shape,
            text,
            ignored,
            usage: usage.map_or(0..0, |node| node..layout.node_after(node)),
            harmless: ScalarSet::default(),
            selectors: Vec::new(),
            selector_set: ScalarSet::default(),
        };
        parts.gather();
        parts
    }

    /// Whether an event may be a repetition although this scalar differs.
    fn is_harmless(&self, scalar: NodeId, layout: &Layout) -> bool {
        // Only with a value of the same type: a count that turns into `null` isn't usage.
        let may_differ = self.ignored.contains(&scalar) || self.usage.contains(&scalar);
        scalar == self.text || may_differ && layout.is_alike(scalar) || self.selectors.contains(&scalar)
    }

    /// Whether all differing scalars are harmless. The others become selectors.
    #[inline(never)]
    pub(super) fn add_selectors(&mut self, layout: &Layout) -> bool {
        let mut is_harmless = true;
        for scalar in layout.changed() {
            if !self.is_harmless(scalar, layout) {
                is_harmless = false;
                if self.selectors.len() == MAX_SELECTORS {
                    self.selectors.clear();
                }
                self.selectors.push(scalar);
            }
        }
        self.gather();
        is_harmless
    }

    fn gather(&mut self) {
        let Self { text, ignored, usage, selectors, .. } = self;
        let all = ignored.iter().chain(&*selectors).copied().chain(usage.clone()).chain([*text]);
        self.harmless = all.collect();
        self.selector_set = selectors.iter().copied().collect();
    }

    /// Returns a digest of the selectors in matching JSON.
    pub(super) fn digest(&self, layout: &Layout, json: &[u8]) -> u64 {
        self.selectors.iter().fold(0, |seed, scalar| layout.digest(*scalar, json, seed))
    }
}
