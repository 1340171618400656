//! Saves the state of an encoder, and restores it.

use super::deltas;
use super::head::seed;
use super::options::{EncodeOptions, WireApi};
use super::passthrough::Passthrough;
use super::stream_encoder::{Phase, StreamEncoder};
use super::targets::{self, target};
use super::writer::Output;
use crate::error::Result;
use crate::save::{Coder, Kind, State, open, seal};
use crate::stream::{StreamAccumulator, StreamOptions};

impl StreamEncoder {
    /// Saves the state of the stream as bytes, from which [`restore`](Self::restore) continues, also in another
    /// process. What it then writes is the same as without the interruption, and so are [`lost`](Self::lost) and
    /// [`result`](Self::result).
    ///
    /// The bytes that were already returned aren't part of the state: send them first, or store them with it.
    ///
    /// ```
    /// use respool::encode::{EncodeOptions, StreamEncoder, WireApi};
    ///
    /// let mut encoder =
    ///     StreamEncoder::new(WireApi::AnthropicMessages, Default::default(), EncodeOptions::default())?;
    /// let mut bytes = encoder.push_bytes(b"data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n\ndata: {\"cho")?;
    /// let saved = encoder.save()?;
    ///
    /// let mut encoder = StreamEncoder::restore(&saved)?;
    /// bytes.extend(encoder.push_bytes(b"ices\":[{\"delta\":{\"content\":\"lo\"},\"finish_reason\":\"stop\"}]}\n\n")?);
    /// bytes.extend(encoder.finish());
    /// let text = String::from_utf8_lossy(&bytes);
    /// assert_eq!(text.matches("event: message_start").count(), 1);
    /// assert!(text.ends_with("data: {\"type\":\"message_stop\"}\n\n"));
    /// assert_eq!(encoder.result().unwrap().text, "Hello");
    /// # Ok::<(), respool::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`CodecError`](crate::ErrorCode::CodecError) if the codec that reads the stream can't
    /// [be saved](crate::provider::Provider::save).
    pub fn save(&mut self) -> Result<Vec<u8>> {
        seal(Kind::Encoder, self)
    }

    /// Continues a stream that was [saved](Self::save) by this release, or by another one with the same state version.
    /// Register codecs again first.
    ///
    /// # Errors
    /// - [`InvalidState`](crate::ErrorCode::InvalidState) for anything but the bytes of a saved encoder, and for those
    ///   of another version
    /// - [`CodecError`](crate::ErrorCode::CodecError) if the codec that reads the stream isn't registered, or refuses
    ///   its state
    pub fn restore(saved: &[u8]) -> Result<Self> {
        deltas::register();
        let mut encoder = Self::blank();
        open(Kind::Encoder, saved, &mut encoder)?;
        Ok(encoder)
    }

    /// Returns the interface that is written.
    pub fn api(&self) -> WireApi {
        self.target.api
    }

    /// Returns the options for writing. `created` is present only if it was set.
    pub fn options(&self) -> &EncodeOptions {
        &self.options
    }

    /// Returns the options for reading the source: see [`StreamAccumulator::options`].
    pub fn stream_options(&self) -> StreamOptions {
        self.stream.options()
    }
}

impl State for StreamEncoder {
    fn blank() -> Self {
        let target = target(WireApi::blank());
        Self {
            stream: StreamAccumulator::default(),
            target,
            options: State::blank(),
            writer: (target.writer)(),
            phase: State::blank(),
            passage: State::blank(),
            event_copies: None,
            has_codec: false,
            has_usage: false,
            notes: Vec::new(),
            out: Output::default(),
            result: None,
            status: None,
        }
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        let Self {
            stream,
            target,
            options,
            writer,
            phase,
            passage,
            has_codec,
            has_usage,
            out: Output { lost, events },
            event_copies,
            notes: _,
            result,
            status: _, // nothing is written after a failure
        } = self;
        let mut api = target.api;
        api.code(coder);
        stream.code(coder);
        options.code(coder);
        phase.code(coder);
        passage.code(coder);
        has_codec.code(coder);
        lost.code(coder);
        events.code(coder); // events that were written before the first call
        if coder.is_loading() {
            *target = targets::target(api);
            *writer = (target.writer)();
            stream.keep_journal(*phase != Phase::Waiting);
            stream.set_seed(seed(options));
            *has_usage = stream.answer().usage().is_some();
            if !matches!(passage, Passthrough::Closed) {
                stream.keep_event_copies();
                *event_copies = Some(Box::default());
            }
            *result = stream.ending().map(|_| stream.snapshot());
        }
        if *phase != Phase::Over {
            writer.code(coder);
        }
        if let (Passthrough::Undecided, Some(event_copies)) = (passage, stream.event_copies_mut()) {
            event_copies.code(coder);
        }
    }
}
