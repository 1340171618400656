//! The blocks that wait: one is open at a time.

use super::block::{AROUND_INPUT, BlockKind, NO_ARGUMENTS, is_text};
use super::events;
use super::left_out::{lose_unsigned, must_be_signed};
use super::stream::AnthropicWriter;
use crate::encode::repeats::Pieces;
use crate::encode::writer::{Context, Output};
use crate::model::WarningCode;

impl AnthropicWriter {
    /// Writes what can be written. `is_complete`: nothing more comes.
    pub(super) fn write(&mut self, is_complete: bool, context: &Context<'_>, out: &mut Output) {
        loop {
            let is_last = self.queue.len() == 1;
            let Some(block) = self.queue.front_mut() else { return };
            let is_custom = block.kind == BlockKind::Call && context.is_custom(block.place);
            if !block.is_open {
                let is_thinking = block.kind == BlockKind::Thinking;
                if is_thinking && must_be_signed(context) && block.signature(context).is_none() {
                    if is_last && !block.is_over {
                        return; // its signature may come
                    }
                    lose_unsigned(out);
                    self.queue.pop_front();
                    continue;
                }
                if block.is_blank && is_text(block.kind) {
                    if is_last && !block.is_over {
                        return; // white space opens no block
                    }
                    let is_all = is_complete && is_last && self.index == 0 && block.end > block.start;
                    if !is_all {
                        let message = "White space between blocks was dropped: the interface rejects blocks of nothing else";
                        out.lost.add(WarningCode::LostText, message);
                        self.queue.pop_front();
                        continue;
                    }
                }
                block.is_open = true;
                events::block_start(self.index, block, context, out);
                if is_custom {
                    let [before, _] = AROUND_INPUT;
                    events::delta(self.index, block.kind, before, out);
                }
            }
            // Only the whole of them tells what object they become.
            let is_odd = block.is_odd(context);
            if block.written < block.reach() && !is_odd {
                let text = block.text(context);
                for piece in Pieces::new(&text, block.written.saturating_sub(block.start)) {
                    events::delta(self.index, block.kind, piece, out);
                }
                block.written = block.reach();
            }
            if is_last && !block.is_over || !block.may_be_followed(context) {
                return;
            }
            if is_odd {
                let input = block.input(context);
                if input != NO_ARGUMENTS {
                    let message = "Arguments that aren't an object were written as the member `input` of one";
                    out.lost.add(WarningCode::LostContent, message);
                }
                events::delta(self.index, block.kind, &input, out);
            } else if block.is_cut_off(context) {
                let message = "That a call was cut off isn't written, but its arguments as they are; in a complete response, as the member `input`";
                out.lost.add(WarningCode::LostContent, message);
            }
            if let Some(signature) = block.signature(context) {
                events::signature(self.index, signature, out);
                self.signed.insert(block.place, signature.len());
            }
            if is_custom && !block.is_cut_off(context) {
                let [_, behind] = AROUND_INPUT;
                events::delta(self.index, block.kind, behind, out);
            }
            events::block_stop(self.index, out);
            self.index = self.index.saturating_add(1);
            let closed = self.queue.pop_front();
            if let Some(blocks) = &mut self.blocks {
                blocks.extend(closed);
            }
        }
    }
}
