//! Passes on events whose source already has the target's interface.

use super::head::Head;
use super::json::Json;
use super::options::WireApi;
use super::passthrough::{Passthrough, is_whole, with_id_and_model};
use super::stream_encoder::{Phase, StreamEncoder};
use crate::json::Document;
use crate::model::WarningCode;
use crate::stream::CopiedEvent;

impl StreamEncoder {
    /// Passes on the events of a read if they have the target's interface. Returns whether they do.
    pub(super) fn pass_events_through(&mut self) -> bool {
        if matches!(self.passage, Passthrough::Closed) {
            return false;
        }
        self.stream.swap_event_copies(&mut self.event_copies);
        let Some(mut event_copies) = self.event_copies.take() else { return false };
        let mut has_body =
            self.passage.decide(self.stream.source(), self.target.source, self.has_codec, &event_copies);
        match &self.passage {
            Passthrough::Closed => {
                self.stream.swap_event_copies(&mut None);
                return false;
            }
            Passthrough::Undecided => {
                // The events so far may still be passed on.
                let mut kept = Some(event_copies);
                self.stream.swap_event_copies(&mut kept);
                self.event_copies = kept;
                return false;
            }
            Passthrough::Open { .. } => {}
        }
        let mut latest = None;
        for event in event_copies.events() {
            if !self.passage.is_open() {
                break;
            }
            if event.data == "[DONE]" {
                self.passage.continue_after(latest.take());
                self.end_passthrough(event.has_failed);
                continue;
            }
            if has_body && is_whole(event.data) {
                has_body = false;
                self.pass_body_through(event.data);
                latest = None;
                continue;
            }
            if event.has_failed {
                self.passage.continue_after(latest); // the failure may be written instead of the event
            }
            self.pass_event_through(event);
            latest = Some(event.data);
        }
        self.passage.continue_after(latest);
        event_copies.clear();
        self.event_copies = Some(event_copies);
        true
    }

    /// Ends the stream at the marker `[DONE]`, which is written with the end.
    fn end_passthrough(&mut self, has_failed: bool) {
        if has_failed {
            self.fail_if_failed();
        } else if !self.stream.is_blank() {
            self.complete();
        }
    }

    /// Passes on a complete body as the events of a stream.
    fn pass_body_through(&mut self, body: &str) {
        let Ok(document) = Document::parse(body, usize::MAX) else { return };
        for (name, data) in self.writer.expand(document.root()) {
            self.pass_event_through(CopiedEvent { name: &name, data: &data, has_failed: false });
            self.passage.continue_after(Some(&data));
        }
    }

    fn pass_event_through(&mut self, event: CopiedEvent<'_>) {
        if event.data.is_empty() {
            let message = "An event that can't be written as JSON was dropped";
            return self.out.lost.add(WarningCode::LostContent, message);
        }
        if self.writer.is_unwanted(event, &self.options) {
            return;
        }
        // Events after the last one don't reopen the stream. Only chat completions have to be ended again, as events
        // can follow their marker.
        let is_after_end = self.phase == Phase::Over && self.target.api != WireApi::OpenaiChat;
        if event.has_failed && !is_after_end {
            let document = Document::parse(event.data, usize::MAX);
            if !document.is_ok_and(|document| self.writer.is_failure(document.root())) {
                return self.fail_if_failed();
            }
        }
        let corrected = self.writer.correct_event(event);
        let event = CopiedEvent { data: corrected.as_deref().unwrap_or(event.data), ..event };
        let is_last = self.writer.track_event(event) || event.has_failed;
        if is_last && !event.has_failed && self.stream.is_blank() {
            return; // there is no answer to end
        }
        self.phase = if is_last || is_after_end { Phase::Over } else { Phase::Writing };
        if event.has_failed {
            self.passage.fail();
        }
        let renamed = with_id_and_model(event.data, self.writer.envelope(), &self.options);
        // The name comes from JSON, so it may contain line breaks, which would begin another line.
        let is_line = |name: &&str| !name.is_empty() && !name.bytes().any(|byte| b"\n\r\0".contains(&byte));
        let name = Some(event.name).filter(is_line);
        self.out.event(name, &Json(renamed.as_deref().unwrap_or(event.data)));
    }

    /// Hands a stream that was passed on over to the writer, which writes the end. Returns whether it was passed on.
    pub(super) fn end_passthrough_with_writer(&mut self) -> bool {
        let Passthrough::Open { last, .. } = &mut self.passage else { return false };
        let next = last.next_number();
        let fields = self.stream.fields();
        let head = Head::new(self.target.prefix, self.stream.answer(), &fields, &self.options);
        self.writer.resume_passthrough(head, next, &fields);
        true
    }
}
