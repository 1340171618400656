//! One content block, whole or streamed.

pub(super) mod deltas;

use self::deltas::Delta;
use super::block_kind::{BlockKind, DeltaKind, FALLBACK, ToolNames, Understood};
use super::raw_block::{RawBlock, misplaced_text, misplaced_thinking};
use super::server_tool::raw_or_null;
use super::tool_input::ToolInput;
use super::whole::{read_redacted, read_text, read_thinking};
use crate::accumulator::{Builder, Cut, Place};
use crate::json::{Field, Kind, ProgressState, RawJson, Value, compact};
use crate::model::ContentPart;
use crate::provider::call_entry::{CallEntry, is_blank};
use crate::provider::extra_content::read_call_signature;
use crate::save::state;

/// One content block.
pub(super) struct Block {
    slot: u64,
    /// Its `type`.
    name: String,
    kind: BlockKind,
    phase: Phase,
    raw: RawBlock,
    /// Whether deltas have changed content that isn't in the answer as text.
    has_deltas: bool,
}

state! { struct Block { slot, name, kind, phase, raw, has_deltas } }

/// Progress of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The block may receive more content.
    Open,
    /// Its start had text, which the first delta may repeat: <https://github.com/cline/cline/pull/9215>.
    StartedWithText,
    /// It was complete, and is sent again: number of bytes of its text, and of citations, that were repeated so far.
    Repeated { bytes: usize, citations: usize },
    /// The block has ended.
    Stopped,
}

state! { enum Phase { 0 Open, 1 Repeated { bytes, citations }, 2 Stopped, 3 StartedWithText } }

impl Block {
    /// Creates a block of the type of `block`, whose content isn't read yet.
    pub(super) fn new(slot: u64, block: Value<'_>, names: &mut ToolNames) -> Self {
        // Some servers send a text block as a string.
        if block.kind() == Kind::String {
            return Self::without_start(slot, BlockKind::Text, "text");
        }
        let name = block.get_non_empty("type").unwrap_or_default();
        Self::without_start(slot, BlockKind::new(name, block, names), name)
    }

    /// Creates a block whose start is missing, so that only its deltas are known.
    pub(super) fn without_start(slot: u64, kind: BlockKind, name: &str) -> Self {
        let raw = RawBlock::without_start(name);
        Self { slot, name: name.to_owned(), kind, phase: Phase::Open, raw, has_deltas: false }
    }

    /// Returns its position among the blocks.
    pub(super) fn slot(&self) -> u64 {
        self.slot
    }

    /// Whether it is a call for the client.
    pub(super) fn is_call(&self) -> bool {
        matches!(self.kind, BlockKind::ToolUse(_))
    }

    /// Whether another model takes over at this block.
    pub(super) fn is_fallback(&self) -> bool {
        self.name == FALLBACK
    }

    fn place(&self) -> Place {
        Place::first_choice(self.slot, 0)
    }

    /// Whether it is a call with this id.
    pub(super) fn has_id(&self, id: &str, out: &Builder) -> bool {
        self.is_call() && out.call_id(self.place()) == Some(id)
    }

    /// Returns the text of a text block.
    pub(super) fn text<'o>(&self, out: &'o Builder) -> Option<&'o str> {
        matches!(self.kind, BlockKind::Text).then(|| out.text_at(self.place()))
    }

    /// Whether another block is of the same type.
    pub(super) fn has_same_type(&self, block: Value<'_>) -> bool {
        block.get("type").is_some_and(|name| name.is(&self.name))
    }

    /// Whether a block that starts in the same slot is this one, sent again.
    pub(super) fn is_repeat(&self, block: Value<'_>, out: &Builder) -> bool {
        let is_over = !self.is_open() && matches!(self.raw, RawBlock::Streamed(_));
        if is_over || !self.has_same_type(block) {
            return false;
        }
        let id = block.get_non_empty("id");
        match &self.kind {
            BlockKind::Text => {
                let (known, text) =
                    (out.text_at(self.place()), block.get_non_empty("text").unwrap_or_default());
                known.starts_with(text) || text.starts_with(known)
            }
            BlockKind::Thinking => true,
            BlockKind::ToolUse(_) => id == out.call_id(self.place()) || self.is_started_by(block, out),
            BlockKind::ServerCall(call) => id == call.id(),
            BlockKind::RedactedThinking | BlockKind::ServerResult(_) | BlockKind::Other => {
                block.compact().is_some_and(|text| text == compact(self.to_raw(out).get()))
            }
        }
    }

    /// Whether the start of a call says less than that of this open one. Converters start a block for each chunk of chat
    /// completions, of which only the first has an id and a name; some make up an id each time.
    /// <https://github.com/router-for-me/CLIProxyAPI/pull/2926>
    fn is_started_by(&self, block: Value<'_>, out: &Builder) -> bool {
        let known = out.call_name(self.place());
        let has_own_id = || self.raw.member("id").is_some_and(|id| !matches!(id.get(), "\"\"" | "null"));
        self.is_open()
            && match block.get_non_empty("name") {
                None => known.is_some(),
                name => name == known && block.get_non_empty("id").is_none() && has_own_id(),
            }
    }

    /// Reads the start of the block.
    pub(super) fn start(&mut self, block: Value<'_>, out: &mut Builder) {
        self.raw = RawBlock::start(block, &self.kind);
        self.read(block, out);
        let place = self.place();
        let has_begun = match self.kind {
            BlockKind::Text => !out.text_at(place).is_empty(),
            BlockKind::Thinking => !out.reasoning_at(place).is_empty(),
            _ => false,
        };
        if has_begun {
            self.phase = Phase::StartedWithText;
        }
    }

    /// Whether a new block continues this call, as opposed to being another call with the same id.
    pub(super) fn is_continued_by(&self, block: Value<'_>, out: &Builder) -> bool {
        let is_unnamed = block.get_non_empty("name").is_none();
        is_unnamed
            && self.has_same_type(block)
            && block.get_non_empty("id").is_some_and(|id| self.has_id(id, out))
    }

    /// Reads the start of a block that continues the call.
    pub(super) fn continue_call(&mut self, block: Value<'_>, out: &mut Builder) {
        self.phase = Phase::Open;
        self.read(block, out);
    }

    /// Reads the start of the block when it is sent again.
    pub(super) fn start_repeat(&mut self, block: Value<'_>, out: &mut Builder) {
        if self.is_open() {
            return self.read(block, out);
        }
        self.phase = Phase::Repeated { bytes: 0, citations: 0 };
        let (text, thinking) = (block.get("text"), block.get("thinking"));
        match self.kind {
            BlockKind::Text => _ = self.push_text(text, out),
            BlockKind::Thinking => _ = self.push_thinking(thinking.said().or(text), out),
            // The call had no input before.
            BlockKind::ToolUse(_) if out.arguments_state(self.place()) == ProgressState::Empty => {
                self.phase = Phase::Open;
            }
            _ => return,
        }
        self.raw = RawBlock::start(block, &self.kind);
    }

    /// Reads the complete block, and adds what is missing.
    pub(super) fn read_whole(&mut self, block: Value<'_>, out: &mut Builder) {
        self.read(block, out);
        if block.kind() != Kind::String {
            self.raw = block.raw().map_or_else(|| RawBlock::start(block, &self.kind), RawBlock::Whole);
        }
        self.has_deltas = false;
        self.stop(out);
    }

    fn read(&mut self, block: Value<'_>, out: &mut Builder) {
        let place = self.place();
        match &mut self.kind {
            BlockKind::Text => read_text(block, place, out),
            BlockKind::Thinking => read_thinking(block, place, out),
            BlockKind::RedactedThinking => {
                read_redacted(block, self.slot, out);
            }
            BlockKind::ToolUse(_) => {
                let call = CallEntry::of(block);
                out.open_call(place, call.id(), call.name);
                read_call_signature(block, place, out);
                if let Some(input) = block.get("partial_json").or(call.arguments) {
                    ToolInput::read(input, place, out);
                }
            }
            BlockKind::ServerCall(call) => call.read(block, place, out),
            BlockKind::ServerResult(result) => result.read(block, place, out),
            BlockKind::Other => out.set_part(place, ContentPart::Other { raw: raw_or_null(block) }),
        }
    }

    /// Reads content in the end event of the block: all of it, or the missing rest. Returns whether it was understood.
    pub(super) fn complete(&mut self, all: Value<'_>, out: &mut Builder) -> bool {
        if self.has_same_type(all) && !self.is_call() {
            self.read(all, out);
            return true;
        }
        let place = self.place();
        if self.is_call() && out.arguments_state(place) == ProgressState::Complete {
            let input = Delta::of(all).input().filter(|input| !is_blank(*input));
            let whole = input.and_then(Value::text_or_compact);
            if let Some(whole) = whole.filter(|whole| compact(whole) != compact(out.arguments_at(place))) {
                out.complete_arguments(place, &whole);
            }
            return true;
        }
        let phase = self.phase;
        if self.is_open() {
            self.phase = Phase::Repeated { bytes: 0, citations: 0 };
        }
        let understood = self.read_delta(&Delta::of(all), out);
        self.phase = phase;
        understood == Understood::Yes
    }

    /// Whether the block may receive more content.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Open | Phase::StartedWithText)
    }

    /// Whether input under the index of no tool may belong to this block.
    pub(super) fn lacks_input(&self, out: &Builder) -> bool {
        match &self.kind {
            BlockKind::ToolUse(_) => is_unfinished(&self.raw, self.place(), out),
            BlockKind::ServerCall(_) => self.is_open(),
            _ => false,
        }
    }

    /// Records that input was dropped that may belong to this block.
    pub(super) fn mark_doubtful(&self, out: &mut Builder) {
        if self.is_call() {
            out.cut_call(self.place(), Cut::Perhaps);
        }
    }

    /// Returns the place of deltas of this kind, if they only append to it.
    pub(super) fn append_place(&self, kind: DeltaKind) -> Option<Place> {
        let grows = match &self.kind {
            BlockKind::Text => kind == DeltaKind::Text,
            BlockKind::Thinking => kind == DeltaKind::Thinking,
            BlockKind::ToolUse(input) => kind == DeltaKind::Input && input.is_streamed(),
            _ => false,
        };
        (grows && self.phase == Phase::Open).then(|| self.place())
    }

    /// Ends the block.
    pub(super) fn stop(&mut self, out: &mut Builder) {
        let was_open = self.is_open();
        self.phase = Phase::Stopped;
        if !was_open {
            return;
        }
        let place = self.place();
        let raw = self.has_deltas.then(|| self.to_raw(out));
        match (&mut self.kind, raw) {
            (BlockKind::ToolUse(input), _) => input.stop(place, out),
            (BlockKind::ServerCall(call), raw) => call.stop(raw, self.raw.member("input"), place, out),
            (BlockKind::ServerResult(result), Some(raw)) => {
                result.stop(raw, self.raw.member("content"), place, out);
            }
            (BlockKind::Other, Some(raw)) => out.keep_part(place, ContentPart::Other { raw }),
            _ => {}
        }
    }

    /// Ends an open block at the end of the stream, with the content so far, unless it is a call.
    pub(super) fn end_part(&mut self, out: &mut Builder) {
        if self.is_open() && !self.is_call() {
            self.stop(out);
        }
    }

    /// Withdraws the call, if it is one, because another model continues without it.
    pub(super) fn withdraw_call(&self, out: &mut Builder) {
        if self.is_call() {
            out.withdraw_call(self.place(), "the model that made it declined, and another one went on");
        }
    }

    /// Ends the call, if the block has ended, because another block follows.
    pub(super) fn end_call(&self, out: &mut Builder) {
        if self.is_call() && self.phase == Phase::Stopped {
            out.end_call(self.place());
        }
    }

    /// Returns the block in the provider's form.
    fn to_raw(&self, out: &Builder) -> RawJson {
        self.raw.to_raw(&self.kind, self.place(), out)
    }

    /// Writes the block, and as separate blocks the text and the thinking that it received but can't contain.
    pub(super) fn write_to(&self, blocks: &mut Vec<RawJson>, out: &Builder) {
        if !matches!(self.kind, BlockKind::Thinking) {
            blocks.extend(misplaced_thinking(self.place(), out));
        }
        let behind = blocks.len() + usize::from(!self.is_call());
        if !out.is_repeat(self.place()) {
            blocks.push(self.to_raw(out));
        }
        if let (false, Some(text)) = (matches!(self.kind, BlockKind::Text), misplaced_text(self.place(), out))
        {
            blocks.insert(behind, text);
        }
    }
}

/// Whether a call may still receive input, even if its block has ended.
fn is_unfinished(raw: &RawBlock, place: Place, out: &Builder) -> bool {
    matches!(raw, RawBlock::Streamed(_))
        && matches!(out.arguments_state(place), ProgressState::Empty | ProgressState::Partial)
}
