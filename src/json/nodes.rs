//! What a document asks the place where its values live.

use std::borrow::Cow;
use std::ops::Range;

use crate::json::{Fragment, RawJson};

/// Names a value inside its [`Document`](crate::json::Document); 0 is the outermost one.
pub type NodeId = u32;

/// What a JSON value is.
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
    /// An array of the host, which has it as numbers already: by this number the host knows it.
    OfHost(u32),
}

/// The values of a document, by number.
///
/// A node that is not of the kind that a method is for has nothing to give: `None`, or an empty list.
/// No method fails: a host object whose getter throws reads as absent, and remembers why.
pub trait Nodes: Send + Sync {
    /// What the node is.
    fn kind(&self, node: NodeId) -> Kind;
    /// The member of an object, unless it is `null`. Of several with one name the last counts, as in
    /// JavaScript.
    fn member(&self, object: NodeId, name: &'static str) -> Option<NodeId>;
    /// The names and values of all members of an object whose names are not in `known`, in their order.
    fn other_members(&self, object: NodeId, known: &'static [&'static str]) -> Vec<(Cow<'_, str>, NodeId)>;
    /// The item of an array after `previous`; the first one after `None`.
    fn next_item(&self, array: NodeId, previous: Option<NodeId>) -> Option<NodeId>;
    /// All items of an array that has numbers and nothing else, where that is quicker than one by one;
    /// `None` for any other, and where it is not.
    fn numbers(&self, _array: NodeId) -> Option<Numbers> {
        None
    }
    /// The text of a string.
    fn fragment(&self, string: NodeId) -> Option<Fragment<'_>>;
    /// Whether a string is this text.
    fn is(&self, string: NodeId, text: &str) -> bool {
        self.fragment(string).is_some_and(|fragment| fragment.is(text))
    }
    /// The value of a number, as JavaScript would read it.
    fn number(&self, number: NodeId) -> Option<f64>;
    /// The value of a number that is a whole number from 0 to 2^53.
    fn unsigned(&self, number: NodeId) -> Option<u64>;
    /// The value of a boolean.
    fn boolean(&self, boolean: NodeId) -> Option<bool>;
    /// The value as JSON text: the very text where it came as text. `None` where a host object cannot
    /// be written as JSON (a cycle, a big integer).
    fn raw(&self, node: NodeId) -> Option<RawJson>;
    /// The value as `JSON.stringify` writes it, but for numbers, which are kept as they are written.
    fn compact(&self, node: NodeId) -> Option<String>;
    /// Where in its text the value is, if that is where the document lives.
    fn span(&self, _node: NodeId) -> Option<Range<usize>> {
        None
    }
}
