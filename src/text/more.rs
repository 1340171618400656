//! What the text so far decides. Text comes in pieces, so anything that looks ahead may have to wait.

/// More text is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct More;

/// What the text so far decides, unless more of it is needed.
pub(crate) type Decided<T> = Result<T, More>;

/// Nothing else follows a text that is over. Any other may go on.
pub(crate) fn more_unless(is_over: bool) -> Decided<()> {
    if is_over { Ok(()) } else { Err(More) }
}

/// Whether something is there that hasn't come so far.
pub(crate) fn not_yet(is_over: bool) -> Decided<bool> {
    more_unless(is_over).map(|()| false)
}
