//! Lines of an event stream.

use std::borrow::Cow;

use crate::framing::event::{BorrowedEvent, Field, decode_utf8_lossy};
use crate::framing::frame::{Frame, GarbageReason};
use crate::framing::framer::{Framer, OnFrame, Reading};
use crate::framing::objects::is_object;
use crate::json::repair_minor_faults;

const DONE: &str = "[DONE]";

/// llama.cpp of 2025 and before sends its errors in a field of their own.
/// <https://github.com/ggml-org/llama.cpp/pull/16109>
const ERROR: &[u8] = b"error: {";

impl Framer {
    pub(super) fn read_line<'r>(
        &mut self,
        borrowed: &mut BorrowedEvent<'r>,
        rest: &'r [u8],
        on_frame: OnFrame<'_>,
    ) -> usize {
        let end = self.line_break(rest);
        let (part, taken) = match end.and_then(|end| rest.get(..end)) {
            Some(part) => (part, part.len() + 1),
            None => (rest, rest.len()),
        };
        if self.event_bytes + self.buffer.len() + part.len() > self.max_event_bytes {
            self.buffer.extend_from_slice(part.get(..16).unwrap_or(part));
            self.large_line(borrowed, end.is_some(), on_frame);
        } else if end.is_none() {
            self.append_to_buffer(part);
        } else if self.buffer.is_empty() {
            self.reading = Reading::Between;
            self.end_line(borrowed, part, on_frame);
        } else {
            self.append_to_buffer(part);
            self.end_buffered_line(borrowed, on_frame);
        }
        taken
    }

    fn large_line(&mut self, borrowed: &mut BorrowedEvent<'_>, is_over: bool, on_frame: OnFrame<'_>) {
        let is_field = !matches!(Field::from_damaged(&self.buffer), Field::Unknown | Field::Comment(_));
        let offset = self.record_start();
        self.reading = match self.reading {
            Reading::Line if self.event_bytes > 0 || is_field => {
                Reading::LargeEvent { is_empty_line: is_over }
            }
            _ if is_over => Reading::Between,
            _ => Reading::RestOfLine,
        };
        self.buffer.clear();
        self.clear_event(borrowed);
        on_frame(Frame::TooLarge { offset });
    }

    /// Handles a line that lies within the current chunk, without its line break.
    fn end_line<'r>(&mut self, borrowed: &mut BorrowedEvent<'r>, line: &'r [u8], on_frame: OnFrame<'_>) {
        match Field::from_damaged(line) {
            Field::Data(value) if !is_done(value) => {
                self.end_complete_data(borrowed, on_frame);
                self.add_event_line(line);
                self.event.add_data(borrowed, value);
            }
            Field::Event(value) if !self.event.has_data(borrowed) => {
                self.add_event_line(line);
                borrowed.set_name(value);
            }
            other => self.end_other_line(borrowed, line, other, on_frame),
        }
    }

    /// Handles the buffered line, which began in an earlier chunk.
    pub(super) fn end_buffered_line(&mut self, borrowed: &mut BorrowedEvent<'_>, on_frame: OnFrame<'_>) {
        let mut line = std::mem::take(&mut self.buffer);
        if std::mem::replace(&mut self.reading, Reading::Between) == Reading::Broken {
            if is_done(&line) {
                self.end_with_done(borrowed, on_frame);
            } else if let Some(text) = repaired_object(&line) {
                self.emit_line(borrowed, None, &text, on_frame);
            } else {
                self.report_garbage(&line, GarbageReason::InvalidJson, on_frame);
            }
        } else {
            match Field::from_damaged(&line) {
                Field::Data(value) if !is_done(value) => {
                    let from = line.len() - value.len();
                    self.end_complete_data(borrowed, on_frame);
                    self.add_event_line(&line);
                    self.event.add_buffered_data(borrowed, &mut line, from);
                }
                Field::Event(value) if !self.event.has_data(borrowed) => {
                    self.add_event_line(&line);
                    self.event.set_buffered_name(value);
                }
                other => self.end_other_line(borrowed, &line, other, on_frame),
            }
        }
        line.clear();
        self.buffer = line;
    }

    fn end_other_line(
        &mut self,
        borrowed: &mut BorrowedEvent<'_>,
        line: &[u8],
        field: Field<'_>,
        on_frame: OnFrame<'_>,
    ) {
        match field {
            // The callers handle all other data.
            Field::Data(_) => self.end_with_done(borrowed, on_frame),
            // The callers handle a name before the data.
            Field::Event(name) => {
                self.add_event_line(line);
                self.event.set_late_name(name);
            }
            Field::Comment(comment) => self.event.add_comment(borrowed, comment),
            Field::Id(_) | Field::Retry(_) => self.in_garbage = false,
            Field::Unknown if line.is_empty() => self.end_event(borrowed, on_frame),
            Field::Unknown if is_done(line) => self.end_with_done(borrowed, on_frame),
            Field::Unknown if line.starts_with(ERROR) => {
                let error = decode_utf8_lossy(line.get(ERROR.len() - 1..).unwrap_or_default());
                self.emit_line(borrowed, Some("error"), &error, on_frame);
            }
            Field::Unknown if self.begins_late_data(borrowed, line) => {
                self.add_event_line(line);
                self.event.append_line(borrowed, line);
            }
            // It follows an event that was cut off.
            Field::Unknown if line.starts_with(b"{") && is_object(&mut self.progress, line) => {
                self.emit_line(borrowed, None, &decode_utf8_lossy(line), on_frame);
            }
            Field::Unknown if self.continues_json(borrowed, line) => {
                self.add_event_line(line);
                self.event.append_line(borrowed, line);
            }
            Field::Unknown if !line.trim_ascii().is_empty() => {
                self.report_garbage(line, GarbageReason::UnknownLine, on_frame);
            }
            Field::Unknown => {}
        }
    }

    /// Whether a line begins the object of an event whose `data` line is empty: some servers break the line before it.
    fn begins_late_data(&self, borrowed: &BorrowedEvent<'_>, line: &[u8]) -> bool {
        let is_blank = |data: &[u8]| data.trim_ascii().is_empty();
        self.event.data(borrowed).is_some_and(is_blank) && line.trim_ascii_start().starts_with(b"{")
    }

    /// Whether a line continues the object in the data before it: some servers indent the object, and put `data` only
    /// before its first line.
    fn continues_json(&mut self, borrowed: &BorrowedEvent<'_>, line: &[u8]) -> bool {
        let Some(data) = self.event.data(borrowed).map(<[u8]>::trim_ascii) else { return false };
        let begins =
            |signs: &[u8]| line.trim_ascii_start().first().is_some_and(|first| signs.contains(first));
        let is_open = matches!(data.last(), Some(b'{' | b'[' | b',')) || begins(b"]}");
        data.starts_with(b"{")
            && is_open
            && !line.trim_ascii().is_empty()
            && !self.event.only_line(borrowed).is_some_and(|data| is_object(&mut self.progress, data))
    }

    /// Accounts for a line of the event.
    fn add_event_line(&mut self, line: &[u8]) {
        self.event_start = self.record_start();
        self.event_bytes += line.len();
        self.in_garbage = false;
    }

    /// Returns the offset of the event if it has a line, otherwise of the current line.
    fn record_start(&self) -> u64 {
        if self.event_bytes > 0 { self.event_start } else { self.start }
    }

    /// Emits the end marker, after an error without data if no empty line separates them.
    fn end_with_done(&mut self, borrowed: &mut BorrowedEvent<'_>, on_frame: OnFrame<'_>) {
        if !self.event.has_data(borrowed) && self.event.error_without_data(borrowed).is_some() {
            self.end_event(borrowed, on_frame);
        }
        self.emit_line(borrowed, None, DONE, on_frame);
    }

    /// Emits a line as an event, after the event before it if no empty line separates them.
    fn emit_line(
        &mut self,
        borrowed: &mut BorrowedEvent<'_>,
        name: Option<&str>,
        data: &str,
        on_frame: OnFrame<'_>,
    ) {
        self.end_complete_data(borrowed, on_frame);
        if self.event.has_data(borrowed) {
            self.end_event(borrowed, on_frame);
        }
        let given = decode_utf8_lossy(self.event.name(borrowed));
        on_frame(Frame::Event { name: name.unwrap_or(&given), data, offset: self.record_start() });
        self.in_garbage = false;
        self.clear_event(borrowed);
    }

    /// Ends an event whose data are a complete object when more data follow, because some servers omit the empty line
    /// between events. A name before both applies to both. Only the first line of data is checked, which keeps many
    /// lines linear.
    fn end_complete_data(&mut self, borrowed: &mut BorrowedEvent<'_>, on_frame: OnFrame<'_>) {
        let Some(data) = self.event.only_line(borrowed) else { return };
        if is_object(&mut self.progress, data) {
            let late_name = self.event.take_late_name();
            let name = late_name.unwrap_or_else(|| self.event.name(borrowed).to_owned());
            self.end_event(borrowed, on_frame);
            self.event.set_buffered_name(&name);
        }
    }

    pub(super) fn end_event(&mut self, borrowed: &mut BorrowedEvent<'_>, on_frame: OnFrame<'_>) {
        let data = self.event.data(borrowed).filter(|data| !data.trim_ascii().is_empty());
        let data = data
            .map(decode_utf8_lossy)
            .or_else(|| self.event.special_without_data(borrowed).map(Cow::Borrowed));
        if let Some(data) = data {
            let name = decode_utf8_lossy(self.event.name(borrowed));
            on_frame(Frame::Event { name: &name, data: &data, offset: self.event_start });
        }
        self.clear_event(borrowed);
    }
}

/// Whether the trimmed text is the end marker.
fn is_done(text: &[u8]) -> bool {
    text.trim_ascii().eq_ignore_ascii_case(DONE.as_bytes())
}

/// Returns the object on a line that isn't valid JSON, if it is clear what was meant. The separator of an array's items
/// may follow it.
fn repaired_object(line: &[u8]) -> Option<Cow<'_, str>> {
    let end = line.iter().rposition(|byte| *byte == b'}')?;
    let (object, rest) = line.split_at_checked(end + 1)?;
    let is_apart = rest.iter().all(|byte| matches!(byte, b',' | b']' | b' ' | b'\t'));
    let text = decode_utf8_lossy(object);
    (is_apart && repair_minor_faults(&text).is_some()).then_some(text)
}
