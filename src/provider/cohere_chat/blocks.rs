//! Content blocks.

use super::member;
use crate::accumulator::{Builder, Place, Slot};
use crate::json::{Field, Object, RawJson, Value, fields};
use crate::model::ContentPart;
use crate::save::state;

fields! {
    /// A content block, or what is added to one.
    struct Content { kind = "type", text: String, thinking: String }
}

/// The content blocks of a message, in the order in which they began, and what the model plans to do with its tools.
#[derive(Default)]
pub(super) struct Blocks {
    list: Vec<Block>,
    /// The index of the first block of the answer that is read: one before it may have come in the same stream.
    first: u64,
    /// Where the plan of that answer stands, once it has begun.
    plan: Option<Place>,
    /// The same of the answers before it.
    earlier_plans: Vec<Place>,
}

state! { struct Blocks { list, first, plan, earlier_plans } }

struct Block {
    index: u64,
    place: Place,
    kind: BlockKind,
    is_open: bool,
    /// The block as it came, unless it comes in pieces.
    whole: Option<RawJson>,
    /// The members besides its text.
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
    /// Another answer begins in the same stream. It counts its blocks from 0 again.
    pub(super) fn begin_again(&mut self) {
        // The index between the two is the place of a plan.
        self.first = self.next_index().saturating_add(1);
        self.earlier_plans.extend(self.plan.take());
    }

    /// Where the plan stands: before all content, or, if some has come before it, behind that.
    pub(super) fn plan_place(&mut self) -> Place {
        let own = self.list.last().filter(|last| last.index >= self.first);
        let slot = own.map_or(Slot(self.first, 0), |last| Slot(last.place.slot.0, last.place.slot.1 + 1));
        *self.plan.get_or_insert(Place { choice: 0, slot })
    }

    /// Where the plan of the answer stands that is read, if it has begun.
    pub(super) fn begun_plan(&self) -> Option<Place> {
        self.plan
    }

    /// The plans of all answers.
    pub(super) fn write_plan(&self, out: &Builder) -> String {
        self.earlier_plans.iter().chain(&self.plan).map(|place| out.reasoning_at(*place)).collect()
    }

    /// Reads a block of a message that came as a whole.
    pub(super) fn read_whole(&mut self, content: Value<'_>, out: &mut Builder) {
        let index = self.next_index();
        let Some(block) = self.open(index, content) else { return };
        block.whole = content.raw();
        block.add(content, out);
        block.end(out);
    }

    /// Reads the start of a block.
    pub(super) fn start(&mut self, index: Option<u64>, content: Value<'_>, out: &mut Builder) {
        let index = self.counted(index).unwrap_or_else(|| self.next_index());
        let kind = BlockKind::of(&Content::of(content));
        let is_known =
            self.list.last().is_some_and(|last| last.is_open && last.index == index && last.kind == kind);
        let block = if is_known { self.list.last_mut() } else { self.open(index, content) };
        if let Some(block) = block {
            block.add(content, out);
        }
    }

    /// Reads more of a block: the latest one with this index, else the latest of all.
    pub(super) fn add(&mut self, index: Option<u64>, content: Value<'_>, out: &mut Builder) {
        if let Some(block) = self.find(index).and_then(|at| self.list.get_mut(at)) {
            block.add(content, out);
        } else {
            self.start(index, content, out);
        }
    }

    /// Reads what the end of a block says of it: what is missing is added.
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

    /// A block is over.
    pub(super) fn end(&mut self, index: Option<u64>, out: &mut Builder) {
        if let Some(block) = self.find(index).and_then(|at| self.list.get_mut(at)) {
            block.end(out);
        }
    }

    /// All blocks are over.
    pub(super) fn end_all(&mut self, out: &mut Builder) {
        for block in &mut self.list {
            block.end(out);
        }
    }

    /// Where the text is that a citation is about: the block that it names, else the first text. `None` for a citation
    /// of something else.
    pub(super) fn cited(&self, citation: Value<'_>) -> Option<Place> {
        if citation.get_non_empty("type").is_some_and(|kind| kind != "TEXT_CONTENT") {
            return None;
        }
        let named = self.counted(member(citation, "content_index", "contentIndex").unsigned());
        let is_own = |block: &&Block| block.kind == BlockKind::Text && block.index >= self.first;
        let mut texts = self.list.iter().filter(is_own);
        let at_index = texts.clone().find(|block| Some(block.index) == named);
        at_index.or_else(|| texts.next()).map(|block| block.place)
    }

    /// Where the next piece of text would go, if it would just be added.
    pub(super) fn growing(&self, index: Option<u64>) -> Option<Place> {
        let block = self.list.get(self.find(index)?)?;
        (block.is_open && block.kind != BlockKind::Other).then_some(block.place)
    }

    /// The blocks in the provider's form.
    pub(super) fn write(&self, out: &Builder) -> Vec<RawJson> {
        self.list.iter().map(|block| block.write(out)).collect()
    }

    fn next_index(&self) -> u64 {
        self.list.last().map_or(self.first, |last| last.index.saturating_add(1).max(self.first))
    }

    /// The index of a block among all.
    fn counted(&self, index: Option<u64>) -> Option<u64> {
        index.map(|index| index.saturating_add(self.first))
    }

    fn find(&self, index: Option<u64>) -> Option<usize> {
        match self.counted(index) {
            Some(index) => self.list.iter().rposition(|block| block.index == index),
            None => self.list.len().checked_sub(1),
        }
    }

    fn open(&mut self, index: u64, content: Value<'_>) -> Option<&mut Block> {
        self.list.push(Block {
            index,
            // Behind each there is room for a plan.
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
    /// Takes in the block, or more of it: an object, or just text.
    fn add(&mut self, content: Value<'_>, out: &mut Builder) {
        if let Some(text) = content.spoken() {
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
        content.keep_unread(true, &mut self.members);
        if let Some(text) = content.text().spoken() {
            out.push_text(self.place, &text);
        }
        if let Some(thinking) = content.thinking().spoken() {
            out.push_reasoning(self.place, &thinking);
        }
    }

    fn end(&mut self, out: &mut Builder) {
        if std::mem::take(&mut self.is_open) && self.kind == BlockKind::Other {
            out.set_part(self.place, ContentPart::Other { raw: self.write(out) });
        }
    }

    /// The block in the provider's form.
    fn write(&self, out: &Builder) -> RawJson {
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
