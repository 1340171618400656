//! Tracks events of the same interface that are passed on, to write the missing end.

use super::events;
use crate::encode::usage::Counts;
use crate::encode::writer::Output;
use crate::json::{Document, Object, RawJson, find};
use crate::save::state;
use crate::stream::CopiedEvent;

/// State of a message that is passed on.
#[derive(Debug, Default)]
pub(super) struct PassthroughState {
    /// Indices of the open blocks.
    open: Vec<u64>,
    /// Indices of the open blocks that are tool calls.
    tools: Vec<u64>,
    has_stop_reason: bool,
}

state! { struct PassthroughState { open, tools, has_stop_reason } }

impl PassthroughState {
    /// Corrects the index of tool input to that of the only open tool call, as clients would add the input to another
    /// block, or fail. Returns `None` if the event needs no correction.
    pub(super) fn correct_index(&self, event: CopiedEvent<'_>) -> Option<String> {
        let [tool] = *self.tools else { return None };
        if event.name != "content_block_delta" || find(event.data, "input_json_delta", 0).is_none() {
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

    /// Tracks an event. Returns whether it is the last one.
    pub(super) fn track_event(&mut self, event: CopiedEvent<'_>) -> bool {
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

    /// Writes the missing part of the end.
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
