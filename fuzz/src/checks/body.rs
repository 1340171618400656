//! Complete bodies and base64-encoded vectors.

use respool::json::Document;
use respool::model::Agent;
use respool::{ErrorCode, ProcessResult, StreamAccumulator, StreamOptions, TextBlocks};

/// A body is decoded or refused with a message, and the decoded response serialises as JSON. Read as a stream, the body
/// gives the same text.
pub fn body(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(document) = Document::parse(text, 512) else { return };
    let root = document.root();
    let decoded = respool::decode(root);
    let processed = respool::process(&Agent::default(), root, TextBlocks::All);
    for error in [decoded.as_ref().err(), processed.as_ref().err()].into_iter().flatten() {
        assert!(!error.message.is_empty(), "{text}");
    }
    if let Ok(decoded) = &decoded {
        let json = serde_json::to_string(decoded).expect("a response is JSON");
        assert!(serde_json::from_str::<serde::de::IgnoredAny>(&json).is_ok(), "{json}");
    }
    let detected = respool::detect_api(root);
    if detected.is_none() {
        // Without an interface, `process` fails: for an error body, an unknown one, or an empty list.
        let code = processed.as_ref().err().map(|error| error.code);
        let is_refused = matches!(
            code,
            Some(ErrorCode::UnknownResponse | ErrorCode::ProviderError | ErrorCode::EmptyResponse)
        );
        assert!(is_refused, "{text}: {code:?}");
    }
    if let (Ok(ProcessResult::Text(text_of_body)), Ok(decoded)) = (&processed, &decoded)
        && decoded.tool_calls.is_empty()
        && decoded.refusal.is_none()
        && decoded.choices.len() <= 1
    {
        let mut stream = StreamAccumulator::new(StreamOptions { api: detected, ..StreamOptions::default() })
            .expect("options");
        stream.push_bytes(data).expect("an open stream");
        let streamed = stream.finish();
        // `output_text`, in which SDKs join all text, takes precedence in `process`, while a stream reads the items.
        let sum = root.get_text("output_text").filter(|sum| *sum == *text_of_body);
        assert!(
            streamed.error.is_some() || streamed.text == *text_of_body || sum.is_some(),
            "{text}: {:?}, not {text_of_body:?}",
            streamed.text
        );
    }
}

/// Vectors in either base64 alphabet match those of a simple decoder.
pub fn base64(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let body = serde_json::json!({ "data": [{ "embedding": text }] }).to_string();
    let document = Document::parse(&body, 8).expect("JSON");
    let read = respool::process(&Agent::default(), document.root(), TextBlocks::All);
    match (read, floats(text)) {
        (Ok(ProcessResult::Vectors(vectors)), Some(expected)) => {
            let bits: Vec<u64> =
                vectors.rows[0].values().expect("numbers").iter().map(|float| float.to_bits()).collect();
            let expected: Vec<u64> = expected.iter().map(|float| f64::from(*float).to_bits()).collect();
            assert_eq!(bits, expected, "{text:?}");
        }
        (Err(error), None) => assert!(!error.message.is_empty(), "{text:?}"),
        (read, expected) => panic!("{text:?}: {read:?}, not {expected:?}"),
    }
}

fn floats(text: &str) -> Option<Vec<f32>> {
    let sextet = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    };
    let mut bits: Vec<bool> = Vec::new();
    for byte in text.trim_end_matches('=').bytes() {
        let sextet = sextet(byte)?;
        bits.extend((0..6).rev().map(|bit| sextet >> bit & 1 == 1));
    }
    // At most five bits may be left over: fewer than a character has.
    if bits.len() % 32 >= 6 {
        return None;
    }
    let byte = |bits: &[bool]| bits.iter().fold(0u8, |byte, bit| byte << 1 | u8::from(*bit));
    let bytes: Vec<u8> = bits.chunks_exact(8).map(byte).collect();
    Some(bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect())
}
