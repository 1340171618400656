//! The members of an object that a reader declares, gathered in one pass.
use std::borrow::Cow;
use std::num::NonZero;

use crate::json::names::{NameId, id_of};
use crate::json::tape::Shape;
use crate::json::{Fragment, Items, Kind, NodeId, Object, Value};

/// Maximum number of fields of a declaration, including one place for all other members.
const MAX_FIELDS: usize = 16;

/// The field of each name, by the id of the name: from 1 on, or 0 if there is none; and [`UNREAD`].
pub(crate) type Slots = [u8; 256];

/// Flag of members that the declaration doesn't read, or reads and also keeps.
const UNREAD: u8 = 0x10;

/// The nodes of the fields of an object, plus one; 0 if a member is missing or `null`. The first element says whether
/// there are unread members.
pub(crate) type Gathered = [NodeId; MAX_FIELDS];

/// Returns the field of each name, by the id of the name: first those of `fields`, then those of `also`.
#[expect(clippy::indexing_slicing, reason = "at compile time")]
pub(crate) const fn slots(fields: &[&str], also: &[&str]) -> Slots {
    let mut slots = [UNREAD; 256];
    let mut at = 0;
    while at < fields.len() {
        slots[id_of(fields[at]) as usize] = at as u8 + 1;
        at += 1;
    }
    while at < fields.len() + also.len() {
        slots[id_of(also[at - fields.len()]) as usize] = (at as u8 + 1) | UNREAD;
        at += 1;
    }
    assert!(at < MAX_FIELDS, "too many fields");
    slots
}

/// A declaration of fields.
#[derive(Debug)]
pub(crate) struct Declared {
    pub(crate) slots: Slots,
    /// Names of all fields, for host objects, which are queried for each.
    pub(crate) all: &'static [&'static str],
    /// Names of the fields that aren't also kept.
    pub(crate) read: &'static [&'static str],
    /// The kind of value that each of them is read from, if declared.
    pub(crate) kinds: &'static [Option<Kind>],
}

impl Declared {
    /// Whether the member with this name is read and not also kept.
    pub(super) fn reads(&self, name: NameId) -> bool {
        self.slots.get(name as usize).is_some_and(|slot| slot & UNREAD == 0)
    }
}

/// Gathers the fields of an object.
#[expect(clippy::indexing_slicing, reason = "no number of a name, and of a field, is beyond the end")]
#[inline(never)]
pub(crate) fn gather(object: Value<'_>, declared: &Declared) -> Gathered {
    let mut nodes: Gathered = [0; MAX_FIELDS];
    let Some(members) = object.members() else {
        for (node, name) in nodes.iter_mut().skip(1).zip(declared.all) {
            *node = object.get(name).map_or(0, |value| value.place().get());
        }
        nodes[0] = 1;
        return nodes;
    };
    let mut seen = 0;
    for (node, name, value) in members {
        let slot = declared.slots[name.name as usize];
        nodes[(slot & (UNREAD - 1)) as usize] = if value.shape == Shape::Null { 0 } else { node + 1 };
        seen |= slot;
    }
    nodes[0] = u32::from(seen & UNREAD);
    nodes
}

/// Keeps the members of an object that a declaration doesn't read and, if `is_whole`, those of another kind than
/// declared.
#[inline(never)]
pub(crate) fn keep_unread(
    object: Value<'_>,
    nodes: &Gathered,
    declared: &Declared,
    is_whole: bool,
    kept: &mut Object,
) {
    if nodes[0] != 0 {
        for (name, value) in object.unread(declared) {
            kept.put(&name, value);
        }
    }
    if is_whole {
        keep_misfits(object, nodes, declared, kept);
    }
}

/// Keeps fields that their reader can't use, because they are of another kind than declared.
#[inline(never)]
pub(crate) fn keep_misfits(object: Value<'_>, nodes: &Gathered, declared: &Declared, kept: &mut Object) {
    let fields = declared.read.iter().zip(declared.kinds);
    for ((name, kind), node) in fields.zip(nodes.iter().skip(1)) {
        if let (Some(kind), Some(value)) = (kind, object.sibling(NonZero::new(*node)))
            && value.kind() != *kind
        {
            kept.put(name, value);
        }
    }
}

/// Declares the members of an object that are read: each becomes a method, and all are gathered in one pass. Members
/// that aren't declared are unread, and can be kept. Members after `also` are read, and count as unread too.
///
/// A field may declare the kind of value that it is read from; see `keep_unread`.
///
/// ```ignore
/// fields! {
///     /// A chunk.
///     struct Chunk { id: String, choices, usage: Object } also { error, kind = "type" }
/// }
/// let chunk = Chunk::of(body);
/// let id = chunk.id().non_empty();
/// chunk.keep_unread(is_whole, &mut extra);
/// ```
macro_rules! fields {
    ($(#[$about:meta])* $visibility:vis struct $Fields:ident {
        $($field:ident $(= $name:literal)? $(: $kind:ident)?),* $(,)?
    } $(also { $($also:ident $(= $also_name:literal)?),* $(,)? })?) => {
        $(#[$about])*
        $visibility struct $Fields<'a> {
            $visibility whole: $crate::json::Value<'a>,
            nodes: $crate::json::Gathered,
        }

        #[allow(dead_code, reason = "not every declaration needs everything")]
        impl<'a> $Fields<'a> {
            /// The names of all members that are read and not also kept.
            $visibility const READ: &'static [&'static str] = Self::ALL.split_at([$(stringify!($field)),*].len()).0;
            const ALL: &'static [&'static str] = &[
                $($crate::json::fields!(@name $field $($name)?),)*
                $($($crate::json::fields!(@name $also $($also_name)?)),*)?
            ];
            const KINDS: &'static [Option<$crate::json::Kind>] = &[$($crate::json::fields!(@kind $($kind)?)),*];

            fn declared() -> &'static $crate::json::Declared {
                static DECLARED: $crate::json::Declared = $crate::json::Declared {
                    slots: $crate::json::slots(
                        $Fields::READ,
                        &[$($($crate::json::fields!(@name $also $($also_name)?)),*)?],
                    ),
                    all: $Fields::ALL,
                    read: $Fields::READ,
                    kinds: $Fields::KINDS,
                };
                &DECLARED
            }

            /// Gathers the members of this object.
            $visibility fn of(object: $crate::json::Value<'a>) -> Self {
                Self { whole: object, nodes: $crate::json::gather(object, Self::declared()) }
            }

            $crate::json::fields!(@fields ($visibility) 'a, 1, $($field,)* $($($also,)*)?);

            /// Returns the members that are read and not also kept, with their names.
            $visibility fn read(&self) -> impl Iterator<Item = (&'static str, $crate::json::Value<'a>)> {
                let nodes = self.nodes.iter().skip(1).map(|node| std::num::NonZero::new(*node));
                Self::READ.iter().zip(nodes).filter_map(|(name, node)| Some((*name, self.whole.sibling(node)?)))
            }

            /// Returns the first of these members, which few servers send and for which no field is declared.
            $visibility fn other(&self, names: &[&'static str]) -> Option<$crate::json::Value<'a>> {
                self.has_unread().then(|| self.whole.first(names))?
            }

            /// Whether there are unread members. For host objects, `gather` doesn't check that.
            $visibility fn has_unread(&self) -> bool {
                self.nodes[0] != 0 && self.whole.has_unread(Self::declared())
            }

            /// Whether all unread members, if any, are `null`.
            $visibility fn is_all_read(&self) -> bool {
                self.nodes[0] == 0 || self.whole.is_read_by(Self::declared())
            }

            /// Calls `keep` with each unread member, in order.
            $visibility fn each_unread(&self, mut keep: impl FnMut(&str, $crate::json::Value<'a>)) {
                if self.nodes[0] != 0 {
                    for (name, value) in self.whole.unread(Self::declared()) {
                        keep(&name, value);
                    }
                }
            }

            /// Keeps the unread members and, if the value arrived as a whole (`is_whole`), also those of another kind
            /// than declared.
            $visibility fn keep_unread(&self, is_whole: bool, kept: &mut $crate::json::Object) {
                $crate::json::keep_unread(self.whole, &self.nodes, Self::declared(), is_whole, kept);
            }

            /// Appends the unread members.
            $visibility fn append_unread(&self, kept: &mut $crate::json::Object) {
                self.each_unread(|name, value| kept.append(name, value));
            }

            /// Keeps members that are read but of another kind than declared.
            $visibility fn keep_misfits(&self, kept: &mut $crate::json::Object) {
                $crate::json::keep_misfits(self.whole, &self.nodes, Self::declared(), kept);
            }
        }
    };
    (@fields ($visibility:vis) $a:lifetime, $at:expr,) => {};
    (@fields ($visibility:vis) $a:lifetime, $at:expr, $field:ident, $($rest:ident,)*) => {
        $visibility fn $field(&self) -> Option<$crate::json::Value<$a>> {
            self.whole.sibling(std::num::NonZero::new(self.nodes[$at]))
        }

        $crate::json::fields!(@fields ($visibility) $a, $at + 1, $($rest,)*);
    };
    (@name $field:ident $name:literal) => { $name };
    (@name $field:ident) => { stringify!($field) };
    (@kind $kind:ident) => { Some($crate::json::Kind::$kind) };
    (@kind) => { None };
}
pub(crate) use fields;

/// Accessors of a member that may be missing.
pub(crate) trait Field<'a> {
    /// See [`Value::text`].
    fn text(self) -> Option<Cow<'a, str>>;
    /// See [`Value::non_empty`].
    fn non_empty(self) -> Option<&'a str>;
    /// Returns the member unless it is an empty string, which another member may replace.
    fn said(self) -> Option<Value<'a>>;
    /// See [`Value::fragment`].
    fn fragment(self) -> Option<Fragment<'a>>;
    /// See [`Value::scalar_fragment`].
    fn scalar_fragment(self) -> Option<Fragment<'a>>;
    /// See [`Value::unsigned`].
    fn unsigned(self) -> Option<u64>;
    /// See [`Value::items`].
    fn items(self) -> Items<'a>;
    /// See [`Value::is`].
    fn equals(self, text: &str) -> bool;
}

impl<'a> Field<'a> for Option<Value<'a>> {
    fn text(self) -> Option<Cow<'a, str>> {
        self?.text()
    }

    fn non_empty(self) -> Option<&'a str> {
        self?.non_empty()
    }

    fn said(self) -> Option<Value<'a>> {
        self.filter(|value| !value.is(""))
    }

    fn fragment(self) -> Option<Fragment<'a>> {
        self?.fragment()
    }

    fn scalar_fragment(self) -> Option<Fragment<'a>> {
        self?.scalar_fragment()
    }

    fn unsigned(self) -> Option<u64> {
        self?.unsigned()
    }

    fn items(self) -> Items<'a> {
        self.map_or(Items::none(), Value::items)
    }

    fn equals(self, text: &str) -> bool {
        self.is_some_and(|value| value.is(text))
    }
}
