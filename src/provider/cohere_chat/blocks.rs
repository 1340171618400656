//! Content blocks.

use super::member;
use crate::accumulator::{Builder, Place, Slot};
use crate::collect::Collect;
use crate::json::{Field, Object, RawJson, Value, fields};
use crate::model::ContentPart;
use crate::save::state;

fields! {
    /// A content block, or a delta of one.
    struct Content {
        kind = "type",
        text: String | Number | Boolean,
        thinking: String | Number | Boolean,
    }
}

/// The content blocks of a message, in the order in which they began, and the model's tool plan.
#[derive(Default)]
pub(super) struct Blocks {
    list: Vec<Block>,
    /// Index of the first block of the current response: an earlier one may be in the same stream.
    first_index: u64,
    /// Place of the current response's plan, once it has begun.
    plan: Option<Place>,
    /// Places of the plans of earlier responses.
    earlier_plans: Vec<Place>,
}

state! { struct Blocks { list, first_index, plan, earlier_plans } }

struct Block {
    index: u64,
    place: Place,
    kind: BlockKind,
    is_open: bool,
    /// The block as received, unless it is sent in pieces.
    whole: Option<RawJson>,
    /// Members other than the text.
    members: Object,
}

state! { struct Block { index, place, kind, is_open, whole, members } }

#[derive(Clone, Copy, PartialEq, Eq)]
enum BlockKind {
    Text,
    Thinking,
    Other,
}

state! { enum BlockKind { 0 Text, 1 Thinking, 2 Other } }

impl BlockKind {
    fn of(content: &Content<'_>) -> Self {
        match content.kind().text().as_deref() {
            Some("text") => Self::Text,
            Some("thinking") => Self::Thinking,
            None if content.thinking().is_some() => Self::Thinking,
            None if content.text().is_some() => Self::Text,
            Some(_) | None => Self::Other,
        }
    }
}

impl Blocks {
    /// Begins another response in the same stream, which counts its blocks from 0 again.
    pub(super) fn begin_next_response(&mut self) {
        // The skipped index is the place of a plan.
        self.first_index = self.next_index().saturating_add(1);
        self.earlier_plans.extend(self.plan.take());
    }

    /// Returns the place of the plan: before all content, or after any content that was sent before the plan.
    pub(super) fn plan_place(&mut self) -> Place {
        let own = self.list.last().filter(|last| last.index >= self.first_index);
        let slot =
            own.map_or(Slot(self.first_index, 0), |last| Slot(last.place.slot.0, last.place.slot.1 + 1));
        *self.plan.get_or_insert(Place { choice: 0, slot })
    }

    /// Returns the place of the current response's plan, if it has begun.
    pub(super) fn started_plan_place(&self) -> Option<Place> {
        self.plan
    }

    /// Returns the plans of all responses.
    pub(super) fn write_plan(&self, out: &Builder) -> String {
        self.earlier_plans.iter().chain(&self.plan).map(|place| out.reasoning_at(*place)).collect_string()
    }

    /// Reads a block of a complete message.
    pub(super) fn read_whole(&mut self, content: Value<'_>, out: &mut Builder) {
        let index = self.next_index();
        let Some(block) = self.open(index, content) else { return };
        block.whole = content.raw();
        block.add(content, out);
        block.end(out);
    }

    /// Reads the start of a block.
    pub(super) fn start(&mut self, index: Option<u64>, content: Value<'_>, out: &mut Builder) {
        let index = self.global_index(index).unwrap_or_else(|| self.next_index());
        let kind = BlockKind::of(&Content::of(content));
        let is_known =
            self.list.last().is_some_and(|last| last.is_open && last.index == index && last.kind == kind);
        let block = if is_known { self.list.last_mut() } else { self.open(index, content) };
        if let Some(block) = block {
            block.add(content, out);
        }
    }

    /// Reads a delta of a block: the latest one with this index, or, without an index, the latest of all.
    pub(super) fn add(&mut self, index: Option<u64>, content: Value<'_>, out: &mut Builder) {
        if let Some(block) = self.find(index).and_then(|at| self.list.get_mut(at)) {
            block.add(content, out);
        } else {
            self.start(index, content, out);
        }
    }

    /// Completes a block from its end event: adds what is missing.
    pub(super) fn complete(&mut self, index: Option<u64>, content: Value<'_>, out: &mut Builder) {
        let Some(block) = self.find(index).and_then(|at| self.list.get(at)) else {
            return self.start(index, content, out);
        };
        let content = Content::of(content);
        if let Some(text) = content.text().non_empty() {
            out.complete_text(block.place, text);
        }
        if let Some(thinking) = content.thinking().non_empty() {
            out.complete_reasoning(block.place, thinking);
        }
    }

    /// Ends a block.
    pub(super) fn end(&mut self, index: Option<u64>, out: &mut Builder) {
        if let Some(block) = self.find(index).and_then(|at| self.list.get_mut(at)) {
            block.end(out);
        }
    }

    /// Ends all blocks.
    pub(super) fn end_all(&mut self, out: &mut Builder) {
        for block in &mut self.list {
            block.end(out);
        }
    }

    /// Returns the place of the text that a citation is about: the block that it names, or else the first text. `None`
    /// for a citation of something else.
    pub(super) fn cited_place(&self, citation: Value<'_>) -> Option<Place> {
        if citation.get_non_empty("type").is_some_and(|kind| kind != "TEXT_CONTENT") {
            return None;
        }
        let named = self.global_index(member(citation, "content_index", "contentIndex").unsigned());
        let is_own = |block: &&Block| block.kind == BlockKind::Text && block.index >= self.first_index;
        let mut texts = self.list.iter().filter(is_own);
        let at_index = texts.clone().find(|block| Some(block.index) == named);
        at_index.or_else(|| texts.next()).map(|block| block.place)
    }

    /// Returns the place of the block with this index, if a piece of text is only appended to it.
    pub(super) fn append_place(&self, index: Option<u64>) -> Option<Place> {
        let block = self.list.get(self.find(index)?)?;
        (block.is_open && block.kind != BlockKind::Other).then_some(block.place)
    }

    /// Returns the blocks in the provider's format.
    pub(super) fn to_raw(&self, out: &Builder) -> Vec<RawJson> {
        self.list.iter().map(|block| block.to_raw(out)).collect_vec()
    }

    fn next_index(&self) -> u64 {
        self.list.last().map_or(self.first_index, |last| last.index.saturating_add(1).max(self.first_index))
    }

    /// Converts an index of the current response to one among all blocks.
    fn global_index(&self, index: Option<u64>) -> Option<u64> {
        index.map(|index| index.saturating_add(self.first_index))
    }

    fn find(&self, index: Option<u64>) -> Option<usize> {
        match self.global_index(index) {
            Some(index) => self.list.iter().rposition(|block| block.index == index),
            None => self.list.len().checked_sub(1),
        }
    }

    fn open(&mut self, index: u64, content: Value<'_>) -> Option<&mut Block> {
        self.list.push(Block {
            index,
            // The slot after each block is left for a plan.
            place: Place::first_choice(index.saturating_add(1), 2 * self.list.len() as u64),
            kind: if content.is_object() { BlockKind::of(&Content::of(content)) } else { BlockKind::Text },
            is_open: true,
            whole: None,
            members: Object::default(),
        });
        self.list.last_mut()
    }
}

impl Block {
    /// Adds the block, or a delta of it: an object, or just text.
    fn add(&mut self, content: Value<'_>, out: &mut Builder) {
        if let Some(text) = content.scalar_fragment() {
            return out.push_text(self.place, &text);
        }
        if self.kind == BlockKind::Other {
            self.members.append_others(content, &[]);
            return;
        }
        let content = Content::of(content);
        if let Some(kind) = content.kind() {
            self.members.put("type", kind);
        }
        content.keep_unread(&mut self.members);
        if let Some(text) = content.text().scalar_fragment() {
            out.push_text(self.place, &text);
        }
        if let Some(thinking) = content.thinking().scalar_fragment() {
            out.push_reasoning(self.place, &thinking);
        }
    }

    fn end(&mut self, out: &mut Builder) {
        if std::mem::take(&mut self.is_open) && self.kind == BlockKind::Other {
            out.set_part(self.place, ContentPart::Other { raw: self.to_raw(out) });
        }
    }

    /// Returns the block in the provider's format.
    fn to_raw(&self, out: &Builder) -> RawJson {
        if let Some(whole) = &self.whole {
            return whole.clone();
        }
        let mut written = self.members.clone();
        for (name, text, kind) in [
            ("text", out.text_at(self.place), BlockKind::Text),
            ("thinking", out.reasoning_at(self.place), BlockKind::Thinking),
        ] {
            if !text.is_empty() || (self.kind == kind && written.get(name).is_none()) {
                written.set(name, RawJson::string(text));
            }
        }
        RawJson::of(&written)
    }
}
