//! A stream that is saved and restored continues as if it hadn't been: deltas, result and warnings are the same.

#[path = "resuming/catching_up.rs"]
mod catching_up;
#[path = "resuming/damage.rs"]
mod damage;
#[path = "resuming/encoding.rs"]
mod encoding;
#[path = "resuming/inputs.rs"]
mod inputs;
#[path = "resuming/size.rs"]
mod size;

use std::sync::Arc;

use respool::json::{Document, to_json};
use respool::model::{Agent, Api, Limits};
use respool::text::{LoopOptions, TextOptions};
use respool::{ErrorCode, StreamAccumulator, StreamOptions};

use crate::corpus::cases;
use crate::corpus::cuts::{Numbers, pieces};
use inputs::{Input, all_bytes};

/// Streams up to this length are saved after every byte.
const SHORT: usize = 1500;

/// Number of cuts in longer streams.
const CUTS: usize = 60;

fn again(stream: &mut StreamAccumulator) -> StreamAccumulator {
    let saved = stream.save().unwrap();
    let mut restored = StreamAccumulator::restore(&saved).unwrap();
    assert_eq!(restored.save().unwrap(), saved, "what is restored is what was saved");
    assert_eq!(stream.save().unwrap(), saved, "saving changes nothing");
    restored
}

/// Reads pieces twice, once saving and restoring before the reads that `is_time` selects. Fails if the outputs differ.
fn compare(name: &str, options: &StreamOptions, reads: &[&[u8]], is_time: impl Fn(usize) -> bool) {
    let open = || StreamAccumulator::new(options.clone()).unwrap();
    let (mut saved, mut plain) = (open(), open());
    for (number, read) in reads.iter().enumerate() {
        if is_time(number) {
            saved = again(&mut saved);
        }
        let shown = String::from_utf8_lossy(read);
        assert_eq!(saved.push_bytes(read), plain.push_bytes(read), "{name}: read {number}: {shown:?}");
    }
    compare_ends(name, &mut saved, &mut plain);
}

fn compare_ends(name: &str, saved: &mut StreamAccumulator, plain: &mut StreamAccumulator) {
    for aborts in [false, true] {
        let (mut saved, mut plain) = (again(saved), again(plain));
        assert_eq!(to_json(&saved.snapshot()), to_json(&plain.snapshot()), "{name}");
        let end = |stream: &mut StreamAccumulator| {
            if aborts { stream.abort(Some("enough")) } else { stream.finish() }
        };
        assert_eq!(end(&mut again(&mut saved)), end(&mut saved), "{name}: the end");
        end(&mut plain);
        saved = again(&mut saved);
        assert_eq!(saved.take_deltas(), plain.take_deltas(), "{name}: the last deltas");
        saved = again(&mut saved);
        assert_eq!(saved.take_deltas(), [], "{name}: they come once");
        assert_eq!(to_json(&saved.finish()), to_json(&plain.finish()), "{name}: the result once more");
        assert_eq!(saved.push_bytes(b"\n").unwrap_err().code, ErrorCode::StreamFinished);
    }
}

fn tools(options: &str) -> Arc<TextOptions> {
    Arc::new(TextOptions::new(Document::parse(options, 64).unwrap().root()).unwrap())
}

/// Returns options that together switch everything on and off.
fn ways() -> [StreamOptions; 4] {
    let agent = Agent { expects_json: true, ..Agent::default() };
    let search = r#"{"tools":"any","formats":["auto","react"],"tags":["*"]}"#;
    [
        StreamOptions::default(),
        StreamOptions { coalesce: false, templates: false, ..StreamOptions::default() },
        StreamOptions { agent, partial_json: true, ..StreamOptions::default() },
        StreamOptions {
            text: Some(tools(search)),
            partial_json: true,
            loop_detector: Some(LoopOptions::default()),
            ..StreamOptions::default()
        },
    ]
}

#[test]
fn every_stream_at_every_byte() {
    let inputs = all_bytes();
    assert!(inputs.len() > 300, "{}", inputs.len());
    for Input { name, bytes } in &inputs {
        let mut numbers = Numbers::for_name(name);
        for (nth, options) in ways().iter().enumerate() {
            let name = format!("{name}, way {nth}");
            if bytes.len() <= SHORT && nth == 0 {
                compare(&name, options, &bytes.chunks(1).collect::<Vec<_>>(), |_| true);
                continue;
            }
            let mut cuts: Vec<usize> = (0..CUTS).map(|_| numbers.below(bytes.len())).collect();
            cuts.sort_unstable();
            compare(&name, options, &pieces(bytes, &cuts), |_| true);
        }
    }
}

/// With a single save, the restored stream reads many events, in which it must behave like the original.
#[test]
fn one_save_in_the_middle() {
    for Input { name, bytes } in &all_bytes() {
        let mut numbers = Numbers::for_name(name);
        let at = numbers.below(bytes.len());
        let options = &ways()[numbers.below(4)];
        let records: Vec<&[u8]> = bytes[at..].split_inclusive(|byte| *byte == b'\n').collect();
        let reads = [&[&bytes[..at]][..], &records].concat();
        compare(name, options, &reads, |number| number == 1);
    }
}

#[test]
fn objects() {
    for case in cases::all() {
        let events = case.events.unwrap_or_default();
        for options in ways() {
            let open = || StreamAccumulator::new(options.clone()).unwrap();
            let (mut saved, mut plain) = (open(), open());
            for event in &events {
                let event = Document::parse(event, 600).unwrap();
                saved = again(&mut saved);
                assert_eq!(saved.push(event.root()), plain.push(event.root()), "{}", case.name);
                let repeats = [saved.repeatable(event.root()), plain.repeatable(event.root())];
                assert_eq!(repeats[0].is_some(), repeats[1].is_some(), "{}", case.name);
            }
            compare_ends(&case.name, &mut saved, &mut plain);
        }
    }
}

/// Texts with tool calls in every format, one character at a time.
#[test]
fn tool_calls_in_text() {
    let texts = inputs::texts();
    assert!(texts.len() > 200, "{}", texts.len());
    for (name, text, search) in &texts {
        let options = StreamOptions { text: Some(tools(search)), ..StreamOptions::default() };
        let open = || StreamAccumulator::new(options.clone()).unwrap();
        let (mut saved, mut plain) = (open(), open());
        let mut buffer = [0; 4];
        let step = text.chars().count().div_ceil(300);
        for (at, character) in text.chars().enumerate() {
            let piece = serde_json::to_string(character.encode_utf8(&mut buffer)).unwrap();
            let event = format!(r#"{{"choices":[{{"delta":{{"content":{piece}}}}}]}}"#);
            let event = Document::parse(&event, 8).unwrap();
            if at % step == 0 {
                saved = again(&mut saved);
            }
            assert_eq!(saved.push(event.root()), plain.push(event.root()), "{name}: character {at}");
        }
        compare_ends(name, &mut saved, &mut plain);
    }
}

#[test]
fn limits() {
    let event = r#"data: {"choices":[{"delta":{"content":"abc"}}]}"#.to_owned() + "\n\n";
    for limits in [
        Limits { max_total_bytes: 200, ..Limits::default() },
        Limits { max_event_bytes: 40, ..Limits::default() },
    ] {
        let options = StreamOptions { limits, api: Some(Api::OpenaiChat), ..StreamOptions::default() };
        compare("limits", &options, &event.repeat(9).as_bytes().chunks(7).collect::<Vec<_>>(), |_| true);
    }
}

#[test]
fn loops() {
    let options = StreamOptions { loop_detector: Some(LoopOptions::default()), ..StreamOptions::default() };
    let event = |text: &str| format!(r#"data: {{"choices":[{{"delta":{{"content":"{text}"}}}}]}}"#) + "\n\n";
    for text in ["I will try again.\\n", "and so on, ", "\\t \\n", "one\\ntwo\\nthree, and so on\\n"] {
        let stream = event(text).repeat(1200 / text.len());
        compare(text, &options, &stream.as_bytes().chunks(97).collect::<Vec<_>>(), |_| true);
    }
}
