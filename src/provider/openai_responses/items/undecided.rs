//! Items that are sent again under another id or index.

use std::mem;

use super::super::claim::{Claim, ItemEvent};
use super::super::possible_repeat::{EventContent, PossibleRepeat, content_of};
use super::{Items, lookup, remember};
use crate::accumulator::Builder;
use crate::model::WarningCode;

impl Items {
    /// Whether an event is about the undecided item, which may repeat an earlier one.
    pub(super) fn is_undecided(&self, claim: &Claim<'_>) -> bool {
        let is_known = || lookup(&self.by_id, claim.id).is_some();
        self.undecided.as_ref().is_some_and(|item| item.matches(claim, is_known()))
    }

    /// Makes an item that starts or is complete the undecided one, if it may repeat a finished item: the known item
    /// that it was `found` to be, or else the message before it. Returns whether it did so.
    pub(super) fn hold_undecided(
        &mut self,
        found: Option<u64>,
        claim: &Claim<'_>,
        out: &mut Builder,
    ) -> bool {
        if found.is_some() && claim.item_event == ItemEvent::Complete {
            return false;
        }
        if found.is_none() && claim.type_name == "message" && !self.is_undecided(claim) {
            self.end_undecided(out);
        }
        let before = || self.last_message.filter(|_| claim.type_name == "message");
        let item = found.or_else(before).and_then(|at| self.list.get(&at));
        let undecided = item.and_then(|item| PossibleRepeat::detect(item, claim, found.is_none(), out));
        let is_begun = undecided.is_some();
        if is_begun {
            self.undecided = undecided;
        }
        is_begun
    }

    /// Decides about the undecided item if the event has the complete item, and returns its slot.
    pub(super) fn decide_complete(&mut self, claim: &Claim<'_>, out: &mut Builder) -> Option<u64> {
        let item =
            claim.item.filter(|_| claim.item_event == ItemEvent::Complete && self.is_undecided(claim))?;
        self.decide(&EventContent::Item(item), out)
    }

    /// Decides which item the content belongs to, and returns its slot; `None` while undecided.
    pub(super) fn decide(&mut self, content: &EventContent<'_>, out: &mut Builder) -> Option<u64> {
        let is_repeat = self.undecided.as_mut()?.is_repeat(content)?;
        let item = self.undecided.take()?;
        Some(if is_repeat {
            self.merge_undecided(item, content, out)
        } else {
            self.add_undecided(item, content, out)
        })
    }

    /// Ends the undecided item, for which nothing more comes: it's a new one, unless all known content was repeated.
    pub(super) fn end_undecided(&mut self, out: &mut Builder) {
        if let Some(item) = self.undecided.take()
            && !item.is_fully_repeated()
        {
            self.add_undecided(item, &EventContent::Empty, out);
        }
    }

    /// Treats the item as a repetition of the earlier one.
    fn merge_undecided(
        &mut self,
        undecided: PossibleRepeat,
        content: &EventContent<'_>,
        out: &mut Builder,
    ) -> u64 {
        let at = undecided.original;
        if undecided.is_other {
            warn_of_repeated_message(out);
        }
        if let Some(id) = &undecided.id {
            remember(&mut self.by_id, id, at);
        }
        if let Some(index) = undecided.index {
            self.by_index.insert(index, at);
        }
        remember(&mut self.by_type, &undecided.type_name, at);
        self.latest = at;
        if let Some(item) = self.list.get_mut(&at) {
            item.id = undecided.id.or(item.id.take());
            item.output_index = undecided.index.or(item.output_index);
            if let EventContent::Fragment(_) = content {
                item.echo = undecided.echo;
            }
        }
        at
    }

    /// Adds the item as a new one.
    fn add_undecided(
        &mut self,
        mut undecided: PossibleRepeat,
        content: &EventContent<'_>,
        out: &mut Builder,
    ) -> u64 {
        let (held_back, echo) = (undecided.repeated_text().to_owned(), mem::take(&mut undecided.echo));
        let tape = undecided.item();
        let root = tape.as_ref().map(|tape| tape.root());
        self.register(None, &undecided.claim(root));
        let at = self.latest;
        if let Some(item) = self.list.get_mut(&at) {
            if let Some(root) = root {
                item.start(root, out);
            }
            match content {
                EventContent::Fragment(_) => item.echo = echo,
                EventContent::Complete(_) => {}
                EventContent::Item(whole) if !content_of(*whole).is_empty() => {}
                _ => item.append_held_back(&held_back, out),
            }
        }
        at
    }
}

/// Warns that a message repeats the one before it and continues it.
pub(super) fn warn_of_repeated_message(out: &mut Builder) {
    let message = "A message began with all of the text of the message before it, which was emitted once";
    out.warn_once(WarningCode::RepeatedMessage, message.to_owned());
}
