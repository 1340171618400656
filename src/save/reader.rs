//! Reads saved states.

/// Maximum nesting depth of lists. Objects are merged down to a depth of 64, each with a list of members.
const MAX_DEPTH: u32 = 160;

/// The unread bytes of a state. They may be anything, so nothing is trusted.
///
/// Invalid bytes make the whole reading [fail](Self::fail). From then on all bytes read as zeros, so that reading comes
/// to an end without an early return at each step, which would be most of the code.
#[derive(Debug)]
pub(crate) struct Reader<'b> {
    rest: &'b [u8],
    has_failed: bool,
    depth: u32,
    /// Name of a required codec that isn't registered.
    missing: Option<String>,
}

impl<'b> Reader<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes, has_failed: false, depth: 0, missing: None }
    }

    /// Marks the bytes as invalid.
    #[inline(never)]
    pub(crate) fn fail(&mut self) {
        self.has_failed = true;
        self.rest = &[];
    }

    /// Whether all bytes were read and are valid.
    pub(super) fn is_complete(&self) -> bool {
        !self.has_failed && self.rest.is_empty()
    }

    pub(super) fn has_failed(&self) -> bool {
        self.has_failed
    }

    #[inline(never)]
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((byte, rest)) = self.rest.split_first() else {
            self.fail();
            return 0;
        };
        self.rest = rest;
        *byte
    }

    /// Reads a number. See [`Writer::number`](super::Writer::number).
    #[inline(never)]
    pub(crate) fn number(&mut self) -> u64 {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte();
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return number;
            }
        }
        self.fail();
        0
    }

    /// Reads the number of items in a list, which can't exceed the number of bytes left.
    pub(crate) fn length(&mut self) -> usize {
        let length = usize::try_from(self.number()).ok().filter(|length| *length <= self.rest.len());
        length.unwrap_or_else(|| {
            self.fail();
            0
        })
    }

    /// Reads bytes after their number.
    #[inline(never)]
    pub(crate) fn bytes(&mut self) -> &'b [u8] {
        let length = self.length();
        self.raw(length)
    }

    /// Reads `length` bytes.
    pub(super) fn raw(&mut self, length: usize) -> &'b [u8] {
        let Some((bytes, rest)) = self.rest.split_at_checked(length) else {
            self.fail();
            return &[];
        };
        self.rest = rest;
        bytes
    }

    /// Reads text without copying it.
    #[inline(never)]
    pub(crate) fn text(&mut self) -> &'b str {
        std::str::from_utf8(self.bytes()).unwrap_or_else(|_| {
            self.fail();
            ""
        })
    }

    /// Begins a list of items that may contain lists themselves. Returns the number of items.
    #[inline(never)]
    pub(crate) fn enter_list(&mut self) -> usize {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.fail();
        }
        self.length()
    }

    /// Ends the list.
    pub(crate) fn leave_list(&mut self) {
        self.depth -= 1;
    }

    /// Reports that a required codec isn't registered.
    pub(crate) fn miss(&mut self, name: &str) {
        self.missing = Some(name.to_owned());
        self.fail();
    }

    pub(super) fn missing(&self) -> Option<&str> {
        self.missing.as_deref()
    }

    /// Whether only zeros are left.
    pub(super) fn is_blank(&self) -> bool {
        !self.has_failed && self.rest.iter().all(|byte| *byte == 0)
    }
}
