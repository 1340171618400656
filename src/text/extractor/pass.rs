//! The part of the text that is being read.

use super::leads::Leads;
use super::line::Line;
use crate::text::event::{Event, Sink};
use crate::text::grammar::python::is_name;
use crate::text::reader::slice;

/// The text that is being read, with the receiver of events.
pub(crate) struct Pass<'p> {
    pub(crate) text: &'p str,
    /// Position up to which everything has been emitted.
    pub(crate) from: usize,
    pub(crate) is_over: bool,
    /// Whether something has cut the text off where it is over.
    pub(crate) is_cut: bool,
    /// Whether the line is blank up to `from`.
    pub(crate) is_line_blank: bool,
    /// The line at `from`.
    pub(crate) line: Line,
    /// The line at a later position that has already been computed.
    pub(crate) ahead: (usize, Line),
    /// The byte before the text.
    pub(crate) last: u8,
    /// Cached positions at which a token may begin.
    pub(crate) leads: Leads,
    pub(crate) sink: &'p mut Sink<'p>,
}

impl Pass<'_> {
    pub(crate) fn rest(&self) -> &str {
        slice(self.text, self.from, self.text.len())
    }

    /// Emits everything up to a position as an event.
    pub(crate) fn emit(&mut self, event: Event<'_>, to: usize) {
        if to > self.from {
            self.is_line_blank = self.is_line_start(to);
            let (at, ahead) = self.ahead;
            let read_from = if at <= to { at } else { self.from };
            if at <= to {
                self.line = ahead;
            }
            self.line.read(self.text.as_bytes().get(read_from..to).unwrap_or_default());
            if at <= to {
                self.ahead = (to, self.line);
            }
            self.from = to;
            (self.sink)(event);
        }
    }

    /// Begins a new line, because the call or reasoning before isn't part of the text.
    pub(crate) fn begin_line(&mut self) {
        self.is_line_blank = true;
        self.line = Line::default();
        self.ahead = (self.from, self.line);
    }

    pub(crate) fn emit_markup(&mut self, to: usize) {
        self.emit(Event::Markup(slice(self.text, self.from, to)), to);
    }

    pub(crate) fn emit_reasoning(&mut self, to: usize) {
        self.emit(Event::Reasoning(slice(self.text, self.from, to)), to);
    }

    pub(crate) fn byte_before(&self, place: usize) -> u8 {
        place.checked_sub(1).and_then(|at| self.text.as_bytes().get(at)).copied().unwrap_or(self.last)
    }

    /// Whether only white space precedes a position on its line.
    pub(crate) fn is_line_start(&self, place: usize) -> bool {
        let before = self.text.as_bytes().get(self.from..place).unwrap_or_default();
        match before.iter().rposition(|byte| !matches!(byte, b' ' | b'\t')) {
            Some(last) => before.get(last) == Some(&b'\n'),
            None => self.is_line_blank,
        }
    }

    /// Whether a position is in a block quote or in indented code.
    pub(crate) fn is_quoted(&mut self, place: usize) -> bool {
        self.line_at(place).is_quoted()
    }

    /// Returns the line up to a position.
    pub(crate) fn line_at(&mut self, place: usize) -> Line {
        let (at, mut line) = self.ahead;
        if at <= place {
            line.read(self.text.as_bytes().get(at..place).unwrap_or_default());
            self.ahead = (place, line);
        } else {
            line = self.line;
            line.read(self.text.as_bytes().get(self.from..place).unwrap_or_default());
        }
        line
    }

    /// Whether a word can begin at a position.
    pub(crate) fn is_word_start(&self, place: usize) -> bool {
        !is_name(self.byte_before(place))
    }
}
