//! Hashes of numbers and of bytes.

/// A product whose upper bits depend on all bits of a number. Different numbers have different products: D. E. Knuth, The
/// Art of Computer Programming, volume 3, section 6.4.
#[expect(clippy::inline_always, reason = "one instruction, in inner loops; the crate is compiled for size")]
#[inline(always)]
pub(crate) const fn spread(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15) // 2^64 divided by the golden ratio, to the next odd number
}

/// The FNV-1a hash of 32 bits. <http://www.isthe.com/chongo/tech/comp/fnv/>
pub(crate) fn fnv1a(bytes: impl Iterator<Item = u8>) -> u32 {
    bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The FNV-1a hash of no bytes, of 64 bits.
pub(crate) const FNV1A_64: u64 = 0xcbf2_9ce4_8422_2325;

/// Such a hash with one more byte.
pub(crate) fn fnv1a_64(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}
