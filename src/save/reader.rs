//! Reads states.

/// How deep states are inside each other at most.
const MAX_DEPTH: u32 = 64;

/// The bytes of a state that are still to be read. Nothing is taken for granted: they may be anything.
#[derive(Debug)]
pub(crate) struct Reader<'b> {
    rest: &'b [u8],
    depth: u32,
    /// The name of a codec that is needed and not there.
    missing: Option<String>,
}

impl<'b> Reader<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes, depth: 0, missing: None }
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*byte)
    }

    /// See [`Writer::number`](super::Writer::number).
    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return None;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// How many items a list has: each takes a byte at least.
    pub(crate) fn length(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok().filter(|length| *length <= self.rest.len())
    }

    /// Bytes, after their number.
    pub(crate) fn bytes(&mut self) -> Option<&'b [u8]> {
        let length = self.length()?;
        self.raw(length)
    }

    /// So many bytes.
    pub(super) fn raw(&mut self, length: usize) -> Option<&'b [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(bytes)
    }

    /// Text, without a copy.
    pub(crate) fn text(&mut self) -> Option<&'b str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    /// One of these texts.
    pub(crate) fn one_of(&mut self, mut texts: impl Iterator<Item = &'static str>) -> Option<&'static str> {
        let text = self.text()?;
        texts.find(|known| *known == text)
    }

    /// Reads what may contain itself.
    pub(crate) fn nested<T>(&mut self, load: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let state = load(self);
        self.depth -= 1;
        state
    }

    /// A codec is needed to go on that isn't there.
    pub(crate) fn miss(&mut self, name: &str) {
        self.missing = Some(name.to_owned());
    }

    pub(super) fn missing(&self) -> Option<&str> {
        self.missing.as_deref()
    }

    /// Whether only zeros follow.
    pub(super) fn is_blank(&self) -> bool {
        self.rest.iter().all(|byte| *byte == 0)
    }

    /// Whether everything has been read.
    pub(crate) fn is_over(&self) -> bool {
        self.rest.is_empty()
    }
}
