//! Whole texts that are sent at the end of a part.

use super::Builder;
use crate::accumulator::channel::Channel;
use crate::accumulator::choice::{Part, PartKind};
use crate::accumulator::place::Place;
use crate::json::{Fragment, strip_long_prefix};

impl Builder {
    /// Adds the missing part of the text, given the whole text sent at the end. See [`text_at`](Self::text_at) for the
    /// text so far.
    pub fn complete_text(&mut self, place: Place, whole: &str) {
        if !self.is_searched() {
            return self.complete(PartKind::Text, place, whole);
        }
        match strip_long_prefix(whole, self.text_at(place)) {
            Some(rest) => self.append_text(place, &Fragment::from(rest)),
            None if self.is_all_text(PartKind::Text, place, whole) => {}
            None => self.warn_mismatch(PartKind::Text.name()),
        }
    }

    /// Adds the missing part of the reasoning, given the whole reasoning sent at the end.
    pub fn complete_reasoning(&mut self, place: Place, whole: &str) {
        self.complete(PartKind::Reasoning, place, whole);
    }

    /// Adds the missing part of the refusal, given the whole refusal sent at the end.
    pub fn complete_refusal(&mut self, place: Place, whole: &str) {
        self.complete(PartKind::Refusal, place, whole);
    }

    fn complete(&mut self, kind: PartKind, place: Place, whole: &str) {
        let known = self.channel_text(place, kind);
        match strip_long_prefix(whole, known) {
            Some(rest) => self.push(kind, place, &Fragment::from(rest)),
            None if self.is_all_text(kind, place, whole) => {}
            None if whole.ends_with(known) => {
                let by = whole.len() - known.len();
                let part = self.part(place, kind).and_then(Part::channel);
                if let Some(channel) = part {
                    *channel = Channel::default();
                    channel.push(&Fragment::from(whole));
                }
                self.log.note_moved_text(kind, place, by, whole.len());
                self.warn_missed_beginning();
            }
            None => self.warn_mismatch(kind.name()),
        }
    }

    /// Whether this is all text of a kind up to a place, not only the text there: gateways join all parts before the one
    /// that ends. <https://github.com/kittors/CliRelay/issues/1053>
    pub(crate) fn is_all_text(&self, kind: PartKind, place: Place, whole: &str) -> bool {
        let Some(choice) = self.find_choice(place.choice) else { return false };
        let mut rest = Some(whole);
        for (slot, of) in choice.part_keys() {
            if let Some(text) = rest.filter(|_| of == kind && slot <= place.slot) {
                let at = Place { slot, ..place };
                let known =
                    if kind == PartKind::Text { self.text_at(at) } else { self.channel_text(at, kind) };
                rest = strip_long_prefix(text, known);
            }
        }
        rest == Some("")
    }
}
