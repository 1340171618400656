//! Images.

use super::item::{Content, Status};
use super::stream::ResponsesWriter;
use crate::accumulator::{Note, PartKind, Place};
use crate::encode::losses::{report_lost_note, report_lost_signature};
use crate::encode::writer::{Context, Output};
use crate::encode::written_texts::PartKey;
use crate::json::{Document, RawJson, Value, find};
use crate::model::{Api, ContentPart, WarningCode};

impl ResponsesWriter {
    /// Adds a part that comes as a whole. Only images have a place; previews may come before the image.
    pub(super) fn add_part(&mut self, place: Place, context: &Context<'_>, out: &mut Output) {
        let Some(part) = context.answer.whole_part(place).filter(|part| image_base64(part).is_some()) else {
            return report_lost_note(Note::Part { place }, context, out);
        };
        let is_known = self.items.last_item_with(PartKey { kind: PartKind::Whole, place }).is_some();
        if is_known || is_preview(place, context) {
            return;
        }
        report_lost_signature(part, out);
        self.drop_held_back(context, out);
        self.close_current(context, out);
        let item = same_api_item(place, context);
        let id = item.as_ref().and_then(|item| item.root().get_non_empty("id"));
        let at = self.open("ig_", id, Content::Image(place), context, out);
        self.close(at, Status::Completed, context, out);
    }

    /// Reports images of which only a preview came.
    pub(super) fn report_lost_previews(&self, context: &Context<'_>, out: &mut Output) {
        let mut parts = context.answer.parts_of(self.choice.index).into_iter();
        if parts.any(|(kind, place)| kind == PartKind::Whole && is_preview(place, context)) {
            out.lost.add(WarningCode::LostImage, "The preview of an image that never arrived was dropped");
        }
    }
}

/// The end of the type in a data URL.
const BASE64: &str = ";base64,";

/// Returns the base64 data of an image in the answer. Chat completions have it in a data URL.
pub(super) fn image_base64(part: &ContentPart) -> Option<&str> {
    match part {
        ContentPart::Image { raw, .. } if is_draft(raw) => None,
        ContentPart::Image { base64: Some(base64), .. } => Some(base64),
        ContentPart::Image { url: Some(url), .. } => {
            let data = url.strip_prefix("data:")?;
            data.get(find(data, BASE64, 0)? + BASE64.len()..)
        }
        _ => None,
    }
}

/// Whether a part is a draft that Gemini made while it thought.
fn is_draft(raw: &RawJson) -> bool {
    let is_true = |part: Document<'_>| part.root().get("thought").and_then(Value::boolean) == Some(true);
    raw.document().is_some_and(is_true)
}

/// Returns the raw part if the source has the same interface.
fn same_api_part<'a>(place: Place, context: &Context<'a>) -> Option<Document<'a>> {
    let raw =
        context.answer.whole_part(place)?.raw().filter(|_| context.source == Some(Api::OpenaiResponses))?;
    raw.document()
}

/// Whether a part is a preview of an image.
pub(super) fn is_preview(place: Place, context: &Context<'_>) -> bool {
    same_api_part(place, context).is_some_and(|event| event.root().get("partial_image_b64").is_some())
}

/// Returns the item of an image if the source has the same interface.
pub(super) fn same_api_item<'a>(place: Place, context: &Context<'a>) -> Option<Document<'a>> {
    same_api_part(place, context)
        .filter(|item| item.root().get("type").is_some_and(|kind| kind.is("image_generation_call")))
}
