//! Deltas as the source of an encoder: first the ones that a late client has missed, then those that follow.

use std::rc::Rc;

use super::delta_reader::DeltaReader;
use super::options::{EncodeOptions, WireApi};
use super::stream_encoder::StreamEncoder;
use crate::error::{Error, ErrorCode, Result};
use crate::json::Value;
use crate::provider::{Codec, Provider, find_codec, register_codec};
use crate::stream::StreamOptions;

/// Name of the codec that reads deltas, as in [`StreamOptions::codec`]. It detects no values, so deltas are read only
/// if it is selected.
const DELTAS: &str = "respool/deltas";

impl StreamEncoder {
    /// Creates an encoder that reads the deltas of a stream, for a client that joins late. `missed` are the deltas so
    /// far: the next call returns them, with one start and one delta for each part. [Push](Self::push) each delta that
    /// follows.
    ///
    /// Deltas have no signatures, no log probabilities, and neither the id nor the model of the response.
    ///
    /// ```
    /// use respool::encode::{EncodeOptions, StreamEncoder, WireApi};
    /// use respool::json::Document;
    ///
    /// let missed = Document::parse(r#"[{"type":"text","text":"The ferry "},{"type":"text","text":"leaves"}]"#, 64).unwrap();
    /// let options = EncodeOptions::default();
    /// let mut encoder = StreamEncoder::of_deltas(WireApi::OpenaiChat, Default::default(), options, missed.root())?;
    /// let next = Document::parse(r#"{"type":"text","text":" at 9:35."}"#, 64).unwrap();
    /// let text = String::from_utf8(encoder.push(next.root())?).unwrap();
    /// assert!(text.contains(r#""content":"The ferry leaves""#) && text.contains(r#""content":" at 9:35.""#));
    /// # Ok::<(), respool::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`new`](Self::new) and [`push`](Self::push), and
    /// [`InvalidOption`](crate::ErrorCode::InvalidOption) if `stream` has an `api` or a `codec`: deltas have neither.
    pub fn of_deltas(
        api: WireApi,
        stream: StreamOptions,
        options: EncodeOptions,
        missed: Value<'_>,
    ) -> Result<Self> {
        if stream.api.is_some() || stream.codec.is_some() {
            let message = "The source is deltas: remove `api` and `codec` from the options of the stream";
            return Err(Error::new(ErrorCode::InvalidOption, message));
        }
        register();
        let codec = Some(DELTAS.to_owned());
        let mut encoder = Self::new(api, StreamOptions { codec, ..stream }, options)?;
        for delta in missed.items() {
            encoder.stream.accept(delta)?;
        }
        encoder.write_notes(false);
        Ok(encoder)
    }

    /// Whether the encoder was created by [`of_deltas`](Self::of_deltas).
    pub fn reads_deltas(&self) -> bool {
        self.stream.options().codec.as_deref() == Some(DELTAS)
    }
}

/// Registers the codec, unless it already is.
pub(super) fn register() {
    if find_codec(DELTAS).is_none() {
        register_codec(Rc::new(DeltaCodec));
    }
}

struct DeltaCodec;

impl Codec for DeltaCodec {
    fn name(&self) -> &'static str {
        DELTAS
    }

    fn detects(&self, _value: Value<'_>) -> bool {
        false
    }

    fn body_reader(&self) -> Box<dyn Provider> {
        self.stream_reader()
    }

    fn stream_reader(&self) -> Box<dyn Provider> {
        Box::new(DeltaReader::default())
    }
}
