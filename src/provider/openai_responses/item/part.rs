//! An item that is a part of the answer as a whole, such as one of the provider's own tools.

use super::{Item, Stage};
use crate::accumulator::Builder;
use crate::json::Value;
use crate::model::ContentPart;
use crate::provider::openai_responses::parts::{item_part, makes_image};
use crate::provider::openai_responses::role::Role;

impl Item {
    /// Emitted once it says something new, and once more when it is done; later forms of it only replace it.
    pub(in super::super) fn set_part(&mut self, is_end: bool, out: &mut Builder) {
        let Some(part) = self.part_of(out) else { return };
        if self.stage == Stage::Done {
            out.keep_part(self.place(0), part);
        } else if is_end || !makes_image(&self.type_name) || matches!(part, ContentPart::Image { .. }) {
            out.set_part(self.place(0), part);
        }
    }

    /// Emitted as it is now.
    pub(in super::super) fn emit_part(&self, out: &mut Builder) {
        if let Some(part) = self.part_of(out) {
            out.set_part(self.place(0), part);
        }
    }

    fn part_of(&self, out: &Builder) -> Option<ContentPart> {
        let raw = self.raw(out);
        let tape = raw.document()?;
        Some(item_part(&self.type_name, tape.root(), raw.clone()))
    }

    /// A preliminary version of an image, kept until there is a better one.
    pub(in super::super) fn preview(&mut self, event: Value<'_>, out: &mut Builder) {
        let base64 = event.get_string("partial_image_b64");
        if let (Some(raw), true) = (event.raw(), self.stage != Stage::Done) {
            out.set_part(self.place(0), ContentPart::Image { url: None, base64, raw });
        }
    }

    /// The stream is over: an item under way that isn't sent in pieces stays as far as it has come.
    pub(in super::super) fn end_part(&mut self, out: &mut Builder) {
        if matches!(self.role, Role::Part) && self.stage != Stage::Done && !self.spots.is_empty() {
            self.set_part(false, out);
        }
    }
}
