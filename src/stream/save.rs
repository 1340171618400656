//! Saves and restores streams in progress.

use super::event_reader::EventReader;
use super::source::Source;
use super::{StreamAccumulator, StreamOptions};
use crate::error::Result;
use crate::model::Delta;
use crate::save::{Kind, open, seal, state};

impl StreamAccumulator {
    /// Saves the state of the stream as bytes, from which [`restore`](Self::restore) continues it, even in another
    /// process: the following deltas and the result are the same as without saving. Deltas that haven't been
    /// [taken](Self::take_deltas) are saved too.
    ///
    /// The bytes take up as much as the text so far and at most 2 KB, plus the unrecognised members that are kept.
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
    /// [`ErrorCode::CodecError`](crate::ErrorCode::CodecError) if the stream is read by a codec that can't [be
    /// saved](crate::provider::Provider::save).
    pub fn save(&mut self) -> Result<Vec<u8>> {
        seal(Kind::Accumulator, self)
    }

    /// Continues a stream that was [saved](Self::save), by this release or another one with the same format version.
    /// Register its codec first.
    ///
    /// # Errors
    /// - [`ErrorCode::InvalidState`](crate::ErrorCode::InvalidState) if the bytes aren't a saved stream, are damaged,
    ///   or have another version
    /// - [`ErrorCode::CodecError`](crate::ErrorCode::CodecError) if the codec of the stream isn't registered, or
    ///   rejects the state
    pub fn restore(saved: &[u8]) -> Result<Self> {
        let mut stream = Self::default();
        open(Kind::Accumulator, saved, &mut stream)?;
        Ok(stream)
    }
}

impl StreamAccumulator {
    /// Returns the options with which the stream is read, which are saved with it. `api` is set once the interface is
    /// known.
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
            text: builder.search_options(),
        }
    }

    /// Returns the fewest deltas from which a client that joins now rebuilds the current state: each part and each tool
    /// call as a whole. They and the deltas that follow lead to the same state as all deltas from the beginning.
    ///
    /// Discard the deltas of [`finish`](Self::finish) with [`take_deltas`](Self::take_deltas) first: these include
    /// them.
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
            Some(json) => json.insert_json_deltas_from_start(deltas),
            None => deltas,
        }
    }
}

state! {
    struct StreamAccumulator {
        bytes, reader, json, loops, pending, total_bytes, ending,
    } anew { marker_count, repeats, awaits_repeat_check }
}
