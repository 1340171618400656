//! Faults that input asks for, to test what happens then: see tests/faults. Not compiled into the published module.

/// Marks input that asks for a fault. The fault's name follows.
const MARK: &[u8] = b"planted-fault:";

/// Fails in the way that the input asks for, if it asks for a fault.
#[expect(clippy::panic, reason = "that is what it is for")]
pub(super) fn fail_if_asked(input: &[u8]) {
    let mark = input.windows(MARK.len()).position(|bytes| bytes == MARK);
    let name = mark.and_then(|at| input.get(at + MARK.len()..)).unwrap_or_default();
    match name {
        [b'p', b'a', b'n', b'i', b'c', ..] => panic!("a planted fault"),
        [b't', b'r', b'a', b'p', ..] => core::arch::wasm32::unreachable(),
        [b's', b't', b'a', b'c', b'k', ..] => drop(descend(1)),
        [b'm', b'e', b'm', b'o', b'r', b'y', ..] => loop {
            std::mem::forget(Vec::<u8>::with_capacity(1 << 30));
        },
        _ => {}
    }
}

/// Calls itself endlessly. The rest of it keeps the compiler from turning the recursion into a loop.
fn descend(level: u64) -> Vec<u64> {
    let mut levels = if level == 0 { Vec::new() } else { descend(level + 1) };
    levels.push(level);
    levels
}
