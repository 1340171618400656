//! Marks of the end of a stream.

/// A word that marks the end in place of an event.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EndMark {
    /// `[DONE]`, in any spelling: the answer is complete.
    Done,
    /// `[END]` or `[CLOSE]`: the server closes the connection, whether or not the answer is complete.
    Closing,
}

impl EndMark {
    /// Returns the mark that data of an event are.
    pub(super) fn of(data: &str) -> Option<Self> {
        let word =
            data.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(data).trim_ascii();
        let is = |mark: &str| word.eq_ignore_ascii_case(mark);
        if is("done") { Some(Self::Done) } else { (is("end") || is("close")).then_some(Self::Closing) }
    }
}
