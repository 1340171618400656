//! Comparing bytes: `==` calls a function that looks at one after the other in WebAssembly.
#![expect(clippy::inline_always, reason = "a third of the time of reading a stream is spent here")]

use crate::json::chunk;

/// How many bytes are one value.
const WIDTH: usize = 16;

/// How many bytes are compared before that is looked at.
const BLOCK: usize = 4 * WIDTH;

/// Whether bytes begin with others.
#[inline(always)]
pub(crate) fn begin_with(bytes: &[u8], with: &[u8]) -> bool {
    let length = with.len();
    if bytes.len() < length {
        return false;
    }
    if length >= BLOCK {
        return each::<BLOCK>(bytes, with, |left, right| {
            let differ = |at| differ(chunk(left, at), chunk(right, at));
            any(or(or(differ(0), differ(WIDTH)), or(differ(2 * WIDTH), differ(3 * WIDTH))))
        });
    }
    if length >= WIDTH {
        return each::<WIDTH>(bytes, with, |left, right| any(differ(Some(*left), Some(*right))));
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

/// Whether no stretch of as many bytes differs. Some of the last ones are compared twice.
#[inline(always)]
fn each<const N: usize>(bytes: &[u8], with: &[u8], differ: impl Fn(&[u8; N], &[u8; N]) -> bool) -> bool {
    let last = with.len() - N;
    let mut at = 0;
    loop {
        match (stretch(bytes, at), stretch(with, at)) {
            (Some(left), Some(right)) if !differ(left, right) => {}
            _ => return false,
        }
        if at == last {
            return true;
        }
        at = if at + N < last { at + N } else { last };
    }
}

#[inline(always)]
fn stretch<const N: usize>(bytes: &[u8], at: usize) -> Option<&[u8; N]> {
    match bytes.get(at..) {
        Some(rest) => rest.first_chunk(),
        None => None,
    }
}

use wide::{any, differ, or};

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod wide {
    use super::WIDTH;

    #[inline(always)]
    pub(super) fn differ(left: Option<[u8; WIDTH]>, right: Option<[u8; WIDTH]>) -> u128 {
        match (left, right) {
            (Some(left), Some(right)) => u128::from_le_bytes(left) ^ u128::from_le_bytes(right),
            _ => 1,
        }
    }

    #[inline(always)]
    pub(super) fn or(left: u128, right: u128) -> u128 {
        left | right
    }

    #[inline(always)]
    pub(super) fn any(differences: u128) -> bool {
        differences != 0
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wide {
    use std::arch::wasm32::{u8x16_splat, u64x2, v128, v128_any_true, v128_or, v128_xor};

    use super::WIDTH;

    #[inline(always)]
    pub(super) fn differ(left: Option<[u8; WIDTH]>, right: Option<[u8; WIDTH]>) -> v128 {
        match (left, right) {
            (Some(left), Some(right)) => v128_xor(load(left), load(right)),
            _ => u8x16_splat(1),
        }
    }

    #[inline(always)]
    fn load(bytes: [u8; WIDTH]) -> v128 {
        let both = u128::from_le_bytes(bytes);
        u64x2(both as u64, (both >> 64) as u64)
    }

    #[inline(always)]
    pub(super) fn or(left: v128, right: v128) -> v128 {
        v128_or(left, right)
    }

    #[inline(always)]
    pub(super) fn any(differences: v128) -> bool {
        v128_any_true(differences)
    }
}
