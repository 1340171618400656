//! The members and items of a value.

use std::borrow::Cow;

use super::{NodeId, Nodes, Source, Value};

/// Members of an object. See [`Value::others`].
pub struct Members<'a> {
    pub(super) members: std::vec::IntoIter<(Cow<'a, str>, NodeId)>,
    pub(super) object: Value<'a>,
}

impl<'a> Iterator for Members<'a> {
    type Item = (Cow<'a, str>, Value<'a>);

    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        let (name, node) = self.members.next()?;
        Some((name, Value { node, ..self.object }))
    }
}

/// Items of an array. See [`Value::items`].
pub struct Items<'a> {
    /// The array; nothing where the items are over.
    array: Option<Value<'a>>,
    /// Of an array whose items are listed in its document: the next one, and the node behind them all, which is 0 of
    /// any other array.
    next: NodeId,
    end: NodeId,
    /// Of any other array: the last one.
    previous: Option<NodeId>,
}

impl<'a> Items<'a> {
    /// Nothing.
    pub(crate) fn none() -> Self {
        Self { array: None, next: 0, end: 0, previous: None }
    }

    pub(super) fn of(array: Value<'a>) -> Self {
        let end = match &array.document.0 {
            Source::Text(tape) => tape.end_of_items(array.node),
            Source::Host(_) => 0,
        };
        Self { array: Some(array), next: array.node + 1, end, previous: None }
    }

    #[inline(never)]
    fn next_unlisted(&mut self, array: Value<'a>) -> Option<Value<'a>> {
        self.previous = ask!(array.next_item(self.previous));
        if self.previous.is_none() {
            self.array = None;
        }
        Some(Value { node: self.previous?, ..array })
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let array = self.array?;
        if self.end == 0 {
            return self.next_unlisted(array);
        }
        let node = self.next;
        if node >= self.end {
            return None;
        }
        if let Source::Text(tape) = &array.document.0 {
            self.next = tape.after(node);
        }
        Some(Value { node, ..array })
    }
}
