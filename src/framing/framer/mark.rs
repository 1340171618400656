//! The first bytes of a stream: a byte order mark, or the first byte of a message.

use crate::framing::event::BOM;
use crate::framing::framer::{Framer, Reading};

impl Framer {
    pub(super) fn read_mark(&mut self, read: u8, rest: &[u8]) -> usize {
        if read == 0 && rest.first() == Some(&0) {
            self.reading = Reading::Message;
            return 0;
        }
        let expected = BOM.get(usize::from(read)..).unwrap_or_default();
        let same = expected.iter().zip(rest).take_while(|(a, b)| a == b).count();
        if same == expected.len() {
            self.reading = Reading::Between;
        } else if same == rest.len() {
            self.reading = Reading::Mark(read + same as u8);
        } else {
            self.unread_mark(read);
            return 0;
        }
        same
    }

    /// Treats an incomplete byte order mark as the beginning of a line.
    pub(super) fn unread_mark(&mut self, read: u8) {
        let read = BOM.get(..usize::from(read)).unwrap_or_default();
        self.buffer.extend_from_slice(read);
        self.start = 0;
        self.reading = if read.is_empty() { Reading::Between } else { Reading::Line };
    }
}
