//! Faults that input asks for, to show what becomes of them: see tests/faults. Not compiled into what ships.

/// What input begins with that asks for a fault; its name follows.
const MARK: &[u8] = b"planted-fault:";

/// Fails in the way that the input asks for, if it does.
#[expect(clippy::panic, reason = "that is what it is for")]
pub(super) fn fail_if_asked(input: &[u8]) {
    match input.strip_prefix(MARK) {
        Some(b"panic") => panic!("a planted fault"),
        Some(b"trap") => core::arch::wasm32::unreachable(),
        Some(b"stack") => drop(descend(1)),
        Some(b"memory") => loop {
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
