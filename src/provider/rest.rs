//! Members that are of another kind than expected.

use crate::json::{Kind, Object, Value};

/// Keeps members that say nothing to whoever reads them, because they are something else than they should be: the
/// first of `known` is to be of the first of `kinds`, and so on, as far as there are kinds.
#[inline(never)]
pub(super) fn keep_misfits(object: Value<'_>, known: &[&'static str], kinds: &[Kind], kept: &mut Object) {
    for (name, kind) in known.iter().zip(kinds) {
        if let Some(value) = object.get(name).filter(|value| value.kind() != *kind) {
            kept.put(name, value);
        }
    }
}
