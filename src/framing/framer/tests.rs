//! Skipped records, and the number of bytes that are copied.

use super::*;

#[test]
fn a_skipped_record_leaves_the_same_state() {
    for before in ["", "data: {}\n\n", "[{}", ": a\n"] {
        for record in ["{}", "  {}\n", "[{}", "[]", "data: {}\n\n"] {
            let after = |is_skipped: bool| {
                let mut framer = Framer::new(1 << 20);
                framer.push(before.as_bytes(), &mut |_| {});
                if is_skipped {
                    framer.skip_record(record.as_bytes());
                } else {
                    framer.push(record.as_bytes(), &mut |_| {});
                }
                let mut found = Vec::new();
                framer.push(b"],{}\nevent: error\n\n", &mut |frame| found.push(format!("{frame:?}")));
                found
            };
            assert_eq!(after(true), after(false), "{before:?}, {record:?}");
        }
    }
}

/// Returns the number of bytes copied when each byte arrives in a chunk of its own.
fn copied(stream: &str) -> usize {
    let mut framer = Framer::new(1 << 20);
    let mut found = 0;
    for byte in stream.as_bytes().chunks(1) {
        framer.push(byte, &mut |_| found += 1);
    }
    assert!(found > 0);
    framer.event.copied
}

#[test]
fn copies_each_byte_once_even_byte_by_byte() {
    for n in [10_000, 100_000] {
        let text = "x".repeat(n);
        assert_eq!(copied(&format!("data: {text}\n\n")), n + 6);
        assert_eq!(copied(&format!("{{\"a\":\"{text}\"}}")), n + 8);
        let (lines, broken) = ("data: x\n".repeat(n), "{\"a\":[\n".repeat(n));
        assert!(copied(&format!("{lines}\n")) <= 2 * lines.len(), "joined lines are copied twice");
        let objects = "data: {}\n".repeat(n);
        assert!(copied(&objects) <= 2 * objects.len(), "objects are separate events, not joined");
        assert!(
            copied(&format!("{broken}x\n{broken}x\n")) <= 4 * broken.len(),
            "invalid JSON is copied up to four times"
        );
    }
}

/// JSON allows fewer white space characters than ASCII has.
#[test]
fn no_other_space_follows_the_bracket_of_an_array() {
    for space in ["\u{c}", " \u{c}\n", "\u{b}"] {
        let stream = format!("[{space}1]\ndata: {{}}\n\n");
        let frames = |size: usize| {
            let mut framer = Framer::new(1 << 20);
            let mut found = Vec::new();
            for piece in stream.as_bytes().chunks(size) {
                framer.push(piece, &mut |frame| found.push(format!("{frame:?}")));
            }
            framer.finish(&mut |frame| found.push(format!("{frame:?}")));
            found
        };
        assert_eq!(frames(1), frames(stream.len()), "{stream:?}");
        assert!(frames(1).iter().any(|frame| frame.contains("{}")), "{:?}", frames(1));
    }
}
