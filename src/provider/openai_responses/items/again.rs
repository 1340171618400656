//! Items that are sent again under another id or index.

use std::mem;

use super::super::again::{Again, Said, content_of};
use super::super::claim::{About, Claim};
use super::{Items, lookup, remember};
use crate::accumulator::Builder;
use crate::model::WarningCode;

impl Items {
    /// Whether an event is about the undecided item, which may repeat an earlier one.
    pub(super) fn is_again(&self, claim: &Claim<'_>) -> bool {
        let is_known = || lookup(&self.by_id, claim.id).is_some();
        self.again.as_ref().is_some_and(|again| again.is_meant(claim, is_known()))
    }

    /// Makes an item that starts or is complete the undecided one, if it may repeat a finished item: the known item
    /// that was `found` for it, or else the message before it. Returns whether it did so.
    pub(super) fn begin(&mut self, found: Option<u64>, claim: &Claim<'_>, out: &mut Builder) -> bool {
        if found.is_some() && claim.about == About::Whole {
            return false;
        }
        if found.is_none() && claim.type_name == "message" && !self.is_again(claim) {
            self.leave(out);
        }
        let before = || self.last_message.filter(|_| claim.type_name == "message");
        let item = found.or_else(before).and_then(|at| self.list.get(&at));
        let again = item.and_then(|item| Again::of(item, claim, found.is_none(), out));
        let is_begun = again.is_some();
        if is_begun {
            self.again = again;
        }
        is_begun
    }

    /// Decides about the undecided item if the event has the complete item, and returns its slot.
    pub(super) fn settled(&mut self, claim: &Claim<'_>, out: &mut Builder) -> Option<u64> {
        let item = claim.item.filter(|_| claim.about == About::Whole && self.is_again(claim))?;
        self.settle(&Said::Item(item), out)
    }

    /// Decides which item the content belongs to, and returns its slot; `None` while undecided.
    pub(super) fn settle(&mut self, said: &Said<'_>, out: &mut Builder) -> Option<u64> {
        let is_it = self.again.as_mut()?.is_it(said)?;
        let again = self.again.take()?;
        Some(if is_it { self.take_again(again, said, out) } else { self.add_again(again, said, out) })
    }

    /// Ends the undecided item, for which nothing more comes: it's a new one, unless all known content was repeated.
    pub(super) fn leave(&mut self, out: &mut Builder) {
        if let Some(again) = self.again.take()
            && !again.is_heard()
        {
            self.add_again(again, &Said::Nothing, out);
        }
    }

    /// Treats the item as a repetition of the earlier one.
    fn take_again(&mut self, again: Again, said: &Said<'_>, out: &mut Builder) -> u64 {
        let at = again.at;
        if again.is_other {
            warn_of_repeated_message(out);
        }
        if let Some(id) = &again.id {
            remember(&mut self.by_id, id, at);
        }
        if let Some(index) = again.index {
            self.by_index.insert(index, at);
        }
        remember(&mut self.by_type, &again.type_name, at);
        self.latest = at;
        if let Some(item) = self.list.get_mut(&at) {
            item.id = again.id.or(item.id.take());
            item.output_index = again.index.or(item.output_index);
            if let Said::Piece(_) = said {
                item.echo = again.echo;
            }
        }
        at
    }

    /// Adds the item as a new one.
    fn add_again(&mut self, mut again: Again, said: &Said<'_>, out: &mut Builder) -> u64 {
        let (heard, echo) = (again.heard().to_owned(), mem::take(&mut again.echo));
        let tape = again.item();
        let root = tape.as_ref().map(|tape| tape.root());
        self.identify(None, &again.claim(root), true);
        let at = self.latest;
        if let Some(item) = self.list.get_mut(&at) {
            if let Some(root) = root {
                item.start(root, out);
            }
            match said {
                Said::Piece(_) => item.echo = echo,
                Said::Whole(_) => {}
                Said::Item(whole) if !content_of(*whole).is_empty() => {}
                _ => item.resume(&heard, out),
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
