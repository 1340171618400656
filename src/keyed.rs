//! A map in insertion order.

use std::borrow::Borrow;
use std::cmp::Ordering;

use crate::save::{Coder, State};

/// A map that iterates in insertion order or in key order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Keyed<K, T> {
    keys: Keys<K>,
    values: Vec<T>,
}

impl<K, T> Keyed<K, T> {
    pub(crate) const fn new() -> Self {
        Self { keys: Keys { list: Vec::new(), runs: Vec::new() }, values: Vec::new() }
    }
}

impl<K, T> Default for Keyed<K, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: State + Ord, T: State> State for Keyed<K, T> {
    fn blank() -> Self {
        Self::new()
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        let length = coder.enter_list(self.values.len());
        if !coder.is_loading() {
            for (key, value) in self.keys.list.iter_mut().zip(&mut self.values) {
                key.code(coder);
                value.code(coder);
            }
            return;
        }
        while self.values.len() < length {
            let (mut key, mut value) = (K::blank(), T::blank());
            key.code(coder);
            value.code(coder);
            let number = self.values.len();
            self.insert(key, value);
            if self.values.len() == number {
                return coder.fail();
            }
        }
        coder.leave_list();
    }
}

impl<K: Ord, T> Keyed<K, T> {
    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    pub(crate) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&T>
    where
        K: Borrow<Q>,
    {
        self.values.get(self.keys.index_of(key)?)
    }

    pub(crate) fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut T>
    where
        K: Borrow<Q>,
    {
        self.values.get_mut(self.keys.index_of(key)?)
    }

    /// Returns the value of a key, inserted with `make` if it is missing.
    pub(crate) fn entry<Q>(&mut self, key: &Q, make: impl FnOnce() -> T) -> &mut T
    where
        K: Borrow<Q>,
        Q: Ord + ToOwned<Owned = K> + ?Sized,
    {
        let at = self.keys.index_of(key).unwrap_or_else(|| self.keys.add(key.to_owned()));
        if at == self.values.len() {
            self.values.push(make());
        }
        // Keys and values have the same indices, and entries are never removed.
        #[expect(clippy::indexing_slicing, reason = "see above")]
        &mut self.values[at]
    }

    /// Sets the value of a key.
    pub(crate) fn insert(&mut self, key: K, value: T) {
        let at = self.keys.index_of(&key).unwrap_or_else(|| self.keys.add(key));
        match self.values.get_mut(at) {
            Some(known) => *known = value,
            None => self.values.push(value),
        }
    }

    /// Returns the entries in insertion order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &T)> {
        self.keys.list.iter().zip(&self.values)
    }

    /// Returns the entries in insertion order.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut T)> {
        self.keys.list.iter().zip(&mut self.values)
    }

    /// Returns the entries in insertion order.
    pub(crate) fn into_entries(self) -> impl Iterator<Item = (K, T)> {
        self.keys.list.into_iter().zip(self.values)
    }

    /// Returns the values in insertion order.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.values.iter_mut()
    }

    /// Returns the entries in key order.
    pub(crate) fn sorted(&self) -> impl Iterator<Item = (&K, &T)> {
        let indices = self.keys.sorted().into_iter();
        indices.filter_map(|at| Some((self.keys.list.get(at)?, self.values.get(at)?)))
    }

    /// Returns the greatest key.
    pub(crate) fn last_key(&self) -> Option<&K> {
        let Keys { list, runs } = &self.keys;
        if runs.is_empty() {
            return list.iter().max();
        }
        runs.iter().filter_map(|run| list.get(*run.last()?)).max()
    }
}

/// Up to this number of keys, a linear search is fast: most names already differ in length.
const FEW: usize = 32;

/// Keys in insertion order and, if there are more than [`FEW`], sorted runs of their indices. Each run is more than
/// twice as long as the next; runs of similar length are merged. Lookups and, amortised, insertions take O(log² n)
/// comparisons for any sequence of keys. `BTreeMap` would do the same with ten times the code in the WebAssembly
/// module.
#[derive(Debug, Clone)]
struct Keys<K> {
    list: Vec<K>,
    runs: Vec<Vec<usize>>,
}

impl<K: PartialEq> PartialEq for Keys<K> {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

impl<K: Ord> Keys<K> {
    /// Returns the index of a key.
    #[inline(never)]
    fn index_of<Q: Ord + ?Sized>(&self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        if self.list.len() <= FEW {
            return self.list.iter().position(|known| known.borrow() == key);
        }
        let compare = |at: &usize| self.list.get(*at).map_or(Ordering::Less, |known| known.borrow().cmp(key));
        self.runs.iter().find_map(|run| run.get(run.binary_search_by(compare).ok()?).copied())
    }

    /// Adds a new key and returns its index.
    #[inline(never)]
    fn add(&mut self, key: K) -> usize {
        let at = self.list.len();
        self.list.push(key);
        match at.cmp(&FEW) {
            Ordering::Less => {}
            Ordering::Equal => (0..=FEW).for_each(|at| self.add_run(at)),
            Ordering::Greater => self.add_run(at),
        }
        at
    }

    /// Adds a run with a single index.
    #[inline(never)]
    fn add_run(&mut self, at: usize) {
        let mut run = vec![at];
        while let Some(last) = self.runs.pop_if(|last| last.len() <= 2 * run.len()) {
            run = self.merge(&last, &run);
        }
        self.runs.push(run);
    }

    /// Returns all indices in key order.
    fn sorted(&self) -> Vec<usize> {
        if self.runs.is_empty() {
            return (0..self.list.len()).fold(Vec::new(), |merged, at| self.merge(&merged, &[at]));
        }
        self.runs.iter().fold(Vec::new(), |merged, run| self.merge(&merged, run))
    }

    /// Merges two runs.
    #[inline(never)]
    fn merge(&self, left: &[usize], right: &[usize]) -> Vec<usize> {
        let mut merged = Vec::with_capacity(left.len() + right.len());
        let (mut left, mut right) = (left, right);
        while let (Some((l, left_rest)), Some((r, right_rest))) = (left.split_first(), right.split_first()) {
            if self.list.get(*r) < self.list.get(*l) {
                merged.push(*r);
                right = right_rest;
            } else {
                merged.push(*l);
                left = left_rest;
            }
        }
        merged.extend_from_slice(left);
        merged.extend_from_slice(right);
        merged
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn behaves_like_a_btree_map(entries in prop::collection::vec((any::<u8>(), any::<u32>()), 0..300), many in any::<bool>()) {
            let mut keyed: Keyed<u8, u32> = Keyed::default();
            let mut map = BTreeMap::new();
            for (key, value) in entries {
                let key = if many { key } else { key % (FEW as u8 + 2) };
                keyed.insert(key, value);
                map.insert(key, value);
            }
            prop_assert_eq!(keyed.sorted().collect::<Vec<_>>(), map.iter().collect::<Vec<_>>());
            prop_assert_eq!(keyed.last_key(), map.keys().last());
            for key in 0..=u8::MAX {
                prop_assert_eq!(keyed.get(&key), map.get(&key));
            }
        }
    }

    thread_local! {
        static COMPARED: Cell<u64> = const { Cell::new(0) };
    }

    #[derive(PartialEq, Eq)]
    struct Counted(u32);

    impl PartialOrd for Counted {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    impl Ord for Counted {
        fn cmp(&self, other: &Self) -> Ordering {
            COMPARED.set(COMPARED.get() + 1);
            self.0.cmp(&other.0)
        }
    }

    #[test]
    fn insertion_takes_few_comparisons_in_any_order() {
        let count = 20_000u32;
        let orders: [fn(u32) -> u32; 3] = [|n| n, |n| u32::MAX - n, |n| n.wrapping_mul(0x9e37_79b9)];
        for order in orders {
            COMPARED.set(0);
            let mut keyed = Keyed::default();
            for n in 0..count {
                keyed.insert(Counted(order(n)), n);
            }
            let each = COMPARED.get() / u64::from(count);
            assert!(each < 400, "{each} comparisons per key");
        }
    }
}
