//! Lists of values that grow during a stream.

use std::ops::Deref;

use serde::{Serialize, Serializer};

use super::handover::{ListMark, list_handover_marker};
use super::{RawJson, ToJson};
use crate::save::state;

/// A list of values that grows.
#[derive(Debug, Default)]
pub(crate) struct List {
    items: Vec<RawJson>,
    /// The marker of the list when it is [handed over](super::handover), if it is long. A copy has none, because it
    /// would get another marker each time.
    mark: Option<Box<ListMark>>,
}

state! { struct List { items } anew { mark } }

/// Lists with fewer items are written in full each time.
const MIN_HANDED_OVER: usize = 16;

impl List {
    pub(crate) fn push(&mut self, item: RawJson) {
        self.items.push(item);
        if self.items.len() >= MIN_HANDED_OVER {
            self.mark.get_or_insert_default();
        }
    }

    pub(crate) fn extend(&mut self, items: impl IntoIterator<Item = RawJson>) {
        for item in items {
            self.push(item);
        }
    }

    /// Returns the items for a result; only the marker if the list is handed over.
    pub(crate) fn items_or_marker(&self) -> Vec<RawJson> {
        self.mark().map_or_else(|| self.items.clone(), |mark| vec![RawJson::string(&mark)])
    }

    fn mark(&self) -> Option<String> {
        list_handover_marker(&self.items, self.mark.as_deref()?)
    }
}

impl From<Vec<RawJson>> for List {
    fn from(items: Vec<RawJson>) -> Self {
        let mark = (items.len() >= MIN_HANDED_OVER).then(Box::default);
        Self { items, mark }
    }
}

impl Deref for List {
    type Target = [RawJson];

    fn deref(&self) -> &[RawJson] {
        &self.items
    }
}

impl Clone for List {
    fn clone(&self) -> Self {
        Self { items: self.items.clone(), mark: None }
    }
}

impl PartialEq for List {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items
    }
}

impl ToJson for List {
    fn write_json(&self, out: &mut String) {
        match self.mark() {
            Some(mark) => [mark].as_slice().write_json(out),
            None => self.items.write_json(out),
        }
    }
}

impl Serialize for List {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.items.serialize(serializer)
    }
}
