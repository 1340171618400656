//! What nobody reads of an object, and is kept as it came.

use crate::json::{Kind, Object, Value};

/// Keeps the members of an object that are not known, and those of the known ones that are
/// [misfits](keep_misfits).
#[inline(never)]
pub(super) fn keep_rest(
    object: Value<'_>,
    known: &'static [&'static str],
    kinds: &[Kind],
    kept: &mut Object,
) {
    for (name, value) in object.others(known) {
        kept.put(&name, value);
    }
    keep_misfits(object, known, kinds, kept);
}

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
