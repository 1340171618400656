//! Events of unknown types, kept as received.

use crate::json::{RawJson, Value};
use crate::save::state;

/// Maximum number of events that are kept.
const MAX: usize = 1000;

/// The unknown events of one response.
#[derive(Debug, Default)]
pub(super) struct OtherEvents(Vec<RawJson>);

state! { struct OtherEvents(list) }

impl OtherEvents {
    pub(super) fn keep(&mut self, event: Value<'_>) {
        if self.0.len() < MAX {
            self.0.extend(event.raw());
        }
    }

    pub(super) fn to_vec(&self) -> Vec<RawJson> {
        self.0.clone()
    }
}
