//! Members that are read, so that the others are left.

use super::{Node, Shape, Tape};
use crate::json::{Declared, names};

/// The names of members that are read.
#[derive(Clone, Copy)]
pub(crate) enum Known<'k> {
    /// These, of which the [marks](names::mark) are given too.
    Names(&'k [&'static str], u32),
    /// Those of the fields of a declaration.
    Fields(&'k Declared),
}

impl<'k> Known<'k> {
    pub(crate) fn names(list: &'k [&'static str]) -> Self {
        Self::Names(list, list.iter().fold(0, |marks, name| marks | names::mark(name.as_bytes())))
    }

    /// Whether this is one of them.
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
