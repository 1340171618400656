//! The part of a text that is being read.

use super::event::{Event, Sink};
use super::leads::Leads;
use super::python::is_name;
use super::reader::slice;

/// A text that is being read, and where events go.
pub(super) struct Pass<'p> {
    pub(super) text: &'p str,
    /// What is before has been given out.
    pub(super) from: usize,
    pub(super) is_over: bool,
    /// Whether the line is blank up to `from`.
    pub(super) is_line_blank: bool,
    /// The byte before the text.
    pub(super) last: u8,
    /// Where in it something may begin.
    pub(super) leads: Leads,
    pub(super) sink: &'p mut Sink<'p>,
}

impl Pass<'_> {
    pub(super) fn rest(&self) -> &str {
        slice(self.text, self.from, self.text.len())
    }

    /// Gives out what stands up to a place, as what the event says.
    pub(super) fn give(&mut self, event: Event<'_>, to: usize) {
        if to > self.from {
            self.is_line_blank = self.is_line_start(to);
            self.from = to;
            (self.sink)(event);
        }
    }

    pub(super) fn markup(&mut self, to: usize) {
        self.give(Event::Markup(slice(self.text, self.from, to)), to);
    }

    pub(super) fn reasoning(&mut self, to: usize) {
        self.give(Event::Reasoning(slice(self.text, self.from, to)), to);
    }

    /// Whether nothing but white space is before a place on its line.
    pub(super) fn is_line_start(&self, place: usize) -> bool {
        let before = self.text.as_bytes().get(self.from..place).unwrap_or_default();
        match before.iter().rposition(|byte| !matches!(byte, b' ' | b'\t')) {
            Some(last) => before.get(last) == Some(&b'\n'),
            None => self.is_line_blank,
        }
    }

    /// Whether a word can begin at a place.
    pub(super) fn is_word_start(&self, place: usize) -> bool {
        let before = place.checked_sub(1).and_then(|before| self.text.as_bytes().get(before));
        !is_name(*before.unwrap_or(&self.last))
    }
}
