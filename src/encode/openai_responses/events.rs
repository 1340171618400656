//! The events of a stream, which are numbered.

use crate::encode::writer::Output;
use crate::json::{ObjectWriter, ToJson};
use crate::save::state;

/// Numbers the events.
#[derive(Debug, Default)]
pub(super) struct Events {
    next: u64,
}

state! { struct Events { next } }

/// Where an event belongs.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) item_id: &'a str,
    pub(super) output_index: u64,
    /// Which part of the item, and how that is counted.
    pub(super) part: Option<(&'static str, u64)>,
}

impl Events {
    /// The number of the next event.
    pub(super) fn go_on_with(&mut self, next: u64) {
        self.next = next;
    }

    /// An event with one more member.
    pub(super) fn write(&mut self, name: &'static str, member: (&str, &dyn ToJson), out: &mut Output) {
        self.write_all(name, None, &[member], out);
    }

    /// An event that belongs to an item.
    pub(super) fn write_at(
        &mut self,
        name: &'static str,
        at: At<'_>,
        members: &[(&str, &dyn ToJson)],
        out: &mut Output,
    ) {
        self.write_all(name, Some(at), members, out);
    }

    /// An event about an item as a whole.
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
        at: Option<At<'_>>,
        members: &[(&str, &dyn ToJson)],
        out: &mut Output,
    ) {
        let number = self.next;
        self.next = self.next.saturating_add(1);
        out.event(Some(name), |out| {
            let mut object = ObjectWriter::new(out);
            object.member("type", &name).member("sequence_number", &number);
            if let Some(At { item_id, output_index, part }) = at {
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
    }
}
