//! JavaScript objects, read lazily through [`Document`]: no object is copied or serialised as a whole.
//!
//! The values stay in JavaScript, in a list, and are accessed by their index in it.

use std::borrow::Cow;

use wasm_bindgen::JsValue;

use super::host;
use crate::json::{Document, Fragment, Kind, NodeId, Nodes, Numbers, RawJson, Value};

/// Maximum number of items read of an array. No provider sends as many, and a sparse array may claim to have four
/// billion.
const MAX_ITEMS: u32 = 1 << 18;

/// U+FFFD, which replaces a lone surrogate.
const REPLACEMENT: &str = "\u{fffd}";

const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_992.0;

/// A JavaScript value as a document. Open documents are closed in reverse order, as Rust drops them.
pub(super) struct JsDocument(Document<'static>);

impl JsDocument {
    pub(super) fn new(root: &JsValue) -> Self {
        Self::opened(host::open_document(root))
    }

    /// Wraps a document that JavaScript has opened, by the number of its root.
    pub(super) fn opened(root: u32) -> Self {
        Self(Document::host(JsNodes { root }))
    }

    pub(super) fn root(&self) -> Value<'_> {
        self.0.root()
    }

    /// Returns why a value couldn't be read, if any couldn't since the last call.
    pub(super) fn take_trouble() -> Option<String> {
        host::take_trouble()
    }
}

/// The values from index `root` of the list on.
struct JsNodes {
    root: u32,
}

impl JsNodes {
    /// Returns the index of a node in the list.
    fn place(&self, node: NodeId) -> u32 {
        self.root + node
    }

    /// Returns the node at an index of the list. 0 stands for no node.
    fn node(&self, place: u32) -> Option<NodeId> {
        place.checked_sub(self.root).filter(|_| place != 0)
    }
}

impl Drop for JsNodes {
    fn drop(&mut self) {
        host::close_document(self.root);
    }
}

impl Nodes for JsNodes {
    fn kind(&self, node: NodeId) -> Kind {
        match host::kind(self.place(node)) {
            1 => Kind::Boolean,
            2 => Kind::Number,
            3 => Kind::String,
            4 => Kind::Array,
            5 => Kind::Object,
            _ => Kind::Null,
        }
    }

    fn member(&self, object: NodeId, name: &'static str) -> Option<NodeId> {
        self.node(host::member(self.place(object), name.as_ptr(), name.len()))
    }

    fn other_members(&self, object: NodeId, known: &'static [&'static str]) -> Vec<(Cow<'_, str>, NodeId)> {
        let first = host::node_count();
        host::other_members(self.place(object), known.as_ptr(), known.len());
        let mut others = Vec::new();
        for place in first..host::node_count() {
            others.push((host::name_of(place).into(), place - self.root));
        }
        others
    }

    fn next_item(&self, array: NodeId, previous: Option<NodeId>) -> Option<NodeId> {
        if self.kind(array) != Kind::Array {
            return None;
        }
        let previous = previous.map_or(0, |item| self.place(item));
        self.node(host::next_item(self.place(array), previous, MAX_ITEMS))
    }

    fn numbers(&self, array: NodeId) -> Option<Numbers> {
        let place = self.place(array);
        host::is_vector(place).then_some(Numbers::OfHost(place))
    }

    fn fragment(&self, string: NodeId) -> Option<Fragment<'_>> {
        let text = host::text_of(self.place(string))?;
        #[cfg(feature = "planted-faults")]
        super::planted::fail_if_asked(text.as_bytes());
        // The first byte of U+FFFD in UTF-8, which few other characters have.
        if !text.as_bytes().contains(&0xef) {
            return Some(Fragment { lead: None, text: text.into(), trail: None });
        }
        // A lone surrogate arrives as U+FFFD. At either end of the string it may be half of a character.
        let halves = host::halves_of(self.place(string));
        let half = |unit: u32| u16::try_from(unit).ok().filter(|unit| *unit != 0);
        let (lead, trail) = (half(halves >> 16), half(halves & 0xffff));
        let text = if lead.is_some() { text.strip_prefix(REPLACEMENT).unwrap_or(&text) } else { &text };
        let text = if trail.is_some() { text.strip_suffix(REPLACEMENT).unwrap_or(text) } else { text };
        Some(Fragment { lead, text: text.to_owned().into(), trail })
    }

    fn is(&self, string: NodeId, text: &str) -> bool {
        // Compares lengths first, as strings may be long and are mostly compared with short words.
        let may_be = match usize::try_from(host::length_of(self.place(string))) {
            Ok(length) => length <= text.len(),
            Err(_) => true,
        };
        may_be && self.fragment(string).is_some_and(|fragment| fragment.is(text))
    }

    fn number(&self, number: NodeId) -> Option<f64> {
        let value = host::number_of(self.place(number));
        (!value.is_nan() || self.kind(number) == Kind::Number).then_some(value)
    }

    fn unsigned(&self, number: NodeId) -> Option<u64> {
        let number = self.number(number)?;
        let is_unsigned = (0.0..=MAX_SAFE_INTEGER).contains(&number) && number.fract() == 0.0;
        #[expect(clippy::cast_sign_loss, reason = "the range was checked")]
        is_unsigned.then_some(number as u64)
    }

    fn boolean(&self, boolean: NodeId) -> Option<bool> {
        host::boolean_of(self.place(boolean))
    }

    fn raw(&self, node: NodeId) -> Option<RawJson> {
        self.compact(node).map(RawJson::valid)
    }

    fn compact(&self, node: NodeId) -> Option<String> {
        host::stringify(self.place(node))
    }
}
