//! Texts, reasoning and signatures.

use super::block::{Block, BlockKind, is_own, is_text};
use super::omitted_reasoning::{is_omitted, requires_signature};
use super::stream::AnthropicWriter;
use crate::accumulator::PartKind;
use crate::encode::options::Retention;
use crate::encode::signature_tracking::Signed;
use crate::encode::writer::{Context, Output};
use crate::encode::written_texts::{PartKey, Piece};
use crate::model::WarningCode;

impl AnthropicWriter {
    /// Adds a piece of text to the last block, or to a new one if something else came in between.
    pub(super) fn add_text(&mut self, piece: &Piece, context: &Context<'_>, out: &mut Output) {
        let kind = match piece.kind {
            PartKind::Reasoning => BlockKind::Thinking,
            PartKind::Refusal => BlockKind::Refusal,
            _ => BlockKind::Text,
        };
        if kind == BlockKind::Thinking && is_omitted(piece.place, context, out) {
            return;
        }
        if kind == BlockKind::Refusal {
            self.has_refusal = true;
            out.lost.add(
                WarningCode::LostRefusal,
                "The refusal was written as text; the stop reason marks it as a refusal",
            );
        }
        let text = context.answer.part_text(piece.kind, piece.place).get(piece.bytes.clone());
        let text = text.unwrap_or_default();
        let is_blank = text.trim().is_empty();
        match self.queue.back_mut() {
            Some(last) if last.is(kind, piece.place) && last.tail.is_empty() => {
                last.end = piece.bytes.end;
                last.is_blank &= is_blank;
            }
            Some(last) if is_blank && is_text(kind) && last.kind == kind && !last.is_blank => {
                last.tail.push_str(text);
            }
            _ => {
                let block = Block::new(kind, piece.place, piece.bytes.start, piece.bytes.end);
                self.queue.push_back(Block { is_blank, ..block });
            }
        }
    }

    /// Adds a complete signature or encrypted reasoning.
    pub(super) fn add_signature(
        &mut self,
        PartKey { kind, place }: PartKey,
        context: &Context<'_>,
        out: &mut Output,
    ) {
        if kind != PartKind::Reasoning {
            return;
        }
        let signed = Signed::of(place, context);
        if context.options.reasoning == Retention::Drop {
            return out.lost.add_reasoning();
        }
        if let Some(signature) = signed.view.signature {
            let is_waiting = self.queue.iter().any(|block| block.is(BlockKind::Thinking, place));
            if !is_own(signed.format) {
                out.lost.add(
                    WarningCode::LostSignature,
                    "A signature that isn't Anthropic's was dropped: it would be rejected",
                );
            } else if !is_waiting && self.signature_lengths.get(&place) != Some(&signature.len()) {
                // It came late, or without text.
                let end = context.answer.part_text(kind, place).len();
                if end > 0 && requires_signature(context) {
                    let message = "The signature of reasoning that was left out was dropped";
                    return out.lost.add(WarningCode::LostSignature, message);
                }
                self.queue.push_back(Block::new(BlockKind::Thinking, place, end, end));
            }
        }
        if signed.view.encrypted.is_some_and(|data| !data.is_empty()) {
            if requires_signature(context) && !is_own(signed.format) {
                let message =
                    "Encrypted reasoning that isn't Anthropic's was left out, as `unsignedThinking` asks for";
                return out.lost.add(WarningCode::LostSignature, message);
            }
            self.queue.push_back(Block::new(BlockKind::Redacted, place, 0, 0));
        }
    }
}
