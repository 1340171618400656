//! Working memory that all streams share, because no stream keeps anything in it between two reads.

use std::cell::Cell;

use super::layouts::Layouts;
use super::waiting::PendingTexts;
use crate::json::TapeBuffer;

thread_local! {
    static SHARED: Cell<Option<Box<Memory>>> = const { Cell::new(None) };
}

/// Layouts, pending texts, and the buffer in which JSON is parsed.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) layouts: Layouts,
    pub(super) texts: PendingTexts,
    pub(super) tape: TapeBuffer,
}

impl Memory {
    /// Takes the memory. A nested call, such as of a codec that reads another stream, gets a memory of its own.
    #[allow(clippy::unnecessary_box_returns, reason = "it is kept in a box, and taken twice a read")]
    pub(super) fn take() -> Box<Self> {
        SHARED.take().unwrap_or_default()
    }

    /// Puts the memory back.
    #[inline]
    pub(super) fn put_back(self: Box<Self>) {
        SHARED.set(Some(self));
    }
}
