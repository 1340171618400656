//! Members whose names aren't known beforehand.

use std::borrow::Cow;

use crate::json::NodeId;
use crate::json::names::mark;
use crate::keyed::Keyed;

/// More members with names that nobody knows than this are compared by sorting them.
const FEW: usize = 32;

/// Members with names that nobody knows. Of those with the same name it keeps the place of the first and the value
/// of the last, as JavaScript does.
pub(super) struct Others<'t> {
    list: Vec<(Cow<'t, str>, NodeId)>,
    /// The [marks](mark) of their names: one that is new has no equal among them.
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
