//! Several bytes at once.

/// How many bytes are looked at at once.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(super) const WIDTH: usize = 8;
/// How many bytes are looked at at once.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) const WIDTH: usize = 16;

/// Where in these bytes the first one is that is not plain text of a string: a quote, a backslash or a control
/// character.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline]
pub(super) fn first_special(bytes: [u8; WIDTH]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
    let word = u64::from_le_bytes(bytes);
    // A byte below n is one where subtracting n borrows. Only bytes above such a one can be wrongly found.
    let quote = (word ^ (ONES * 0x22)).wrapping_sub(ONES);
    let backslash = (word ^ (ONES * 0x5c)).wrapping_sub(ONES);
    let control = word.wrapping_sub(ONES * 0x20);
    let found = (quote | backslash | control) & !word & HIGH_BITS;
    (found != 0).then(|| (found.trailing_zeros() / 8) as usize)
}

/// Where in these bytes the first one is that is not plain text of a string: a quote, a backslash or a control
/// character.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline]
pub(super) fn first_special(bytes: [u8; WIDTH]) -> Option<usize> {
    use std::arch::wasm32::{i8x16_bitmask, u8x16_eq, u8x16_lt, u8x16_splat, u64x2, v128_or};
    let both = u128::from_le_bytes(bytes);
    let bytes = u64x2(both as u64, (both >> 64) as u64);
    let quote = u8x16_eq(bytes, u8x16_splat(0x22));
    let backslash = u8x16_eq(bytes, u8x16_splat(0x5c));
    let control = u8x16_lt(bytes, u8x16_splat(0x20));
    let found = i8x16_bitmask(v128_or(v128_or(quote, backslash), control));
    (found != 0).then(|| found.trailing_zeros() as usize)
}
