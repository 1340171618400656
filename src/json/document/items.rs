//! The members and items of a value.

use std::borrow::Cow;

use super::{Decoded, Document, Kind, NodeId, Nodes, Place, Source, Value, place_of};
use crate::json::Declared;
use crate::json::tape::{Known, Tape};

impl<'a> Value<'a> {
    /// Returns the members that aren't in `known`, in order. For unrecognised members that are kept.
    #[inline(never)]
    pub fn others(self, known: &'static [&'static str]) -> Members<'a> {
        Members { members: ask!(self.other_members(known)).into_iter(), object: self }
    }

    /// Returns the members that aren't fields of a declaration, in order.
    #[inline(never)]
    pub(crate) fn unread(self, declared: &Declared) -> Members<'a> {
        let members = match &self.document.source {
            Source::Text(tape) => tape.unknown_members(self.node(), Known::Fields(declared)),
            Source::Host(nodes) => nodes.other_members(self.node(), declared.read),
        };
        Members { members: members.into_iter(), object: self }
    }

    /// Whether there are members that aren't in `known`.
    pub(crate) fn has_others(self, known: &'static [&'static str]) -> bool {
        self.has_unknown(known, None, false)
    }

    /// Whether all members are in `known` or `null`.
    pub(crate) fn has_only(self, known: &'static [&'static str]) -> bool {
        !self.has_unknown(known, None, true)
    }

    /// Whether a declaration has fields for all members that aren't `null`.
    pub(crate) fn is_read_by(self, declared: &'static Declared) -> bool {
        !self.has_unknown(declared.read, Some(declared), true)
    }

    /// Whether there are members that aren't in `known`, the names of `fields` if there are any. `set`: not counting
    /// `null`.
    #[inline(never)]
    fn has_unknown(
        self,
        known: &'static [&'static str],
        fields: Option<&'static Declared>,
        set: bool,
    ) -> bool {
        match &self.document.source {
            Source::Text(tape) => {
                let known = fields.map_or_else(|| Known::names(known), Known::Fields);
                tape.has_unknown(self.node(), known, set)
            }
            Source::Host(_) => self.others(known).any(|(_, value)| !set || value.kind() != Kind::Null),
        }
    }

    /// Whether there are members that a declaration doesn't read, after `gather` found that there may be.
    pub(crate) fn has_unread(self, declared: &'static Declared) -> bool {
        match &self.document.source {
            Source::Text(_) => true,
            Source::Host(_) => self.has_others(declared.read),
        }
    }
}

/// Members of an object. See [`Value::others`].
#[derive(Debug)]
pub struct Members<'a> {
    pub(super) members: std::vec::IntoIter<(Cow<'a, str>, NodeId)>,
    pub(super) object: Value<'a>,
}

impl<'a> Iterator for Members<'a> {
    type Item = (Cow<'a, str>, Value<'a>);

    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        let (name, node) = self.members.next()?;
        Some((name, self.object.document.value(node)))
    }
}

/// Items of an array. See [`Value::items`].
#[derive(Debug)]
pub struct Items<'a> {
    array: Value<'a>,
    /// If the document lists the items of the array, the next item. Otherwise the previous one, and 0 before the first
    /// one.
    at: NodeId,
    /// If the document lists the items of the array, the node after the last one. Otherwise 0.
    end: NodeId,
}

/// A document without items.
static NOTHING: Document<'static> =
    Document { source: Source::Text(Tape::empty()), decoded: Decoded::none() };

impl<'a> Items<'a> {
    /// Returns an empty iterator.
    pub(crate) fn none() -> Self {
        Self { array: NOTHING.root(), at: 1, end: 1 }
    }

    pub(super) fn of(array: Value<'a>) -> Self {
        let end = match &array.document.source {
            Source::Text(tape) => tape.end_of_items(array.node()),
            Source::Host(_) => 0,
        };
        Self { array, at: if end == 0 { 0 } else { array.node() + 1 }, end }
    }

    #[inline(never)]
    fn next_place(&mut self) -> Option<Place> {
        if self.end == 0 {
            return self.next_unlisted();
        }
        let node = self.at;
        if node >= self.end {
            return None;
        }
        if let Source::Text(tape) = &self.array.document.source {
            self.at = tape.after(node);
        }
        place_of(node)
    }

    #[inline(never)]
    fn next_unlisted(&mut self) -> Option<Place> {
        let array = self.array;
        let previous = if self.at == 0 { None } else { Some(self.at) };
        let Some(item) = ask!(array.next_item(previous)) else {
            *self = Self::none();
            return None;
        };
        self.at = item;
        place_of(item)
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Value<'a>;

    #[expect(clippy::inline_always, reason = "see Value::sibling")]
    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        self.array.sibling(self.next_place())
    }
}
