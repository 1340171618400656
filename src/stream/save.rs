//! Saves a stream that is under way, and goes on with it.

use super::event_reader::EventReader;
use super::source::Source;
use super::{StreamAccumulator, StreamOptions};
use crate::error::Result;
use crate::model::Delta;
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
    pub fn save(&mut self) -> Result<Vec<u8>> {
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
        let mut stream = Self::default();
        open(Kind::Accumulator, saved, &mut stream)?;
        Ok(stream)
    }
}

impl StreamAccumulator {
    /// The options under which the stream is read, which are saved with it. The interface is there once it is known, and
    /// `templates` only affects the speed.
    pub fn options(&self) -> StreamOptions {
        let EventReader { agent, builder, source, .. } = &self.reader;
        let (api, codec) = source.as_ref().map_or((None, None), Source::option);
        StreamOptions {
            api,
            codec,
            agent: agent.clone(),
            limits: *builder.limits(),
            coalesce: builder.is_joining(),
            templates: self.bytes.has_templates(),
            partial_json: self.json.is_some(),
            loop_detector: self.loops.as_ref().map(|loops| loops.options()),
            text: builder.searches_for(),
        }
    }

    /// The fewest deltas from which a client that comes now rebuilds what is there: of each part and each tool call the
    /// text once. They and the deltas that follow lead to the same as all deltas from the beginning.
    ///
    /// [Take](Self::take_deltas) the deltas of [`finish`](Self::finish) before: these have them already.
    ///
    /// ```
    /// use respool::StreamAccumulator;
    /// use respool::model::Delta;
    ///
    /// let mut stream = StreamAccumulator::default();
    /// for text in ["At ", "9", ":35."] {
    ///     let event = format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n");
    ///     stream.push_bytes(event.as_bytes()).unwrap();
    /// }
    /// assert_eq!(stream.catch_up(), [Delta::Text { text: "At 9:35.".into(), choice: 0 }]);
    /// ```
    pub fn catch_up(&self) -> Vec<Delta> {
        let deltas = self.reader.builder.catch_up();
        match &self.json {
            Some(json) => json.join_from_start(deltas),
            None => deltas,
        }
    }
}

state! {
    struct StreamAccumulator {
        bytes, reader, json, loops, pending, total_bytes, ending,
    } anew { marks, repeats, awaits_repeat_check }
}
