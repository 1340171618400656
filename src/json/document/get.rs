//! Members of an object, read in one step.

use std::borrow::Cow;

use super::{Fragment, Items, Value};

impl<'a> Value<'a> {
    /// The text of a member that is a string, U+FFFD in place of a lone surrogate.
    #[inline(never)]
    pub fn get_text(self, name: &'static str) -> Option<Cow<'a, str>> {
        self.get(name)?.text()
    }

    /// The text of a member that is a string and not empty. For ids, names and the like, where `""` means
    /// absent.
    #[inline(never)]
    pub fn get_non_empty_text(self, name: &'static str) -> Option<Cow<'a, str>> {
        self.get(name)?.non_empty_text()
    }

    /// The text of a member that is a string and not empty, kept by the document. For ids, names and the like, where
    /// `""` means absent.
    #[inline(never)]
    pub(crate) fn get_non_empty(self, name: &'static str) -> Option<&'a str> {
        self.get(name)?.non_empty()
    }

    /// The same, as a text of its own.
    #[inline(never)]
    pub(crate) fn get_string(self, name: &'static str) -> Option<String> {
        self.get_non_empty(name).map(str::to_owned)
    }

    /// The text of a member that is a string, with the halves at its ends.
    #[inline(never)]
    pub fn get_fragment(self, name: &'static str) -> Option<Fragment<'a>> {
        self.get(name)?.fragment()
    }

    /// The value of a member that is a whole number from 0 to 2^53.
    #[inline(never)]
    pub fn get_unsigned(self, name: &'static str) -> Option<u64> {
        self.get(name)?.unsigned()
    }

    /// The items of a member that is an array; nothing for anything else.
    #[inline(never)]
    pub fn get_items(self, name: &'static str) -> Items<'a> {
        self.get(name).map_or(Items::none(), Value::items)
    }
}
