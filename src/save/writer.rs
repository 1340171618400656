//! Writes states to be saved.

/// The bytes of a state that is being saved.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
    /// Name of a codec that can't be saved.
    refusal: Option<String>,
}

impl Writer {
    #[inline(never)]
    pub(crate) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Writes a number in as few bytes as possible: seven bits in each, the lowest first.
    #[inline(never)]
    pub(crate) fn number(&mut self, mut number: u64) {
        while number > 0x7f {
            self.byte(number as u8 | 0x80);
            number >>= 7;
        }
        self.byte(number as u8);
    }

    /// Writes bytes after their number.
    #[inline(never)]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.raw(bytes);
    }

    /// Writes bytes whose number the reader knows.
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Reports a codec that can't be saved. The state is then unusable.
    pub(crate) fn refuse(&mut self, name: &str) {
        self.refusal.get_or_insert_with(|| name.to_owned());
    }

    /// Returns the name of the codec that can't be saved.
    pub(crate) fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
