//! Several bytes at once.
#![expect(
    clippy::inline_always,
    reason = "the inner loops of everything that reads JSON; the crate is compiled for size"
)]

/// How many bytes are looked at at once.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(super) const WIDTH: usize = 8;
/// How many bytes are looked at at once.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) const WIDTH: usize = 16;

/// The bytes from a place on, where there are as many.
#[inline(always)]
pub(crate) fn chunk<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    match bytes.get(at..) {
        Some(rest) => rest.first_chunk().copied(),
        None => None,
    }
}

/// The byte at a place; 0, which no JSON text has outside of strings, where there is none.
#[inline(always)]
pub(crate) fn byte(bytes: &[u8], at: usize) -> u8 {
    match bytes.get(at) {
        Some(byte) => *byte,
        None => 0,
    }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod wide {
    use super::WIDTH;

    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

    /// Where the first byte is that is not plain text of a string: a quote, a backslash or a control character.
    #[inline(always)]
    pub(super) fn first_special(bytes: [u8; WIDTH]) -> Option<usize> {
        let word = u64::from_le_bytes(bytes);
        // A byte below n is one where subtracting n borrows. Only bytes above such a one can be wrongly found.
        let quote = (word ^ (ONES * 0x22)).wrapping_sub(ONES);
        let backslash = (word ^ (ONES * 0x5c)).wrapping_sub(ONES);
        let control = word.wrapping_sub(ONES * 0x20);
        first((quote | backslash | control) & !word)
    }

    /// Where the first byte is that is no decimal digit.
    #[inline(always)]
    pub(super) fn first_non_digit(bytes: [u8; WIDTH]) -> Option<usize> {
        let word = u64::from_le_bytes(bytes);
        // Only bytes above one that is found can be wrongly found, or missed.
        first(word.wrapping_add(ONES * 0x46) | word.wrapping_sub(ONES * 0x30))
    }

    #[inline(always)]
    fn first(found: u64) -> Option<usize> {
        let found = found & HIGH_BITS;
        if found == 0 { None } else { Some((found.trailing_zeros() / 8) as usize) }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wide {
    use std::arch::wasm32::{
        i8x16_bitmask, u8x16_eq, u8x16_gt, u8x16_lt, u8x16_splat, u8x16_sub, u64x2, v128, v128_or,
    };

    use super::WIDTH;

    /// Where the first byte is that is not plain text of a string: a quote, a backslash or a control character.
    #[inline(always)]
    pub(super) fn first_special(bytes: [u8; WIDTH]) -> Option<usize> {
        let bytes = load(bytes);
        let quote = u8x16_eq(bytes, u8x16_splat(0x22));
        let backslash = u8x16_eq(bytes, u8x16_splat(0x5c));
        let control = u8x16_lt(bytes, u8x16_splat(0x20));
        first(v128_or(v128_or(quote, backslash), control))
    }

    /// Where the first byte is that is no decimal digit.
    #[inline(always)]
    pub(super) fn first_non_digit(bytes: [u8; WIDTH]) -> Option<usize> {
        first(u8x16_gt(u8x16_sub(load(bytes), u8x16_splat(0x30)), u8x16_splat(9)))
    }

    #[inline(always)]
    fn load(bytes: [u8; WIDTH]) -> v128 {
        let both = u128::from_le_bytes(bytes);
        u64x2(both as u64, (both >> 64) as u64)
    }

    #[inline(always)]
    fn first(found: v128) -> Option<usize> {
        let found = i8x16_bitmask(found);
        if found == 0 { None } else { Some(found.trailing_zeros() as usize) }
    }
}

use wide::{first_non_digit, first_special};

/// Where the digits end that begin here: here, where there are none.
#[inline(always)]
pub(crate) fn end_of_digits(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = chunk(bytes, at) {
        match first_non_digit(chunk) {
            Some(found) => return at + found,
            None => at += WIDTH,
        }
    }
    while let Some(b'0'..=b'9') = bytes.get(at) {
        at += 1;
    }
    at
}

/// Whether all bytes are ASCII.
#[inline(never)]
pub(crate) fn is_ascii(bytes: &[u8]) -> bool {
    let (chunks, rest) = bytes.as_chunks::<16>();
    let mut all = 0;
    for chunk in chunks {
        all |= u128::from_le_bytes(*chunk);
    }
    for byte in rest {
        all |= u128::from(*byte);
    }
    all & HIGH_BITS == 0
}

const HIGH_BITS: u128 = u128::from_ne_bytes([0x80; 16]);

/// The first byte at or after `at` that is not plain text of a string: a quote, a backslash or a control
/// character; the length of `bytes` where there is none.
#[inline(always)]
pub(super) fn end_of_plain(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = chunk(bytes, at) {
        match first_special(chunk) {
            Some(found) => return at + found,
            None => at += WIDTH,
        }
    }
    while let Some(byte) = bytes.get(at)
        && !matches!(byte, 0..=0x1f | b'"' | b'\\')
    {
        at += 1;
    }
    at
}
