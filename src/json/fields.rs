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

/// Flag of members of another kind than declared.
const MISFIT: u8 = 0x20;

/// The shapes of values that each field is read from, as a set of bits; all of them for members that are kept anyway.
pub(crate) type Shapes = [u16; MAX_FIELDS];

/// The nodes of the fields of an object, plus one; 0 if a member is missing or `null`. The first element has the flags
/// of all members.
pub(crate) type Gathered = [NodeId; MAX_FIELDS];

/// Returns the shapes of each field by its declared kinds, which are a set of bits; 0 for any kind.
#[expect(clippy::indexing_slicing, reason = "at compile time")]
pub(crate) const fn shapes(kinds: &[u16]) -> Shapes {
    let mut shapes = [u16::MAX; MAX_FIELDS];
    let mut at = 0;
    while at < kinds.len() {
        if kinds[at] != 0 {
            shapes[at + 1] = kinds[at];
        }
        at += 1;
    }
    shapes
}

/// Returns the shapes of a kind of value, and of `null`, as a set of bits.
pub(crate) const fn shapes_of(kind: Kind) -> u16 {
    let shapes = match kind {
        Kind::Null => 0,
        Kind::Boolean => 1 << Shape::False as u16 | 1 << Shape::True as u16,
        Kind::Number => 1 << Shape::Number as u16,
        Kind::String => 1 << Shape::PlainString as u16 | 1 << Shape::EscapedString as u16,
        Kind::Array => 1 << Shape::Array as u16 | 1 << Shape::Numbers as u16,
        Kind::Object => 1 << Shape::Object as u16,
    };
    shapes | 1 << Shape::Null as u16
}

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
    /// The shapes of values that each of them is read from.
    pub(crate) shapes: Shapes,
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
        nodes[0] = u32::from(UNREAD | MISFIT);
        return nodes;
    };
    let mut seen = 0;
    for (node, name, value) in members {
        let slot = declared.slots[name.name as usize];
        let field = (slot & (UNREAD - 1)) as usize;
        nodes[field] = if value.shape == Shape::Null { 0 } else { node + 1 };
        let fits = declared.shapes[field] >> value.shape as u16 & 1 != 0;
        seen |= slot | if fits { 0 } else { MISFIT };
    }
    nodes[0] = u32::from(seen & (UNREAD | MISFIT));
    nodes
}

/// Whether there are members that the declaration doesn't read. For host objects, `gather` doesn't know that.
pub(crate) fn may_be_unread(nodes: &Gathered) -> bool {
    nodes[0] & u32::from(UNREAD) != 0
}

/// Keeps the members of an object that a declaration doesn't read, and those of another kind than declared.
#[inline(never)]
pub(crate) fn keep_unread(object: Value<'_>, nodes: &Gathered, declared: &Declared, kept: &mut Object) {
    if may_be_unread(nodes) {
        for (name, value) in object.unread(declared) {
            kept.put(&name, value);
        }
    }
    keep_misfits(object, nodes, declared, kept);
}

/// Keeps fields that their reader can't use, because they are of another kind than declared.
pub(crate) fn keep_misfits(object: Value<'_>, nodes: &Gathered, declared: &Declared, kept: &mut Object) {
    each_misfit(object, nodes, declared, &mut |name, value| kept.put(name, value));
}

/// Calls `read` with each field of another kind than declared.
#[inline(never)]
pub(crate) fn each_misfit<'a>(
    object: Value<'a>,
    nodes: &Gathered,
    declared: &Declared,
    read: &mut dyn FnMut(&str, Value<'a>),
) {
    if nodes[0] & u32::from(MISFIT) == 0 {
        return;
    }
    let fields = declared.read.iter().zip(declared.shapes.iter().zip(nodes).skip(1));
    for (name, (shapes, node)) in fields {
        if let Some(value) = object.sibling(NonZero::new(*node))
            && shapes & shapes_of(value.kind()) & !shapes_of(Kind::Null) == 0
        {
            read(name, value);
        }
    }
}

/// Declares the members of an object that are read: each becomes a method, and all are gathered in one pass. Members
/// that aren't declared are unread, and can be kept. Members after `also` are read, and count as unread too.
///
/// A field may declare the kinds of values that it is read from: a value of another kind is kept, too.
///
/// ```ignore
/// fields! {
///     /// A chunk.
///     struct Chunk { id: String, index: Number | String, choices, usage: Object } also { error, kind = "type" }
/// }
/// let chunk = Chunk::of(body);
/// let id = chunk.id().non_empty();
/// chunk.keep_unread(&mut extra);
/// ```
macro_rules! fields {
    ($(#[$about:meta])* $visibility:vis struct $Fields:ident {
        $($field:ident $(= $name:literal)? $(: $($kind:ident)|+)?),* $(,)?
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
            const KINDS: &'static [u16] =
                &[$($($($crate::json::shapes_of($crate::json::Kind::$kind))|+ |)? 0),*];

            fn declared() -> &'static $crate::json::Declared {
                static DECLARED: $crate::json::Declared = $crate::json::Declared {
                    slots: $crate::json::slots(
                        $Fields::READ,
                        &[$($($crate::json::fields!(@name $also $($also_name)?)),*)?],
                    ),
                    all: $Fields::ALL,
                    read: $Fields::READ,
                    shapes: $crate::json::shapes($Fields::KINDS),
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

            /// Whether there are unread members.
            $visibility fn has_unread(&self) -> bool {
                $crate::json::may_be_unread(&self.nodes) && self.whole.has_unread(Self::declared())
            }

            /// Whether all unread members, if any, are `null`.
            $visibility fn is_all_read(&self) -> bool {
                !$crate::json::may_be_unread(&self.nodes) || self.whole.is_read_by(Self::declared())
            }

            /// Calls `keep` with each unread member, in order.
            $visibility fn each_unread(&self, mut keep: impl FnMut(&str, $crate::json::Value<'a>)) {
                if $crate::json::may_be_unread(&self.nodes) {
                    for (name, value) in self.whole.unread(Self::declared()) {
                        keep(&name, value);
                    }
                }
            }

            /// Keeps the unread members, and those of another kind than declared.
            $visibility fn keep_unread(&self, kept: &mut $crate::json::Object) {
                $crate::json::keep_unread(self.whole, &self.nodes, Self::declared(), kept);
            }

            /// Appends the unread members, and keeps those of another kind than declared.
            $visibility fn append_unread(&self, kept: &mut $crate::json::Object) {
                self.each_unread(|name, value| kept.append(name, value));
                self.keep_misfits(kept);
            }

            /// Keeps members that are read but of another kind than declared.
            $visibility fn keep_misfits(&self, kept: &mut $crate::json::Object) {
                $crate::json::keep_misfits(self.whole, &self.nodes, Self::declared(), kept);
            }

            /// Whether members that are read are of another kind than declared.
            $visibility fn has_misfits(&self) -> bool {
                let mut has_misfits = false;
                let found = &mut |_: &str, _: $crate::json::Value<'a>| has_misfits = true;
                $crate::json::each_misfit(self.whole, &self.nodes, Self::declared(), found);
                has_misfits
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
