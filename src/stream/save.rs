//! Saves a stream that is under way, and goes on with it.

use super::StreamAccumulator;
use crate::error::Result;
use crate::save::{Kind, open, seal, state};

impl StreamAccumulator {
    /// All that is known of the stream, as bytes from which [`restore`](Self::restore) goes on, also in another
    /// process: the result is the same as without, and so are the deltas that follow. Deltas that have not been
    /// [taken](Self::take_deltas) are saved as well.
    ///
    /// The bytes are the text that is there and at most 2 KB, plus what is kept of members that nobody models.
    ///
    /// ```
    /// use respool::StreamAccumulator;
    ///
    /// let mut stream = StreamAccumulator::default();
    /// stream.push_bytes(b"data: {\"choices\":[{\"delta\":{\"content\":\"Hel").unwrap();
    /// let saved = stream.save().unwrap();
    ///
    /// let mut stream = StreamAccumulator::restore(&saved).unwrap();
    /// stream.push_bytes(b"lo\"}}]}\n\n").unwrap();
    /// assert_eq!(stream.finish().text, "Hello");
    /// ```
    ///
    /// # Errors
    /// [`ErrorCode::CodecError`](crate::ErrorCode::CodecError) if a codec reads the stream that can't
    /// [be saved](crate::provider::Provider::save).
    pub fn save(&self) -> Result<Vec<u8>> {
        seal(Kind::Accumulator, self)
    }

    /// Goes on with a stream that was [saved](Self::save), by this release or another one that writes the same version.
    /// Codecs must be registered again before.
    ///
    /// # Errors
    /// - [`ErrorCode::InvalidState`](crate::ErrorCode::InvalidState) for anything but the bytes of a saved stream, and for
    ///   those of another version
    /// - [`ErrorCode::CodecError`](crate::ErrorCode::CodecError) if the codec isn't registered that reads the stream, or
    ///   refuses its state
    pub fn restore(saved: &[u8]) -> Result<Self> {
        open(Kind::Accumulator, saved)
    }
}

state! {
    struct StreamAccumulator {
        bytes, reader, json, loops, pending, has_templates, total_bytes, ending,
    } anew { marks, repeats, is_unasked }
}
