//! Reasoning, and its signatures in `reasoning_details`.
//! <https://openrouter.ai/docs/use-cases/reasoning-tokens#reasoning_details-array-structure>

use crate::accumulator::Place;
use crate::encode::formats::OPENAI;
use crate::encode::json::{Nested, object};
use crate::encode::signature_tracking::Signed;
use crate::encode::writer::Context;
use crate::json::ObjectWriter;
use crate::save::state;

/// One entry of `reasoning_details`, or a piece of one.
pub(super) struct Detail<'a> {
    /// Index of the entry in its choice.
    pub(super) index: u64,
    pub(super) signed: &'a Signed<'a>,
    /// Names that no earlier piece has, as clients join the members of the pieces.
    pub(super) names: Names<'a>,
}

/// Id of an entry, and the format of its signature.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Names<'a> {
    pub(super) id: Option<&'a str>,
    pub(super) format: Option<&'a str>,
}

/// An entry of which a piece was written.
pub(super) struct Entry {
    place: Place,
    /// Whether this is the encrypted form of another entry.
    is_encrypted: bool,
    has_id: bool,
    has_format: bool,
}

state! { struct Entry { place, is_encrypted, has_id, has_format } }

impl<'a> Detail<'a> {
    /// Creates the next piece of the entry for a part.
    pub(super) fn next(
        place: Place,
        is_encrypted: bool,
        signed: &'a Signed<'a>,
        entries: &mut Vec<Entry>,
    ) -> Self {
        // The encrypted form is a separate entry if an id says which entry it belongs to.
        let is_encrypted = is_encrypted && entries.iter().any(|entry| entry.place == place && entry.has_id);
        let is_same = |entry: &Entry| entry.place == place && entry.is_encrypted == is_encrypted;
        let index = entries.iter().position(is_same).unwrap_or_else(|| {
            entries.push(Entry { place, is_encrypted, has_id: false, has_format: false });
            entries.len() - 1
        });
        let mut names = Names { id: signed.view.id, format: signed.format };
        if let Some(entry) = entries.get_mut(index) {
            names.id = names.id.filter(|_| !entry.has_id);
            names.format = names.format.filter(|_| !entry.has_format);
            entry.has_id |= names.id.is_some();
            entry.has_format |= names.format.is_some();
        }
        Self { index: index as u64, signed, names }
    }
}

/// Content of an entry, or of a piece of one.
#[derive(Debug, Clone, Copy)]
pub(super) enum Content<'a> {
    Text(&'a str),
    Signature(&'a str),
    Encrypted(&'a str),
    /// The text, with the signature.
    Whole(&'a str),
}

impl Detail<'_> {
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
        object.optional("id", self.names.id.as_ref()).optional("format", self.names.format.as_ref());
        object.member("index", &self.index).end();
    }
}

/// Writes the members of a delta for a piece of reasoning. If its format is known, the text is also written in an
/// entry, as signatures belong to the text of one part.
pub(super) fn write_piece(detail: Option<&Detail<'_>>, text: &str, out: &mut String) {
    let Some(detail) = detail else { return object!(out, "reasoning_content": &text) };
    let details = Nested(|out| write_detail(detail, Content::Text(text), out));
    object!(out, "reasoning_content": &text, "reasoning_details": &details);
}

/// Writes a list with a piece of one entry.
pub(super) fn write_detail(detail: &Detail<'_>, content: Content<'_>, out: &mut String) {
    out.push('[');
    detail.write(content, out);
    out.push(']');
}

/// Writes the entries of a complete part after earlier ones. `index` counts entries as the pieces of a stream do.
pub(super) fn write_whole(
    index: &mut u64,
    place: Place,
    text: &str,
    context: &Context<'_>,
    out: &mut String,
) {
    let signed = Signed::of(place, context);
    let names = Names { id: signed.view.id, format: signed.format };
    let mut entry = |content, index| {
        if out.len() > 1 {
            out.push(',');
        }
        Detail { index, signed: &signed, names }.write(content, out);
    };
    let has_text = !text.is_empty() || signed.view.signature.is_some();
    if has_text {
        entry(Content::Whole(text), *index);
    }
    if let Some(data) = signed.view.encrypted {
        *index += u64::from(has_text && names.id.is_some());
        entry(Content::Encrypted(data), *index);
    }
    *index += 1;
}
