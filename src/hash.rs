//! Hashes of numbers and of bytes.

/// Multiplies, so that the upper bits of the product depend on all bits of the number. Different numbers have different
/// products: D. E. Knuth, The Art of Computer Programming, volume 3, section 6.4.
#[expect(clippy::inline_always, reason = "one instruction, in inner loops; the crate is compiled for size")]
#[inline(always)]
pub(crate) const fn spread(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15) // 2^64 divided by the golden ratio, rounded to an odd number
}

/// Returns the 32-bit FNV-1a hash. <http://www.isthe.com/chongo/tech/comp/fnv/>
pub(crate) fn fnv1a(bytes: impl Iterator<Item = u8>) -> u32 {
    bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The 64-bit FNV-1a hash of no bytes.
pub(crate) const FNV1A_64: u64 = 0xcbf2_9ce4_8422_2325;

/// Adds a byte to a 64-bit FNV-1a hash.
pub(crate) fn fnv1a_64(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}
