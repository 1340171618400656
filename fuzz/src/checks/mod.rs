//! Each check panics if an invariant doesn't hold for its input. The fuzzer searches for such inputs; tests/fuzzed.rs
//! runs the checks on its findings and on the fixtures.

mod body;
mod framing;
mod json;
mod pieces;
mod stream;
mod text;

pub use body::{base64, body};
pub use framing::{framing, messages, sse};
pub use json::{json, partial_json, repair};
pub use stream::{
    stream_anthropic, stream_any, stream_bedrock, stream_chat, stream_gemini, stream_interactions,
    stream_responses,
};
pub use text::{loops, text_arguments, text_formats};

/// Panics if an invariant doesn't hold for these bytes.
pub type Check = fn(&[u8]);

/// All checks, by name.
pub const ALL: &[(&str, Check)] = &[
    ("json", json),
    ("partial_json", partial_json),
    ("repair", repair),
    ("sse", sse),
    ("framing", framing),
    ("messages", messages),
    ("stream_chat", stream_chat),
    ("stream_responses", stream_responses),
    ("stream_anthropic", stream_anthropic),
    ("stream_gemini", stream_gemini),
    ("stream_interactions", stream_interactions),
    ("stream_bedrock", stream_bedrock),
    ("stream_any", stream_any),
    ("body", body),
    ("base64", base64),
    ("loops", loops),
    ("text_formats", text_formats),
    ("text_arguments", text_arguments),
];
