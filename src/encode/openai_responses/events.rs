//! Writes the numbered events of a stream.

use crate::encode::json::Nested;
use crate::encode::writer::Output;
use crate::json::{ObjectWriter, ToJson};
use crate::save::state;

/// Writes events, and numbers them.
#[derive(Debug, Default)]
pub(super) struct Events {
    next: u64,
}

state! { struct Events { next } }

/// The item, or part of an item, that an event belongs to.
#[derive(Debug, Clone, Copy)]
pub(super) struct ItemPosition<'a> {
    pub(super) item_id: &'a str,
    pub(super) output_index: u64,
    /// Name and value of the part's index in the item.
    pub(super) part: Option<(&'static str, u64)>,
}

impl Events {
    /// Sets the number of the next event.
    pub(super) fn continue_from(&mut self, next: u64) {
        self.next = next;
    }

    /// Writes an event with one more member.
    pub(super) fn write(&mut self, name: &'static str, member: (&str, &dyn ToJson), out: &mut Output) {
        self.write_all(name, None, &[member], out);
    }

    /// Writes an event that belongs to an item.
    pub(super) fn write_at(
        &mut self,
        name: &'static str,
        at: ItemPosition<'_>,
        members: &[(&str, &dyn ToJson)],
        out: &mut Output,
    ) {
        self.write_all(name, Some(at), members, out);
    }

    /// Writes an event with a whole item.
    pub(super) fn write_item(
        &mut self,
        name: &'static str,
        output_index: u64,
        item: &dyn ToJson,
        out: &mut Output,
    ) {
        self.write_all(name, None, &[("output_index", &output_index), ("item", item)], out);
    }

    fn write_all(
        &mut self,
        name: &'static str,
        at: Option<ItemPosition<'_>>,
        members: &[(&str, &dyn ToJson)],
        out: &mut Output,
    ) {
        let number = self.next;
        self.next = self.next.saturating_add(1);
        let event = Nested(|out| {
            let mut object = ObjectWriter::new(out);
            object.member("type", &name).member("sequence_number", &number);
            if let Some(ItemPosition { item_id, output_index, part }) = at {
                object.member("item_id", &item_id).member("output_index", &output_index);
                if let Some((name, index)) = part {
                    object.member(name, &index);
                }
            }
            for (name, value) in members {
                object.member(name, *value);
            }
            object.end();
        });
        out.event(Some(name), &event);
    }
}
