//! A failure never looks like a success.

use respool::StreamOptions;
use respool::encode::{StreamEncoder, WireApi};
use respool::model::Ending;

use crate::chat::End;
use crate::lifecycle::{check, is_passed};
use crate::sources::{self, options};

/// At most so many events are looked at in each stream.
const MAX_EVENTS: usize = 40;

/// The bytes of each event.
fn events(bytes: &[u8]) -> Vec<&[u8]> {
    let mut events = Vec::new();
    let mut rest = bytes;
    while let Some(end) = rest.windows(2).position(|two| two == b"\n\n") {
        let (event, after) = rest.split_at(end + 2);
        events.push(event);
        rest = after;
    }
    events
}

#[test]
fn a_stream_that_is_cut_off_or_aborted_fails_in_the_interface_that_is_written() {
    for source in sources::all().iter().filter(|source| source.name.contains('/')) {
        for target in WireApi::ALL {
            if is_passed(&source.bytes, target) {
                continue;
            }
            for abort in [false, true] {
                for count in 0..events(&source.bytes).len().min(MAX_EVENTS) {
                    let mut encoder =
                        StreamEncoder::new(target, StreamOptions::default(), options()).unwrap();
                    let mut text = Vec::new();
                    for event in events(&source.bytes).into_iter().take(count) {
                        text.extend(encoder.push_bytes(event).unwrap());
                    }
                    let last = if abort { encoder.abort(Some("Enough")) } else { encoder.finish() };
                    let was_over = last.is_empty();
                    text.extend(last);
                    let text = String::from_utf8(text).unwrap();
                    let ending = encoder.result().unwrap().ending;
                    let context = format!("{} in {} after {count}: {ending:?}", source.name, target.as_str());
                    let end = std::panic::catch_unwind(|| check(target, &text));
                    let end = end.unwrap_or_else(|_| panic!("{context}:\n{text}"));
                    if ending != Ending::Complete && !was_over {
                        assert_eq!(end, End::Failure, "{context}:\n{text}");
                    }
                }
            }
        }
    }
}

#[test]
fn an_error_of_the_provider_ends_the_stream() {
    let error = b"event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Busy\"}}\n\n";
    for target in WireApi::ALL {
        for begin in [
            &b""[..],
            b"data: {\"id\":\"a\",\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n",
        ] {
            if target == WireApi::OpenaiChat && !begin.is_empty() {
                continue; // passed on
            }
            let mut encoder = StreamEncoder::new(target, StreamOptions::default(), options()).unwrap();
            let mut text = encoder.push_bytes(begin).unwrap();
            text.extend(encoder.push_bytes(error).unwrap());
            let text = String::from_utf8(text).unwrap();
            assert_eq!(check(target, &text), End::Failure, "{text}");
            assert!(text.contains("Busy"));
            assert!(encoder.finish().is_empty(), "the end was written");
        }
    }
}
