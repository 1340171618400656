//! The content blocks of a message, in their order.

use super::block::{Block, Delta};
use super::block_kind::{BlockKind, DeltaKind, ToolNames, Understood};
use super::tool_input::warn_of_stray;
use crate::accumulator::Builder;
use crate::json::{Document, Kind, RawJson, Value};
use crate::save::state;

/// At most this many blocks are compared.
const MAX_COMPARED: usize = 64;

/// The content blocks of a message.
#[derive(Default)]
pub(super) struct Blocks {
    /// Sorted by slot.
    list: Vec<Block>,
    /// The slot of a block is its index and this. Some servers give several blocks the same index, one
    /// after the other; then later blocks move up.
    shift: u64,
    names: ToolNames,
}

state! { struct Blocks { list, shift, names } }

impl Blocks {
    /// Reads `content_block_start`.
    pub(super) fn start(&mut self, index: Option<u64>, block: Value<'_>, out: &mut Builder) {
        let next = self.next_slot();
        let mut slot = index.map_or(next, |index| index.saturating_add(self.shift));
        if let Ok(at) = self.find(slot)
            && let Some(known) = self.list.get_mut(at)
        {
            if known.is_told_again(block, out) {
                return known.start_again(block, out);
            }
            known.stop(out);
            self.shift += next.saturating_sub(slot);
            slot = next;
        }
        self.end_last(out);
        let mut new = Block::new(slot, block, &mut self.names);
        new.start(block, out);
        self.insert(new);
    }

    /// Reads `content_block_delta`. Answers whether it was understood.
    pub(super) fn read_delta(&mut self, index: Option<u64>, delta: &Delta<'_>, out: &mut Builder) -> bool {
        if let Some(block) = self.block(index) {
            return match block.read_delta(delta, out) {
                Understood::Stray => self.read_stray(delta, out),
                understood => understood == Understood::Yes,
            };
        }
        let slot = index.map_or(0, |index| index.saturating_add(self.shift));
        let mut block = match DeltaKind::of(delta) {
            DeltaKind::Text | DeltaKind::Citation => Block::of_kind(slot, BlockKind::Text, "text"),
            DeltaKind::Thinking | DeltaKind::Signature => {
                Block::of_kind(slot, BlockKind::Thinking, "thinking")
            }
            DeltaKind::Input => return self.read_stray(delta, out),
            DeltaKind::Other => return false,
        };
        let understood = block.read_delta(delta, out);
        self.insert(block);
        understood == Understood::Yes
    }

    /// Reads input under the index of no tool: it belongs to the one tool that is open, else to the one that is over
    /// without whole input.
    fn read_stray(&mut self, delta: &Delta<'_>, out: &mut Builder) -> bool {
        let Some(input) = delta.input().filter(|input| !input.is("")) else { return true };
        let open = only(self.lacking_input(out).filter(|(_, block)| block.is_open()));
        let found = open.or_else(|| only(self.lacking_input(out))).map(|(at, _)| at);
        if let Some(block) = found.and_then(|at| self.list.get_mut(at)) {
            return block.read_delta(delta, out) == Understood::Yes;
        }
        let doubtful: Vec<&Block> = self.lacking_input(out).map(|(_, block)| block).collect();
        for block in doubtful {
            block.doubt(out);
        }
        warn_of_stray(input, out);
        true
    }

    /// The latest blocks for which input may come.
    fn lacking_input(&self, out: &Builder) -> impl Iterator<Item = (usize, &Block)> {
        let latest = self.list.iter().enumerate().rev().take(MAX_COMPARED);
        latest.filter(|(_, block)| block.lacks_input(out))
    }

    /// Another message begins in the same stream: its blocks come after those that are there.
    pub(super) fn begin_again(&mut self, out: &mut Builder) {
        self.stop_all(out);
        self.shift = self.next_slot();
    }

    /// Reads what the end of a block says of it. Answers whether it was understood.
    pub(super) fn complete(&mut self, index: Option<u64>, all: Value<'_>, out: &mut Builder) -> bool {
        match self.block(index) {
            Some(block) => block.complete(all, out),
            None if BlockKind::is_known(all) => {
                self.start(index, all, out);
                true
            }
            None => self.read_delta(index, &Delta::of(all), out),
        }
    }

    /// Reads `content_block_stop`.
    pub(super) fn stop(&mut self, index: Option<u64>, out: &mut Builder) {
        if let Some(block) = self.block(index) {
            block.stop(out);
        }
    }

    /// The message is over, and with it all blocks.
    pub(super) fn stop_all(&mut self, out: &mut Builder) {
        for block in &mut self.list {
            block.stop(out);
        }
    }

    /// Reads the content of a message as a whole. The blocks that have come already are among it, in the
    /// same order; only what they lack is added.
    pub(super) fn read_whole(&mut self, content: Value<'_>, out: &mut Builder) {
        // Some servers send one text as a string, as requests may.
        if content.label().is_some()
            && let Some(text) = content.raw()
            && let Ok(tape) =
                Document::parse(&["[{\"type\":\"text\",\"text\":", text.get(), "}]"].concat(), usize::MAX)
        {
            return self.read_whole(tape.root(), out);
        }
        let count = self.list.len();
        let mut known = 0;
        for block in content.items().filter(|block| block.kind() != Kind::Null) {
            if out.is_halted() {
                return;
            }
            let slot = self.next_slot();
            let old = self.list.get_mut(known).filter(|old| known < count && old.is_like(block));
            if let Some(old) = old {
                old.read_whole(block, out);
                known += 1;
            } else {
                self.end_last(out);
                let mut new = Block::new(slot, block, &mut self.names);
                new.read_whole(block, out);
                self.list.push(new);
            }
        }
    }

    /// The blocks in the provider's form.
    pub(super) fn write(&self, out: &Builder) -> Vec<RawJson> {
        let mut blocks = Vec::with_capacity(self.list.len());
        for block in &self.list {
            block.write_to(&mut blocks, out);
        }
        blocks
    }

    /// Whether there are blocks.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether there are calls for the client.
    pub(super) fn has_calls(&self) -> bool {
        self.list.iter().any(Block::is_call)
    }

    /// Another block begins, so the last one is whole if it is over.
    fn end_last(&self, out: &mut Builder) {
        if let Some(last) = self.list.last() {
            last.end_call(out);
        }
    }

    /// The slot after all others.
    fn next_slot(&self) -> u64 {
        self.list.last().map_or(0, |last| last.slot().saturating_add(1))
    }

    /// The block with this index; the last one where an event has none.
    pub(super) fn block(&mut self, index: Option<u64>) -> Option<&mut Block> {
        let Some(index) = index else { return self.list.last_mut() };
        let at = self.find(index.saturating_add(self.shift)).ok()?;
        self.list.get_mut(at)
    }

    /// Where the block of this slot is, or would be.
    fn find(&self, slot: u64) -> Result<usize, usize> {
        // Mostly the last one is meant.
        match self.list.last() {
            Some(last) if last.slot() == slot => Ok(self.list.len() - 1),
            _ => self.list.binary_search_by_key(&slot, Block::slot),
        }
    }

    fn insert(&mut self, block: Block) {
        if let Err(at) = self.find(block.slot()) {
            self.list.insert(at, block);
        }
    }
}

/// The only one of them; `None` if there are several.
fn only<T>(mut them: impl Iterator<Item = T>) -> Option<T> {
    let first = them.next();
    first.filter(|_| them.next().is_none())
}
