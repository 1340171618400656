//! Collects members whose names aren't known.

use std::borrow::Cow;

use crate::json::NodeId;
use crate::json::names::mark;
use crate::keyed::Keyed;

/// Maximum number of members that are compared one by one; more are sorted.
const FEW: usize = 32;

/// Members whose names aren't known. Of several with the same name, it keeps the place of the first and the value of
/// the last, as JavaScript does.
pub(super) struct Others<'t> {
    list: Vec<(Cow<'t, str>, NodeId)>,
    /// The [marks](mark) of their names: a name with a new mark isn't among them.
    marks: u32,
}

impl<'t> Others<'t> {
    pub(super) fn with_capacity(count: usize) -> Self {
        Self { list: Vec::with_capacity(count), marks: 0 }
    }

    pub(super) fn add(&mut self, name: Cow<'t, str>, value: NodeId) {
        let mark = mark(name.as_bytes());
        let is_new = self.marks & mark == 0;
        self.marks |= mark;
        if !is_new
            && self.list.len() < FEW
            && let Some((_, known)) = self.list.iter_mut().find(|(known, _)| *known == name)
        {
            *known = value;
            return;
        }
        self.list.push((name, value));
    }

    pub(super) fn finish(self) -> Vec<(Cow<'t, str>, NodeId)> {
        if self.list.len() <= FEW {
            return self.list;
        }
        let mut kept: Keyed<String, NodeId> = Keyed::default();
        for (name, value) in self.list {
            kept.insert(name.into_owned(), value);
        }
        kept.into_entries().map(|(name, value)| (name.into(), value)).collect()
    }
}
