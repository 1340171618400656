//! The final output at the end of an answer, whose items are matched to the streamed ones.

use std::mem;

use super::super::claim::{Claim, ItemEvent};
use super::super::item::{Item, Stage};
use super::super::possible_repeat::PossibleRepeat;
use super::super::role::Role;
use super::super::whole::{have_different_phases, is_same_text, is_significant, whole_text};
use super::undecided::warn_of_repeated_message;
use super::{Items, MAX_COMPARED, lookup, remember};
use crate::accumulator::Builder;
use crate::collect::Collect;
use crate::error::joined;
use crate::json::{Kind, Value};
use crate::keyed::Keyed;
use crate::model::is_under_way;

/// An item of the final output.
struct OutputEntry<'a> {
    item: Value<'a>,
    claim: Claim<'a>,
    /// Slot of the streamed item that it matches.
    matched: Option<u64>,
}

impl Items {
    /// Reads the items of the final output. Each matches the streamed item with its id or call id, or else with its
    /// content; otherwise the next one of its type, because some servers send other ids each time. `is_complete`: the
    /// status is `completed`.
    pub(in crate::provider::openai_responses) fn finish(
        &mut self,
        response: Value<'_>,
        is_complete: bool,
        out: &mut Builder,
    ) {
        self.leave_undecided_to_output(response, is_complete, out);
        if self.open.is_empty() && response.get_items("output").next().is_none() {
            return; // a repeated end event
        }
        for item in self.list.values_mut() {
            item.is_taken = false;
        }
        let slots = self.list.sorted().map(|(slot, _)| *slot);
        let order = slots.filter(|slot| *slot >= self.first).collect_vec();
        let mut output = self.output_of(response, &order, out);
        self.find_known(&mut output, &order, out);
        let mut answered: Keyed<String, u64> = Keyed::default();
        for id in output.iter().filter_map(|entry| entry.claim.answered_call()) {
            remember(&mut answered, id, 0);
        }
        let mut named: Keyed<String, u64> = Keyed::default();
        for OutputEntry { item, claim, .. } in &output {
            if let (Some(id), Some(_)) = (claim.call_id, item.get_non_empty("name")) {
                remember(&mut named, id, 0);
            }
        }
        let mut waiting = self.slots_by_type(&order);
        for OutputEntry { item, claim, matched } in output {
            let matched =
                matched.or_else(|| self.next_of_type(&claim, item, waiting.get_mut(claim.type_name)?, out));
            let is_answered = lookup(&answered, claim.call_id).is_some();
            let has_own_id = || claim.call_id.is_some_and(|id| lookup(&named, Some(id)).is_none());
            match self.register(matched, &claim) {
                Some(known)
                    if is_answered || is_complete && known.is_nameless(item, out) && !has_own_id() =>
                {
                    known.finish_provider_run(item, out);
                }
                Some(known) => {
                    let is_under_way = || item.get_non_empty("status").is_some_and(is_under_way);
                    let is_cut = !is_complete && known.stage != Stage::Done && is_under_way();
                    known.finish(item, is_cut, out);
                }
                None => {}
            }
        }
        for at in mem::take(&mut self.open) {
            if let Some(item) = self.list.get_mut(&at) {
                item.start_held_back(out);
                item.end_part(out);
                if is_complete {
                    item.complete_unfinished(out);
                }
            }
        }
        if is_complete {
            for item in self.list.values_mut() {
                item.end_nameless(out);
            }
        }
    }

    /// Leaves the undecided item to the final output, which contains it. A message is added if a complete response has
    /// no messages in its output.
    fn leave_undecided_to_output(&mut self, response: Value<'_>, is_complete: bool, out: &mut Builder) {
        let is_message =
            |item: Value<'_>| Claim::from_item(item, None, ItemEvent::Complete).type_name == "message";
        let is_open = self.undecided.as_ref().is_some_and(PossibleRepeat::is_message) && is_complete;
        if is_open && !response.get_items("output").any(is_message) {
            self.end_undecided(out);
        }
        self.undecided = None;
    }

    /// Returns the items of the final output, without messages and reasoning that the stream split into items
    /// differently.
    fn output_of<'a>(&self, response: Value<'a>, order: &[u64], out: &mut Builder) -> Vec<OutputEntry<'a>> {
        let mut output: Vec<OutputEntry<'a>> = Vec::new();
        for item in response.get_items("output").filter(|item| item.kind() != Kind::Null) {
            let claim = Claim::from_item(item, Some(output.len() as u64), ItemEvent::Complete);
            output.push(OutputEntry { item, claim, matched: None });
        }
        drop_repeated_prefixes(&mut output, out);
        for type_name in ["message", "reasoning"] {
            let parts = output.iter().filter(|entry| entry.claim.type_name == type_name);
            let parts = parts.map(|entry| entry.item).collect_vec();
            if self.is_split_differently(type_name, order, &parts, out) {
                output.retain(|entry| entry.claim.type_name != type_name);
            }
        }
        output
    }

    /// Whether the final output has the same text as the stream, split into items differently: some gateways stream two
    /// messages and end with one.
    fn is_split_differently(
        &self,
        type_name: &str,
        order: &[u64],
        parts: &[Value<'_>],
        out: &mut Builder,
    ) -> bool {
        let known =
            order.iter().filter_map(|at| self.list.get(at)).filter(|item| item.type_name == type_name);
        let streamed = known.map(|item| item.text(out)).collect_vec();
        let whole = parts.iter().map(|item| whole_text(*item)).collect_vec();
        let is_alike =
            streamed.len() == whole.len() && streamed.iter().zip(&whole).all(|(a, b)| b.starts_with(a));
        let streamed = joined(&streamed, "");
        !is_alike && !streamed.is_empty() && is_same_text(&streamed, &joined(&whole, ""))
    }

    /// Finds the streamed items that entries certainly match: by position and id, by id, by content. Items may share an
    /// id; then their content tells them apart.
    fn find_known(&mut self, output: &mut [OutputEntry<'_>], order: &[u64], out: &Builder) {
        for may_differ in [false, true] {
            for (at, OutputEntry { claim, matched, .. }) in output.iter_mut().enumerate() {
                let known = [
                    order.get(at).copied(),
                    lookup(&self.by_id, claim.id),
                    lookup(&self.by_call_id, claim.call_id),
                ];
                if matched.is_none() {
                    *matched = known.into_iter().find_map(|at| self.take_by_id(at, claim, may_differ, out));
                }
            }
        }
        for has_grown in [false, true] {
            let rest = output.iter_mut().filter(|entry| entry.matched.is_none());
            for OutputEntry { claim, matched, .. } in rest {
                *matched = self.take_by_content(order, claim, has_grown, out);
            }
        }
    }

    /// Takes the item in this slot, if it has the id or the call id, and no other item of the output has taken it.
    /// `may_differ`: its content may be other content.
    fn take_by_id(
        &mut self,
        at: Option<u64>,
        claim: &Claim<'_>,
        may_differ: bool,
        out: &Builder,
    ) -> Option<u64> {
        let item = self.list.get_mut(&at?)?;
        let is_match = !item.is_taken
            && item.type_name == claim.type_name
            && (claim.has_id(item) || claim.has_call_id(item))
            && (may_differ || claim.has_same_content(item, out) != Some(false));
        item.is_taken |= is_match;
        at.filter(|_| is_match)
    }

    /// Takes the first free item with the content of a message, of reasoning or of a call: the final output may have
    /// earlier items that weren't streamed. `has_grown`: a call that ended with only some of the claim's arguments.
    fn take_by_content(
        &mut self,
        order: &[u64],
        claim: &Claim<'_>,
        has_grown: bool,
        out: &Builder,
    ) -> Option<u64> {
        let has_content = |item: &Item| {
            if has_grown {
                claim.item.is_some_and(|whole| item.has_grown_to(whole, out))
            } else {
                claim.has_same_content(item, out) == Some(true)
            }
        };
        let is_match = |item: &Item| !item.is_taken && item.type_name == claim.type_name && has_content(item);
        let mut order = order.iter().take(MAX_COMPARED);
        let at = *order.find(|at| self.list.get(at).is_some_and(is_match))?;
        self.list.get_mut(&at)?.is_taken = true;
        Some(at)
    }

    /// Returns the slots of the streamed items of each type, the first ones last.
    fn slots_by_type(&self, order: &[u64]) -> Keyed<String, Vec<u64>> {
        let mut slots: Keyed<String, Vec<u64>> = Keyed::default();
        for slot in order.iter().rev() {
            if let Some(item) = self.list.get(slot) {
                slots.entry(&*item.type_name, Vec::new).push(*slot);
            }
        }
        slots
    }

    /// Returns the next free streamed item of the type, unless it is another call. `waiting`: slots of the items of the
    /// type, the next one last.
    fn next_of_type(
        &self,
        claim: &Claim<'_>,
        item: Value<'_>,
        waiting: &mut Vec<u64>,
        out: &Builder,
    ) -> Option<u64> {
        while let Some(known) = self.list.get(waiting.last()?) {
            if !known.is_taken && known.is_another_call(claim.call_id, item, out) {
                return None;
            }
            let slot = waiting.pop();
            if !known.is_taken {
                return slot;
            }
        }
        None
    }
}

/// Drops messages whose complete text the next message begins with, if only reasoning is between them.
fn drop_repeated_prefixes(output: &mut Vec<OutputEntry<'_>>, out: &mut Builder) {
    let mut next: Option<(String, Value<'_>)> = None;
    let count = output.len();
    let mut is_kept: Vec<bool> = output
        .iter()
        .rev()
        .map(|OutputEntry { item, claim, .. }| match claim.type_name {
            "message" if matches!(Role::of("message", Some(*item)), Role::Message) => {
                let text = whole_text(*item);
                let is_prefix = next.as_ref().is_some_and(|(later_text, other)| {
                    is_significant(&text)
                        && later_text.starts_with(&text)
                        && !have_different_phases(*item, *other)
                });
                next = Some((text, *item));
                !is_prefix
            }
            "reasoning" => true,
            _ => {
                next = None;
                true
            }
        })
        .collect_vec();
    output.retain(|_| is_kept.pop().unwrap_or(true));
    if output.len() < count {
        warn_of_repeated_message(out);
    }
}
