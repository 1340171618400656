//! Processes several bytes at once.
#![expect(
    clippy::inline_always,
    reason = "the inner loops of everything that reads JSON; the crate is compiled for size"
)]

/// Number of bytes processed at once.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(super) const WIDTH: usize = 8;
/// Number of bytes processed at once.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) const WIDTH: usize = 16;

/// Returns the `N` bytes at `at`, if there are as many.
#[inline(always)]
pub(crate) fn chunk<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    match bytes.get(at..) {
        Some(rest) => rest.first_chunk().copied(),
        None => None,
    }
}

/// Returns the byte at `at`; past the end 0, which no JSON text has outside of strings.
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

    /// Returns the index of the first byte that isn't plain string text: a quote, a backslash or a control character.
    #[inline(always)]
    pub(super) fn first_special(bytes: [u8; WIDTH]) -> Option<usize> {
        let word = u64::from_le_bytes(bytes);
        // Subtracting n borrows for bytes below n. Only bytes above such a byte can be false positives.
        let quote = (word ^ (ONES * 0x22)).wrapping_sub(ONES);
        let backslash = (word ^ (ONES * 0x5c)).wrapping_sub(ONES);
        let control = word.wrapping_sub(ONES * 0x20);
        first((quote | backslash | control) & !word)
    }

    /// Returns the index of the first byte that isn't plain string text or isn't ASCII.
    #[inline(always)]
    pub(super) fn first_special_or_high(bytes: [u8; WIDTH]) -> Option<usize> {
        let word = u64::from_le_bytes(bytes);
        let quote = (word ^ (ONES * 0x22)).wrapping_sub(ONES);
        let backslash = (word ^ (ONES * 0x5c)).wrapping_sub(ONES);
        first(quote | backslash | word.wrapping_sub(ONES * 0x20) | word)
    }

    /// Returns the index of the first byte that isn't a decimal digit.
    #[inline(always)]
    pub(super) fn first_non_digit(bytes: [u8; WIDTH]) -> Option<usize> {
        let word = u64::from_le_bytes(bytes);
        // Only bytes above a match can be false positives, or missed.
        first(word.wrapping_add(ONES * 0x46) | word.wrapping_sub(ONES * 0x30))
    }

    /// Returns the number that the leading digits form, and their count.
    #[inline(always)]
    pub(in crate::json) fn read_places(bytes: [u8; 16]) -> (u64, usize) {
        let (mut number, mut count) = (0, 0);
        while let Some(digit @ b'0'..=b'9') = bytes.get(count) {
            number = number * 10 + u64::from(digit & 0xf);
            count += 1;
        }
        (number, count)
    }

    /// Returns the index of the first difference between two chunks.
    #[inline(always)]
    pub(super) fn first_difference(bytes: [u8; 16], others: [u8; 16]) -> Option<usize> {
        if bytes == others {
            return None;
        }
        let found = u128::from_le_bytes(bytes) ^ u128::from_le_bytes(others);
        Some((found.trailing_zeros() / 8) as usize)
    }

    /// Whether chunks are equal; both lists have the same length.
    #[inline(always)]
    pub(super) fn are_same(chunks: &[[u8; 16]], others: &[[u8; 16]], last: ([u8; 16], [u8; 16])) -> bool {
        chunks == others && last.0 == last.1
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
        i8x16, i8x16_add, i8x16_bitmask, i8x16_lt, i8x16_splat, i8x16_swizzle, i16x8, i16x8_narrow_i32x4,
        i32x4_dot_i16x8, u8x16_eq, u8x16_gt, u8x16_lt, u8x16_ne, u8x16_splat, u8x16_sub, u16x8_add,
        u16x8_mul, u16x8_shr, u16x8_splat, u32x4_extract_lane, u64x2, v128, v128_and, v128_any_true, v128_or,
        v128_xor,
    };

    use super::WIDTH;

    /// Returns the index of the first byte that isn't plain string text: a quote, a backslash or a control character.
    #[inline(always)]
    pub(super) fn first_special(bytes: [u8; WIDTH]) -> Option<usize> {
        let bytes = load(bytes);
        let quote = u8x16_eq(bytes, u8x16_splat(0x22));
        let backslash = u8x16_eq(bytes, u8x16_splat(0x5c));
        let control = u8x16_lt(bytes, u8x16_splat(0x20));
        first(v128_or(v128_or(quote, backslash), control))
    }

    /// Returns the index of the first byte that isn't plain string text or isn't ASCII: read as signed, such a byte is
    /// negative.
    #[inline(always)]
    pub(super) fn first_special_or_high(bytes: [u8; WIDTH]) -> Option<usize> {
        let bytes = load(bytes);
        let quote = u8x16_eq(bytes, u8x16_splat(0x22));
        let backslash = u8x16_eq(bytes, u8x16_splat(0x5c));
        let other = i8x16_lt(bytes, i8x16_splat(0x20));
        first(v128_or(v128_or(quote, backslash), other))
    }

    /// Returns the index of the first difference between two chunks.
    #[inline(always)]
    pub(super) fn first_difference(bytes: [u8; WIDTH], others: [u8; WIDTH]) -> Option<usize> {
        first(u8x16_ne(load(bytes), load(others)))
    }

    /// Whether chunks are equal; both lists have the same length.
    #[inline(always)]
    pub(super) fn are_same(chunks: &[[u8; 16]], others: &[[u8; 16]], last: ([u8; 16], [u8; 16])) -> bool {
        let mut differing = v128_xor(load(last.0), load(last.1));
        for (chunk, other) in chunks.iter().zip(others) {
            differing = v128_or(differing, v128_xor(load(*chunk), load(*other)));
        }
        !v128_any_true(differing)
    }

    /// Returns the index of the first byte that isn't a decimal digit.
    #[inline(always)]
    pub(super) fn first_non_digit(bytes: [u8; WIDTH]) -> Option<usize> {
        first(u8x16_gt(u8x16_sub(load(bytes), u8x16_splat(0x30)), u8x16_splat(9)))
    }

    /// Returns the number that the leading digits form, and their count.
    #[inline(always)]
    pub(in crate::json) fn read_places(bytes: [u8; 16]) -> (u64, usize) {
        let digits = u8x16_sub(load(bytes), u8x16_splat(0x30));
        let others = i8x16_bitmask(u8x16_gt(digits, u8x16_splat(9)));
        let count = (u32::from(others) | 1 << 16).trailing_zeros();
        // The digits are moved to the end, after zeros. Then neighbours are merged: digits to pairs, pairs to fours,
        // and so on.
        let places = i8x16_add(
            i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
            u8x16_splat((count as u8).wrapping_sub(16)),
        );
        let digits = i8x16_swizzle(digits, places);
        let tens = u16x8_mul(v128_and(digits, u16x8_splat(0xff)), u16x8_splat(10));
        let pairs = u16x8_add(tens, u16x8_shr(digits, 8));
        let fours = i32x4_dot_i16x8(pairs, i16x8(100, 1, 100, 1, 100, 1, 100, 1));
        let eights = i32x4_dot_i16x8(
            i16x8_narrow_i32x4(fours, fours),
            i16x8(10_000, 1, 10_000, 1, 10_000, 1, 10_000, 1),
        );
        let number = u64::from(u32x4_extract_lane::<0>(eights)) * 100_000_000;
        (number + u64::from(u32x4_extract_lane::<1>(eights)), count as usize)
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

pub(super) use wide::read_places;
use wide::{are_same, first_difference, first_non_digit, first_special, first_special_or_high};

/// Returns the end of the digits at `at`, which is `at` if there are none.
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

/// Returns the index of the first byte at or after `at` that isn't plain string text: a quote, a backslash or a control
/// character; the length of `bytes` if there is none.
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

/// Returns the index of the first byte at or after `at` that isn't plain string text or isn't ASCII.
#[inline(always)]
pub(super) fn end_of_ascii(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = chunk(bytes, at) {
        match first_special_or_high(chunk) {
            Some(found) => return at + found,
            None => at += WIDTH,
        }
    }
    while let Some(byte) = bytes.get(at)
        && !matches!(byte, 0..=0x1f | b'"' | b'\\' | 0x80..)
    {
        at += 1;
    }
    at
}

/// Returns the rest of a text after `beginning`, if the text begins with it. For long texts, which `str::strip_prefix`
/// compares byte by byte in WebAssembly.
pub(crate) fn strip_long_prefix<'t>(text: &'t str, beginning: &str) -> Option<&'t str> {
    let same = common_prefix_len(text.as_bytes(), beginning.as_bytes());
    if same == beginning.len() { text.get(same..) } else { None }
}

/// Whether two long slices are equal; `==` compares them byte by byte in WebAssembly.
pub(crate) fn is_same_text(bytes: &[u8], others: &[u8]) -> bool {
    bytes.len() == others.len() && common_prefix_len(bytes, others) == bytes.len()
}

/// Whether two slices of the same length are equal. Made for slices that usually are, because all bytes are compared.
#[inline(always)]
pub(crate) fn is_equal(bytes: &[u8], others: &[u8]) -> bool {
    if let (Some(last), Some(other)) = (bytes.last_chunk(), others.last_chunk()) {
        return are_same(bytes.as_chunks().0, others.as_chunks().0, (*last, *other));
    }
    if let (Some(first), Some(other)) = (bytes.first_chunk::<4>(), others.first_chunk::<4>()) {
        let (mut differing, mut at) = (u32::from_ne_bytes(*first) ^ u32::from_ne_bytes(*other), 4);
        while let (Some(word), Some(other)) = (chunk::<4>(bytes, at), chunk::<4>(others, at)) {
            differing |= u32::from_ne_bytes(word) ^ u32::from_ne_bytes(other);
            at += 4;
        }
        let last = (bytes.last_chunk::<4>(), others.last_chunk::<4>());
        return differing == 0 && last.0 == last.1;
    }
    bytes.iter().eq(others)
}

/// Returns the length of the common prefix of two slices.
#[inline(never)]
pub(crate) fn common_prefix_len(bytes: &[u8], others: &[u8]) -> usize {
    let length = if bytes.len() < others.len() { bytes.len() } else { others.len() };
    let mut at = 0;
    for (left, right) in bytes.as_chunks::<32>().0.iter().zip(others.as_chunks::<32>().0) {
        let ([first, last], [other, other_last]) = (left.as_chunks().0, right.as_chunks().0) else { break };
        if !are_same(&[*first], &[*other], (*last, *other_last)) {
            break;
        }
        at += 32;
    }
    while let (Some(left), Some(right)) = (chunk::<16>(bytes, at), chunk::<16>(others, at)) {
        match first_difference(left, right) {
            Some(found) => return at + found,
            None => at += 16,
        }
    }
    // Fewer than 16 bytes are left: the last 16 are compared, some of them again.
    if let Some(last) = length.checked_sub(16)
        && let (Some(left), Some(right)) = (chunk::<16>(bytes, last), chunk::<16>(others, last))
    {
        return match first_difference(left, right) {
            Some(found) => last + found,
            None => length,
        };
    }
    if let (Some(left), Some(right)) = (chunk::<4>(bytes, at), chunk::<4>(others, at))
        && u32::from_ne_bytes(left) == u32::from_ne_bytes(right)
    {
        at += 4;
    }
    while at < length && byte(bytes, at) == byte(others, at) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_equal_if_no_byte_differs() {
        let bytes: Vec<u8> = (0..70).collect();
        for length in 0..=bytes.len() {
            let known = &bytes[..length];
            assert!(is_equal(known, known), "{length}");
            for at in 0..length {
                let mut other = known.to_vec();
                other[at] ^= 0x80;
                assert!(!is_equal(known, &other), "{at} of {length}");
                assert_eq!(common_prefix_len(known, &other), at, "of {length}");
            }
        }
    }
}
