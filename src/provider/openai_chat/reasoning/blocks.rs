//! LiteLLM's `thinking_blocks`: Anthropic's blocks beside `reasoning_content`, which repeats their text. In a stream, each
//! chunk has a piece of a block, and the signature ends the block.
//! <https://docs.litellm.ai/docs/reasoning_content>
//! <https://github.com/BerriAI/litellm/issues/29428>
//!
//! Portkey's `content_blocks` are all blocks of Anthropic, in a stream each inside a `delta`. Text blocks repeat the content.
//! <https://portkey.ai/docs/product/ai-gateway/multimodal-capabilities/thinking-mode>

use super::{Message, REASONING, ReasoningReader};
use crate::accumulator::{Builder, Place, Slot};
use crate::collect::Collect;
use crate::json::{Document, Field, Object, RawJson, Value, fields, find};
use crate::provider::ANTHROPIC_FORMAT;

fields! {
    /// A block, or a piece of one.
    struct Block { kind = "type", thinking: String, signature: String, data: String }
}

/// Maximum nesting of a part of Gemini that is searched for.
const MAX_DEPTH: usize = 128;

/// Slot of the blocks after the first one: after all `reasoning_details`.
const LATER_BLOCKS: u64 = 1 << 32;

impl ReasoningReader {
    /// Returns the place of plain text: that of its block.
    pub(in crate::provider::openai_chat) fn plain_place(&self) -> Place {
        self.block_place(self.block)
    }

    #[inline(never)]
    pub(super) fn block_place(&self, block: u64) -> Place {
        let minor = if block == 0 { 0 } else { LATER_BLOCKS + block };
        Place { choice: self.choice, slot: Slot(REASONING, minor) }
    }

    /// Prepares for text, which begins the next block if the last one has ended.
    pub(super) fn begin_text(&mut self) {
        self.block += u64::from(std::mem::take(&mut self.is_block_over));
    }

    /// Reads the blocks of a message, and returns their text. Blocks whose text differs from the plain reasoning are kept
    /// in `members`, because LiteLLM uses them for other data with Gemini. With `is_kept`, `members` has all blocks
    /// already.
    pub(super) fn read_blocks<'a>(
        &mut self,
        blocks: Value<'a>,
        is_kept: bool,
        message: &Message<'_>,
        plain: Option<&str>,
        members: &mut Object,
        out: &mut Builder,
    ) -> String {
        let inner = |block: Value<'a>| block.get("delta").unwrap_or(block);
        let text = blocks.items().filter_map(|block| inner(block).get_text("thinking")).collect_string();
        let is_other =
            text.starts_with('{') && blocks.items().all(|block| is_gemini_part(inner(block), message));
        let is_same = plain.is_some_and(|plain| plain == text);
        let is_plain = (plain.is_none() || is_same) && self.details.is_empty() && !is_other;
        for (position, value) in blocks.items().enumerate() {
            let block = Block::of(inner(value));
            let is_block = value.is_object() && block.kind().is_none_or(is_known) && !block.has_misfits();
            if !(is_plain && is_block) {
                if !is_kept {
                    members.add("thinking_blocks", value);
                }
                continue;
            }
            self.is_block_over |= position > 0;
            self.read_block(&block, out);
        }
        if is_plain || is_other && is_same { text } else { String::new() }
    }

    fn read_block(&mut self, block: &Block<'_>, out: &mut Builder) {
        // An older LiteLLM kept the name of Anthropic's delta.
        let signature = block.signature().or_else(|| block.whole.get("signature_delta")).non_empty();
        let data = block.data().non_empty();
        // The signature may come with a repetition of all of the text.
        let known = out.reasoning_at(self.plain_place());
        let is_repeat = signature.is_some() && block.thinking().is_some_and(|text| text.is(known));
        if let Some(text) = block.thinking().fragment().filter(|text| !text.is_empty() && !is_repeat) {
            self.has_text = true;
            self.begin_text();
            out.push_reasoning(self.plain_place(), &text);
            out.set_reasoning_format(self.plain_place(), ANTHROPIC_FORMAT);
        }
        if let Some(signature) = signature {
            out.push_signature(self.plain_place(), signature);
            out.set_reasoning_format(self.plain_place(), ANTHROPIC_FORMAT);
            self.is_block_over = true;
        }
        if let Some(data) = data {
            self.is_block_over |= !out.reasoning_at(self.plain_place()).is_empty();
            self.begin_text();
            out.push_encrypted(self.plain_place(), data);
            out.set_reasoning_format(self.plain_place(), ANTHROPIC_FORMAT);
            self.is_block_over = true;
        }
    }

    /// Adds the blocks to the members of the message, in the format of a complete body.
    pub(super) fn write_blocks(&self, message: &mut Object, out: &Builder) {
        for block in 0..=self.block {
            let place = self.block_place(block);
            let reasoning = out.reasoning_view(place);
            if reasoning.format != Some(ANTHROPIC_FORMAT) {
                continue;
            }
            let mut members = Object::default();
            let mut set = |name, text| members.set(name, RawJson::string(text));
            if let Some(data) = reasoning.encrypted {
                set("type", "redacted_thinking");
                set("data", data);
            } else {
                set("type", "thinking");
                set("thinking", out.reasoning_at(place));
                reasoning.signature.into_iter().for_each(|signature| set("signature", signature));
            }
            message.add_item("thinking_blocks", RawJson::of(&members));
        }
    }
}

/// Whether a thought is a part of Gemini's answer in JSON: for some time, LiteLLM made one of each signed part.
/// <https://github.com/BerriAI/litellm/pull/17266>
fn is_gemini_part(block: Value<'_>, message: &Message<'_>) -> bool {
    let thinking =
        block.get_text("thinking").filter(|_| block.get("signature").is_some()).unwrap_or_default();
    let Ok(document) = Document::parse(&thinking, MAX_DEPTH) else { return false };
    let part = document.root();
    let is_call = || message.calls().is_some() && part.get("functionCall").is_some_and(Value::is_object);
    let is_text = |text: &str| {
        text.is_empty() || message.content_text().is_some_and(|all| find(&all, text, 0).is_some())
    };
    is_call() || part.has_only(&["text"]) && part.get_text("text").is_some_and(|text| is_text(&text))
}

fn is_known(kind: Value<'_>) -> bool {
    kind.is("thinking") || kind.is("redacted_thinking")
}
