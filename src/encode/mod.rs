//! Writes responses in the interface that a client expects, whatever interface they came from.
//!
//! [`StreamEncoder`] turns a stream into another while it arrives; [`encode()`] writes a complete response.
//!
//! ```
//! use respool::encode::{EncodeOptions, StreamEncoder, WireApi};
//!
//! let mut encoder = StreamEncoder::new(WireApi::OpenaiChat, Default::default(), EncodeOptions::default())?;
//! let event = b"data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hi\"}}\n\n";
//! let bytes = encoder.push_bytes(event)?;
//! assert!(String::from_utf8_lossy(&bytes).contains(r#""delta":{"content":"Hi"}"#));
//! # Ok::<(), respool::Error>(())
//! ```

mod annotations;
mod anthropic_messages;
mod body;
mod choices;
mod common_calls;
mod common_form;
mod custom;
mod delta_reader;
mod deltas;
mod derived_annotations;
mod endings;
mod failure;
mod formats;
mod head;
mod json;
mod losses;
mod openai_chat;
mod openai_responses;
mod options;
mod outcome;
mod pass_on;
mod passthrough;
mod provider_fields;
mod repeats;
mod same_api;
mod save;
mod signature_tracking;
mod stream_encoder;
mod stream_end;
mod targets;
#[cfg(any(test, all(target_family = "wasm", feature = "encode")))]
mod translate;
mod usage;
mod writer;
mod written_texts;

pub use body::{Encoded, encode, encode_json, encode_result, error_body};
pub use options::{EncodeOptions, Retention, WireApi};
pub use stream_encoder::StreamEncoder;
#[cfg(all(target_family = "wasm", feature = "encode"))]
pub(crate) use translate::translate;
