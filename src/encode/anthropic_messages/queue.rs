//! The queue of blocks, of which one is open at a time.

use super::block::{BlockKind, INPUT_WRAPPER, is_text};
use super::events;
use super::omitted_reasoning::{report_unsigned, requires_signature};
use super::stream::AnthropicWriter;
use crate::encode::json::NO_ARGUMENTS;
use crate::encode::repeats::Pieces;
use crate::encode::writer::{Context, Output};
use crate::model::WarningCode;

/// What to do with the first block if it isn't open yet.
enum NextStep {
    Open,
    /// More content decides.
    Wait,
    Drop,
}

impl AnthropicWriter {
    /// Writes all content that can be written now. `is_complete`: nothing more comes.
    pub(super) fn write(&mut self, is_complete: bool, context: &Context<'_>, out: &mut Output) {
        while let Some(block) = self.queue.front() {
            if !block.is_open {
                match self.next_step(is_complete, context, out) {
                    NextStep::Open => self.open(context, out),
                    NextStep::Wait => return,
                    NextStep::Drop => {
                        self.queue.pop_front();
                        continue;
                    }
                }
            }
            self.write_pieces(context, out);
            let is_followed = self.queue.len() > 1;
            let Some(block) = self.queue.front() else { return };
            if !is_followed && !block.is_over || !block.may_be_followed(context) {
                return;
            }
            self.close(context, out);
        }
    }

    fn next_step(&self, is_complete: bool, context: &Context<'_>, out: &mut Output) -> NextStep {
        let is_last = self.queue.len() == 1;
        let Some(block) = self.queue.front() else { return NextStep::Wait };
        // A signature may follow, or text after white space, which alone opens no block.
        let may_grow = is_last && !block.is_over;
        if block.kind == BlockKind::Thinking
            && requires_signature(context)
            && block.signature(context).is_none()
        {
            if may_grow {
                return NextStep::Wait;
            }
            report_unsigned(out);
            return NextStep::Drop;
        }
        if block.is_blank && is_text(block.kind) {
            if may_grow {
                return NextStep::Wait;
            }
            let is_all = is_complete && is_last && self.index == 0 && block.end > block.start;
            if !is_all {
                let message =
                    "White space between blocks was dropped: the interface rejects blocks of nothing else";
                out.lost.add(WarningCode::LostText, message);
                return NextStep::Drop;
            }
        }
        NextStep::Open
    }

    fn open(&mut self, context: &Context<'_>, out: &mut Output) {
        let Some(block) = self.queue.front_mut() else { return };
        block.is_open = true;
        events::block_start(self.index, block, context, out);
        if block.is_custom(context) {
            let [before, _] = INPUT_WRAPPER;
            events::delta(self.index, block.kind, before, out);
        }
    }

    /// Writes the content of the first block so far.
    fn write_pieces(&mut self, context: &Context<'_>, out: &mut Output) {
        let Some(block) = self.queue.front_mut() else { return };
        // Arguments that aren't an object can be wrapped in one only once they are complete.
        if block.written < block.end_with_tail() && !block.needs_wrapping(context) {
            let text = block.text(context);
            for piece in Pieces::new(&text, block.written.saturating_sub(block.start)) {
                events::delta(self.index, block.kind, piece, out);
            }
            block.written = block.end_with_tail();
        }
    }

    fn close(&mut self, context: &Context<'_>, out: &mut Output) {
        let Some(block) = self.queue.pop_front() else { return };
        if block.needs_wrapping(context) {
            let input = block.input(context);
            if input != NO_ARGUMENTS {
                let message = "Arguments that aren't an object were written as the member `input` of one";
                out.lost.add(WarningCode::LostContent, message);
            }
            events::delta(self.index, block.kind, &input, out);
        } else if block.is_cut_off(context) {
            let message = "A call that was cut off isn't marked as such: its arguments were written unchanged, in a complete response as the member `input`";
            out.lost.add(WarningCode::LostContent, message);
        }
        if let Some(signature) = block.signature(context) {
            events::signature(self.index, signature, out);
            self.signature_lengths.insert(block.place, signature.len());
        }
        if block.is_custom(context) && !block.is_cut_off(context) {
            let [_, after] = INPUT_WRAPPER;
            events::delta(self.index, block.kind, after, out);
        }
        events::block_stop(self.index, out);
        self.index = self.index.saturating_add(1);
        if let Some(blocks) = &mut self.blocks {
            blocks.push(block);
        }
    }
}
