//! Lines of an event stream.

use crate::framing::event::{Field, Here, text};
use crate::framing::frame::{Frame, GarbageReason};
use crate::framing::framer::{Framer, OnFrame, Reading};
use crate::framing::objects::is_object;

const DONE: &str = "[DONE]";

impl Framer {
    pub(super) fn line<'r>(&mut self, here: &mut Here<'r>, rest: &'r [u8], on_frame: OnFrame<'_>) -> usize {
        let end = self.line_break(rest);
        let (part, taken) = match end.and_then(|end| rest.get(..end)) {
            Some(part) => (part, part.len() + 1),
            None => (rest, rest.len()),
        };
        if self.event_bytes + self.held.len() + part.len() > self.max_event_bytes {
            self.held.extend_from_slice(part.get(..16).unwrap_or(part));
            self.large_line(here, end.is_some(), on_frame);
        } else if end.is_none() {
            self.hold(part);
        } else if self.held.is_empty() {
            self.reading = Reading::Between;
            self.end_of_line(here, part, on_frame);
        } else {
            self.hold(part);
            self.end_of_kept_line(here, on_frame);
        }
        taken
    }

    fn large_line(&mut self, here: &mut Here<'_>, is_over: bool, on_frame: OnFrame<'_>) {
        let is_field = !matches!(Field::of(&self.held), Field::Unknown | Field::Comment);
        let offset = self.record_start();
        self.reading = match self.reading {
            Reading::Line if self.event_bytes > 0 || is_field => {
                Reading::LargeEvent { is_empty_line: is_over }
            }
            _ if is_over => Reading::Between,
            _ => Reading::RestOfLine,
        };
        self.held.clear();
        self.clear_event(here);
        on_frame(Frame::TooLarge { offset });
    }

    /// Takes in a line, without its line break, that is whole in the read.
    fn end_of_line<'r>(&mut self, here: &mut Here<'r>, line: &'r [u8], on_frame: OnFrame<'_>) {
        match Field::of(line) {
            Field::Data(value) if !is_done(value) => {
                self.end_of_whole_data(here, on_frame);
                self.begin_field(line);
                self.event.add_data(here, value);
            }
            Field::Event(value) if !self.event.has_data(here) => {
                self.begin_field(line);
                here.set_name(value);
            }
            other => self.end_of_other_line(here, line, other, on_frame),
        }
    }

    /// Takes in the line that is held because it began in an earlier read.
    pub(super) fn end_of_kept_line(&mut self, here: &mut Here<'_>, on_frame: OnFrame<'_>) {
        let mut line = std::mem::take(&mut self.held);
        if std::mem::replace(&mut self.reading, Reading::Between) == Reading::Broken {
            if is_done(&line) {
                self.done(here, on_frame);
            } else {
                self.garbage(&line, GarbageReason::InvalidJson, on_frame);
            }
        } else {
            match Field::of(&line) {
                Field::Data(value) if !is_done(value) => {
                    let from = line.len() - value.len();
                    self.end_of_whole_data(here, on_frame);
                    self.begin_field(&line);
                    self.event.add_kept_data(here, &mut line, from);
                }
                Field::Event(value) if !self.event.has_data(here) => {
                    self.begin_field(&line);
                    self.event.set_kept_name(value);
                }
                other => self.end_of_other_line(here, &line, other, on_frame),
            }
        }
        line.clear();
        self.held = line;
    }

    fn end_of_other_line(
        &mut self,
        here: &mut Here<'_>,
        line: &[u8],
        field: Field<'_>,
        on_frame: OnFrame<'_>,
    ) {
        match field {
            // No data but the end mark comes here.
            Field::Data(_) => self.done(here, on_frame),
            // No name but one that comes after data.
            Field::Event(name) => {
                self.begin_field(line);
                self.event.set_late_name(name);
            }
            Field::Id(_) | Field::Retry(_) => self.in_garbage = false,
            Field::Unknown if line.is_empty() => self.end_of_event(here, on_frame),
            Field::Unknown if is_done(line) => self.done(here, on_frame),
            Field::Unknown if !line.trim_ascii().is_empty() => {
                self.garbage(line, GarbageReason::UnknownLine, on_frame);
            }
            _ => {}
        }
    }

    /// Takes in a line of an event.
    fn begin_field(&mut self, line: &[u8]) {
        self.event_start = self.record_start();
        self.event_bytes += line.len();
        self.in_garbage = false;
    }

    /// Where the event begins, if it has a line, or else the line at hand.
    fn record_start(&self) -> u64 {
        if self.event_bytes > 0 { self.event_start } else { self.start }
    }

    /// Hands on the end mark, and before it the event from which no empty line divides it.
    fn done(&mut self, here: &mut Here<'_>, on_frame: OnFrame<'_>) {
        self.end_of_whole_data(here, on_frame);
        if self.event.has_data(here) {
            self.end_of_event(here, on_frame);
        }
        let name = text(self.event.name(here));
        on_frame(Frame::Event { name: &name, data: DONE, offset: self.record_start() });
        self.in_garbage = false;
        self.clear_event(here);
    }

    /// Ends an event whose data are a whole object, where more data come: some servers leave the empty line between
    /// events out. A name that stands above both is that of both. Only the first line of data is looked at, so that many
    /// lines take no more time than they are long.
    fn end_of_whole_data(&mut self, here: &mut Here<'_>, on_frame: OnFrame<'_>) {
        let Some(data) = self.event.only_line(here) else { return };
        if is_object(&mut self.progress, data) {
            let late_name = self.event.take_late_name();
            let name = late_name.unwrap_or_else(|| self.event.name(here).to_owned());
            self.end_of_event(here, on_frame);
            self.event.set_kept_name(&name);
        }
    }

    pub(super) fn end_of_event(&mut self, here: &mut Here<'_>, on_frame: OnFrame<'_>) {
        if let Some(data) = self.event.data(here).filter(|data| !data.trim_ascii().is_empty()) {
            let name = text(self.event.name(here));
            let data = text(data);
            on_frame(Frame::Event { name: &name, data: &data, offset: self.event_start });
        }
        self.clear_event(here);
    }
}

/// Whether it is the end mark, with spaces or tabs around it or not.
fn is_done(text: &[u8]) -> bool {
    text.trim_ascii() == DONE.as_bytes()
}
