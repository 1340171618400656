//! An encoder that is saved and restored continues as if it hadn't been: output, losses and result are the same.

use respool::encode::{EncodeOptions, Retention, StreamEncoder, WireApi};
use respool::json::{Document, to_json};
use respool::model::{Failure, FailureCode};
use respool::{ErrorCode, StreamAccumulator, StreamOptions};

use super::damage::{code_of, garbled, sealed};
use super::inputs::{Input, all_bytes};
use super::size::{OVERHEAD, records, text_there};
use super::ways;
use crate::corpus::cases;
use crate::corpus::cuts::{Numbers, pieces};

/// Number of cuts of each stream in each target.
const CUTS: usize = 12;

/// One in this many of the short streams is cut at every byte.
const WHOLE: usize = 29;
/// Maximum length of a short stream.
const SHORT: usize = 1500;

fn again(encoder: &mut StreamEncoder) -> StreamEncoder {
    let saved = encoder.save().unwrap();
    let mut restored = StreamEncoder::restore(&saved).unwrap();
    assert_eq!(restored.save().unwrap(), saved, "what is restored is what was saved");
    assert_eq!(encoder.save().unwrap(), saved, "saving changes nothing");
    restored
}

/// Returns the options for encoding the nth stream.
fn writing(nth: usize) -> EncodeOptions {
    let known =
        EncodeOptions { include_usage: true, created: Some(1), nonce: Some(2), ..EncodeOptions::default() };
    match nth % 3 {
        0 => known,
        1 => EncodeOptions { model: Some("m".into()), id: Some("answer-1".into()), ..known },
        _ => EncodeOptions {
            reasoning: Retention::Drop,
            unsigned_thinking: Retention::Drop,
            input_tokens: Some(7),
            custom_tools: vec!["tide".into()],
            ..known
        },
    }
}

/// How a stream is ended.
#[derive(Debug, Clone, Copy)]
enum End {
    Finish,
    Abort,
    Fail,
}

impl End {
    fn write(self, encoder: &mut StreamEncoder) -> Vec<u8> {
        match self {
            Self::Finish => encoder.finish(),
            Self::Abort => encoder.abort(Some("enough")),
            Self::Fail => encoder.fail_with(Failure::new(FailureCode::ProviderError, "Busy"), None),
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn compare_ends(name: &str, saved: &mut StreamEncoder, plain: &mut StreamEncoder) {
    for end in [End::Finish, End::Abort, End::Fail] {
        let (mut saved, mut plain) = (again(saved), again(plain));
        assert_eq!(text(&end.write(&mut saved)), text(&end.write(&mut plain)), "{name}: {end:?}");
        saved = again(&mut saved);
        assert_eq!(saved.lost(), plain.lost(), "{name}: {end:?}");
        assert_eq!(
            saved.result().map(to_json),
            plain.result().map(to_json),
            "{name}: the result after {end:?}"
        );
        assert!(saved.finish().is_empty() && saved.heartbeat().is_empty() && saved.is_over(), "{name}");
        assert_eq!(saved.push_bytes(b"\n").unwrap_err().code, ErrorCode::StreamFinished);
    }
}

/// Encodes pieces twice, once saving and restoring before each. Fails if the outputs differ.
fn compare(name: &str, target: WireApi, reading: &StreamOptions, writing: &EncodeOptions, reads: &[&[u8]]) {
    let open = || StreamEncoder::new(target, reading.clone(), writing.clone()).unwrap();
    let (mut saved, mut plain) = (open(), open());
    for (number, read) in reads.iter().enumerate() {
        saved = again(&mut saved);
        let shown = text(read);
        let (one, other) = (saved.push_bytes(read), plain.push_bytes(read));
        assert_eq!(one.map(|it| text(&it)), other.map(|it| text(&it)), "{name}: read {number}: {shown:?}");
        assert_eq!(saved.lost(), plain.lost(), "{name}: read {number}: {shown:?}");
        assert_eq!(saved.is_over(), plain.is_over(), "{name}: read {number}: {shown:?}");
    }
    compare_ends(name, &mut saved, &mut plain);
}

#[test]
fn every_stream_in_every_target() {
    for (nth, Input { name, bytes }) in all_bytes().iter().enumerate() {
        for (at, target) in WireApi::ALL.into_iter().enumerate() {
            let name = format!("{name} in {}", target.as_str());
            let (reading, writing) = (&ways()[(nth + at) % 4], writing(nth / 4));
            // The name is the seed.
            let mut numbers = Numbers::for_name(&name);
            if bytes.len() <= SHORT && (nth + at) % WHOLE == 0 {
                compare(&name, target, reading, &writing, &bytes.chunks(1).collect::<Vec<_>>());
                continue;
            }
            let mut cuts: Vec<usize> = (0..CUTS).map(|_| numbers.below(bytes.len())).collect();
            cuts.sort_unstable();
            let reads = pieces(bytes, &cuts);
            compare(&format!("{name}, cut at {cuts:?}"), target, reading, &writing, &reads);
        }
    }
}

#[test]
fn objects_in_every_target() {
    for (nth, case) in cases::all().into_iter().enumerate() {
        let events = case.events.unwrap_or_default();
        for target in WireApi::ALL {
            let open = || StreamEncoder::new(target, StreamOptions::default(), writing(nth)).unwrap();
            let (mut saved, mut plain) = (open(), open());
            for event in &events {
                let event = Document::parse(event, 600).unwrap();
                saved = again(&mut saved);
                let (one, other) = (saved.push(event.root()).unwrap(), plain.push(event.root()).unwrap());
                assert_eq!(text(&one), text(&other), "{} in {}", case.name, target.as_str());
            }
            compare_ends(&case.name, &mut saved, &mut plain);
        }
    }
}

/// Events that belong to no interface are kept until it is known whether they are passed on.
#[test]
fn events_of_an_undetected_interface_are_saved() {
    let reads = [
        &b"data: {\"odd\":1}\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\n"[..],
        b"data: {\"id\":\"c\",\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n",
        b"data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
    ];
    for target in WireApi::ALL {
        compare("undecided", target, &StreamOptions::default(), &writing(0), &reads);
    }
}

#[test]
fn options_are_restored() {
    for (nth, reading) in ways().into_iter().enumerate() {
        let target = WireApi::ALL[nth % 3];
        let mut encoder = StreamEncoder::new(target, reading.clone(), writing(nth)).unwrap();
        let restored = again(&mut encoder);
        assert_eq!((restored.api(), restored.options()), (target, &writing(nth)));
        assert_eq!(format!("{:?}", restored.stream_options()), format!("{:?}", encoder.stream_options()));
    }
}

/// The restored encoder uses the generated id of the first one.
#[test]
fn generated_ids_are_saved() {
    let event = b"data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hi\"}]},\"finishReason\":\"STOP\"}]}\n\n";
    for (target, prefix) in WireApi::ALL.into_iter().zip(["chatcmpl-", "resp_", "msg_"]) {
        let mut encoder =
            StreamEncoder::new(target, StreamOptions::default(), EncodeOptions::default()).unwrap();
        let first = text(&encoder.push_bytes(event).unwrap());
        let whole = first + &text(&again(&mut encoder).finish());
        let starts = whole.split("\"id\":\"").skip(1).filter(|rest| rest.starts_with(prefix));
        let mut ids: Vec<&str> = starts.filter_map(|rest| rest.split('"').next()).collect();
        assert!(!ids.is_empty(), "{whole}");
        ids.dedup();
        assert_eq!(ids.len(), 1, "{ids:?}");
    }
}

#[test]
fn the_size_is_at_most_that_of_the_text_plus_2_kb() {
    let mut most = 0;
    for (nth, Input { name, bytes }) in all_bytes().iter().enumerate() {
        let target = WireApi::ALL[nth % 3];
        let (reading, writing) = (&ways()[nth % 4], writing(nth));
        let mut encoder = StreamEncoder::new(target, reading.clone(), writing).unwrap();
        let mut stream = StreamAccumulator::new(reading.clone()).unwrap();
        let (mut read, mut written) = (0, 0);
        for record in records(bytes) {
            written += encoder.push_bytes(record).unwrap().len();
            stream.push_bytes(record).unwrap();
            read += record.len();
            let saved = encoder.save().unwrap().len();
            // Before anything is written, whole events may be buffered.
            let there =
                if written == 0 { read } else { text_there(&to_json(&stream.snapshot().response)).min(read) };
            most = most.max(saved.saturating_sub(there));
            assert!(saved <= there + OVERHEAD, "{name}: {saved} bytes, for {there} of text");
        }
    }
    println!("at most {most} bytes besides the text");
}

#[test]
fn damage_is_an_error() {
    for (nth, Input { name, bytes }) in all_bytes().iter().enumerate().step_by(70) {
        let target = WireApi::ALL[nth % 3];
        let mut encoder = StreamEncoder::new(target, StreamOptions::default(), writing(nth)).unwrap();
        encoder.push_bytes(&bytes[..bytes.len() / 2]).unwrap();
        let saved = encoder.save().unwrap();
        let code = |bytes: &[u8]| code_of(StreamEncoder::restore(bytes));
        for at in 0..saved.len() {
            assert_eq!(code(&saved[..at]), Some(ErrorCode::InvalidState), "{name}: cut at {at}");
            let mut damaged = saved.clone();
            damaged[at] ^= 1 << (at % 8);
            assert_eq!(code(&damaged), Some(ErrorCode::InvalidState), "{name}: byte {at}");
        }
    }
}

#[test]
fn errors_name_the_other_kind_of_state() {
    let (mut accumulator, mut encoder) = (
        StreamAccumulator::default(),
        StreamEncoder::new(WireApi::OpenaiChat, StreamOptions::default(), writing(0)).unwrap(),
    );
    let error = StreamEncoder::restore(&accumulator.save().unwrap()).map(drop).unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidState);
    assert_eq!(error.message, "Can't restore a StreamEncoder: the state is of a StreamAccumulator");
    let error = StreamAccumulator::restore(&encoder.save().unwrap()).map(drop).unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidState);
    assert_eq!(error.message, "Can't restore a StreamAccumulator: the state is of a StreamEncoder");
}

/// With a correct checksum, any bytes lead to an error or an encoder: no panic.
#[test]
fn garbage_with_a_correct_checksum_is_safe() {
    let (mut restored, mut refused) = (0, 0);
    for (nth, Input { name, bytes }) in all_bytes().iter().enumerate() {
        let mut numbers = Numbers::for_name(name);
        let target = WireApi::ALL[nth % 3];
        let mut encoder = StreamEncoder::new(target, ways()[nth % 4].clone(), writing(nth)).unwrap();
        let (before, after) = bytes.split_at(numbers.below(bytes.len()));
        encoder.push_bytes(before).unwrap();
        let saved = encoder.save().unwrap();
        for _ in 0..20 {
            match StreamEncoder::restore(&sealed(garbled(&saved, &mut numbers))) {
                Ok(mut encoder) => {
                    restored += 1;
                    encoder.heartbeat();
                    let _ = encoder.push_bytes(after);
                    encoder = again(&mut encoder);
                    encoder.finish();
                    assert!(encoder.result().is_some());
                }
                Err(error) => {
                    refused += 1;
                    let codes = [ErrorCode::InvalidState, ErrorCode::CodecError];
                    assert!(codes.contains(&error.code), "{error}");
                }
            }
        }
    }
    assert!(restored > 1000 && refused > 1000, "{restored} restored, {refused} refused");
}
