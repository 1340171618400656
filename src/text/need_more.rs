//! Decisions about text that arrives in pieces: any lookahead may have to wait for more of it.

/// The decision needs more text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NeedMore;

/// A decision, or [`NeedMore`] if it needs more text.
pub(crate) type Decided<T> = Result<T, NeedMore>;

/// Returns [`NeedMore`] unless the text is complete.
pub(crate) fn more_unless(is_over: bool) -> Decided<()> {
    if is_over { Ok(()) } else { Err(NeedMore) }
}

/// Returns `false` for a missing token if the text is complete, else [`NeedMore`], because the token may follow.
pub(crate) fn false_if_complete(is_over: bool) -> Decided<bool> {
    more_unless(is_over).map(|()| false)
}
