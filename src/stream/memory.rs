//! What reading needs besides what a stream remembers: one memory for all streams, of which none keeps anything between
//! two reads.

use std::cell::Cell;

use super::layouts::Layouts;
use super::waiting::WaitingTexts;
use crate::json::TapeBuffer;

thread_local! {
    static SHARED: Cell<Option<Box<Memory>>> = const { Cell::new(None) };
}

/// Layouts, texts that wait to be read, and the memory in which JSON is parsed.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) layouts: Layouts,
    pub(super) texts: WaitingTexts,
    pub(super) tape: TapeBuffer,
}

impl Memory {
    /// Takes the memory. Who takes it meanwhile, as a codec may that reads another stream, gets another one.
    #[allow(clippy::unnecessary_box_returns, reason = "it is kept in a box, and taken twice a read")]
    pub(super) fn take() -> Box<Self> {
        SHARED.take().unwrap_or_default()
    }

    /// Gives it back.
    #[inline]
    pub(super) fn give_back(self: Box<Self>) {
        SHARED.set(Some(self));
    }
}
