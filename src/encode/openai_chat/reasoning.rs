//! Reasoning, and its signatures in `reasoning_details`.
//! <https://openrouter.ai/docs/use-cases/reasoning-tokens#reasoning_details-array-structure>

use crate::accumulator::Place;
use crate::encode::formats::OPENAI;
use crate::encode::json::{Nested, object};
use crate::encode::seal::Signed;
use crate::encode::writer::Context;
use crate::json::ObjectWriter;

/// One entry of `reasoning_details`, or a piece of one.
pub(super) struct Detail<'a> {
    /// Which reasoning part of the choice it belongs to.
    pub(super) index: u64,
    pub(super) signed: &'a Signed<'a>,
}

/// What an entry is about.
#[derive(Debug, Clone, Copy)]
pub(super) enum Content<'a> {
    Text(&'a str),
    Signature(&'a str),
    Encrypted(&'a str),
    /// All but what is encrypted.
    Whole(&'a str),
}

impl Detail<'_> {
    /// Whether text is written in an entry as well: signatures belong to the text of one part.
    pub(super) fn is_needed(&self) -> bool {
        self.signed.format.is_some()
    }

    pub(super) fn write(&self, content: Content<'_>, out: &mut String) {
        let Signed { view, format } = self.signed;
        let text_name = if *format == Some(OPENAI) { "summary" } else { "text" };
        let kind = match content {
            Content::Encrypted(_) => "reasoning.encrypted",
            _ if text_name == "summary" => "reasoning.summary",
            _ => "reasoning.text",
        };
        let mut object = ObjectWriter::new(out);
        object.member("type", &kind);
        match content {
            Content::Text(text) => object.member(text_name, &text),
            Content::Signature(signature) => object.member("signature", &signature),
            Content::Encrypted(data) => object.member("data", &data),
            Content::Whole(text) => {
                object.member(text_name, &text).optional("signature", view.signature.as_ref())
            }
        };
        object.optional("id", view.id.as_ref()).optional("format", format.as_ref());
        object.member("index", &self.index).end();
    }
}

/// Writes the members of a delta for a piece of reasoning.
pub(super) fn write_piece(detail: &Detail<'_>, text: &str, out: &mut String) {
    if !detail.is_needed() {
        return object!(out, "reasoning_content": &text);
    }
    object!(out, "reasoning_content": &text, "reasoning_details": &Nested(|out| {
        out.push('[');
        detail.write(Content::Text(text), out);
        out.push(']');
    }));
}

/// The entries for a whole part, after those before it.
pub(super) fn write_whole(index: u64, place: Place, text: &str, context: &Context<'_>, out: &mut String) {
    let signed = Signed::of(place, context);
    let detail = Detail { index, signed: &signed };
    let mut entry = |content| {
        if out.len() > 1 {
            out.push(',');
        }
        detail.write(content, out);
    };
    if !text.is_empty() || signed.view.signature.is_some() {
        entry(Content::Whole(text));
    }
    if let Some(data) = signed.view.encrypted {
        entry(Content::Encrypted(data));
    }
}
