//! Finds the latest call with an index, an id, or both.

use super::Call;
use crate::keyed::Keyed;

/// So few calls are looked at one by one.
const FEW: usize = 32;

/// Where calls are, if they are more than [`FEW`].
#[derive(Default)]
pub(super) struct CallIndex(Option<Box<Latest>>);

/// The latest call of each kind.
#[derive(Default)]
struct Latest {
    at_index: Keyed<u64, usize>,
    with_id: Keyed<String, usize>,
    with_both: Keyed<(Option<u64>, String), usize>,
}

impl CallIndex {
    /// A call was added behind the others.
    pub(super) fn add(&mut self, calls: &[Call]) {
        if let (Some(latest), Some(last)) = (&mut self.0, calls.last()) {
            latest.note(calls.len() - 1, last);
        } else if calls.len() > FEW {
            let mut latest = Latest::default();
            calls.iter().enumerate().for_each(|(at, call)| latest.note(at, call));
            self.0 = Some(Box::new(latest));
        }
    }

    /// A call has got its id.
    pub(super) fn name(&mut self, at: usize, call: &Call) {
        if let Some(latest) = &mut self.0 {
            latest.note(at, call);
        }
    }

    /// The latest call at this index.
    pub(super) fn at_index(&self, index: u64, calls: &[Call]) -> Option<usize> {
        match &self.0 {
            None => calls.iter().rposition(|call| call.index == Some(index)),
            Some(latest) => latest.at_index.get(&index).copied(),
        }
    }

    /// The latest call with this id.
    pub(super) fn with_id(&self, id: &str, calls: &[Call]) -> Option<usize> {
        match &self.0 {
            None => calls.iter().rposition(|call| call.id.as_deref() == Some(id)),
            Some(latest) => latest.with_id.get(id).copied(),
        }
    }

    /// The latest call with this id at this index, or without one.
    pub(super) fn with_both(&self, index: Option<u64>, id: &str, calls: &[Call]) -> Option<usize> {
        match &self.0 {
            None => calls.iter().rposition(|call| call.index == index && call.id.as_deref() == Some(id)),
            Some(latest) => latest.with_both.get(&(index, id.to_owned())).copied(),
        }
    }
}

impl Latest {
    fn note(&mut self, at: usize, call: &Call) {
        let is_later = |known: &mut usize| *known = at.max(*known);
        if let Some(index) = call.index {
            is_later(self.at_index.entry(&index, || at));
        }
        if let Some(id) = &call.id {
            is_later(self.with_id.entry(id.as_str(), || at));
            is_later(self.with_both.entry(&(call.index, id.clone()), || at));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::accumulator::Place;
    use crate::json::Object;

    fn call(index: Option<u64>) -> Call {
        let place = Place::first_choice(0, 0);
        Call { place, index, id: None, is_custom: false, is_named_again: false, members: Object::default() }
    }

    type Entry = (Option<u64>, Option<u8>);

    proptest! {
        #[test]
        fn an_index_changes_nothing_but_the_time(entries in prop::collection::vec(any::<(Option<u8>, Option<u8>)>(), 0..150)) {
            let few = |number: Option<u8>| number.map(|number| number % 20);
            let entries: Vec<Entry> = entries.into_iter().map(|(index, id)| (few(index).map(u64::from), few(id))).collect();
            let (mut index, mut calls) = (CallIndex::default(), Vec::new());
            for (number, (at, _)) in entries.iter().enumerate() {
                calls.push(call(*at));
                index.add(&calls);
                // Ids come late, and not in order.
                let named = number / 2;
                calls[named].id = entries[named].1.map(|id| format!("id_{id}"));
                index.name(named, &calls[named]);
            }
            let plain = CallIndex::default();
            for number in 0..20u64 {
                let id = format!("id_{number}");
                prop_assert_eq!(index.at_index(number, &calls), plain.at_index(number, &calls));
                prop_assert_eq!(index.with_id(&id, &calls), plain.with_id(&id, &calls));
                for at in (0..20).map(Some).chain([None]) {
                    prop_assert_eq!(index.with_both(at, &id, &calls), plain.with_both(at, &id, &calls));
                }
            }
        }
    }
}
