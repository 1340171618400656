//! Comparing bytes: `==` calls a function that looks at one after the other in WebAssembly.
#![expect(clippy::inline_always, reason = "half of the time of reading a stream is spent here")]

use crate::json::chunk;

/// How many bytes are compared at once.
const WIDTH: usize = 16;

/// Whether bytes begin with others.
#[inline(always)]
pub(crate) fn begin_with(bytes: &[u8], with: &[u8]) -> bool {
    if bytes.len() < with.len() {
        return false;
    }
    let (left, _) = bytes.as_chunks::<WIDTH>();
    let (right, _) = with.as_chunks::<WIDTH>();
    let mut at = 0;
    while let (Some(left), Some(right)) = (left.get(at), right.get(at)) {
        if differ(*left, *right) {
            return false;
        }
        at += 1;
    }
    if with.len() >= WIDTH {
        // Some of the last ones are compared again, all at once.
        let last = with.len() - WIDTH;
        return match (chunk(bytes, last), chunk(with, last)) {
            (Some(left), Some(right)) => !differ(left, right),
            _ => false,
        };
    }
    let mut at = 0;
    while let (Some(left), Some(right)) = (bytes.get(at), with.get(at)) {
        if *left != *right {
            return false;
        }
        at += 1;
    }
    true
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn differ(left: [u8; WIDTH], right: [u8; WIDTH]) -> bool {
    u128::from_le_bytes(left) != u128::from_le_bytes(right)
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn differ(left: [u8; WIDTH], right: [u8; WIDTH]) -> bool {
    use std::arch::wasm32::{u64x2, v128_any_true, v128_xor};
    let [left, right] = [u128::from_le_bytes(left), u128::from_le_bytes(right)];
    v128_any_true(v128_xor(
        u64x2(left as u64, (left >> 64) as u64),
        u64x2(right as u64, (right >> 64) as u64),
    ))
}
