//! The content blocks of a message, in their order.

use super::block::Block;
use super::block_kind::{BlockKind, DeltaKind, ToolNames};
use super::tool_input::warn_of_stray;
use crate::accumulator::Builder;
use crate::json::{RawJson, Value};

/// The content blocks of a message.
#[derive(Default)]
pub(super) struct Blocks {
    /// Sorted by slot.
    blocks: Vec<Block>,
    /// The slot of a block is its index and this. Some servers give several blocks the same index, one
    /// after the other; then later blocks move up.
    shift: u64,
    names: ToolNames,
}

impl Blocks {
    /// Reads `content_block_start`.
    pub(super) fn start(&mut self, index: Option<u64>, block: Value<'_>, out: &mut Builder) {
        let next = self.next_slot();
        let mut slot = index.map_or(next, |index| index.saturating_add(self.shift));
        if let Ok(at) = self.find(slot)
            && let Some(known) = self.blocks.get_mut(at)
        {
            if known.is_told_again(block, out) {
                return known.start_again(block, out);
            }
            self.shift += next.saturating_sub(slot);
            slot = next;
        }
        let mut new = Block::new(slot, block, &mut self.names);
        new.read(block, out);
        self.insert(new);
    }

    /// Reads `content_block_delta`. Answers whether it was understood.
    pub(super) fn read_delta(&mut self, index: Option<u64>, delta: Value<'_>, out: &mut Builder) -> bool {
        if let Some(block) = self.block(index) {
            return block.read_delta(delta, out);
        }
        let slot = index.map_or(0, |index| index.saturating_add(self.shift));
        let mut block = match DeltaKind::of(delta) {
            DeltaKind::Text | DeltaKind::Citation => Block::without_start(slot, BlockKind::Text, "text"),
            DeltaKind::Thinking | DeltaKind::Signature => {
                Block::without_start(slot, BlockKind::Thinking, "thinking")
            }
            DeltaKind::Input => {
                warn_of_stray(slot, out);
                return true;
            }
            DeltaKind::Other => return false,
        };
        let is_read = block.read_delta(delta, out);
        self.insert(block);
        is_read
    }

    /// Reads `content_block_stop`.
    pub(super) fn stop(&mut self, index: Option<u64>, out: &mut Builder) {
        if let Some(block) = self.block(index) {
            block.stop(out);
        }
    }

    /// The message is over, and with it all blocks.
    pub(super) fn stop_all(&mut self, out: &mut Builder) {
        for block in &mut self.blocks {
            block.stop(out);
        }
    }

    /// Reads the content of a message as a whole. The blocks that have come already are among it, in the
    /// same order; only what they lack is added.
    pub(super) fn read_whole(&mut self, content: Value<'_>, out: &mut Builder) {
        let count = self.blocks.len();
        let mut known = 0;
        for block in content.items().filter(|block| block.is_object()) {
            if out.is_halted() {
                return;
            }
            let slot = self.next_slot();
            match self.blocks.get_mut(known).filter(|old| known < count && old.is_like(block)) {
                Some(old) => {
                    old.read_whole(block, out);
                    known += 1;
                }
                None => {
                    let mut new = Block::new(slot, block, &mut self.names);
                    new.read_whole(block, out);
                    self.blocks.push(new);
                }
            }
        }
    }

    /// The blocks in the provider's form.
    pub(super) fn write(&self, out: &Builder) -> Vec<RawJson> {
        self.blocks.iter().map(|block| block.write(out)).collect()
    }

    /// The slot after all others.
    fn next_slot(&self) -> u64 {
        self.blocks.last().map_or(0, |last| last.slot().saturating_add(1))
    }

    /// The block with this index; the last one where an event has none.
    fn block(&mut self, index: Option<u64>) -> Option<&mut Block> {
        let Some(index) = index else { return self.blocks.last_mut() };
        let at = self.find(index.saturating_add(self.shift)).ok()?;
        self.blocks.get_mut(at)
    }

    /// Where the block of this slot is, or would be.
    fn find(&self, slot: u64) -> Result<usize, usize> {
        // Mostly the last one is meant.
        match self.blocks.last() {
            Some(last) if last.slot() == slot => Ok(self.blocks.len() - 1),
            _ => self.blocks.binary_search_by_key(&slot, Block::slot),
        }
    }

    fn insert(&mut self, block: Block) {
        if let Err(at) = self.find(block.slot()) {
            self.blocks.insert(at, block);
        }
    }
}
