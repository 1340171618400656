//! JSON values that stand alone.

use crate::framing::event::{Here, text};
use crate::framing::frame::{Frame, GarbageReason};
use crate::framing::framer::{Framer, OnFrame, Reading};
use crate::json::ProgressState;

impl Framer {
    /// Reads on in a JSON value; returns how many bytes that took.
    pub(super) fn json(&mut self, here: &mut Here<'_>, rest: &[u8], on_frame: OnFrame<'_>) -> usize {
        let earlier = self.offset - self.start;
        let end = self.progress.push_until_end(rest);
        let state = self.progress.state();
        let taken = match state {
            ProgressState::Invalid { offset } => (offset - earlier) as usize,
            _ => end.unwrap_or(rest.len()),
        };
        let part = rest.get(..taken).unwrap_or(rest);
        if self.reading == Reading::Json && earlier + taken as u64 > self.max_event_bytes as u64 {
            self.reading = Reading::LargeJson;
            self.held.clear();
            on_frame(Frame::TooLarge { offset: self.start });
        }
        match state {
            ProgressState::Complete => self.end_of_value(part, on_frame),
            ProgressState::Invalid { .. } => self.invalid(here, part, on_frame),
            ProgressState::Partial | ProgressState::Empty => self.go_on(part),
        }
        taken
    }

    fn go_on(&mut self, part: &[u8]) {
        if let Some(last) = part.iter().rfind(|byte| !matches!(byte, b' ' | b'\t')) {
            self.is_indent = matches!(last, b'\n' | b'\r');
        }
        if self.reading == Reading::Json {
            self.hold(part);
        }
    }

    fn end_of_value(&mut self, part: &[u8], on_frame: OnFrame<'_>) {
        if std::mem::replace(&mut self.reading, Reading::Between) == Reading::LargeJson {
            return;
        }
        if !self.held.is_empty() {
            self.hold(part);
        }
        let record = if self.held.is_empty() { part } else { &self.held };
        on_frame(Frame::Json { text: &text(record), offset: self.start });
        self.in_garbage = false;
        self.held.clear();
    }

    /// Gives up a value; `part` ends before the byte that is wrong.
    fn invalid(&mut self, here: &mut Here<'_>, part: &[u8], on_frame: OnFrame<'_>) {
        self.go_on(part);
        if self.reading == Reading::LargeJson {
            self.reading = if self.is_indent { Reading::Between } else { Reading::RestOfLine };
        } else if !self.read_again(here, GarbageReason::InvalidJson, on_frame) {
            if self.is_indent {
                self.drop_value(GarbageReason::InvalidJson, on_frame);
            } else {
                self.reading = Reading::Broken;
            }
        }
    }

    fn drop_value(&mut self, reason: GarbageReason, on_frame: OnFrame<'_>) {
        let record = std::mem::take(&mut self.held);
        self.garbage(&record, reason, on_frame);
        self.reading = Reading::Between;
    }

    /// Gives up a value that has swallowed lines which may be values of their own: `{"a":` and then
    /// `{"b":1}`. Drops what is before the first such line, reads the others again, each on its own so that
    /// nothing is read a third time, and returns true; false if there is no such line.
    fn read_again(&mut self, here: &mut Here<'_>, reason: GarbageReason, on_frame: OnFrame<'_>) -> bool {
        let Some(line) = next_value_line(&self.held).filter(|_| self.held.starts_with(b"{")) else {
            return false;
        };
        let record = std::mem::take(&mut self.held);
        let (broken, mut again) = record.split_at(line);
        self.garbage(broken, reason, on_frame);

        // From here on as if these lines were reads of their own.
        self.event.keep(here);
        let offset = self.offset;
        self.offset = self.start + line as u64;
        self.reading = Reading::Between;
        while let Some(length) = next_value_line(again) {
            let (line, rest) = again.split_at(length);
            again = rest;
            self.push(line, on_frame);
            if self.reading == Reading::Json {
                self.drop_value(reason, on_frame);
            }
        }
        self.push(again, on_frame);
        self.offset = offset;
        true
    }

    /// Gives up a value in which the stream ends.
    pub(super) fn end_of_json(&mut self, on_frame: OnFrame<'_>) {
        while self.reading == Reading::Json {
            let reason = GarbageReason::IncompleteJson;
            if !self.read_again(&mut Here::default(), reason, on_frame) {
                self.drop_value(reason, on_frame);
            }
        }
    }
}

/// Where a line after the first one begins with an object.
fn next_value_line(lines: &[u8]) -> Option<usize> {
    let line_break = lines.windows(2).position(|pair| matches!(pair, [b'\n' | b'\r', b'{']))?;
    Some(line_break + 1)
}
