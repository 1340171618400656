//! The content blocks of a message, in order.

use super::block::{Block, BlockKind, Content};
use crate::accumulator::{Builder, Place};
use crate::collect::Collect;
use crate::json::{Field, Object, RawJson, Value};
use crate::provider::call_entry::warn_unmatched_fragment;
use crate::save::state;

/// The content blocks of a message.
#[derive(Default)]
pub(super) struct Blocks {
    /// Sorted by slot.
    list: Vec<Block>,
    /// Added to the index of a block to get its slot: consecutive blocks may have the same index.
    shift: u64,
    /// Names of the tools that the provider ran, by the ids of the calls.
    names: Object,
}

state! { struct Blocks { list, shift, names } }

impl Blocks {
    /// Reads the content of a complete message. Known blocks are only completed.
    pub(super) fn read_whole(&mut self, content: Value<'_>, out: &mut Builder) {
        for (known, block) in self.list.iter().zip(content.items()) {
            known.complete_repeated(block, out);
        }
        for block in content.items().skip(self.list.len()) {
            let kind = BlockKind::of(&Content::of(block)).unwrap_or(BlockKind::Other);
            self.end_last_call(out);
            let mut new = Block::new(self.next_slot(), kind);
            new.read_whole(block, &mut self.names, out);
            self.list.push(new);
        }
    }

    /// Reads the start of a block, or a delta.
    pub(super) fn read(&mut self, index: Option<u64>, value: Value<'_>, is_start: bool, out: &mut Builder) {
        let content = Content::of(value);
        let Some(kind) = BlockKind::of(&content) else { return };
        let slot = match (index, self.list.last()) {
            (Some(index), _) => index.saturating_add(self.shift),
            (None, Some(last)) => last.slot(),
            (None, None) => 0,
        };
        if let Ok(at) = self.find(slot)
            && let Some(block) = self.list.get_mut(at)
        {
            if block.continues(kind, is_start, &content, out) {
                return block.read(value, out);
            }
            block.stop(&mut self.names, out);
        }
        let names_tool = |tool: Value<'_>| tool.get("name").is_some() || tool.get("toolUseId").is_some();
        if kind == BlockKind::Call && !is_start && !content.tool_use().is_some_and(names_tool) {
            return warn_unmatched_fragment(value, out);
        }
        self.open(slot, kind, value, out);
    }

    fn open(&mut self, slot: u64, kind: BlockKind, value: Value<'_>, out: &mut Builder) {
        self.end_last_call(out);
        let next = self.next_slot();
        let (at, slot) = if let Err(at) = self.find(slot) {
            (at, slot)
        } else {
            self.shift = self.shift.saturating_add(next.saturating_sub(slot));
            (self.list.len(), next)
        };
        let mut block = Block::new(slot, kind);
        block.read(value, out);
        self.list.insert(at, block);
    }

    /// Ends a block.
    pub(super) fn stop(&mut self, index: Option<u64>, out: &mut Builder) {
        let slot =
            index.map(|index| index.saturating_add(self.shift)).or_else(|| Some(self.list.last()?.slot()));
        if let Some(block) = slot.and_then(|slot| self.find(slot).ok()).and_then(|at| self.list.get_mut(at)) {
            block.stop(&mut self.names, out);
        }
    }

    /// Ends all blocks, because the message has ended.
    pub(super) fn stop_all(&mut self, out: &mut Builder) {
        for block in &mut self.list {
            block.stop(&mut self.names, out);
        }
    }

    /// Begins another message in the same stream: its blocks come after the existing ones.
    pub(super) fn begin_next_message(&mut self) {
        self.shift = self.next_slot();
    }

    /// Returns the place of the block with this index, if deltas of this kind are only appended to it.
    pub(super) fn append_place(&self, index: Option<Value<'_>>, kind: BlockKind) -> Option<Place> {
        let slot = index.unsigned()?.saturating_add(self.shift);
        self.list.get(self.find(slot).ok()?)?.append_place(kind)
    }

    /// Returns the blocks in the provider's format.
    pub(super) fn to_raw(&self, out: &Builder) -> Vec<RawJson> {
        let counts = |block: &&Block| !out.is_repeat(block.place());
        self.list.iter().filter(counts).map(|block| block.to_raw(out)).collect_vec()
    }

    /// Ends the call of the last block if the block has stopped, because another block begins.
    fn end_last_call(&self, out: &mut Builder) {
        if let Some(last) = self.list.last() {
            last.end_call(out);
        }
    }

    /// Returns the slot after all others.
    fn next_slot(&self) -> u64 {
        self.list.last().map_or(0, |last| last.slot().saturating_add(1))
    }

    /// Returns the position of the block with this slot, or the position at which to insert it.
    fn find(&self, slot: u64) -> Result<usize, usize> {
        // Usually it is the last one.
        match self.list.last() {
            Some(last) if last.slot() == slot => Ok(self.list.len() - 1),
            _ => self.list.binary_search_by_key(&slot, Block::slot),
        }
    }
}
