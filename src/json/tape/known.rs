//! The members that a reader knows; the others are left over.

use super::{Node, Shape, Tape};
use crate::json::{Declared, names};

/// The names of known members.
#[derive(Clone, Copy)]
pub(crate) enum Known<'k> {
    /// These names, with their [marks](names::mark).
    Names(&'k [&'static str], u32),
    /// The fields of a declaration that aren't also kept.
    Fields(&'k Declared),
}

impl<'k> Known<'k> {
    pub(crate) fn names(list: &'k [&'static str]) -> Self {
        Self::Names(list, list.iter().fold(0, |marks, name| marks | names::mark(name.as_bytes())))
    }

    /// Whether this name is one of them.
    #[inline(never)]
    pub(super) fn has(self, key: &Node, tape: &Tape<'_>) -> bool {
        match self {
            Self::Fields(declared) => declared.reads(key.name),
            Self::Names(list, marks) => {
                let name = tape.bytes.get(key.start as usize + 1..key.end as usize - 1).unwrap_or_default();
                let may_be_known = key.shape != Shape::PlainString || names::mark(name) & marks != 0;
                may_be_known && list.iter().any(|name| tape.is_text_of(key, name))
            }
        }
    }
}
