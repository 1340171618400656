//! JSON values outside events.

use crate::framing::event::{BorrowedEvent, decode_utf8_lossy};
use crate::framing::frame::{Frame, GarbageReason};
use crate::framing::framer::{Framer, OnFrame, Reading};
use crate::json::{ProgressState, is_space};

impl Framer {
    /// Continues the beginning of an array. Returns the number of bytes read.
    pub(super) fn read_opening(&mut self, rest: &[u8]) -> usize {
        let bracket = usize::from(self.buffer.is_empty());
        let space = rest.iter().skip(bracket).take_while(|byte| is_space(**byte)).count();
        let taken = bracket + space;
        let is_too_long = self.buffer.len() + taken > self.max_event_bytes;
        match rest.get(taken) {
            Some(b'{') => {
                self.in_array = true;
                self.buffer.clear();
                self.start = self.offset + taken as u64;
                self.reading = Reading::Json;
                return taken;
            }
            None if !is_too_long => {
                self.continue_value(rest);
                return taken;
            }
            _ => {}
        }
        // The array is one record, which is read from its beginning.
        self.progress.push_until_end(&self.buffer);
        self.reading = Reading::Json;
        0
    }

    /// Continues a JSON value. Returns the number of bytes read.
    pub(super) fn read_json(
        &mut self,
        borrowed: &mut BorrowedEvent<'_>,
        rest: &[u8],
        on_frame: OnFrame<'_>,
    ) -> usize {
        let length_so_far = self.offset - self.start;
        let text = rest.get(..self.text_end(rest)).unwrap_or(rest);
        let end = self.progress.push_until_end(text);
        let state = self.progress.state();
        let taken = match state {
            ProgressState::Invalid { offset } => (offset - length_so_far) as usize,
            _ => end.unwrap_or(text.len()),
        };
        let part = text.get(..taken).unwrap_or(text);
        if self.reading == Reading::Json && length_so_far + taken as u64 > self.max_event_bytes as u64 {
            self.reading = Reading::LargeJson;
            self.buffer.clear();
            on_frame(Frame::TooLarge { offset: self.start });
        }
        match state {
            ProgressState::Complete => self.end_value(part, on_frame),
            ProgressState::Invalid { .. } => self.abandon_value(borrowed, part, on_frame),
            ProgressState::Partial | ProgressState::Empty => {
                self.continue_value(part);
                if text.len() < rest.len() {
                    self.end_json(GarbageReason::InvalidJson, on_frame); // the next text begins
                    self.reading = Reading::Between;
                }
            }
        }
        taken
    }

    fn continue_value(&mut self, part: &[u8]) {
        if let Some(last) = part.iter().rfind(|byte| !matches!(byte, b' ' | b'\t')) {
            self.is_indent = matches!(last, b'\n' | b'\r');
        }
        if self.reading != Reading::LargeJson {
            self.append_to_buffer(part);
        }
    }

    fn end_value(&mut self, part: &[u8], on_frame: OnFrame<'_>) {
        if std::mem::replace(&mut self.reading, Reading::Between) == Reading::LargeJson {
            return;
        }
        if !self.buffer.is_empty() {
            self.append_to_buffer(part);
        }
        let record = if self.buffer.is_empty() { part } else { &self.buffer };
        on_frame(Frame::Json { text: &decode_utf8_lossy(record), offset: self.start });
        self.in_garbage = false;
        self.event.clear_comment();
        self.buffer.clear();
    }

    /// Abandons an invalid value. `part` ends before the invalid byte.
    fn abandon_value(&mut self, borrowed: &mut BorrowedEvent<'_>, part: &[u8], on_frame: OnFrame<'_>) {
        self.continue_value(part);
        if self.reading == Reading::LargeJson {
            self.reading = if self.is_indent { Reading::Between } else { Reading::RestOfLine };
        } else if !self.recover_lines(borrowed, GarbageReason::InvalidJson, on_frame) {
            if self.is_indent {
                self.drop_value(GarbageReason::InvalidJson, on_frame);
            } else {
                self.reading = Reading::Broken;
            }
        }
    }

    fn drop_value(&mut self, reason: GarbageReason, on_frame: OnFrame<'_>) {
        let record = std::mem::take(&mut self.buffer);
        self.report_garbage(&record, reason, on_frame);
        self.reading = Reading::Between;
    }

    /// Recovers lines inside an invalid value that may be values of their own, such as `{"b":1}` after `{"a":`. Drops
    /// the input before the first such line, and reads each line again as a separate record, so that no byte is read a
    /// third time. Returns false if there is no such line.
    fn recover_lines(
        &mut self,
        borrowed: &mut BorrowedEvent<'_>,
        reason: GarbageReason,
        on_frame: OnFrame<'_>,
    ) -> bool {
        let Some(line) = next_value_line(&self.buffer).filter(|_| self.buffer.starts_with(b"{")) else {
            return false;
        };
        let record = std::mem::take(&mut self.buffer);
        let (broken, mut again) = record.split_at(line);
        self.report_garbage(broken, reason, on_frame);

        // Read these lines as if they were separate chunks.
        self.event.buffer(borrowed);
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

    /// Drops a value that is cut off, by the end of the stream or by the next text of a sequence.
    pub(super) fn end_json(&mut self, reason: GarbageReason, on_frame: OnFrame<'_>) {
        while self.reading == Reading::Json {
            if !self.recover_lines(&mut BorrowedEvent::default(), reason, on_frame) {
                self.drop_value(reason, on_frame);
            }
        }
    }
}

/// Returns the index of the first line after the first that begins with `{`.
fn next_value_line(lines: &[u8]) -> Option<usize> {
    let line_break = lines.windows(2).position(|pair| matches!(pair, [b'\n' | b'\r', b'{']))?;
    Some(line_break + 1)
}
