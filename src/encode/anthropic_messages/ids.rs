//! Ids of calls in the form that the interface accepts.

use std::borrow::Cow;

use crate::encode::head::{hash, hex};

const MAX_LENGTH: usize = 64;

/// Returns the id of a call if the interface accepts it, else one derived from it, which is the same each time.
pub(super) fn accepted_id(id: &str) -> Cow<'_, str> {
    let is_accepted = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if !id.is_empty() && id.len() <= MAX_LENGTH && id.bytes().all(is_accepted) {
        return id.into();
    }
    ["toolu_", &hex(hash(id.as_bytes()), 16)].concat().into()
}
