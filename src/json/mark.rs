//! What names of members are told apart by before they are compared.
#![expect(
    clippy::inline_always,
    reason = "the inner loop of reading an event; the crate is compiled for size"
)]

/// The mark of names with escapes, which are to be decoded first. No other name has it: no text has its bytes.
pub(super) const ESCAPED: u32 = u32::MAX;

/// The length of a name, its first byte and its last: most names differ in one of them.
#[inline(always)]
pub(super) fn of(name: &[u8]) -> u32 {
    match (name.first(), name.last()) {
        (Some(first), Some(last)) => (name.len() as u32) << 16 | u32::from(*first) << 8 | u32::from(*last),
        _ => 0,
    }
}

/// The bit of a mark, one of 32: an object has those of its names. One with escapes may be any name.
#[inline(always)]
pub(super) fn bits(mark: u32) -> u32 {
    // The upper bits of a product with a large odd number depend on all bits of the mark.
    if mark == ESCAPED { u32::MAX } else { 1 << (mark.wrapping_mul(0x9e37_79b1) >> 27) }
}

/// Whether two names with the same mark are the same.
#[inline(always)]
pub(super) fn is_same(name: &[u8], other: &[u8]) -> bool {
    // Names are short: a loop is quicker than to call what compares memory.
    let mut at = 0;
    name.len() == other.len()
        && loop {
            match (name.get(at), other.get(at)) {
                (Some(byte), Some(other)) if byte == other => at += 1,
                (None, None) => break true,
                _ => break false,
            }
        }
}
