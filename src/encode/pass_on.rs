//! Passes on the events of a source that is of the interface which is written.

use super::head::Head;
use super::options::WireApi;
use super::passage::{Passage, is_whole, renamed};
use super::stream_encoder::{Phase, StreamEncoder};
use crate::json::Document;
use crate::model::WarningCode;
use crate::stream::EchoedEvent;

impl StreamEncoder {
    /// Passes on the events of a read, if they are of the interface that is written. Answers whether they are.
    pub(super) fn pass_on(&mut self) -> bool {
        if matches!(self.passage, Passage::Closed) {
            return false;
        }
        self.stream.swap_echo(&mut self.echo);
        let Some(mut echo) = self.echo.take() else { return false };
        let mut has_body =
            self.passage.decide(self.stream.source(), self.target.source, self.has_codec, &echo);
        match &self.passage {
            Passage::Closed => {
                self.stream.swap_echo(&mut None);
                return false;
            }
            Passage::Undecided => {
                // What came so far is still to be passed on.
                let mut kept = Some(echo);
                self.stream.swap_echo(&mut kept);
                self.echo = kept;
                return false;
            }
            Passage::Open { .. } => {}
        }
        let mut latest = None;
        for event in echo.events() {
            if !self.passage.is_open() {
                break;
            }
            if event.data == "[DONE]" {
                self.passage.follow(latest.take());
                self.end_passed(event.has_failed);
                continue;
            }
            if has_body && is_whole(event.data) {
                has_body = false;
                self.pass_body(event.data);
                latest = None;
                continue;
            }
            if event.has_failed {
                self.passage.follow(latest); // the failure may be written in its place
            }
            self.pass(event);
            latest = Some(event.data);
        }
        self.passage.follow(latest);
        echo.clear();
        self.echo = Some(echo);
        true
    }

    /// The marker of the end has come, which is written with the end.
    fn end_passed(&mut self, has_failed: bool) {
        if has_failed {
            self.fail_if_any();
        } else if !self.stream.is_blank() {
            self.complete();
        }
    }

    /// Passes on a whole body, as the events that it would have been streamed as.
    fn pass_body(&mut self, body: &str) {
        let Ok(document) = Document::parse(body, usize::MAX) else { return };
        for (name, data) in self.writer.expand(document.root()) {
            self.pass(EchoedEvent { name: &name, data: &data, has_failed: false });
            self.passage.follow(Some(&data));
        }
    }

    fn pass(&mut self, event: EchoedEvent<'_>) {
        if event.data.is_empty() {
            let message = "An event that can't be written as JSON was dropped";
            return self.out.lost.add(WarningCode::LostContent, message);
        }
        if self.writer.is_unwanted(event, &self.options) {
            return;
        }
        // What follows the last event ends nothing; only what follows chat's marker has to be ended again.
        let is_behind = self.phase == Phase::Over && self.target.api != WireApi::OpenaiChat;
        if event.has_failed && !is_behind {
            let document = Document::parse(event.data, usize::MAX);
            if !document.is_ok_and(|document| self.writer.is_failure(document.root())) {
                return self.fail_if_any();
            }
        }
        let mended = self.writer.mended(event);
        let event = EchoedEvent { data: mended.as_deref().unwrap_or(event.data), ..event };
        let is_last = self.writer.pass(event) || event.has_failed;
        if is_last && !event.has_failed && self.stream.is_blank() {
            return; // it ends no answer
        }
        self.phase = if is_last || is_behind { Phase::Over } else { Phase::Writing };
        if event.has_failed {
            self.passage.fail();
        }
        let renamed = renamed(event.data, self.writer.envelope(), &self.options);
        // A name comes from JSON, where it may contain what would begin another line.
        let is_line = |name: &&str| !name.is_empty() && !name.contains(['\n', '\r', '\0']);
        let name = Some(event.name).filter(is_line);
        self.out.event(name, |out| out.push_str(renamed.as_deref().unwrap_or(event.data)));
    }

    /// The end of a stream that was passed on is written by the writer.
    pub(super) fn take_over(&mut self) -> bool {
        let Passage::Open { last, .. } = &mut self.passage else { return false };
        let next = last.next_number();
        let fields = self.stream.fields();
        let head = Head::new(self.target.prefix, self.stream.answer(), &fields, &self.options);
        self.writer.take_over(head, next, &fields);
        true
    }
}
