//! Comparing bytes: `==` calls a function that looks at one after the other in WebAssembly.

/// How many bytes are compared at once.
const WIDTH: usize = 16;

/// Whether bytes begin with others.
#[expect(clippy::inline_always, reason = "half of the time of reading a stream is spent here")]
#[inline(always)]
pub(super) fn begin_with(bytes: &[u8], with: &[u8]) -> bool {
    if bytes.len() < with.len() {
        return false;
    }
    let mut at = 0;
    while at + WIDTH <= with.len() {
        if !is_same_chunk(bytes, with, at) {
            return false;
        }
        at += WIDTH;
    }
    if with.len() >= WIDTH {
        // Some of the last ones are compared again, all at once.
        return is_same_chunk(bytes, with, with.len() - WIDTH);
    }
    while let (Some(left), Some(right)) = (bytes.get(at), with.get(at)) {
        if *left != *right {
            return false;
        }
        at += 1;
    }
    true
}

#[expect(clippy::inline_always, reason = "see begin_with")]
#[inline(always)]
fn is_same_chunk(left: &[u8], right: &[u8], at: usize) -> bool {
    match (left.get(at..), right.get(at..)) {
        (Some(left), Some(right)) => match (left.first_chunk::<WIDTH>(), right.first_chunk::<WIDTH>()) {
            (Some(left), Some(right)) => u128::from_le_bytes(*left) == u128::from_le_bytes(*right),
            _ => false,
        },
        _ => false,
    }
}
