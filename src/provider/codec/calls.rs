//! Finds the tool call that an update of a codec belongs to. A codec may omit the index, so several calls can share
//! one.

use crate::accumulator::{Builder, Place, Slot};
use crate::save::state;

/// The tool calls of a response, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct Calls(Vec<Call>);

state! { struct Calls(list) }

#[derive(Debug)]
struct Call {
    place: Place,
    id: Option<String>,
}

state! { struct Call { place, id } }

impl Calls {
    /// Returns the place of the call that an update at this place starts or continues.
    pub(super) fn place(&mut self, at: Place, id: Option<&str>, name: Option<&str>, out: &Builder) -> Place {
        let mut count = 0;
        let mut latest = None;
        for (nth, call) in self.0.iter().enumerate() {
            if (call.place.choice, call.place.slot.0) != (at.choice, at.slot.0) {
                continue;
            }
            count += 1;
            latest = Some(nth);
            if id.is_some() && call.id.as_deref() == id {
                break;
            }
        }
        if let Some(call) = latest.and_then(|nth| self.0.get_mut(nth))
            && !call.ends_before(id, name, out)
        {
            if call.id.is_none() {
                call.id = id.map(str::to_owned);
            }
            return call.place;
        }
        let place = Place { choice: at.choice, slot: Slot(at.slot.0, count) };
        if !out.is_halted() {
            self.0.push(Call { place, id: id.map(str::to_owned) });
        }
        place
    }
}

impl Call {
    /// Whether an update with this id and name starts another call after this one.
    fn ends_before(&self, id: Option<&str>, name: Option<&str>, out: &Builder) -> bool {
        if let (Some(known), Some(id)) = (self.id.as_deref(), id) {
            return known != id;
        }
        let has_other_name =
            name.is_some_and(|name| out.call_name(self.place).is_some_and(|known| known != name));
        has_other_name || (out.is_call_over(self.place) && (id.is_some() || name.is_some()))
    }
}
