//! A JSON value assembled from deltas.

use respool::json::PathStep;
use serde_json::Value;

/// Returns the value at a path. A new member or item is null.
pub(crate) fn find<'v>(root: &'v mut Value, path: &[PathStep]) -> &'v mut Value {
    path.iter().fold(root, |parent, step| match step {
        PathStep::Key(key) => parent.as_object_mut().unwrap().entry(key).or_insert(Value::Null),
        PathStep::Index(index) => {
            let (items, index) = (parent.as_array_mut().unwrap(), usize::try_from(*index).unwrap());
            assert!(index <= items.len(), "{path:?} leaves items out");
            if index == items.len() {
                items.push(Value::Null);
            }
            &mut items[index]
        }
    })
}

/// Appends to a string value.
pub(crate) fn append(place: &mut Value, text: &str) {
    let Value::String(string) = place else { panic!("expected a string, got {place}") };
    string.push_str(text);
}
