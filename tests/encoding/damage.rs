//! Streams damaged in transit: the output is still a valid stream of its interface, and the same at every cut.

use std::panic::catch_unwind;

use respool::StreamOptions;
use respool::encode::WireApi;
use respool::json::RawJson;
use respool::model::{ToolCallStatus, Warning, WarningCode};

use crate::corpus::cuts::{Numbers, pieces};
use crate::corpus::streams::{read_bytes, replaces};
use crate::corpus::wire;
use crate::lifecycle::{check, is_passed};
use crate::sources::{self, Source, api_of, encode, options};

/// How many damaged streams are encoded in each interface.
const COUNT: usize = 1500;

/// Limit on the length of the source; longer streams have no other kinds of events.
const MAX_BYTES: usize = 5000;

fn damage(bytes: &mut Vec<u8>, other: &[u8], numbers: &mut Numbers) {
    let (one, two) = (numbers.below(bytes.len() + 1), numbers.below(bytes.len() + 1));
    let (from, to) = (one.min(two), one.max(two));
    match numbers.below(5) {
        0 if !bytes.is_empty() => {
            let at = from.min(bytes.len() - 1);
            bytes[at] = u8::try_from(numbers.below(256)).unwrap();
        }
        1 => drop(bytes.drain(from..to)),
        2 => {
            let piece = bytes[from..to].to_vec();
            bytes.splice(to..to, piece);
        }
        3 => {
            let start = numbers.below(other.len() + 1);
            bytes.splice(from..from, other[start..].iter().copied());
        }
        _ => bytes.truncate(from),
    }
}

#[test]
fn damaged_streams_are_written_as_valid_ones() {
    let streams: Vec<Source> =
        sources::all().into_iter().filter(|source| source.bytes.len() <= MAX_BYTES).collect();
    let mut numbers = Numbers::for_round("damaged streams");
    for _ in 0..COUNT {
        let mut bytes = streams[numbers.below(streams.len())].bytes.clone();
        let other = &streams[numbers.below(streams.len())].bytes;
        for _ in 0..=numbers.below(3) {
            damage(&mut bytes, other, &mut numbers);
        }
        let mut cuts: Vec<usize> = (0..numbers.below(6)).map(|_| numbers.below(bytes.len() + 1)).collect();
        cuts.sort_unstable();
        for target in WireApi::ALL {
            let shown =
                || format!("in {}, cut at {cuts:?}:\n{}", target.as_str(), String::from_utf8_lossy(&bytes));
            let one = encode(target, options(), pieces(&bytes, &cuts));
            let other = encode(target, options(), bytes.chunks(1));
            if is_passed(&bytes, target) {
                let data = one.text.lines().filter_map(|line| line.strip_prefix("data: "));
                let is_event = |data: &str| data == "[DONE]" || RawJson::parse(data).is_some();
                assert!(data.into_iter().all(is_event), "{}", one.text);
                continue;
            }
            let ends = catch_unwind(|| (check(target, &one.text), check(target, &other.text)));
            let (end, other_end) = ends.unwrap_or_else(|_| panic!("{}\n{}", shown(), one.text));
            assert_eq!(end, other_end, "{}", shown());
            // A beginning that arrives late, or a replacement, can be written only if the text after it wasn't yet.
            if one.result.warnings.iter().any(|warning| {
                warning.code == WarningCode::ResumedStream || replaces(warning.code, &warning.message)
            }) {
                continue;
            }
            // If arguments aren't valid JSON, the result of a reader depends on where they are split. A withdrawn call
            // has already been written, with the arguments it had so far.
            let withdraws = |warning: &Warning| warning.code == WarningCode::WithdrawnToolCall;
            let is_sound =
                one.result.tool_call_status.iter().all(|status| *status == ToolCallStatus::Complete)
                    && !one.result.warnings.iter().any(withdraws);
            let named = || StreamOptions { api: Some(api_of(target)), ..StreamOptions::default() };
            let [one, other] =
                [&one, &other].map(|output| read_bytes(named(), [output.text.as_bytes()]).result);
            // A late signature may split a text into messages, and one that has the text of the other looks repeated.
            let is_repeated = |warning: &Warning| warning.code == WarningCode::RepeatedMessage;
            if one.warnings.iter().chain(&other.warnings).any(is_repeated) {
                continue;
            }
            assert_eq!(one.text, other.text, "{}", shown());
            assert_eq!(one.reasoning, other.reasoning, "{}", shown());
            assert!(!is_sound || one.tool_calls == other.tool_calls, "{}", shown());
            assert_eq!(one.finish_reason, other.finish_reason, "{}", shown());
        }
    }
}

#[test]
fn a_text_may_be_repeated_in_full_after_its_end() {
    let delta = r#"{"choices":[{"index":0,"delta":{"content":"noon."}}]}"#;
    let steps = r#"[{"type":"web_search","thought":"I look it up."}]"#;
    let message = format!(r#"{{"role":"assistant","content":"At noon.","reasoning_steps":{steps}}}"#);
    let whole =
        format!(r#"{{"choices":[{{"index":0,"delta":{{}},"message":{message},"finish_reason":"stop"}}]}}"#);
    let stream = wire::sse(&[delta.to_owned(), whole]);
    let cuts = [delta.len() + "data: \n\n".len()];
    for target in [WireApi::AnthropicMessages, WireApi::OpenaiResponses] {
        let written = encode(target, options(), pieces(stream.as_bytes(), &cuts));
        check(target, &written.text);
        assert!(written.text.contains("noon.") && !written.text.contains("At no"), "{}", written.text);
    }
}

#[test]
fn output_grows_linearly_with_input() {
    for target in WireApi::ALL {
        let length = |count: usize| {
            let event = |n: usize| {
                format!(
                    "{{\"candidates\":[{{\"content\":{{\"parts\":[{{\"text\":\" word {}\"}}]}}}}]}}",
                    n % 10
                )
            };
            let bytes = wire::sse(&(0..count).map(event).collect::<Vec<_>>());
            encode(target, options(), bytes.as_bytes().chunks(100)).text.len()
        };
        let (half, whole) = (length(500), length(1000));
        assert!(whole < half * 21 / 10, "{}: {half} bytes, then {whole}", target.as_str());
    }
}
