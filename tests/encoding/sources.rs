//! The streams that the tests encode, and encoding them.

use std::fs;

use respool::StreamOptions;
use respool::encode::{EncodeOptions, StreamEncoder, WireApi};
use respool::model::{Api, StreamResult, Warning, WarningCode};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::corpus::{cases, wire};

/// A stream of some interface.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// Events are kept as JSON text, because they may contain lone surrogates, which parsed strings can't.
#[derive(Deserialize)]
struct Quirk {
    cases: Vec<QuirkCase>,
}

#[derive(Deserialize)]
struct QuirkCase {
    name: String,
    input: Input,
}

#[derive(Deserialize)]
struct Input {
    events: Option<Vec<Box<RawValue>>>,
    bytes: Option<String>,
}

/// Returns the streams of all fixtures and of all quirks.
pub(crate) fn all() -> Vec<Source> {
    let fixtures = cases::all().into_iter().filter_map(|case| {
        let events = case.events?;
        let is_whole = case.expected.ending.as_deref() == Some("complete");
        let done = if case.api == Api::OpenaiChat && is_whole { "data: [DONE]\n\n" } else { "" };
        let bytes = (wire::named_sse(&events) + done).into_bytes();
        Some(Source { name: case.name, bytes })
    });
    let quirks = cases::entries(&cases::root().join("quirks")).into_iter();
    let quirks = quirks.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    let quirks = quirks.flat_map(|path| {
        let json = fs::read_to_string(&path).unwrap();
        let quirk: Quirk = serde_json::from_str(&json).unwrap();
        quirk.cases.into_iter().filter_map(move |case| {
            let name = format!("{} {}", path.file_stem()?.display(), case.name);
            let events = |list: Vec<Box<RawValue>>| list.iter().map(ToString::to_string).collect::<Vec<_>>();
            let bytes = case.input.bytes.or_else(|| Some(wire::json_lines(&events(case.input.events?))))?;
            Some(Source { name, bytes: bytes.into_bytes() })
        })
    });
    fixtures.chain(quirks).collect()
}

pub(crate) fn api_of(target: WireApi) -> Api {
    match target {
        WireApi::OpenaiChat => Api::OpenaiChat,
        WireApi::OpenaiResponses => Api::OpenaiResponses,
        _ => Api::AnthropicMessages,
    }
}

pub(crate) fn options() -> EncodeOptions {
    EncodeOptions {
        include_usage: true,
        created: Some(1_700_000_000),
        nonce: Some(1),
        ..EncodeOptions::default()
    }
}

/// Output of an encoder.
pub(crate) struct Output {
    pub(crate) text: String,
    pub(crate) lost: Vec<Warning>,
    pub(crate) result: StreamResult,
}

impl Output {
    pub(crate) fn has_lost(&self, code: WarningCode) -> bool {
        self.lost.iter().any(|warning| warning.code == code)
    }
}

/// Encodes pieces of a stream.
pub(crate) fn encode<'b>(
    target: WireApi,
    options: EncodeOptions,
    pieces: impl IntoIterator<Item = &'b [u8]>,
) -> Output {
    encode_with(target, StreamOptions::default(), options, pieces)
}

/// Like [`encode`], with options for reading the stream.
pub(crate) fn encode_with<'b>(
    target: WireApi,
    stream: StreamOptions,
    options: EncodeOptions,
    pieces: impl IntoIterator<Item = &'b [u8]>,
) -> Output {
    let mut encoder = StreamEncoder::new(target, stream, options).unwrap();
    let mut bytes = Vec::new();
    for piece in pieces {
        bytes.extend(encoder.push_bytes(piece).unwrap());
    }
    bytes.extend(encoder.finish());
    assert!(encoder.finish().is_empty());
    let text = String::from_utf8(bytes).unwrap();
    Output { text, lost: encoder.lost().to_vec(), result: encoder.result().unwrap().clone() }
}
