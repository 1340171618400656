//! Writes texts, reasoning and signatures.

use super::reasoning::{Content, Detail, write_detail, write_piece};
use super::stream::ChatWriter;
use crate::accumulator::{PartKind, Place};
use crate::encode::json::{Nested, object};
use crate::encode::options::Retention;
use crate::encode::repeats::Pieces;
use crate::encode::signature_tracking::{Signed, google};
use crate::encode::writer::{Context, Output};
use crate::encode::written_texts::{PartKey, Piece};

impl ChatWriter {
    pub(super) fn write_text(&mut self, piece: &Piece, context: &Context<'_>, out: &mut Output) {
        let index = piece.place.choice;
        if piece.kind == PartKind::Reasoning && context.options.reasoning == Retention::Drop {
            return out.lost.add_reasoning();
        }
        let at = self.choice(index, out);
        let signed = Signed::of(piece.place, context);
        // Clients read details part by part, and everything else as one text.
        let is_apart = piece.kind == PartKind::Reasoning && signed.format.is_some();
        let text = context.answer.part_text(piece.kind, piece.place);
        let text = text.get(piece.part_start..piece.bytes.end).unwrap_or_default();
        let lead = if is_apart { Some(0) } else { self.written.repeated_prefix_len(piece, context) };
        for text in Pieces::following(lead, text, piece.bytes.start.saturating_sub(piece.part_start)) {
            let detail = if is_apart { self.detail(at, piece.place, false, &signed) } else { None };
            let delta = Nested(|out| match piece.kind {
                PartKind::Reasoning => write_piece(detail.as_ref(), text, out),
                PartKind::Refusal => object!(out, "refusal": &text),
                _ => object!(out, "content": &text),
            });
            self.chunks.delta(index, &delta, out);
        }
    }

    /// Creates the next piece of an entry of `reasoning_details` for the choice at position `at`.
    fn detail<'a>(
        &mut self,
        at: usize,
        place: Place,
        is_encrypted: bool,
        signed: &'a Signed<'a>,
    ) -> Option<Detail<'a>> {
        self.choices.get_mut(at).map(|choice| Detail::next(place, is_encrypted, signed, &mut choice.details))
    }

    /// Writes a complete signature.
    pub(super) fn add_signature(
        &mut self,
        PartKey { kind, place }: PartKey,
        context: &Context<'_>,
        out: &mut Output,
    ) {
        if kind == PartKind::Text {
            let signature = context.answer.text_signature(place).unwrap_or_default();
            self.choice(place.choice, out);
            self.written.end_signed_text(place.choice);
            let delta = Nested(|out| object!(out, "extra_content": &google(signature)));
            return self.chunks.delta(place.choice, &delta, out);
        }
        if context.options.reasoning == Retention::Drop {
            return out.lost.add_reasoning();
        }
        let signed = Signed::of(place, context);
        let at = self.choice(place.choice, out);
        let contents = [
            signed.view.signature.map(Content::Signature),
            signed.view.encrypted.filter(|data| !data.is_empty()).map(Content::Encrypted),
        ];
        for content in contents.into_iter().flatten() {
            let is_encrypted = matches!(content, Content::Encrypted(_));
            let Some(detail) = self.detail(at, place, is_encrypted, &signed) else { return };
            let delta = Nested(|out| write_detail(&detail, content, out));
            self.chunks.delta(place.choice, &Nested(|out| object!(out, "reasoning_details": &delta)), out);
        }
    }
}
