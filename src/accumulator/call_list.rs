//! The tool calls of one choice, looked up by slot and by id.

use super::choice::FIRST_FOUND_CALL;
use super::place::{Slot, in_order};
use super::tool_call::Call;
use crate::collect::Collect;
use crate::hash::fnv1a;
use crate::keyed::Keyed;
use crate::save::{Coder, State};

/// Largest number of calls that are searched linearly, without an index.
const MAX_UNINDEXED: usize = 32;

/// Maximum number of calls with the same provider id that a possible repeat is compared with: the first and the latest
/// ones.
const MAX_SAME_IDS: usize = 16;

/// The calls of a choice, in the order in which they began. A lookup takes O(log² n) comparisons.
#[derive(Debug, Default)]
pub(super) struct CallList {
    list: Vec<Call>,
    /// Number of calls that turned out to repeat an earlier one.
    repeats: usize,
    /// Whether the provider has sent structured calls. If so, calls found in the text don't count.
    has_structured: bool,
    /// Present only for more than [`MAX_UNINDEXED`] calls.
    index: Option<Box<Index>>,
}

/// Positions of calls in the list.
#[derive(Debug, Default)]
struct Index {
    by_slot: Keyed<Slot, u64>,
    /// May be stale: the call may have lost this id since, or have another one.
    by_id: Keyed<String, u64>,
    /// For each id that several calls were given, the number in the suffix of the latest.
    suffixes: Keyed<String, u64>,
    /// Every call before this position has an id.
    named: usize,
}

impl State for CallList {
    fn blank() -> Self {
        Self::default()
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        self.list.code(coder);
        if coder.is_loading() {
            self.repeats = self.list.iter().filter(|call| call.is_repeat()).count();
            self.has_structured = self.list.iter().any(is_structured);
            if self.list.len() > MAX_UNINDEXED {
                self.build_index();
            }
        }
    }
}

impl CallList {
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Call> {
        self.list.iter()
    }

    pub(super) fn iter_mut(&mut self) -> std::slice::IterMut<'_, Call> {
        self.list.iter_mut()
    }

    pub(super) fn last_mut(&mut self) -> Option<&mut Call> {
        self.list.last_mut()
    }

    /// Returns the call at this slot.
    pub(super) fn get(&self, slot: Slot) -> Option<&Call> {
        self.list.get(self.find(slot)?)
    }

    /// Returns the call at this slot.
    pub(super) fn get_mut(&mut self, slot: Slot) -> Option<&mut Call> {
        let at = self.find(slot)?;
        self.list.get_mut(at)
    }

    #[inline]
    fn find(&self, slot: Slot) -> Option<usize> {
        match &self.index {
            None => self.list.iter().rposition(|call| call.slot == slot),
            Some(index) => index.by_slot.get(&slot).map(|at| *at as usize),
        }
    }

    /// Adds a call at an unused slot.
    pub(super) fn push(&mut self, call: Call) {
        self.has_structured |= is_structured(&call);
        if let Some(index) = &mut self.index {
            index.by_slot.insert(call.slot, self.list.len() as u64);
        }
        self.list.push(call);
        if self.index.is_none() && self.list.len() > MAX_UNINDEXED {
            self.build_index();
        }
    }

    #[cold]
    fn build_index(&mut self) {
        let mut index = Index::default();
        for (at, call) in self.list.iter().enumerate() {
            index.by_slot.insert(call.slot, at as u64);
            if let Some(id) = call.id() {
                index.by_id.insert(id.to_owned(), at as u64);
            }
        }
        self.index = Some(Box::new(index));
    }

    /// Sets the id of the call at this slot and indexes it.
    pub(super) fn set_call_id(&mut self, slot: Slot, id: String, give: impl FnOnce(&mut Call, String)) {
        let Some(at) = self.find(slot) else { return };
        if let Some(index) = &mut self.index {
            index.by_id.insert(id.clone(), at as u64);
        }
        if let Some(call) = self.list.get_mut(at) {
            give(call, id);
        }
    }

    /// Returns the number of calls, without repeats of earlier ones.
    pub(super) fn count(&self) -> usize {
        self.list.len() - self.repeats
    }

    /// Returns the call that has this id.
    pub(super) fn with_id(&self, id: &str) -> Option<&Call> {
        let has_id = |call: &&Call| call.id() == Some(id);
        match &self.index {
            None => self.list.iter().find(has_id),
            Some(index) => self.list.get(*index.by_id.get(id)? as usize).filter(has_id),
        }
    }

    /// Whether no call has this id.
    fn is_free(&self, id: &str) -> bool {
        self.with_id(id).is_none()
    }

    /// Whether the condition holds for a call that was given this id by the provider, including those renamed to `id_2`
    /// and so on.
    fn has_same_provider_id(&self, id: &str, is_wanted: &dyn Fn(&Call) -> bool) -> bool {
        let is_match = |id: &str| self.with_id(id).is_some_and(is_wanted);
        let mut others = (2..self.next_suffix(id)).rev().take(MAX_SAME_IDS);
        is_match(id) || others.any(|n| is_match(&format!("{id}_{n}")))
    }

    /// Gives a call its provider's id, with a suffix if another call has that id. If their names match, or one is
    /// unknown, the call may be the other one, sent again.
    pub(super) fn assign_provider_id(&mut self, slot: Slot, id: &str, name: Option<&str>) {
        // The ids of calls found in the text were written by the model.
        let may_be_repeat = slot.0 != FIRST_FOUND_CALL
            && !self.is_free(id)
            && self.has_same_provider_id(id, &|known| {
                known.name().is_none() || name.is_none() || known.name() == name
            });
        let unique = self.unique_id(Some(id), None);
        self.set_call_id(slot, unique, |call, unique| {
            call.set_id(unique);
            if may_be_repeat {
                call.suspect_repeat(id);
            }
        });
    }

    /// Decides whether a call that has ended repeats an earlier one. A repeat doesn't count.
    pub(super) fn decide_repeat(&mut self, slot: Slot) {
        let Some(at) = self.find(slot) else { return };
        let Some(id) = self.list.get_mut(at).and_then(Call::take_suspicion) else { return };
        let Some(call) = self.list.get(at) else { return };
        let is_same = |known: &Call| {
            known.slot != slot && known.slot.0 != FIRST_FOUND_CALL && known.has_same_name_and_arguments(call)
        };
        if self.has_same_provider_id(&id, &is_same)
            && let Some(call) = self.list.get_mut(at)
        {
            call.drop_as_repeat();
            self.repeats += 1;
        }
    }

    /// Returns the slots of the calls that may still turn out to be repeats.
    pub(super) fn undecided_repeats(&self) -> Vec<Slot> {
        self.list.iter().filter(|call| call.may_be_repeat()).map(|call| call.slot).collect_vec()
    }

    /// Returns a unique id for a call: the requested one, with a suffix if another call has it, or a generated one.
    pub(super) fn unique_id(&mut self, requested: Option<&str>, answer: Option<&str>) -> String {
        if let Some(id) = requested.filter(|id| self.is_free(id)) {
            return id.to_owned();
        }
        let stem = match (requested, answer) {
            (Some(id), _) => id.to_owned(),
            // Differs between the responses of a conversation, but is the same each time that a response is read.
            (None, Some(answer)) => format!("call_{:08x}", fnv1a(answer.bytes())),
            (None, None) => "call".to_owned(),
        };
        let first = if requested.is_some() { self.next_suffix(&stem) } else { self.first_unnamed() };
        let mut candidates = (first..).map(|n| (n, format!("{stem}_{n}")));
        let Some((number, id)) = candidates.find(|(_, id)| self.is_free(id)) else { return stem };
        if let (Some(index), true) = (&mut self.index, requested.is_some()) {
            index.suffixes.insert(stem, number as u64);
        }
        id
    }

    /// Returns the next number for a suffix of this stem.
    fn next_suffix(&self, stem: &str) -> usize {
        if let Some(last) = self.index.as_ref().and_then(|index| index.suffixes.get(stem)) {
            return *last as usize + 1;
        }
        let of_stem =
            |id: &str| id.strip_prefix(stem).is_some_and(|rest| matches!(rest.as_bytes(), [] | [b'_', ..]));
        1 + self.list.iter().filter(|call| call.id().is_some_and(of_stem)).count()
    }

    /// Returns the position of the first call without an id.
    fn first_unnamed(&mut self) -> usize {
        let known = self.index.as_ref().map_or(0, |index| index.named);
        let rest = self.list.iter().skip(known);
        let first = known + rest.take_while(|call| call.id().is_some()).count();
        if let Some(index) = &mut self.index {
            index.named = first;
        }
        first
    }

    /// Withdraws the provisional id of a call.
    pub(super) fn withdraw_id(&mut self, slot: Slot) {
        let Some(at) = self.find(slot) else { return };
        if let Some(call) = self.list.get_mut(at) {
            call.withdraw_provisional_id();
            if let (Some(index), None) = (&mut self.index, call.id()) {
                index.named = index.named.min(at);
            }
        }
    }

    /// Returns the slots of the earlier calls that have a name but no id, in order.
    pub(super) fn waiting_before(&mut self, slot: Slot) -> Vec<Slot> {
        let first = self.first_unnamed();
        let is_waiting = |call: &&Call| call.slot < slot && call.id().is_none() && call.name().is_some();
        in_order(self.list.iter().skip(first).filter(is_waiting).map(|call| call.slot))
    }

    /// Returns the slots of the calls that have no id.
    pub(super) fn unnamed(&self) -> Vec<Slot> {
        self.list.iter().filter(|call| call.id().is_none()).map(|call| call.slot).collect_vec()
    }

    /// Whether the provider has sent structured calls. If so, calls found in the text don't count.
    pub(super) fn has_structured(&self) -> bool {
        self.has_structured
    }

    /// Returns the calls that count, sorted by slot.
    pub(super) fn sorted(&self) -> Vec<&Call> {
        let mut calls: Vec<&Call> = Vec::with_capacity(self.list.len());
        let counts = |call: &&Call| {
            !call.is_superseded() && !call.may_be_repeat() && (!self.has_structured || is_structured(call))
        };
        for call in self.list.iter().filter(counts) {
            // Calls usually begin in order.
            let place = calls.partition_point(|other| other.slot <= call.slot);
            calls.insert(place, call);
        }
        calls
    }
}

/// Whether the provider has sent this call; otherwise it was found in the text.
fn is_structured(call: &Call) -> bool {
    call.slot.0 != FIRST_FOUND_CALL
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Builds a list with calls at these slots, each with the id that it requests, if any.
    fn list_of(calls: &[(u8, Option<u8>)], is_indexed: bool) -> CallList {
        let mut list = CallList::default();
        if is_indexed {
            list.build_index();
        }
        for (slot, wished) in calls {
            let slot = Slot(u64::from(*slot), 0);
            if list.get(slot).is_none() {
                list.push(Call::new(slot, 0, 0));
                if !is_indexed {
                    list.index = None;
                }
            }
            if wished.is_some() {
                list.withdraw_id(slot);
            }
            if list.get(slot).is_some_and(|call| call.id().is_none()) {
                let wished = wished.map(|wished| format!("id_{wished}"));
                let id = list.unique_id(wished.as_deref(), Some("answer"));
                list.set_call_id(
                    slot,
                    id,
                    if wished.is_some() { Call::set_id } else { Call::set_provisional_id },
                );
            }
        }
        list
    }

    proptest! {
        #[test]
        fn the_index_changes_no_result(calls in prop::collection::vec((0..60u8, prop::option::of(0..20u8)), 0..150)) {
            let (plain, indexed) = (list_of(&calls, false), list_of(&calls, true));
            let ids = |list: &CallList| list.iter().map(|call| (call.slot, call.id().map(str::to_owned))).collect::<Vec<_>>();
            let mut unique = ids(&plain);
            unique.sort_by(|a, b| a.1.cmp(&b.1));
            unique.dedup_by(|a, b| a.1 == b.1);
            prop_assert_eq!(unique.len(), plain.len());
            prop_assert_eq!(ids(&plain).len(), ids(&indexed).len());
            for call in plain.iter() {
                prop_assert_eq!(indexed.get(call.slot).map(|found| found.slot), Some(call.slot));
            }
            prop_assert_eq!(ids(&plain), ids(&indexed));
        }
    }
}
