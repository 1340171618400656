//! The two ways in which an event tells something: a piece of it, or all of it.

use crate::json::{Fragment, Value};

/// Whether an event brings a piece of something, or all of it. Its start is told as a whole, too: that it is
/// empty yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    Piece,
    Whole,
}

/// What a `delta` brings: a string; from some servers, and in early versions, an object with `text`.
pub(super) fn piece(event: Value<'_>) -> Option<Fragment<'_>> {
    let delta = event.get("delta")?;
    delta.fragment().or_else(|| delta.get_fragment("text"))
}
