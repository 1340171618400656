//! Signatures and encrypted reasoning. They are written in one piece once they are complete: when anything else comes.

use super::formats::signature_format;
use super::json::{Nested, object};
use super::writer::Context;
use super::written_texts::PartKey;
use crate::accumulator::{Note, PartKind, Place, ReasoningView};
use crate::json::ToJson;
use crate::keyed::Keyed;
use crate::save::state;

/// Tracks the part whose signature may still grow.
#[derive(Debug, Default)]
pub(super) struct Seals {
    waiting: Option<PartKey>,
    sealed: Keyed<PartKey, bool>,
}

state! { struct Seals { waiting, sealed } }

impl Seals {
    /// Reads a note. Returns the part whose signature is now complete.
    pub(super) fn completed_by(&mut self, note: Note) -> Option<PartKey> {
        let about = match note {
            Note::Signature { kind, place } => Some(PartKey { kind, place }),
            Note::Encrypted { place } => Some(PartKey { kind: PartKind::Reasoning, place }),
            _ => None,
        };
        let is_about_same_part = |waiting: &PartKey| match note {
            Note::Text { kind, place, .. } => (kind, place) == (waiting.kind, waiting.place),
            Note::Annotations { place, .. } | Note::Logprobs { place, .. } => {
                waiting.kind == PartKind::Text && place == waiting.place
            }
            _ => about == Some(*waiting),
        };
        let whole = if self.waiting.as_ref().is_some_and(is_about_same_part) { None } else { self.take() };
        if let Some(about) = about.filter(|about| self.sealed.get(about).is_none()) {
            self.waiting = Some(about);
        }
        whole
    }

    /// Returns the part whose signature may still grow, as nothing more comes.
    pub(super) fn take(&mut self) -> Option<PartKey> {
        let waiting = self.waiting.take()?;
        self.sealed.insert(waiting, true);
        Some(waiting)
    }
}

/// The signature of a reasoning part, and its format.
pub(super) struct Signed<'a> {
    pub(super) view: ReasoningView<'a>,
    pub(super) format: Option<&'a str>,
}

impl<'a> Signed<'a> {
    pub(super) fn of(place: Place, context: &Context<'a>) -> Self {
        let view = context.answer.reasoning_view(place);
        Self { format: view.format.or(signature_format(context.source)), view }
    }
}

/// Returns a signature of Gemini in the form of Google's own OpenAI-compatible interface.
/// <https://ai.google.dev/gemini-api/docs/thought-signatures>
pub(super) fn google(signature: &str) -> impl ToJson {
    Nested(move |out| {
        object!(out, "google": &Nested(|out| object!(out, "thought_signature": &signature)));
    })
}
