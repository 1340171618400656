//! Items that are whole parts of the answer, such as those of the provider's own tools.

use super::{Item, Stage};
use crate::accumulator::Builder;
use crate::json::Value;
use crate::model::ContentPart;
use crate::provider::openai_responses::parts::{item_part, makes_image};
use crate::provider::openai_responses::role::Role;

impl Item {
    /// Emits the part when it has something new, and again when it is done; later versions only replace it.
    pub(in super::super) fn set_part(&mut self, is_end: bool, out: &mut Builder) {
        let Some(part) = self.content_part(out) else { return };
        if self.stage == Stage::Done {
            out.keep_part(self.place(0), part);
        } else if is_end || !makes_image(&self.type_name) || matches!(part, ContentPart::Image { .. }) {
            out.set_part(self.place(0), part);
        }
    }

    /// Emits the part in its current state.
    pub(in super::super) fn emit_part(&self, out: &mut Builder) {
        if let Some(part) = self.content_part(out) {
            out.set_part(self.place(0), part);
        }
    }

    fn content_part(&self, out: &Builder) -> Option<ContentPart> {
        let raw = self.raw(out);
        let tape = raw.document()?;
        Some(item_part(&self.type_name, tape.root(), raw.clone()))
    }

    /// Emits a preliminary version of an image, which is kept until there is a better one.
    pub(in super::super) fn preview(&mut self, event: Value<'_>, out: &mut Builder) {
        let base64 = event.get_string("partial_image_b64");
        if let (Some(raw), true) = (event.raw(), self.stage != Stage::Done) {
            out.set_part(self.place(0), ContentPart::Image { url: None, base64, raw });
        }
    }

    /// Emits the part of an unfinished item at the end of the stream, with the content so far.
    pub(in super::super) fn end_part(&mut self, out: &mut Builder) {
        if matches!(self.role, Role::Part) && self.stage != Stage::Done && !self.spots.is_empty() {
            self.set_part(false, out);
        }
    }
}
