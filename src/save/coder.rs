//! Saves or loads a state.

use super::{Reader, Writer};

/// Saves a state as bytes, or loads it from bytes.
///
/// Its methods take a value and return one: when saving, the same value; when loading, the saved one.
#[derive(Debug)]
pub(crate) enum Coder<'b> {
    Saving(Writer),
    Loading(Reader<'b>),
}

impl<'b> Coder<'b> {
    pub(super) fn saving() -> Self {
        Self::Saving(Writer::default())
    }

    pub(super) fn loading(bytes: &'b [u8]) -> Self {
        Self::Loading(Reader::new(bytes))
    }

    pub(crate) fn is_loading(&self) -> bool {
        matches!(self, Self::Loading(_))
    }

    /// Marks the bytes that are loaded as invalid.
    #[inline(never)]
    pub(crate) fn fail(&mut self) {
        if let Self::Loading(from) = self {
            from.fail();
        }
    }

    /// Fails unless the loaded value is valid.
    #[inline(never)]
    pub(crate) fn check(&mut self, is_right: bool) {
        if !is_right {
            self.fail();
        }
    }

    #[inline(never)]
    pub(super) fn has_failed(&self) -> bool {
        matches!(self, Self::Loading(from) if from.has_failed())
    }

    /// Whether all bytes were loaded and are valid.
    pub(super) fn is_complete(&self) -> bool {
        matches!(self, Self::Loading(from) if from.is_complete())
    }

    #[inline(never)]
    pub(crate) fn byte(&mut self, byte: u8) -> u8 {
        match self {
            Self::Saving(to) => {
                to.byte(byte);
                byte
            }
            Self::Loading(from) => from.byte(),
        }
    }

    /// Codes the number of one of `count` variants.
    #[inline(never)]
    pub(crate) fn variant(&mut self, number: u8, count: usize) -> u8 {
        let number = self.byte(number);
        self.check(usize::from(number) < count);
        number
    }

    #[inline(never)]
    pub(crate) fn flag(&mut self, flag: bool) -> bool {
        let byte = self.byte(u8::from(flag));
        self.check(byte < 2);
        byte == 1
    }

    #[inline(never)]
    pub(crate) fn number(&mut self, number: u64) -> u64 {
        match self {
            Self::Saving(to) => {
                to.number(number);
                number
            }
            Self::Loading(from) => from.number(),
        }
    }

    /// Codes a number of at most `most`; fails and returns 0 if it is larger.
    #[inline(never)]
    pub(super) fn number_to(&mut self, most: u64, number: u64) -> u64 {
        let number = self.number(number);
        self.check(number <= most);
        if number <= most { number } else { 0 }
    }

    /// Codes one of these texts.
    pub(crate) fn one_of(&mut self, text: &mut &'static str, mut texts: impl Iterator<Item = &'static str>) {
        match self {
            Self::Saving(to) => to.bytes(text.as_bytes()),
            Self::Loading(from) => {
                let saved = from.text();
                let known = texts.find(|known| *known == saved);
                *text = known.unwrap_or_default();
                self.check(known.is_some());
            }
        }
    }

    /// Codes bytes whose number the reader knows.
    pub(super) fn raw(&mut self, bytes: &mut Vec<u8>, length: usize) {
        match self {
            Self::Saving(to) => to.raw(bytes),
            Self::Loading(from) => *bytes = from.raw(length).to_vec(),
        }
    }

    /// Begins a list of `length` items, which may contain lists themselves. Returns the number of items.
    #[inline(never)]
    pub(crate) fn enter_list(&mut self, length: usize) -> usize {
        match self {
            Self::Saving(to) => {
                to.number(length as u64);
                length
            }
            Self::Loading(from) => from.enter_list(),
        }
    }

    /// Ends the list.
    #[inline(never)]
    pub(crate) fn leave_list(&mut self) {
        if let Self::Loading(from) = self {
            from.leave_list();
        }
    }

    /// Reports that the codec of this name is needed, but isn't registered or can't be saved. The state is then
    /// unusable.
    pub(crate) fn miss(&mut self, name: &str) {
        match self {
            Self::Saving(to) => to.refuse(name),
            Self::Loading(from) => from.miss(name),
        }
    }

    /// Returns the name of such a codec.
    pub(super) fn missing(&self) -> Option<&str> {
        match self {
            Self::Saving(to) => to.refusal(),
            Self::Loading(from) => from.missing(),
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Saving(to) => to.into_bytes(),
            Self::Loading(_) => Vec::new(),
        }
    }
}
