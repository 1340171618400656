//! Events of the same interface that are passed on: what of them is still to be ended.

use super::events;
use crate::encode::usage::Counts;
use crate::encode::writer::Output;
use crate::json::{Document, Object, RawJson};
use crate::save::state;
use crate::stream::EchoedEvent;

/// How far a message has come that was passed on.
#[derive(Debug, Default)]
pub(super) struct Passed {
    /// The indices of the blocks that are open.
    open: Vec<u64>,
    /// Those of tools.
    tools: Vec<u64>,
    has_stop_reason: bool,
}

state! { struct Passed { open, tools, has_stop_reason } }

impl Passed {
    /// Tool input under the index of no tool, with that of the one tool that is open: clients would add it to another
    /// block, or fail.
    pub(super) fn corrected(&self, event: EchoedEvent<'_>) -> Option<String> {
        let [tool] = *self.tools else { return None };
        if event.name != "content_block_delta" || !event.data.contains("input_json_delta") {
            return None;
        }
        let document = Document::parse(event.data, usize::MAX).ok()?;
        let root = document.root();
        let is_input = root.get("delta")?.get("type")?.is("input_json_delta");
        if !is_input || root.get_unsigned("index") == Some(tool) {
            return None;
        }
        let mut corrected = Object::default();
        corrected.put_all(root);
        corrected.set("index", RawJson::of(&tool));
        Some(corrected.to_json())
    }

    /// An event is passed on. Answers whether it is the last one.
    pub(super) fn pass(&mut self, event: EchoedEvent<'_>) -> bool {
        let is_about_blocks = matches!(event.name, "content_block_start" | "content_block_stop");
        if is_about_blocks || event.name == "message_delta" {
            let Ok(document) = Document::parse(event.data, usize::MAX) else { return false };
            let root = document.root();
            if let Some(index) = root.get_unsigned("index").filter(|_| is_about_blocks) {
                self.open.retain(|open| *open != index);
                self.tools.retain(|open| *open != index);
                if event.name == "content_block_start" {
                    self.open.push(index);
                    let kind = root.get("content_block").and_then(|block| block.get_non_empty("type"));
                    if kind.is_some_and(|kind| kind.ends_with("tool_use")) {
                        self.tools.push(index);
                    }
                }
            }
            let delta = root.get("delta");
            self.has_stop_reason |= delta.and_then(|delta| delta.get_non_empty("stop_reason")).is_some();
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
