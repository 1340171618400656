//! Multiplicative hashing: D. E. Knuth, The Art of Computer Programming, volume 3, section 6.4.

/// A product whose upper bits depend on all bits of a number. Different numbers have different products.
#[expect(clippy::inline_always, reason = "one instruction, in inner loops; the crate is compiled for size")]
#[inline(always)]
pub(crate) const fn spread(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15) // 2^64 divided by the golden ratio, to the next odd number
}
