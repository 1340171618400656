//! Faults that input asks for, to show what becomes of them: see tests/faults. Not compiled into what ships.

/// What is in input that asks for a fault; its name follows.
const MARK: &[u8] = b"planted-fault:";

/// Fails in the way that the input asks for, if it does.
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

/// Calls itself without end. What it does besides keeps the compiler from making a loop of it.
fn descend(level: u64) -> Vec<u64> {
    let mut levels = if level == 0 { Vec::new() } else { descend(level + 1) };
    levels.push(level);
    levels
}
