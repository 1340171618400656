//! Saves streams in progress as bytes, and restores them.
//!
//! A type that can be saved implements [`State`], usually with [`state!`]: its fields are listed once, and a missing
//! one is a compile error. One function saves and loads. Caches aren't saved. [`envelope`] adds a checksum, which
//! detects damage.

mod coder;
mod envelope;
mod pack;
mod reader;
mod simple;
#[cfg(test)]
mod tests;
mod writer;

pub(crate) use coder::Coder;
pub(crate) use envelope::{Kind, open, seal};
use reader::Reader;
use writer::Writer;

/// A value that can be saved and loaded.
pub(crate) trait State {
    /// Returns the value into which a saved one is loaded.
    fn blank() -> Self
    where
        Self: Sized;

    /// Saves the value, as at least one byte, or loads a saved one into a [blank](Self::blank) value. If the coder
    /// [fails](Coder::fail), the loaded value is arbitrary.
    fn code(&mut self, coder: &mut Coder<'_>);

    /// Saves a list of such values, or loads one of `length` items.
    fn code_list(list: &mut Vec<Self>, length: usize, coder: &mut Coder<'_>)
    where
        Self: Sized,
    {
        for at in 0..length {
            if at == list.len() {
                list.push(Self::blank());
            }
            match list.get_mut(at) {
                Some(item) if !coder.has_failed() => item.code(coder),
                _ => break,
            }
        }
    }
}

/// Saves a state without an envelope.
pub(crate) fn to_bytes(state: &mut dyn State) -> Vec<u8> {
    let mut coder = Coder::saving();
    state.code(&mut coder);
    coder.into_bytes()
}

/// Loads bytes of [`to_bytes`] into a blank state. Returns whether they are valid.
pub(crate) fn load_bytes(state: &mut dyn State, bytes: &[u8]) -> bool {
    let mut coder = Coder::loading(bytes);
    state.code(&mut coder);
    coder.is_complete()
}

/// Implements [`State`] for a struct or an enum of this module.
///
/// ```ignore
/// state! { struct Channel { text, half } anew { mark } }
/// state! { enum Reading { 0 Between, 1 Mark(read), 2 Large { left as length } } }
/// ```
///
/// Fields after `anew` aren't saved and start with their default. The method after `if` checks that the loaded fields
/// are consistent. Variants are numbered from 0 without gaps; the number is what is saved. The first variant must not
/// contain its own type. `as` names a module whose function `code` saves and loads a field without a [`State`]; the
/// field starts with its default.
macro_rules! state {
    (
        struct $type:ident { $($field:ident $(as $with:ident)?),* $(,)? }
        $(anew { $($fresh:ident),* $(,)? })?
        $(if $is_sound:ident)?
    ) => {
        impl $crate::save::State for $type {
            fn blank() -> Self {
                Self {
                    $( $field: $crate::save::blank!($($with)?), )*
                    $($( $fresh: Default::default(), )*)?
                }
            }
            fn code(&mut self, coder: &mut $crate::save::Coder<'_>) {
                let Self { $($field,)* $($($fresh: _,)*)? } = self;
                $( $crate::save::code!($field, coder $(, $with)?); )*
                $( coder.check(self.$is_sound()); )?
            }
        }
    };
    (struct $type:ident ( $($item:ident),* )) => {
        impl $crate::save::State for $type {
            fn blank() -> Self {
                $( let $item = $crate::save::State::blank(); )*
                Self($($item),*)
            }
            fn code(&mut self, coder: &mut $crate::save::Coder<'_>) {
                let Self($($item),*) = self;
                $( $crate::save::State::code($item, coder); )*
            }
        }
    };
    (enum $type:ident {
        0 $first:ident
        $(( $($first_item:ident $(as $first_item_with:ident)?),* ))?
        $({ $($first_field:ident $(as $first_with:ident)?),* })?
        $(,
            $number:literal $variant:ident
            $(( $($item:ident $(as $item_with:ident)?),* ))?
            $({ $($field:ident $(as $with:ident)?),* })?
        )* $(,)?
    }) => {
        impl $crate::save::State for $type {
            fn blank() -> Self {
                $($( let $first_item = $crate::save::blank!($($first_item_with)?); )*)?
                Self::$first $(( $($first_item),* ))? $({ $($first_field: $crate::save::blank!($($first_with)?)),* })?
            }
            fn code(&mut self, coder: &mut $crate::save::Coder<'_>) {
                let known = match self {
                    Self::$first { .. } => 0,
                    $( Self::$variant { .. } => $number, )*
                };
                let number = coder.variant(known, [0 $(, $number)*].len());
                if number != known {
                    *self = match number {
                        $( $number => {
                            $($( let $item = $crate::save::blank!($($item_with)?); )*)?
                            Self::$variant $(( $($item),* ))? $({ $($field: $crate::save::blank!($($with)?)),* })?
                        } )*
                        _ => Self::blank(),
                    };
                }
                match self {
                    Self::$first $(( $($first_item),* ))? $({ $($first_field),* })? => {
                        $($( $crate::save::code!($first_item, coder $(, $first_item_with)?); )*)?
                        $($( $crate::save::code!($first_field, coder $(, $first_with)?); )*)?
                    }
                    $( Self::$variant $(( $($item),* ))? $({ $($field),* })? => {
                        $($( $crate::save::code!($item, coder $(, $item_with)?); )*)?
                        $($( $crate::save::code!($field, coder $(, $with)?); )*)?
                    } )*
                }
            }
        }
    };
}

macro_rules! code {
    ($field:ident, $coder:ident) => {
        $crate::save::State::code($field, $coder)
    };
    ($field:ident, $coder:ident, $with:ident) => {
        $with::code($field, $coder)
    };
}

macro_rules! blank {
    () => {
        $crate::save::State::blank()
    };
    ($with:ident) => {
        Default::default()
    };
}

/// Implements a provider's `save` and `restore` with its [`State`].
macro_rules! saved_as_it_is {
    () => {
        fn save(&mut self) -> Option<Vec<u8>> {
            Some($crate::save::to_bytes(self))
        }

        fn restore(&mut self, state: &[u8]) -> bool {
            $crate::save::load_bytes(self, state)
        }
    };
}

pub(crate) use {blank, code, saved_as_it_is, state};
