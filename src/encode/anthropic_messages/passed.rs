//! Events of the same interface that are passed on: what of them is still to be ended.

use super::events;
use crate::encode::usage::Counts;
use crate::encode::writer::Output;
use crate::json::Document;
use crate::save::state;
use crate::stream::EchoedEvent;

/// How far a message has come that was passed on.
#[derive(Debug, Default)]
pub(super) struct Passed {
    /// The indices of the blocks that are open.
    open: Vec<u64>,
    has_stop_reason: bool,
}

state! { struct Passed { open, has_stop_reason } }

impl Passed {
    /// An event is passed on. Answers whether it is the last one.
    pub(super) fn pass(&mut self, event: EchoedEvent<'_>) -> bool {
        let is_about_blocks = matches!(event.name, "content_block_start" | "content_block_stop");
        if is_about_blocks || event.name == "message_delta" {
            let Ok(document) = Document::parse(event.data, usize::MAX) else { return false };
            let root = document.root();
            if let Some(index) = root.get_unsigned("index").filter(|_| is_about_blocks) {
                self.open.retain(|open| *open != index);
                if event.name == "content_block_start" {
                    self.open.push(index);
                }
            }
            let delta = root.get("delta");
            self.has_stop_reason |= delta.and_then(|delta| delta.get_label("stop_reason")).is_some();
        }
        event.name == "message_stop"
    }

    /// Writes what is missing of the end.
    pub(super) fn complete(&mut self, stop_reason: &str, counts: Option<&Counts>, out: &mut Output) {
        for index in self.open.drain(..) {
            events::block_stop(index, out);
        }
        if self.has_stop_reason {
            events::message_stop(out);
        } else {
            events::message_end(stop_reason, counts, out);
        }
    }
}
