//! Passes the frames and events of a stream to its provider.

use std::ops::Range;

use super::chunk::base64_event;
use super::event_copies::EventCopies;
use super::foreign::{failure_of, has_only_usage, has_type};
use super::source::Source;
use super::unread::{SkippedInput, error_in};
use crate::accumulator::{Builder, ProviderFields};
use crate::error::quote;
use crate::framing::{Frame, split_glued_events, split_objects};
use crate::json::{Document, Fragment, JsonError, JsonErrorKind, TapeBuffer, Value, repair_minor_faults};
use crate::model::{Agent, Alone, Api, Failure, FailureCode, WarningCode};
use crate::provider::{
    Event, Repeat, Target, decode_base64, detect_codec, detect_event, entry, is_exception, read_error,
    read_exception, result_of, unexplained,
};
use crate::save::state;

/// Reads the events of a stream into the builder.
pub(super) struct EventReader {
    pub(super) agent: Agent,
    pub(super) source: Option<Source>,
    pub(super) builder: Builder,
    pub(super) unread: SkippedInput,
    /// Copies of the events, if an encoder passes them on.
    pub(super) copies: Option<Box<EventCopies>>,
}

/// A JSON event that was read.
pub(super) struct Read {
    pub(super) name: Option<String>,
    /// Address range of its JSON in memory.
    pub(super) json: Range<usize>,
}

state! { struct EventReader { agent, builder, unread, source } anew { copies } }

impl EventReader {
    pub(super) fn fields(&self) -> ProviderFields {
        self.source.as_ref().map(|source| source.provider.fields(&self.builder)).unwrap_or_default()
    }

    /// Returns the failure of a stream of which nothing could be read so far; an end mark doesn't complete such a
    /// stream.
    pub(super) fn unread_failure(&self) -> Option<Failure> {
        self.unread.failure(self.builder.has_ended_before_choices())
    }

    /// Reads a frame. Returns the event if it was valid JSON.
    pub(super) fn read_frame(&mut self, frame: Frame<'_>, tape: &mut TapeBuffer) -> Option<Read> {
        if self.builder.is_halted() {
            return None;
        }
        let (name, json, offset) = match frame {
            Frame::Event { name, data, offset } => {
                let name = Some(name).filter(|name| !name.is_empty());
                (name, self.read_data(name, data)?, offset)
            }
            Frame::Json { text, offset } => (None, text, offset),
            Frame::Exception { name, message, data, .. } => {
                let document = tape.parse(data, self.builder.limits().max_depth).ok();
                let body = document.as_ref().map(Document::root);
                let message = if message.is_empty() && body.is_none() { data.trim_ascii() } else { message };
                self.builder.fail(read_exception(name, message, body));
                return None;
            }
            fault => {
                self.report(fault);
                return None;
            }
        };
        let document = match tape.parse(json, self.builder.limits().max_depth) {
            Ok(document) => document,
            Err(error) => {
                self.read_parts(name, json, offset, error);
                return None;
            }
        };
        self.read_json(name, &document);
        let start = json.as_ptr() as usize;
        Some(Read { name: name.map(str::to_owned), json: start..start + json.len() })
    }

    /// Notes that the input has ended and was a single object.
    pub(super) fn end_body(&mut self, standalone: Alone) {
        if let Some(source) = &mut self.source {
            source.provider.end_body(standalone, &mut self.builder);
        }
    }

    /// Ends the stream; unfinished parts keep what has arrived.
    pub(super) fn end(&mut self) {
        if let Some(source) = &mut self.source {
            source.provider.end_parts(&mut self.builder);
        }
        self.builder.close_input();
    }

    /// Reads an event in JSON, or each event of an array of them.
    pub(super) fn read_json(&mut self, name: Option<&str>, document: &Document<'_>) {
        self.read(&Event::new(name, document.root()));
    }

    /// Reads event data that aren't JSON, such as an end mark; returns JSON data unread.
    fn read_data<'d>(&mut self, name: Option<&str>, data: &'d str) -> Option<&'d str> {
        // Some proxies repeat the field name, as in `data: data: {}`.
        let data = data.strip_prefix("data:").map_or(data, str::trim_ascii);
        match data {
            "[DONE]" => self.read_end(EndMark::Done),
            data if data.is_empty() && name == Some("error") => self.builder.fail(unexplained()),
            "" => self.read_empty(name),
            // Some servers send their comments as data.
            data if data.starts_with(':') => {}
            json => return Some(json),
        }
        None
    }

    /// Reads an event without data; by its name, some servers announce that they close the connection.
    fn read_empty(&mut self, name: Option<&str>) {
        if let Some(mark) = name.and_then(EndMark::of) {
            self.read_end(mark);
        }
    }

    fn read_end(&mut self, mark: EndMark) {
        if mark == EndMark::Closing {
            return;
        }
        let was_sound = self.builder.error().is_none();
        if self.unread_failure().is_none() {
            self.builder.finish_stream();
        }
        if let Some(copies) = &mut self.copies {
            copies.add_done();
            if was_sound && self.builder.error().is_some() {
                copies.mark_failed();
            }
        }
    }

    /// Reads an event that isn't valid JSON: repaired if the intention is clear, otherwise the objects in it. Warns if
    /// it was repaired or skipped.
    fn read_parts(&mut self, name: Option<&str>, text: &str, offset: u64, error: JsonError) {
        if error.kind == JsonErrorKind::TooDeep {
            let message = format!(
                "The event at byte {offset} is nested too deeply: {error}. Raise `limits.maxDepth` to read it."
            );
            return self.builder.exceed(message);
        }
        if name != Some("error")
            && let Some(mark) = EndMark::of(text)
        {
            return self.read_end(mark);
        }
        let glued = split_glued_events(text);
        let mended = if glued.is_empty() { repair_minor_faults(text) } else { None };
        let parts = match &mended {
            Some(mended) => vec![mended.as_str()],
            None if glued.is_empty() && self.report_if_error(name, text) => return,
            None if glued.is_empty() => split_objects(text),
            None => glued,
        };
        if mended.is_some() || parts.is_empty() {
            if mended.is_none() && !error.is_incomplete() {
                self.unread.skip(text, None);
            }
            let outcome = if mended.is_some() { "Repaired" } else { "Skipped" };
            let message = format!(
                "{outcome} the event at byte {offset}, which isn't valid JSON ({error}): {}",
                quote(text)
            );
            self.builder.warn(WarningCode::InvalidEvent, message);
        }
        for data in parts {
            // Other text isn't split again: it may look like an event with fields of its own, and so on without end.
            if data.starts_with('{') || data == "[DONE]" {
                let name = name.unwrap_or_default();
                self.read_frame(Frame::Event { name, data, offset }, &mut TapeBuffer::default());
            } else {
                let message = format!(
                    "Skipped part of the event at byte {offset}: expected a JSON object, got {}",
                    quote(data)
                );
                self.builder.warn(WarningCode::InvalidEvent, message);
            }
        }
    }

    /// Reports an unreadable event that is an error by its name, and returns whether it is one. Other text that looks
    /// like an error is reported at the end, unless the answer is completed.
    #[inline(never)]
    fn report_if_error(&mut self, name: Option<&str>, text: &str) -> bool {
        let is_error = name == Some("error");
        if is_error {
            self.builder.fail(Failure::new(FailureCode::ProviderError, text));
        } else {
            self.builder.suspect_error(error_in(text));
        }
        is_error
    }

    /// Returns how an event that was read can be repeated with another text. After the end, it may belong to another
    /// answer, which only the provider can tell.
    pub(super) fn repeatable(&mut self, event: &Event<'_>) -> Option<Repeat> {
        let is_open = !self.builder.is_halted() && !self.builder.is_finished();
        let source = self.source.as_mut().filter(|source| !source.reads_all_events() && is_open)?;
        source.provider.repeatable(event, &self.builder)
    }

    /// Reads a repeated event, of which only the text is new.
    pub(super) fn repeat(&mut self, target: &Target, text: &Fragment<'_>) {
        if let Some(source) = &mut self.source {
            source.provider.repeat(target, text, &mut self.builder);
        }
    }

    /// Reads the usage of a repeated event.
    pub(super) fn repeat_usage(&mut self, usage: Value<'_>) {
        if let Some(source) = &mut self.source {
            source.provider.repeat_usage(usage, &mut self.builder);
        }
    }

    /// Reads an event, or each event of an array of them.
    pub(super) fn read(&mut self, event: &Event<'_>) {
        let Event { name, body, .. } = *event;
        if body.is_object() {
            return self.read_event(event);
        }
        // Some servers encode the JSON of an event once more, as a string.
        let is_encoded =
            |text: &str| matches!(text.as_bytes(), [b'{' | b'[', ..]) && EndMark::of(text).is_none();
        if let Some(text) = body.text().filter(|text| is_encoded(text)) {
            return self.read_encoded(name, &text);
        }
        let mut is_events = false;
        for body in body.items().filter(|item| item.is_object()) {
            is_events = true;
            self.read_event(&Event::new(name, body));
        }
        if !is_events {
            let text = body.compact().unwrap_or_default();
            if self.report_if_error(name, &body.non_empty_text().unwrap_or_else(|| (&*text).into())) {
                return;
            }
            if let Some(mark) = body.text().and_then(|word| EndMark::of(&word)) {
                return self.read_end(mark);
            }
            if text == "null" {
                return self.read_empty(name);
            }
            self.unread.skip(&text, None);
            let message = format!("Skipped an event: expected a JSON object, got {}", quote(&text));
            self.builder.warn(WarningCode::InvalidEvent, message);
        }
    }

    /// Reads event data that are JSON inside a JSON string.
    fn read_encoded(&mut self, name: Option<&str>, text: &str) {
        let message = ["Repaired an event that is a string, not an object: ", &quote(text)].concat();
        self.builder.warn(WarningCode::InvalidEvent, message);
        let frame = Frame::Event { name: name.unwrap_or_default(), data: text, offset: 0 };
        self.read_frame(frame, &mut TapeBuffer::default());
    }

    fn read_event(&mut self, event: &Event<'_>) {
        // `read_chunk` calls this function again with the event inside the chunk.
        if self.copies.is_none() || base64_event(event).is_some() {
            return self.detect_and_read(event);
        }
        let was_sound = self.builder.error().is_none();
        if let Some(copies) = &mut self.copies {
            // The receivers don't know the envelope of a gateway, so only its content is passed on.
            let body = result_of(event.body).filter(|result| result.is_object()).unwrap_or(event.body);
            copies.add(&Event::new(event.name, body));
        }
        self.detect_and_read(event);
        if let (Some(copies), true) = (&mut self.copies, self.source.is_some()) {
            copies.mark_known();
        }
        let has_failed = was_sound && self.builder.error().is_some();
        if let (Some(copies), true) = (&mut self.copies, has_failed) {
            copies.mark_failed();
        }
    }

    fn detect_and_read(&mut self, event: &Event<'_>) {
        if let Some(source) = &mut self.source
            && source.provider.read_own(event, &mut self.builder)
        {
            self.unread.mark_read();
            return;
        }
        if self.source.is_none() {
            self.source = detect_codec(event.body).map(|codec| Source::from_codec(&*codec));
        }
        if let Some(source) = self.source.as_mut().filter(|source| source.reads_all_events()) {
            self.unread.mark_read();
            return source.provider.read(event, &mut self.builder);
        }
        if let Some(chunk) = base64_event(event) {
            return self.read_chunk(chunk);
        }
        let kind = event.kind();
        if matches!(kind, Some("ping" | "keepalive" | "keep-alive" | "heartbeat")) {
            return;
        }
        if let Some(name) = kind.filter(|kind| is_exception(kind)) {
            return self.builder.fail(read_exception(name, "", Some(event.body)));
        }
        if kind == Some("error") {
            return self.builder.fail(read_error(event.body));
        }
        if self.source.is_none() {
            self.source = detect_event(event, &self.agent).map(Source::new);
        }
        let Some(source) = &mut self.source else { return self.read_unknown(event) };
        let is_own = source.matches(event);
        if !is_own && !event.body.has_others(&[]) {
            return self.read_empty(event.name);
        }
        let may_be_foreign = !self.unread.is_understood()
            && match source.api() {
                Some(Api::OpenaiChat) => has_only_usage(event.body),
                // Gemini's other responses, such as embeddings, have usage too.
                Some(api @ Api::Gemini) => entry(api).is_some_and(|entry| !(entry.is_body)(event.body)),
                _ => false,
            };
        // Providers keep events of unknown types.
        if is_own || (has_type(event, source.api()) && failure_of(event).is_none()) {
            source.provider.read(event, &mut self.builder);
            if !is_own {
                self.skip(event);
            } else if may_be_foreign && self.builder.is_blank() {
                self.unread.skip(&event.body.compact().unwrap_or_default(), None);
            } else {
                self.unread.mark_read();
            }
        } else {
            self.read_unknown(event);
        }
    }

    /// Reads the event of another interface inside a chunk.
    fn read_chunk(&mut self, chunk: Value<'_>) {
        let json = chunk.text().and_then(|base64| String::from_utf8(decode_base64(&base64)?).ok());
        let max_depth = self.builder.limits().max_depth;
        let document = json.as_deref().and_then(|json| Document::parse(json, max_depth).ok());
        let Some(document) = document.filter(|document| document.root().is_object()) else {
            let text = quote(&chunk.compact().unwrap_or_default());
            let message = ["Skipped a chunk whose bytes aren't a JSON object in base64: ", &text].concat();
            return self.builder.warn(WarningCode::InvalidEvent, message);
        };
        self.read_event(&Event::new(None, document.root()));
    }

    /// Notes an event that matches no interface, or not the one that the caller set.
    fn skip(&mut self, event: &Event<'_>) {
        if self.unread.is_blank() {
            let api = detect_event(event, &self.agent).map(|entry| entry.api);
            self.unread.skip(&event.body.compact().unwrap_or_default(), api);
        }
    }

    /// Reads an event that matches no interface, or not the one of the stream: reports an error, skips anything else
    /// with a warning.
    fn read_unknown(&mut self, event: &Event<'_>) {
        match failure_of(event) {
            Some(failure) => self.builder.fail(failure),
            None if !event.body.has_others(&[]) => {}
            None => {
                self.skip(event);
                self.builder.keep_unknown_event(event.body, "matches no known interface");
            }
        }
    }
}

/// A word that marks the end in place of an event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EndMark {
    /// `[DONE]`, in any spelling: the answer is complete.
    Done,
    /// `[END]` or `[CLOSE]`: the server closes the connection, whether or not the answer is complete.
    Closing,
}

impl EndMark {
    fn of(data: &str) -> Option<Self> {
        let word =
            data.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(data).trim_ascii();
        let is = |mark: &str| word.eq_ignore_ascii_case(mark);
        if is("done") { Some(Self::Done) } else { (is("end") || is("close")).then_some(Self::Closing) }
    }
}
