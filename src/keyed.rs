//! Values by their keys.

use std::borrow::Borrow;
use std::collections::BTreeMap;

/// Values by their keys, in the order in which they came, and also in the order of the keys.
///
/// The values are in a list, and a tree has only their places. So all maps with one type of key share the
/// code of one tree, which would else be a twentieth of the whole module for each of them. A tree, because
/// nobody can choose keys that make it slow.
#[derive(Debug)]
pub(crate) struct Keyed<K, T> {
    places: BTreeMap<K, usize>,
    list: Vec<(K, T)>,
}

impl<K, T> Default for Keyed<K, T> {
    fn default() -> Self {
        Self { places: BTreeMap::new(), list: Vec::new() }
    }
}

impl<K: PartialEq, T: PartialEq> PartialEq for Keyed<K, T> {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

impl<K: Ord + Clone, T: Clone> Clone for Keyed<K, T> {
    fn clone(&self) -> Self {
        let mut clone = Self::default();
        for (key, value) in &self.list {
            clone.insert(key.clone(), value.clone());
        }
        clone
    }
}

impl<K: Ord + Clone, T> Keyed<K, T> {
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&T>
    where
        K: Borrow<Q>,
    {
        self.list.get(*self.places.get(key)?).map(|(_, value)| value)
    }

    pub(crate) fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut T>
    where
        K: Borrow<Q>,
    {
        self.list.get_mut(*self.places.get(key)?).map(|(_, value)| value)
    }

    /// The value of a key, which is made where there is none.
    pub(crate) fn entry(&mut self, key: K, make: impl FnOnce() -> T) -> &mut T {
        let next = self.list.len();
        let at = *self.places.entry(key.clone()).or_insert(next);
        if at == next {
            self.list.push((key, make()));
        }
        // The places are those of the list, and nothing is ever taken out.
        #[expect(clippy::indexing_slicing, reason = "see above")]
        &mut self.list[at].1
    }

    /// Sets the value of a key.
    pub(crate) fn insert(&mut self, key: K, value: T) {
        match self.get_mut(&key) {
            Some(known) => *known = value,
            None => {
                self.entry(key, || value);
            }
        }
    }

    /// In the order in which they came.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &T)> {
        self.list.iter().map(|(key, value)| (key, value))
    }

    /// In the order in which they came.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.list.iter_mut().map(|(_, value)| value)
    }

    /// In the order of the keys.
    pub(crate) fn sorted(&self) -> impl Iterator<Item = (&K, &T)> {
        self.places.values().filter_map(|at| self.list.get(*at)).map(|(key, value)| (key, value))
    }

    /// The greatest key.
    pub(crate) fn last_key(&self) -> Option<&K> {
        self.places.last_key_value().map(|(key, _)| key)
    }
}
