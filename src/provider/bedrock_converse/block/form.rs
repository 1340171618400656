//! Blocks in the provider's format.

use super::{Block, BlockKind};
use crate::accumulator::Builder;
use crate::json::{Object, RawJson};

impl Block {
    /// Returns the block in the provider's format.
    pub(in super::super) fn to_raw(&self, out: &Builder) -> RawJson {
        if let Some(whole) = &self.whole {
            return whole.clone();
        }
        let place = self.place();
        let mut content = Object::default();
        let name = match self.kind {
            BlockKind::Text => {
                let (text, citations) = (RawJson::string(out.text_at(place)), out.annotations_at(place));
                if citations.is_empty() {
                    let mut block = Object::default();
                    block.set("text", text);
                    block.set_all(&self.members);
                    return RawJson::of(&block);
                }
                let mut cited = Object::default();
                cited.set("text", text);
                content.add_item("content", RawJson::of(&cited));
                content.set("citations", RawJson::of(citations));
                "citationsContent"
            }
            BlockKind::Reasoning => {
                self.write_reasoning(&mut content, out);
                "reasoningContent"
            }
            BlockKind::Call => {
                for (name, text) in [("toolUseId", out.call_id(place)), ("name", out.call_name(place))] {
                    if let Some(text) = text {
                        content.set(name, RawJson::string(text));
                    }
                }
                content.set("input", out.parsed_arguments_at(place));
                "toolUse"
            }
            BlockKind::Other => &*self.name,
        };
        content.set_all(&self.content);
        if !self.input.is_empty() {
            let input = RawJson::parse(&*self.input).unwrap_or_else(|| RawJson::string(&self.input));
            content.set("input", input);
        } else if self.name == "toolUse" && content.get("input").is_none() {
            content.set("input", RawJson::valid("{}")); // as in a call that is sent as a whole
        }
        let mut source = self.source.clone();
        if !self.base64.is_empty() {
            source.set("bytes", RawJson::string(&self.base64));
        }
        if !source.is_empty() {
            content.set("source", RawJson::of(&source));
        }
        let mut block = Object::default();
        if !name.is_empty() {
            block.set(name, RawJson::of(&content));
        }
        block.set_all(&self.members);
        RawJson::of(&block)
    }

    fn write_reasoning(&self, content: &mut Object, out: &Builder) {
        let place = self.place();
        let (text, signature) = (out.reasoning_at(place), out.signature_at(place));
        let encrypted = out.reasoning_view(place).encrypted;
        if !text.is_empty() || signature.is_some() {
            let mut plain = Object::default();
            plain.set("text", RawJson::string(text));
            if let Some(signature) = signature {
                plain.set("signature", RawJson::string(signature));
            }
            content.set("reasoningText", RawJson::of(&plain));
        }
        if let Some(encrypted) = encrypted {
            content.set("redactedContent", RawJson::string(encrypted));
        }
    }
}
