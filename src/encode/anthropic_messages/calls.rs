//! Tool calls.

use super::block::{Block, BlockKind};
use super::stream::AnthropicWriter;
use crate::accumulator::Place;
use crate::encode::lost::lose_late_arguments;
use crate::encode::writer::{Context, Output};

impl AnthropicWriter {
    /// The call that waits or is open.
    pub(super) fn call(&mut self, place: Place) -> Option<&mut Block> {
        self.queue.iter_mut().find(|block| block.is(BlockKind::Call, place))
    }

    pub(super) fn extend_call(&mut self, place: Place, end: usize, context: &Context<'_>, out: &mut Output) {
        match self.call(place) {
            Some(call) if !call.is_over => call.end = end,
            _ => lose_late_arguments(place, end, context, out),
        }
    }
}
