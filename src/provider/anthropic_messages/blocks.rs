//! The content blocks of a message, in their order.

use super::block::Block;
use super::block::deltas::Delta;
use super::block_kind::{BlockKind, DeltaKind, FALLBACK, ToolNames, Understood, unwrapped};
use crate::accumulator::Builder;
use crate::collect::Collect;
use crate::json::{Document, Kind, RawJson, Value};
use crate::provider::call_entry::warn_unmatched_fragment;
use crate::save::state;
use std::ops::Range;

/// Maximum number of blocks that are compared.
const MAX_COMPARED: usize = 64;

/// The content blocks of a message.
#[derive(Default)]
pub(super) struct Blocks {
    /// Sorted by slot.
    list: Vec<Block>,
    /// Offset from the index of a block to its slot, modulo 2^64. Some servers give successive blocks the same index;
    /// then later blocks move up. Others start one block several times; then later blocks move down.
    shift: u64,
    /// Number of blocks from earlier messages.
    earlier: usize,
    names: ToolNames,
}

state! { struct Blocks { list, shift, earlier, names } }

impl Blocks {
    /// Reads `content_block_start`.
    pub(super) fn start(&mut self, index: Option<u64>, block: Value<'_>, out: &mut Builder) {
        let block = unwrapped(block);
        // vLLM starts a block for each fragment of a call's input: <https://github.com/nanocoai/nanoclaw/issues/1241>
        if let Some(last) = self.list.last_mut().filter(|last| last.is_continued_by(block, out)) {
            if let Some(index) = index {
                self.shift = last.slot().wrapping_sub(index);
            }
            return last.continue_call(block, out);
        }
        let next = self.next_slot();
        let mut slot = index.map_or(next, |index| self.slot_at(index));
        if let Ok(at) = self.find(slot)
            && let Some(known) = self.list.get_mut(at)
        {
            if known.is_repeat(block, out) {
                return known.start_repeat(block, out);
            }
            known.stop(out);
            self.shift = self.shift.wrapping_add(next.saturating_sub(slot));
            slot = next;
        }
        self.end_last_call(block, out);
        let mut new = Block::new(slot, block, &mut self.names);
        new.start(block, out);
        self.insert(new);
    }

    /// Reads `content_block_delta`. Returns whether it was understood.
    pub(super) fn read_delta(&mut self, index: Option<u64>, delta: &Delta<'_>, out: &mut Builder) -> bool {
        if let Some(block) = self.block(index) {
            return match block.read_delta(delta, out) {
                Understood::Stray => self.read_stray(delta, out),
                understood => understood == Understood::Yes,
            };
        }
        // Gateways keep connections alive with empty deltas.
        if delta.is_empty() {
            return true;
        }
        let slot = index.map_or(0, |index| self.slot_at(index));
        let mut block = match DeltaKind::of(delta) {
            DeltaKind::Text | DeltaKind::Citation => Block::without_start(slot, BlockKind::Text, "text"),
            DeltaKind::Thinking | DeltaKind::Signature => {
                Block::without_start(slot, BlockKind::Thinking, "thinking")
            }
            DeltaKind::Input => return self.read_stray(delta, out),
            DeltaKind::Other => return false,
        };
        let understood = block.read_delta(delta, out);
        self.insert(block);
        understood == Understood::Yes
    }

    /// Reads input under the index of no tool: it belongs to the only open tool, else to the only one with incomplete
    /// input.
    fn read_stray(&mut self, delta: &Delta<'_>, out: &mut Builder) -> bool {
        let Some(input) = delta.input().filter(|input| !input.is("")) else { return true };
        let open = only(self.lacking_input(out).filter(|(_, block)| block.is_open()));
        let found = open.or_else(|| only(self.lacking_input(out))).map(|(at, _)| at);
        if let Some(block) = found.and_then(|at| self.list.get_mut(at)) {
            return block.read_delta(delta, out) == Understood::Yes;
        }
        let doubtful = self.lacking_input(out).map(|(_, block)| block).collect_vec();
        for block in doubtful {
            block.mark_doubtful(out);
        }
        warn_unmatched_fragment(input, out);
        true
    }

    /// Returns the latest blocks that may still receive input.
    fn lacking_input(&self, out: &Builder) -> impl Iterator<Item = (usize, &Block)> {
        self.last_model_blocks().take(MAX_COMPARED).filter(|(_, block)| block.lacks_input(out))
    }

    /// Starts another message in the same stream: its blocks follow the existing ones.
    pub(super) fn begin_next_message(&mut self, out: &mut Builder) {
        self.stop_all(out);
        self.shift = self.next_slot();
        self.earlier = self.list.len();
    }

    /// Reads content in the end event of a block. Returns whether it was understood.
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

    /// Ends all blocks at the end of the message.
    pub(super) fn stop_all(&mut self, out: &mut Builder) {
        for block in &mut self.list {
            block.stop(out);
        }
    }

    /// Ends open blocks at the end of the stream.
    pub(super) fn end_parts(&mut self, out: &mut Builder) {
        for block in &mut self.list {
            block.end_part(out);
        }
    }

    /// Reads the complete content of a message. It repeats the streamed blocks, which are matched by id if they are
    /// calls and otherwise in order; only missing content is added.
    pub(super) fn read_whole(&mut self, content: Value<'_>, out: &mut Builder) {
        // Some servers send a single text as a string, which is allowed in requests.
        if content.non_empty().is_some()
            && let Some(text) = content.raw()
            && let Ok(tape) =
                Document::parse(&["[{\"type\":\"text\",\"text\":", text.get(), "}]"].concat(), usize::MAX)
        {
            return self.read_whole(tape.root(), out);
        }
        let count = self.list.len();
        let mut known = self.earlier;
        let is_split_differently = count > known && self.is_split_otherwise(content, out);
        for block in content.items().filter(|block| block.kind() != Kind::Null).map(unwrapped) {
            if out.is_halted() {
                return;
            }
            if is_split_differently && is_text(block) {
                continue;
            }
            let slot = self.next_slot();
            let old = self.find_streamed(block, known..count, out);
            if let Some(old) = old.and_then(|at| Some((at, self.list.get_mut(at)?))) {
                known = known.max(old.0 + 1);
                old.1.read_whole(block, out);
            } else {
                self.end_last_call(block, out);
                let mut new = Block::new(slot, block, &mut self.names);
                new.read_whole(block, out);
                self.list.push(new);
            }
        }
    }

    /// Whether a whole message has the same text as the stream, split into another number of blocks.
    fn is_split_otherwise(&self, content: Value<'_>, out: &Builder) -> bool {
        let said: Vec<&str> =
            self.list.iter().skip(self.earlier).filter_map(|block| block.text(out)).collect_vec();
        let parts = content.items().filter(|block| is_text(*block));
        let whole = parts.filter_map(|block| block.get_non_empty("text")).collect_vec();
        let said_all = said.concat();
        said.len() != whole.len() && !said_all.is_empty() && said_all == whole.concat()
    }

    /// Finds the streamed block that a block of a whole message repeats: the call with its id, or the next block of its
    /// type whose text it starts with; otherwise the next block, if the type is the same.
    fn find_streamed(&self, block: Value<'_>, unread: Range<usize>, out: &Builder) -> Option<usize> {
        let streamed = self.list.get(..unread.end).unwrap_or_default();
        let by_id =
            block.get_non_empty("id").and_then(|id| streamed.iter().position(|old| old.has_id(id, out)));
        let first = unread.start;
        let is_like = |at: &usize| streamed.get(*at).is_some_and(|old| old.has_same_type(block));
        let goes_on = |at: &usize| {
            let said = streamed.get(*at).and_then(|old| old.text(out)).unwrap_or_default();
            is_like(at) && block.get_non_empty("text").unwrap_or_default().starts_with(said)
        };
        let next = || unread.take(MAX_COMPARED).find(goes_on);
        by_id.or_else(next).or_else(|| Some(first).filter(is_like))
    }

    /// Returns the blocks in the provider's form.
    pub(super) fn to_raw(&self, out: &Builder) -> Vec<RawJson> {
        let mut blocks = Vec::with_capacity(self.list.len());
        for block in &self.list {
            block.write_to(&mut blocks, out);
        }
        blocks
    }

    /// Whether there are no blocks.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether the last model has made calls for the client.
    pub(super) fn has_calls(&self) -> bool {
        self.last_model_blocks().any(|(_, block)| block.is_call())
    }

    /// Returns the blocks after the last `fallback`, the latest first.
    fn last_model_blocks(&self) -> impl Iterator<Item = (usize, &Block)> {
        self.list.iter().enumerate().rev().take_while(|(_, block)| !block.is_fallback())
    }

    /// Ends the call of the last block before the next block starts. At a `fallback`, calls are withdrawn: the model
    /// that takes over doesn't know them, and the API accepts no results for them.
    /// <https://platform.claude.com/docs/en/build-with-claude/refusals-and-fallback#continuing-the-conversation>
    fn end_last_call(&self, next: Value<'_>, out: &mut Builder) {
        if is_of_type(next, FALLBACK) {
            self.last_model_blocks().for_each(|(_, block)| block.withdraw_call(out));
        }
        if let Some(last) = self.list.last() {
            last.end_call(out);
        }
    }

    /// Returns the slot of an index.
    fn slot_at(&self, index: u64) -> u64 {
        index.wrapping_add(self.shift)
    }

    /// Returns the slot after all others.
    fn next_slot(&self) -> u64 {
        self.list.last().map_or(0, |last| last.slot().saturating_add(1))
    }

    /// Returns the block with this index, or the last one if the event has no index.
    pub(super) fn block(&mut self, index: Option<u64>) -> Option<&mut Block> {
        let Some(index) = index else { return self.list.last_mut() };
        let at = self.find(self.slot_at(index)).ok()?;
        self.list.get_mut(at)
    }

    /// Returns the position of the block in this slot, or where to insert it.
    fn find(&self, slot: u64) -> Result<usize, usize> {
        // Usually the last block.
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

fn is_text(block: Value<'_>) -> bool {
    is_of_type(block, "text")
}

fn is_of_type(block: Value<'_>, name: &str) -> bool {
    block.get("type").is_some_and(|kind| kind.is(name))
}

/// Returns the only item; `None` if there are several.
fn only<T>(mut them: impl Iterator<Item = T>) -> Option<T> {
    let first = them.next();
    first.filter(|_| them.next().is_none())
}
