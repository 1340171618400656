//! Ids of calls, of which the interface accepts only some.

use std::borrow::Cow;

use crate::encode::head::hash;

const MAX_LENGTH: usize = 64;

/// The id of a call if it is accepted, else one that is made from it, the same each time.
pub(super) fn accepted(id: &str) -> Cow<'_, str> {
    let is_accepted = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if !id.is_empty() && id.len() <= MAX_LENGTH && id.bytes().all(is_accepted) {
        return id.into();
    }
    format!("toolu_{:016x}", hash(id.as_bytes())).into()
}
