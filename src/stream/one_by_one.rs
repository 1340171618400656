//! Events that are pushed one by one, as objects or as JSON text.

use super::StreamAccumulator;
use super::repeats::MAX_REPEATS;
use crate::error::{Error, ErrorCode, Result, quote};
use crate::json::{Fragment, Value};
use crate::model::Delta;
use crate::provider::{Event, Repeat, Shape};

/// A pushed event that can be repeated with another text. See [`StreamAccumulator::push_repeat`].
#[derive(Debug, Clone, Copy)]
pub struct Repeatable {
    /// The path of the text in the event, and the members that may differ besides.
    pub shape: &'static Shape,
    /// The number of the event for [`StreamAccumulator::push_repeat`]. If it is 0, the numbers of all earlier events
    /// are invalid.
    pub number: u32,
}

impl StreamAccumulator {
    /// Reads one parsed event or chunk, and returns the deltas.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidChunk`] for anything but an object, [`ErrorCode::StreamFinished`] after the end.
    pub fn push(&mut self, event: Value<'_>) -> Result<Vec<Delta>> {
        self.accept(event)?;
        Ok(self.take_deltas())
    }

    /// Reads one parsed event or chunk. The deltas are kept until they are [taken](Self::take_deltas).
    pub(crate) fn accept(&mut self, event: Value<'_>) -> Result<()> {
        self.check_open()?;
        if !event.is_object() {
            let message =
                "a chunk must be an object: one parsed event of a stream; for bytes use pushBytes()";
            return Err(Error::new(ErrorCode::InvalidChunk, message));
        }
        self.bytes.mark_parsed_object();
        if std::mem::replace(&mut self.awaits_repeat_check, true) {
            self.repeats.clear();
        }
        self.reader.read(&Event::new(None, event));
        Ok(())
    }

    /// Reads one event that is JSON text, and returns the deltas. Faster than parsing and [pushing](Self::push) the
    /// event, because most events differ little from an earlier one.
    ///
    /// ```
    /// use respool::StreamAccumulator;
    ///
    /// let mut stream = StreamAccumulator::default();
    /// stream.push_json(r#"{"choices": [{"delta": {"content": "Hello"}}]}"#).unwrap();
    /// assert_eq!(stream.finish().text, "Hello");
    /// ```
    ///
    /// # Errors
    /// [`ErrorCode::InvalidChunk`] for anything but an object in JSON, [`ErrorCode::StreamFinished`] after the end.
    pub fn push_json(&mut self, event: &str) -> Result<Vec<Delta>> {
        if self.accept_json(event, &mut None)? {
            return Ok(self.take_deltas());
        }
        let message = format!("An event must be an object in JSON, got {}", quote(event));
        Err(Error::new(ErrorCode::InvalidChunk, message))
    }

    /// Reads one event that is JSON text, and sets `repeatable` if the event is [repeatable](Self::repeatable). Returns
    /// `false`, having read nothing, if the text isn't a JSON object.
    pub(crate) fn accept_json(&mut self, json: &str, repeatable: &mut Option<Repeatable>) -> Result<bool> {
        self.check_open()?;
        if self.awaits_repeat_check {
            self.repeats.clear();
        }
        if !json.starts_with('{') {
            return Ok(false);
        }
        let Ok(repeat) = self.bytes.push_event(json, &mut self.reader) else { return Ok(false) };
        *repeatable = self.add_repeat(repeat.filter(|_| self.bytes.has_templates()));
        Ok(true)
    }

    /// Returns how this event, which must be the one that was pushed last, can be [repeated](Self::push_repeat) with
    /// another text. Most events without usage can. The number stays valid until bytes are pushed, or an event that
    /// isn't repeatable or has the number 0.
    ///
    /// ```
    /// use respool::StreamAccumulator;
    /// use respool::json::Document;
    ///
    /// let mut stream = StreamAccumulator::default();
    /// let event = Document::parse(r#"{"choices": [{"delta": {"content": "Hel"}}]}"#, 8).unwrap();
    /// stream.push(event.root()).unwrap();
    /// let again = stream.repeatable(event.root()).unwrap();
    /// assert_eq!(again.shape.path, ["choices", "", "delta", "content"]);
    /// stream.push_repeat(again.number, &"lo".into()).unwrap();
    /// assert_eq!(stream.finish().text, "Hello");
    /// ```
    pub fn repeatable(&mut self, event: Value<'_>) -> Option<Repeatable> {
        let event = Event::new(None, event);
        let repeat = if self.bytes.has_templates() { self.reader.repeatable(&event) } else { None };
        self.add_repeat(repeat.filter(|repeat| repeat.shape.usage_of(event.body).is_none()))
    }

    fn add_repeat(&mut self, repeat: Option<Repeat>) -> Option<Repeatable> {
        self.awaits_repeat_check = false;
        if repeat.is_none_or(|repeat| repeat.is_alone) || self.repeats.len() >= MAX_REPEATS {
            self.repeats.clear();
        }
        let repeat = repeat?;
        let number = self.repeats.len() as u32;
        self.repeats.push(repeat.target);
        Some(Repeatable { shape: repeat.shape, number })
    }

    /// Pushes a [`repeatable`](Self::repeatable) event again with another text, and returns the deltas.
    ///
    /// # Errors
    /// [`ErrorCode::StreamFinished`] after the end, [`ErrorCode::InvalidChunk`] if the number is invalid by now.
    pub fn push_repeat(&mut self, number: u32, text: &Fragment<'_>) -> Result<Vec<Delta>> {
        self.accept_repeat(number, text)?;
        Ok(self.take_deltas())
    }

    pub(crate) fn accept_repeat(&mut self, number: u32, text: &Fragment<'_>) -> Result<()> {
        self.check_open()?;
        let target = self.repeats.get(number as usize).copied().filter(|_| !self.awaits_repeat_check);
        let Some(target) = target else {
            return Err(Error::new(
                ErrorCode::InvalidChunk,
                "This event can no longer be repeated. Push it as a whole.",
            ));
        };
        if !self.reader.builder.is_halted() {
            self.reader.repeat(&target, text);
        }
        Ok(())
    }

    /// Pushes a repeatable event again, with the joined texts of several events.
    #[cfg(target_family = "wasm")]
    pub(crate) fn accept_joined_repeat(&mut self, number: u32, text: &Fragment<'_>) -> Result<()> {
        self.reader.builder.set_joined(true);
        let accepted = self.accept_repeat(number, text);
        self.reader.builder.set_joined(false);
        accepted
    }

    /// Warns that a property of the event that was pushed last couldn't be read.
    #[cfg(target_family = "wasm")]
    pub(crate) fn warn_unreadable_property(&mut self, trouble: &str) {
        let message = format!("A property of the chunk could not be read: {trouble}");
        self.reader.builder.warn(crate::model::WarningCode::InvalidEvent, message);
    }
}
