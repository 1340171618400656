//! The messages of an AWS event stream, `application/vnd.amazon.eventstream`.
//! <https://smithy.io/2.0/aws/amazon-eventstream.html>
//!
//! A message is, in big-endian order: its length and that of its headers, a checksum of these two, the headers, the
//! payload, and a checksum of all before it.

use super::frame::Damage;
use crate::crc32::crc32;

/// The two lengths and their checksum.
pub(super) const PRELUDE: usize = 12;

const CHECKSUM: usize = 4;

/// The lengths that a message begins with.
pub(super) type Prelude = [u8; PRELUDE];

/// A message: the values of its headers, and its payload.
#[derive(Debug, Default)]
pub(super) struct Message<'m> {
    /// `event`, `exception`, `error`, or `""`.
    pub(super) kind: &'m str,
    /// The type of the event or the exception, or the code of the error.
    pub(super) name: &'m str,
    /// The message of an error; an exception has its message in the payload.
    pub(super) error_text: &'m str,
    pub(super) payload: &'m [u8],
}

/// Returns the length of a message, as its prelude says.
pub(super) fn length_of(prelude: &Prelude) -> usize {
    let [length, ..] = words(prelude);
    length as usize
}

/// Returns the length of a message if its prelude is undamaged.
pub(super) fn check_prelude(prelude: &Prelude) -> Result<usize, Damage> {
    let [length, headers, checksum] = words(prelude);
    let checked = prelude.first_chunk::<8>().map(|lengths| crc32(lengths));
    let room = (length as usize).checked_sub(PRELUDE + CHECKSUM);
    if checked != Some(checksum) {
        Err(Damage::PreludeChecksum)
    } else if room.is_none_or(|room| headers as usize > room) {
        Err(Damage::Lengths)
    } else {
        Ok(length as usize)
    }
}

/// Returns the two lengths and the checksum.
fn words(prelude: &Prelude) -> [u32; 3] {
    let mut words = [0; 3];
    for (word, bytes) in words.iter_mut().zip(prelude.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    words
}

impl<'m> Message<'m> {
    /// Reads a whole message with an undamaged prelude.
    pub(super) fn read(bytes: &'m [u8]) -> Result<Self, Damage> {
        let (checked, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(Damage::Lengths)?;
        if crc32(checked) != u32::from_be_bytes(*checksum) {
            return Err(Damage::MessageChecksum);
        }
        let (prelude, rest) = checked.split_first_chunk::<PRELUDE>().ok_or(Damage::Lengths)?;
        let [_, headers, _] = words(prelude);
        let (headers, payload) = rest.split_at_checked(headers as usize).ok_or(Damage::Lengths)?;
        let mut message = Message { payload, ..Self::default() };
        message.read_headers(headers).ok_or(Damage::Headers)?;
        Ok(message)
    }

    fn read_headers(&mut self, mut headers: &'m [u8]) -> Option<()> {
        while !headers.is_empty() {
            let name = take_sized(&mut headers, 1)?;
            let text = match take(&mut headers, 1)? {
                [TEXT] => std::str::from_utf8(take_sized(&mut headers, 2)?).unwrap_or_default(),
                [BYTES] => {
                    take_sized(&mut headers, 2)?;
                    continue;
                }
                [kind] => {
                    take(&mut headers, *SIZES.get(usize::from(*kind))?)?;
                    continue;
                }
                _ => return None,
            };
            match name {
                b":message-type" => self.kind = text,
                b":event-type" | b":exception-type" | b":error-code" => self.name = text,
                b":error-message" => self.error_text = text,
                _ => {}
            }
        }
        Some(())
    }
}

/// The types of header values that begin with their length.
const BYTES: u8 = 6;
const TEXT: u8 = 7;

/// Length in bytes of the values of the other types: true, false, integers of 8 to 64 bits; a time, a UUID.
const SIZES: [usize; 10] = [0, 0, 1, 2, 4, 8, 0, 0, 8, 16];

fn take<'m>(bytes: &mut &'m [u8], length: usize) -> Option<&'m [u8]> {
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

/// Takes the bytes that follow their own length, a number of `size` bytes.
fn take_sized<'m>(bytes: &mut &'m [u8], size: usize) -> Option<&'m [u8]> {
    let length = take(bytes, size)?.iter().fold(0, |length, byte| length << 8 | usize::from(*byte));
    take(bytes, length)
}
