//! Saves a stream that is being written, and goes on with it.

use super::deltas;
use super::lost::Lost;
use super::options::{EncodeOptions, WireApi};
use super::passage::Passage;
use super::stream_encoder::{Phase, StreamEncoder};
use super::targets::target;
use super::writer::Output;
use crate::error::Result;
use crate::save::{Kind, Reader, State, Writer, open, seal};
use crate::stream::{Echo, StreamAccumulator, StreamOptions};

impl StreamEncoder {
    /// All that is known of the stream, as bytes from which [`restore`](Self::restore) goes on, also in another process:
    /// the bytes that follow are the same as without, and so are [`lost`](Self::lost) and [`result`](Self::result).
    ///
    /// What was written isn't in them: send it before, or store it with them.
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
    /// [`CodecError`](crate::ErrorCode::CodecError) if a codec reads the stream that can't
    /// [be saved](crate::provider::Provider::save).
    pub fn save(&self) -> Result<Vec<u8>> {
        seal(Kind::Encoder, self)
    }

    /// Goes on with a stream that was [saved](Self::save), by this release or another one that writes the same version.
    /// Codecs must be registered again before.
    ///
    /// # Errors
    /// - [`InvalidState`](crate::ErrorCode::InvalidState) for anything but the bytes of a saved encoder, and for those of
    ///   another version
    /// - [`CodecError`](crate::ErrorCode::CodecError) if the codec isn't registered that reads the stream, or refuses its
    ///   state
    pub fn restore(saved: &[u8]) -> Result<Self> {
        deltas::register();
        open(Kind::Encoder, saved)
    }

    /// The interface that is written.
    pub fn api(&self) -> WireApi {
        self.target.api
    }

    /// How the stream is written. `created` and `nonce` are there if they were set.
    pub fn options(&self) -> &EncodeOptions {
        &self.options
    }

    /// How the source is read: see [`StreamAccumulator::options`].
    pub fn stream_options(&self) -> StreamOptions {
        self.stream.options()
    }
}

impl State for StreamEncoder {
    fn save(&self, to: &mut Writer) {
        let Self {
            stream,
            target,
            options,
            writer,
            phase,
            passage,
            has_codec,
            custom,
            out: Output { lost, events },
            echo: _,
            notes: _,
            result: _,
        } = self;
        target.api.save(to);
        State::save(stream, to);
        options.save(to);
        phase.save(to);
        passage.save(to);
        has_codec.save(to);
        custom.save(to);
        lost.save(to);
        events.save(to); // what is written before the first call
        if *phase != Phase::Over {
            writer.save_to(to);
        }
        if let Some(echo) = stream.echo().filter(|_| matches!(passage, Passage::Undecided)) {
            echo.save(to);
        }
    }

    fn load(from: &mut Reader<'_>) -> Self {
        let target = target(WireApi::load(from));
        let mut stream = StreamAccumulator::load(from);
        let options = EncodeOptions::load(from);
        let phase = Phase::load(from);
        stream.keep_journal(phase != Phase::Waiting);
        let passage = Passage::load(from);
        let has_codec = bool::load(from);
        let custom = State::load(from);
        let (lost, events) = (Lost::load(from), String::load(from));
        let mut writer = (target.writer)();
        if phase != Phase::Over {
            writer.restore_from(from);
        }
        let echo = match passage {
            Passage::Closed => None,
            Passage::Open { .. } => Some(Echo::default()),
            Passage::Undecided => Some(Echo::load(from)),
        };
        let has_echo = echo.is_some();
        if let Some(echo) = echo {
            stream.restore_echo(echo);
        }
        let result = stream.ending().map(|_| stream.snapshot());
        Self {
            stream,
            target,
            options,
            writer,
            phase,
            passage,
            echo: has_echo.then(Box::default),
            has_codec,
            custom,
            notes: Vec::new(),
            out: Output { events, lost },
            result,
        }
    }
}
