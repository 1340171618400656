//! Some servers send the whole text so far in each delta. They are recognised by deltas that begin with all previous
//! text, so encoded deltas must never do that.

use respool::StreamOptions;
use respool::encode::WireApi;
use respool::model::StreamResult;
use serde_json::{Value as Json, json};

use crate::corpus::streams::read_bytes;
use crate::corpus::wire;
use crate::deltas::result_of;
use crate::sources::{api_of, encode, options};
use crate::sse;

/// Pieces for sequences in which a piece may begin with all previous text.
const PIECES: [&str; 7] = ["é", "éé", "ééa", "a", "aéa", "Hello", "HelloHello world"];

/// Encodes deltas. Their text is known to be new, even if it begins with all previous text.
fn write(target: WireApi, deltas: &[Json]) -> String {
    result_of(target, deltas).0
}

fn read(target: WireApi, text: &str) -> StreamResult {
    let named = StreamOptions { api: Some(api_of(target)), ..StreamOptions::default() };
    read_bytes(named, [text.as_bytes()]).result
}

/// Returns the deltas of text, each with the name of the text that it belongs to in its interface.
fn pieces_of(text: &str) -> Vec<(String, String)> {
    let mut pieces = Vec::new();
    for event in sse::events(text).iter().filter(|event| event.data.is_object()) {
        let data = &event.data;
        let places = [
            ("/choices/0/delta/content", "content".to_owned()),
            ("/choices/0/delta/reasoning_content", "reasoning".to_owned()),
            ("/delta/text", data["index"].to_string()),
            ("/delta/thinking", data["index"].to_string()),
            ("/delta", format!("{} {}", data["output_index"], data["content_index"])),
        ];
        let found = places.into_iter().filter_map(|(at, unit)| Some((unit, data.pointer(at)?.as_str()?)));
        pieces.extend(found.map(|(unit, piece)| (unit, piece.to_owned())));
    }
    pieces
}

fn assert_no_piece_repeats_all_before_it(text: &str) {
    let mut known: Vec<(String, String)> = Vec::new();
    for (unit, piece) in pieces_of(text) {
        match known.iter_mut().find(|known| known.0 == unit) {
            Some((_, before)) => {
                let is_repeated = !before.is_empty() && piece.len() > before.len();
                assert!(
                    !(is_repeated && piece.starts_with(&**before)),
                    "{before:?}, then {piece:?}:\n{text}"
                );
                before.push_str(&piece);
            }
            None => known.push((unit, piece)),
        }
    }
    assert!(!known.is_empty(), "{text}");
}

#[test]
fn no_piece_of_a_text_repeats_all_before_it() {
    let triples = PIECES.iter().flat_map(|one| {
        PIECES.iter().flat_map(move |two| PIECES.iter().map(move |three| [*one, *two, *three]))
    });
    for pieces in triples {
        for target in WireApi::ALL {
            let deltas = |kind: &str| pieces.map(|piece| json!({ "type": kind, "text": piece }));
            let text = write(target, &deltas("text"));
            assert_no_piece_repeats_all_before_it(&text);
            assert_eq!(read(target, &text).text, pieces.concat(), "{text}");
            let text = write(target, &deltas("reasoning"));
            assert_no_piece_repeats_all_before_it(&text);
            assert_eq!(read(target, &text).reasoning, pieces.concat(), "{text}");
        }
    }
}

/// Chat completions have one text where other interfaces have several.
#[test]
fn no_piece_of_a_text_repeats_the_texts_before_it() {
    let deltas = [
        json!({ "type": "text", "text": "Hel" }),
        json!({ "type": "reasoning", "text": "Aha" }),
        json!({ "type": "text", "text": "Hello world" }),
        json!({ "type": "reasoning", "text": "Aha, and so on" }),
    ];
    for target in WireApi::ALL {
        let text = write(target, &deltas);
        assert_no_piece_repeats_all_before_it(&text);
        let response = read(target, &text);
        assert_eq!(response.text, "HelHello world", "{text}");
        assert_eq!(response.reasoning, "AhaAha, and so on", "{text}");
    }
}

#[test]
fn no_piece_of_arguments_repeats_all_before_it() {
    for pieces in [["{\"", "{\":1", "}"], ["{", "\"{\"", ":1}"], ["{\"", "{", "\":{\"{\":1}}"]] {
        for target in WireApi::ALL {
            let start = json!({ "type": "tool-call-start", "index": 0, "id": "a", "name": "tide" });
            let deltas =
                pieces.map(|piece| json!({ "type": "tool-call-delta", "index": 0, "arguments": piece }));
            let text = write(target, &[&[start][..], &deltas].concat());
            let response = read(target, &text);
            assert_eq!(response.tool_calls[0].arguments, pieces.concat(), "{text}");
        }
    }
}

/// In chat completions, a signature ends a part of the text, and a new part begins after it.
#[test]
fn no_piece_after_a_signature_repeats_the_texts_after_it() {
    let part = |part: Json| json!({ "candidates": [{ "content": { "parts": [part] } }] }).to_string();
    let events = [
        part(json!({ "text": "At noon." })),
        part(json!({ "text": "", "thoughtSignature": "c2ln" })),
        part(json!({ "text": "Take the ferry" })),
        part(json!({ "text": "Hm.", "thought": true })),
        part(json!({ "text": "Take the ferry now." })),
        json!({ "candidates": [{ "finishReason": "STOP" }] }).to_string(),
    ];
    let bytes = wire::sse(&events).into_bytes();
    for target in WireApi::ALL {
        let output = encode(target, options(), bytes.chunks(1));
        assert_eq!(read(target, &output.text).text, output.result.text, "{}", output.text);
    }
}

/// The third piece decides how the second is read, so the two are written as one.
#[test]
fn pieces_held_back_by_the_reader_are_written_completely() {
    let pieces = ["Hello", "Hello wor", "ld, hello"];
    let events =
        pieces.map(|piece| format!(r#"{{"candidates":[{{"content":{{"parts":[{{"text":"{piece}"}}]}}}}]}}"#));
    let end = r#"{"candidates":[{"finishReason":"STOP"}]}"#.to_owned();
    let bytes = wire::sse(&[&events[..], &[end]].concat()).into_bytes();
    for target in WireApi::ALL {
        for chunk in [1, bytes.len()] {
            let output = encode(target, options(), bytes.chunks(chunk));
            assert_eq!(output.result.text, pieces.concat());
            assert_no_piece_repeats_all_before_it(&output.text);
            assert_eq!(read(target, &output.text).text, pieces.concat(), "{}", output.text);
        }
    }
}
