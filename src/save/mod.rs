//! What is under way, written as bytes and read again.
//!
//! A type that can be saved has [`State`], mostly by [`state!`]: its fields are listed once, and one that is left out
//! doesn't compile. What is only there to save time isn't saved. [`envelope`] puts the bytes into a form that shows
//! damage.

mod envelope;
mod pack;
mod reader;
mod simple;
#[cfg(test)]
mod tests;
mod writer;

pub(crate) use envelope::{Kind, open, seal};
pub(crate) use reader::Reader;
pub(crate) use writer::Writer;

/// What can be written and read again.
pub(crate) trait State: Sized {
    /// Writes it: at least one byte.
    fn save(&self, to: &mut Writer);

    /// Reads what [`save`](Self::save) wrote; anything, where the reader [fails](Reader::fail).
    fn load(from: &mut Reader<'_>) -> Self;

    /// Writes a list of them, whose length is known to the reader.
    fn save_list(list: &[Self], to: &mut Writer) {
        for item in list {
            item.save(to);
        }
    }

    /// Reads a list of so many.
    fn load_list(length: usize, from: &mut Reader<'_>) -> Vec<Self> {
        let mut list = Vec::new();
        while list.len() < length && !from.has_failed() {
            list.push(Self::load(from));
        }
        list
    }
}

/// A state on its own, as bytes.
pub(crate) fn to_bytes<T: State>(state: &T) -> Vec<u8> {
    let mut writer = Writer::default();
    state.save(&mut writer);
    writer.into_bytes()
}

/// The state that such bytes are; `None` if they are none.
pub(crate) fn from_bytes<T: State>(bytes: &[u8]) -> Option<T> {
    let mut reader = Reader::new(bytes);
    let state = T::load(&mut reader);
    reader.finish(state)
}

/// Implements [`State`] for a struct or an enum of this module.
///
/// ```ignore
/// state! { struct Channel { text, half } anew { mark } }
/// state! { enum Reading { 0 Between, 1 Mark(read), 2 Large { left as length } } }
/// ```
///
/// Members after `anew` aren't saved: they begin with their default. The method after `if` says whether members fit each
/// other. The number of a variant is what is saved of it; one has the number 0 and doesn't contain itself. What has no [`State`] of its own is saved by the functions `save`
/// and `load` of the module after `as`.
macro_rules! state {
    (
        struct $type:ident { $($field:ident $(as $with:ident)?),* $(,)? }
        $(anew { $($fresh:ident),* $(,)? })?
        $(if $is_sound:ident)?
    ) => {
        impl $crate::save::State for $type {
            fn save(&self, to: &mut $crate::save::Writer) {
                let Self { $($field,)* $($($fresh: _,)*)? } = self;
                $( $crate::save::save_field!($field, to $(, $with)?); )*
            }
            fn load(from: &mut $crate::save::Reader<'_>) -> Self {
                let loaded = Self {
                    $( $field: $crate::save::load_field!(from $(, $with)?), )*
                    $($( $fresh: Default::default(), )*)?
                };
                $( if !loaded.$is_sound() {
                    from.fail();
                } )?
                loaded
            }
        }
    };
    (struct $type:ident ( $($item:ident),* )) => {
        impl $crate::save::State for $type {
            fn save(&self, to: &mut $crate::save::Writer) {
                let Self($($item),*) = self;
                $( $crate::save::save_field!($item, to); )*
            }
            fn load(from: &mut $crate::save::Reader<'_>) -> Self {
                $( let $item = $crate::save::load_field!(from); )*
                Self($($item),*)
            }
        }
    };
    (enum $type:ident {
        $(
            $number:literal $variant:ident
            $(( $($item:ident $(as $item_with:ident)?),* ))?
            $({ $($field:ident $(as $with:ident)?),* })?
        ),* $(,)?
    }) => {
        impl $crate::save::State for $type {
            fn save(&self, to: &mut $crate::save::Writer) {
                match self {
                    $( Self::$variant $(( $($item),* ))? $({ $($field),* })? => {
                        to.byte($number);
                        $($( $crate::save::save_field!($item, to $(, $item_with)?); )*)?
                        $($( $crate::save::save_field!($field, to $(, $with)?); )*)?
                    } )*
                }
            }
            fn load(from: &mut $crate::save::Reader<'_>) -> Self {
                loop {
                    match from.byte() {
                        $( $number => {
                            $($( let $item = $crate::save::load_field!(from $(, $item_with)?); )*)?
                            $($( let $field = $crate::save::load_field!(from $(, $with)?); )*)?
                            return Self::$variant $(( $($item),* ))? $({ $($field),* })?;
                        } )*
                        // Then comes a zero.
                        _ => from.fail(),
                    }
                }
            }
        }
    };
}

macro_rules! save_field {
    ($field:ident, $to:ident) => {
        $crate::save::State::save($field, $to)
    };
    ($field:ident, $to:ident, $with:ident) => {
        $with::save(*$field, $to)
    };
}

macro_rules! load_field {
    ($from:ident) => {
        $crate::save::State::load($from)
    };
    ($from:ident, $with:ident) => {
        $with::load($from)
    };
}

/// The functions of a provider that save it: all that it is, is its [`State`].
macro_rules! saved_as_it_is {
    () => {
        fn save(&self) -> Option<Vec<u8>> {
            Some($crate::save::to_bytes(self))
        }

        fn restore(&mut self, state: &[u8]) -> bool {
            let restored = $crate::save::from_bytes(state).map(|restored| *self = restored);
            restored.is_some()
        }
    };
}

pub(crate) use {load_field, save_field, saved_as_it_is, state};
