//! JavaScript objects, read lazily through [`Document`]: no object is copied or serialised as a whole.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, JsString};
use wasm_bindgen::{JsCast, JsValue};

use super::errors::message_of;
use super::host;
use crate::json::{Document, Fragment, Kind, NodeId, Nodes, RawJson, Value};

/// So many items of an array are read: no provider sends as many, and a sparse array may claim to have four
/// thousand million.
const MAX_ITEMS: u32 = 1 << 18;

/// U+FFFD, in place of a lone surrogate.
const REPLACEMENT: &str = "\u{fffd}";

const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_992.0;

/// A JavaScript value as a document.
pub(super) struct JsDocument {
    document: Document<'static>,
    trouble: Trouble,
}

/// Why a member could not be read: what its getter threw.
type Trouble = Rc<RefCell<Option<String>>>;

impl JsDocument {
    pub(super) fn new(root: JsValue) -> Self {
        let trouble = Trouble::default();
        let nodes = RefCell::new(vec![Node { value: root, position: 0 }]);
        Self { document: Document::host(JsNodes { nodes, trouble: Rc::clone(&trouble) }), trouble }
    }

    pub(super) fn root(&self) -> Value<'_> {
        self.document.root()
    }

    /// Why something could not be read, if anything could not.
    pub(super) fn trouble(&self) -> Option<String> {
        self.trouble.borrow().clone()
    }
}

/// The values that have been looked at.
struct JsNodes {
    nodes: RefCell<Vec<Node>>,
    trouble: Trouble,
}

#[derive(Clone)]
struct Node {
    value: JsValue,
    /// For an item of an array: where it stands in it.
    position: u32,
}

impl JsNodes {
    fn add(&self, value: JsValue, position: u32) -> NodeId {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node { value, position });
        NodeId::try_from(nodes.len() - 1).unwrap_or(NodeId::MAX)
    }

    fn value(&self, node: NodeId) -> JsValue {
        self.nodes.borrow().get(node as usize).map_or(JsValue::UNDEFINED, |node| node.value.clone())
    }

    /// The value of a read that may have thrown.
    fn settle(&self, read: Result<JsValue, JsValue>) -> Option<JsValue> {
        match read {
            Ok(value) => Some(value),
            Err(thrown) => {
                self.trouble.borrow_mut().get_or_insert_with(|| message_of(&thrown));
                None
            }
        }
    }

    fn stringify(&self, node: NodeId) -> Option<String> {
        self.settle(host::stringify(&self.value(node)))?.as_string()
    }
}

impl Nodes for JsNodes {
    fn kind(&self, node: NodeId) -> Kind {
        match host::kind(&self.value(node)) {
            1 => Kind::Boolean,
            2 => Kind::Number,
            3 => Kind::String,
            4 => Kind::Array,
            5 => Kind::Object,
            _ => Kind::Null,
        }
    }

    fn member(&self, object: NodeId, name: &'static str) -> Option<NodeId> {
        let object = self.value(object);
        if !object.is_object() {
            return None;
        }
        let value = host::member(&object, name.as_ptr(), name.len());
        let value = self.settle(value)?;
        (!value.is_undefined()).then(|| self.add(value, 0))
    }

    fn other_members(&self, object: NodeId, known: &'static [&'static str]) -> Vec<(String, NodeId)> {
        let object = self.value(object);
        if !object.is_object() {
            return Vec::new();
        }
        let others = host::other_members(&object, known.as_ptr(), known.len());
        let Some(Ok(others)) = self.settle(others).map(JsCast::dyn_into::<Array>) else { return Vec::new() };
        let pairs = (0..others.length() / 2).map(|pair| (others.get(pair * 2), others.get(pair * 2 + 1)));
        pairs.filter_map(|(name, value)| Some((name.as_string()?, self.add(value, 0)))).collect()
    }

    fn next_item(&self, array: NodeId, previous: Option<NodeId>) -> Option<NodeId> {
        if self.kind(array) != Kind::Array {
            return None;
        }
        let position = match previous {
            None => 0,
            Some(item) => self.nodes.borrow().get(item as usize)?.position + 1,
        };
        let item =
            (position < MAX_ITEMS).then(|| self.settle(host::item(&self.value(array), position)))??;
        // Past the end; within an array JSON knows no undefined.
        (!item.is_undefined()).then(|| self.add(item, position))
    }

    fn fragment(&self, string: NodeId) -> Option<Fragment<'_>> {
        let value = self.value(string);
        let text = value.as_string()?;
        if !text.as_bytes().windows(REPLACEMENT.len()).any(|bytes| bytes == REPLACEMENT.as_bytes()) {
            return Some(Fragment { lead: None, text: text.into(), trail: None });
        }
        // A lone surrogate comes as U+FFFD; at the ends it may be one half of a character.
        let units = value.unchecked_ref::<JsString>();
        #[expect(
            clippy::cast_sign_loss,
            reason = "a code unit has 16 bits; NaN, where there is none, becomes 0"
        )]
        let unit_at = |index: u32| units.char_code_at(index) as u16;
        let last = units.length().saturating_sub(1);
        let lead = Some(unit_at(0)).filter(|unit| (0xdc00..0xe000).contains(unit));
        let trail = Some(unit_at(last)).filter(|unit| (0xd800..0xdc00).contains(unit));
        let text = if lead.is_some() { text.strip_prefix(REPLACEMENT).unwrap_or(&text) } else { &text };
        let text = if trail.is_some() { text.strip_suffix(REPLACEMENT).unwrap_or(text) } else { text };
        Some(Fragment { lead, text: text.to_owned().into(), trail })
    }

    fn number(&self, number: NodeId) -> Option<f64> {
        let value = self.value(number);
        #[expect(clippy::cast_precision_loss, reason = "as JavaScript's Number() does")]
        let of_bigint = |value| u64::try_from(value).ok().map(|number| number as f64);
        value.as_f64().or_else(|| of_bigint(value))
    }

    fn unsigned(&self, number: NodeId) -> Option<u64> {
        let number = self.number(number)?;
        let is_unsigned = (0.0..=MAX_SAFE_INTEGER).contains(&number) && number.fract() == 0.0;
        #[expect(clippy::cast_sign_loss, reason = "the range was checked")]
        is_unsigned.then_some(number as u64)
    }

    fn boolean(&self, boolean: NodeId) -> Option<bool> {
        self.value(boolean).as_bool()
    }

    fn raw(&self, node: NodeId) -> Option<RawJson> {
        Some(RawJson::valid(self.stringify(node)?))
    }

    fn compact(&self, node: NodeId) -> Option<String> {
        self.stringify(node)
    }
}
