//! Members of an object, read in one step.

use std::borrow::Cow;

use super::{Fragment, Items, Place, Value};

impl<'a> Value<'a> {
    /// Returns the first of these members that is present: servers use different names for the same field.
    #[expect(clippy::inline_always, reason = "see Value::get")]
    #[inline(always)]
    pub(crate) fn first(self, names: &[&'static str]) -> Option<Value<'a>> {
        self.sibling(self.first_member(names))
    }

    #[inline(never)]
    fn first_member(self, names: &[&'static str]) -> Option<Place> {
        names.iter().find_map(|name| self.member(name))
    }

    /// Returns the first of these members that is a non-empty string.
    #[inline(never)]
    pub(crate) fn first_non_empty(self, names: &[&'static str]) -> Option<&'a str> {
        names.iter().find_map(|name| self.get_non_empty(name))
    }

    /// Returns the text of a member that is a string, with U+FFFD for each lone surrogate.
    #[inline(never)]
    pub fn get_text(self, name: &'static str) -> Option<Cow<'a, str>> {
        self.get(name)?.text()
    }

    /// Returns the text of a member that is a non-empty string. For ids, names and the like, where `""` means absent.
    #[inline(never)]
    pub fn get_non_empty_text(self, name: &'static str) -> Option<Cow<'a, str>> {
        self.get(name)?.non_empty_text()
    }

    /// Returns the text of a member that is a non-empty string, kept by the document. For ids, names and the like,
    /// where `""` means absent.
    #[inline(never)]
    pub(crate) fn get_non_empty(self, name: &'static str) -> Option<&'a str> {
        self.get(name)?.non_empty()
    }

    /// Returns the text of a member that is a non-empty string, as an owned string.
    #[inline(never)]
    pub(crate) fn get_string(self, name: &'static str) -> Option<String> {
        self.get_non_empty(name).map(str::to_owned)
    }

    /// Returns the text of a member that is a string, with the surrogates of characters that are split at its ends.
    #[inline(never)]
    pub fn get_fragment(self, name: &'static str) -> Option<Fragment<'a>> {
        self.get(name)?.fragment()
    }

    /// Returns the value of a member that is a whole number from 0 to 2^53, or a string of digits.
    #[inline(never)]
    pub fn get_unsigned(self, name: &'static str) -> Option<u64> {
        self.get(name)?.unsigned()
    }

    /// Returns the items of a member that is an array; none for any other value.
    #[inline(never)]
    pub fn get_items(self, name: &'static str) -> Items<'a> {
        self.get(name).map_or(Items::none(), Value::items)
    }
}
