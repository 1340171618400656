//! Events that weren't understood, kept as received.

use super::Builder;
use crate::error::quote;
use crate::json::{RawJson, Value};
use crate::model::WarningCode;
use crate::save::state;

/// Maximum number of events that are kept.
const MAX_EVENTS: usize = 1000;

/// Maximum size of all these events, in bytes.
const MAX_BYTES: usize = 16 << 20;

/// The events of a stream that weren't understood.
#[derive(Debug, Default)]
pub(super) struct OtherEvents {
    list: Vec<RawJson>,
    size: usize,
}

state! { struct OtherEvents { list, size } }

impl Builder {
    /// Keeps an event that wasn't understood, unless there are too many.
    pub fn keep_event(&mut self, event: Value<'_>) {
        let others = &mut self.other_events;
        if others.list.len() >= MAX_EVENTS {
            return;
        }
        if let Some(raw) = event.raw()
            && raw.get().len() <= MAX_BYTES.saturating_sub(others.size)
        {
            others.size += raw.get().len();
            others.list.push(raw);
        }
    }

    /// Keeps an event that wasn't understood, and warns that it was skipped. `why` completes the sentence "Skipped an
    /// event that …".
    pub fn keep_unknown_event(&mut self, event: Value<'_>, why: &str) {
        self.keep_event(event);
        let text = quote(&event.compact().unwrap_or_default());
        self.warn(WarningCode::UnknownEvent, ["Skipped an event that ", why, ": ", &text].concat());
    }

    /// Returns the events that weren't understood.
    pub fn other_events(&self) -> Vec<RawJson> {
        self.other_events.list.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accumulator::Recording;
    use crate::json::Document;
    use crate::model::Limits;

    #[test]
    fn few_and_small_events_are_kept() {
        let mut builder = Builder::new(Limits::default(), Recording::Off);
        let large = format!("{{\"squawk\":\"{}\"}}", "a".repeat(MAX_BYTES / 2));
        let large = Document::parse(&large, 16).unwrap();
        let small = Document::parse("{}", 16).unwrap();
        for _ in 0..3 {
            builder.keep_event(large.root());
        }
        assert_eq!(builder.other_events().len(), 1, "two are larger than the maximum");
        for _ in 0..MAX_EVENTS {
            builder.keep_event(small.root());
        }
        assert_eq!(builder.other_events().len(), MAX_EVENTS);
    }
}
