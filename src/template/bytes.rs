//! Comparing bytes: `==` calls a function that looks at one after the other in WebAssembly.

/// How many bytes are compared at once.
const WIDTH: usize = 16;

/// Whether two slices of the same length are the same.
#[inline]
pub(super) fn are_same(mut a: &[u8], mut b: &[u8]) -> bool {
    while let (Some((left, after_left)), Some((right, after_right))) =
        (a.split_first_chunk::<WIDTH>(), b.split_first_chunk::<WIDTH>())
    {
        if u128::from_le_bytes(*left) != u128::from_le_bytes(*right) {
            return false;
        }
        (a, b) = (after_left, after_right);
    }
    a.len() == b.len() && a.iter().zip(b).all(|(left, right)| left == right)
}
