//! Messages of an AWS event stream.

use crate::framing::event::decode_utf8_lossy;
use crate::framing::frame::{Damage, Frame};
use crate::framing::framer::{Framer, OnFrame, Reading};
use crate::framing::message::{Message, PRELUDE, Prelude, check_prelude, length_of};

impl Framer {
    /// Whether no record is open: [`is_between`](Self::is_between) holds, or the next byte begins a message of an AWS
    /// event stream, which the caller may not skip.
    pub(crate) fn is_at_record(&self) -> bool {
        self.is_between() || (self.reading == Reading::Message && self.buffer.is_empty())
    }

    /// Continues a message. Returns the number of bytes read.
    pub(super) fn read_message(&mut self, rest: &[u8], on_frame: OnFrame<'_>) -> usize {
        if self.buffer.is_empty() {
            self.start = self.offset;
            if let Some(prelude) = rest.first_chunk() {
                let Some(length) = self.begin_message(prelude, 0, on_frame) else { return 0 };
                if let Some(message) = rest.get(..length) {
                    self.end_message(message, on_frame);
                    return length;
                }
            }
        }
        let wanted = self.buffer.first_chunk().map_or(PRELUDE, length_of);
        let taken = rest.len().min(wanted.saturating_sub(self.buffer.len()));
        self.append_to_buffer(rest.get(..taken).unwrap_or_default());
        if self.buffer.len() == wanted {
            let mut read = std::mem::take(&mut self.buffer);
            match read.first_chunk() {
                Some(prelude) if wanted == PRELUDE => {
                    if self.begin_message(prelude, PRELUDE, on_frame).is_some() {
                        self.buffer = read;
                    }
                }
                _ => {
                    self.end_message(&read, on_frame);
                    read.clear();
                    self.buffer = read;
                }
            }
        }
        taken
    }

    /// Returns the length of the message with this prelude if it can be read. `taken`: number of its bytes read so far.
    fn begin_message(&mut self, prelude: &Prelude, taken: usize, on_frame: OnFrame<'_>) -> Option<usize> {
        match check_prelude(prelude) {
            Ok(length) if length <= self.max_event_bytes => return Some(length),
            Ok(length) => {
                self.reading = Reading::LargeMessage { left: length - taken };
                on_frame(Frame::TooLarge { offset: self.start });
            }
            Err(damage) => self.report_damage(damage, on_frame),
        }
        None
    }

    fn end_message(&mut self, bytes: &[u8], on_frame: OnFrame<'_>) {
        let message = match Message::read(bytes) {
            Ok(message) => message,
            Err(damage) => return self.report_damage(damage, on_frame),
        };
        let Message { kind, name, error_text: said, payload } = message;
        let (data, offset) = (decode_utf8_lossy(payload), self.start);
        match kind {
            "exception" | "error" => {
                on_frame(Frame::Exception { name, message: said, data: &data, offset });
            }
            _ if data.trim_ascii().is_empty() => {}
            _ => on_frame(Frame::Event { name, data: &data, offset }),
        }
    }

    /// Reports damage and stops reading: without this message, the start of the next one isn't known.
    fn report_damage(&mut self, damage: Damage, on_frame: OnFrame<'_>) {
        self.reading = Reading::Damaged;
        on_frame(Frame::Damaged { damage, offset: self.start });
    }

    /// Reports a message that the end of the stream cuts off.
    pub(super) fn end_messages(&mut self, on_frame: OnFrame<'_>) {
        if self.reading == Reading::Message && !self.buffer.is_empty() {
            self.report_damage(Damage::CutOff, on_frame);
        }
    }
}
