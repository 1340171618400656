//! Tool calls.

use super::block::{Block, BlockKind};
use super::stream::AnthropicWriter;
use crate::accumulator::Place;
use crate::encode::losses::report_late_arguments;
use crate::encode::writer::{Context, Output};
use crate::encode::written_texts::{report_late_beginning, report_replaced_arguments};
use crate::model::WarningCode;

impl AnthropicWriter {
    /// Returns the block of a call that is open or queued.
    pub(super) fn call(&mut self, place: Place) -> Option<&mut Block> {
        self.queue.iter_mut().find(|block| block.is(BlockKind::Call, place))
    }

    pub(super) fn extend_call(&mut self, place: Place, end: usize, context: &Context<'_>, out: &mut Output) {
        match self.call(place) {
            Some(call) if !call.is_over => call.end = end,
            _ => report_late_arguments(place, end, context, out),
        }
    }

    pub(super) fn start_call(&mut self, place: Place, context: &Context<'_>, out: &mut Output) {
        if self.calls.get(&place).is_some() {
            return;
        }
        self.calls.insert(place, true);
        if context.is_custom(place) {
            let message = "The call of a custom tool was written as an ordinary call, with its text as the member `input`";
            out.lost.add(WarningCode::LostContent, message);
        }
        self.queue.push_back(Block::new(BlockKind::Call, place, 0, 0));
    }

    /// Moves arguments by this number of bytes, as their beginning came after the rest.
    pub(super) fn move_arguments(&mut self, place: Place, by: usize, end: usize, out: &mut Output) {
        let Some(call) = self.call(place) else { return report_late_beginning(out) };
        call.end = end;
        if call.written > 0 {
            call.written += by;
            report_late_beginning(out);
        }
    }

    /// Replaces the arguments that arrived before.
    pub(super) fn replace_arguments(&mut self, place: Place, end: usize, out: &mut Output) {
        let Some(call) = self.call(place) else { return report_replaced_arguments(out) };
        call.end = end;
        if call.written > 0 {
            call.written = 0;
            report_replaced_arguments(out);
        }
    }
}
