//! The interface between a document and the source of its values.

use std::borrow::Cow;
use std::ops::Range;

use crate::json::{Fragment, RawJson};

/// The id of a value within its [`Document`](crate::json::Document); 0 is the outermost value.
pub type NodeId = u32;

/// The kind of a JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `null`; in JavaScript also `undefined`, functions and symbols.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// The items of an array of numbers. See [`Value::numbers`](crate::json::Value::numbers).
#[derive(Debug, Clone, PartialEq)]
pub enum Numbers {
    /// Their values, as JavaScript would read them.
    Read(Vec<f64>),
    /// An array that the host already has as numbers, by the number under which the host keeps it.
    OfHost(u32),
}

/// The values of a document, by node.
///
/// A method returns `None` or an empty list for a node of another kind. No method fails: a host object whose getter
/// throws reads as absent, and remembers the reason.
pub trait Nodes: Send + Sync {
    /// Returns the kind of the node.
    fn kind(&self, node: NodeId) -> Kind;
    /// Returns a member of an object, unless it is `null`. Of several with the same name the last one counts, as in
    /// JavaScript.
    fn member(&self, object: NodeId, name: &'static str) -> Option<NodeId>;
    /// Returns the names and values of all members of an object that aren't in `known`, in order.
    fn other_members(&self, object: NodeId, known: &'static [&'static str]) -> Vec<(Cow<'_, str>, NodeId)>;
    /// Returns the item of an array after `previous`; the first one after `None`.
    fn next_item(&self, array: NodeId, previous: Option<NodeId>) -> Option<NodeId>;
    /// Returns the items of an array of numbers, if that is faster than one by one; otherwise `None`.
    fn numbers(&self, _array: NodeId) -> Option<Numbers> {
        None
    }
    /// Returns the text of a string.
    fn fragment(&self, string: NodeId) -> Option<Fragment<'_>>;
    /// Whether a string has this text.
    fn is(&self, string: NodeId, text: &str) -> bool {
        self.fragment(string).is_some_and(|fragment| fragment.is(text))
    }
    /// Returns the value of a number, as JavaScript would read it.
    fn number(&self, number: NodeId) -> Option<f64>;
    /// Returns the value of a number that is a whole number from 0 to 2^53.
    fn unsigned(&self, number: NodeId) -> Option<u64>;
    /// Returns the value of a boolean.
    fn boolean(&self, boolean: NodeId) -> Option<bool>;
    /// Returns the value as JSON text, unchanged if the document is text. `None` if a host object can't be written as
    /// JSON (a cycle, a big integer).
    fn raw(&self, node: NodeId) -> Option<RawJson>;
    /// Returns the value as `JSON.stringify` writes it, except that numbers stay as they are written.
    fn compact(&self, node: NodeId) -> Option<String>;
    /// Returns the byte range of the value, if the document is text.
    fn span(&self, _node: NodeId) -> Option<Range<usize>> {
        None
    }
}
