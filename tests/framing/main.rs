//! The framers: tables at every cut, a simple implementation of the WHATWG rules, and mixed random streams.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

mod properties;
mod tables;

use respool::framing::{Frame, Framer, SseDecoder};

/// Larger than every record in these tests.
const LIMIT: usize = 1 << 20;

fn events<'p>(pieces: impl IntoIterator<Item = &'p [u8]>) -> Vec<String> {
    let mut events = Vec::new();
    let mut decoder = SseDecoder::new();
    for piece in pieces {
        decoder.push(piece, &mut |e| events.push(format!("{}|{}|{}|{:?}", e.event, e.data, e.id, e.retry)));
    }
    decoder.finish(&mut |e| events.push(format!("{}|{}|{}|{:?}", e.event, e.data, e.id, e.retry)));
    events
}

/// Returns one line for each frame, in a compact form for tables.
fn show(frame: Frame<'_>) -> String {
    match frame {
        Frame::Event { name: "", data, offset } => format!("{offset} event {data}"),
        Frame::Event { name, data, offset } => format!("{offset} event {name}: {data}"),
        Frame::Json { text, offset } => {
            // Unescaped control characters other than line breaks are allowed in strings.
            let text = text.replace(|byte| byte < ' ' && !matches!(byte, '\n' | '\r'), " ");
            assert!(serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok(), "{text}");
            format!("{offset} json {text}")
        }
        Frame::Garbage { text, reason, offset } => format!("{offset} {reason:?} {text}"),
        Frame::Exception { name, message, data, offset } => {
            format!("{offset} exception {name} {message}: {data}")
        }
        Frame::Damaged { damage, offset } => format!("{offset} {damage:?}"),
        Frame::TooLarge { offset } => format!("{offset} too large"),
    }
}

fn frames<'p>(pieces: impl IntoIterator<Item = &'p [u8]>, limit: usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut framer = Framer::new(limit);
    for piece in pieces {
        framer.push(piece, &mut |frame| found.push(show(frame)));
    }
    framer.finish(&mut |frame| found.push(show(frame)));
    found
}
