//! Members that are known but are not what they should be, and so say nothing to whoever reads them.

use crate::json::{Kind, Object, Value};

/// Keeps those of these members of an object that are something else than they should be: the first of `names` is to be
/// of the first of `kinds`, and so on, as far as there are kinds.
#[inline(never)]
pub(super) fn keep_misfits(object: Value<'_>, names: &[&'static str], kinds: &[Kind], kept: &mut Object) {
    for (name, kind) in names.iter().zip(kinds) {
        if let Some(value) = object.get(name).filter(|value| value.kind() != *kind) {
            kept.put(name, value);
        }
    }
}
