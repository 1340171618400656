//! Writes states.

/// The bytes of a state that is being saved.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
    /// The name of what cannot be saved.
    refusal: Option<String>,
}

impl Writer {
    #[inline(never)]
    pub(crate) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// A number, in as few bytes as it takes: seven bits in each, the lowest first.
    #[inline(never)]
    pub(crate) fn number(&mut self, mut number: u64) {
        while number > 0x7f {
            self.byte(number as u8 | 0x80);
            number >>= 7;
        }
        self.byte(number as u8);
    }

    /// Bytes, after their number.
    #[inline(never)]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.raw(bytes);
    }

    /// Bytes whose number the reader knows.
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Something cannot be saved: nothing of this state can be used.
    pub(crate) fn refuse(&mut self, name: &str) {
        self.refusal.get_or_insert_with(|| name.to_owned());
    }

    /// What cannot be saved.
    pub(crate) fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
