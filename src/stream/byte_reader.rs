//! Splits the bytes of a stream into records, compares them with earlier ones, and parses those that differ too much.

use super::event_reader::{EventReader, Read};
use super::layouts::{Hint, MatchedRecord, Nodes, parse_matching};
use super::memory::Memory;
use super::repeats::Repeats;
use crate::framing::{Frame, Framer};
use crate::json::JsonError;
use crate::provider::{Event, Repeat};
use crate::save::state;

/// Reads the bytes of one stream.
#[derive(Debug)]
pub(super) struct ByteReader {
    framer: Framer,
    hint: Hint,
    repeats: Repeats,
    has_templates: bool,
    max_event_bytes: usize,
}

state! { struct ByteReader { framer, has_templates, max_event_bytes } anew { hint, repeats } }

impl ByteReader {
    /// Creates a reader. `has_templates`: whether records are compared with earlier ones; otherwise all are parsed.
    pub(super) fn new(max_event_bytes: usize, has_templates: bool) -> Self {
        let framer = Framer::new(max_event_bytes);
        Self { framer, hint: Hint::default(), repeats: Repeats::default(), has_templates, max_event_bytes }
    }

    /// Whether records are compared with earlier ones.
    pub(super) fn has_templates(&self) -> bool {
        self.has_templates
    }

    /// Notes that an object was pushed already parsed; events from earlier bytes can't be repeated after it.
    pub(super) fn mark_parsed_object(&mut self) {
        self.framer.mark_parsed_object();
        self.repeats.forget();
    }

    /// Reads bytes until they end, or until an event has to be [written](crate::accumulator::Builder::is_due) before
    /// more is read. Returns the number of bytes read.
    pub(super) fn push(&mut self, bytes: &[u8], reader: &mut EventReader) -> usize {
        let mut memory = Memory::take();
        let mut rest = bytes;
        while !reader.builder.is_halted() && !reader.builder.is_note_due() {
            rest = rest.get(self.framer.skip_line_feed(rest)..).unwrap_or_default();
            if rest.is_empty() {
                break;
            }
            let taken = match self.read_known_layout(rest, &mut memory, reader) {
                Some(length) => length,
                None => self.read_record(rest, &mut memory, reader),
            };
            rest = rest.get(taken..).unwrap_or_default();
        }
        memory.texts.flush(reader);
        self.repeats.flush_usage(&mut memory, reader);
        memory.put_back();
        if reader.builder.is_halted() { bytes.len() } else { bytes.len() - rest.len() }
    }

    /// Reads a single event as JSON text. Returns how the event can be repeated with another text, if it reports no
    /// usage.
    ///
    /// # Errors
    /// The text isn't JSON; nothing was read.
    pub(super) fn push_event(
        &mut self,
        json: &str,
        reader: &mut EventReader,
    ) -> Result<Option<Repeat>, JsonError> {
        let mut memory = Memory::take();
        let read = self.read_event(json, &mut memory, reader);
        if read.is_ok() {
            self.framer.mark_parsed_object();
        }
        memory.texts.flush(reader);
        self.repeats.flush_usage(&mut memory, reader);
        memory.put_back();
        read
    }

    fn read_event(
        &mut self,
        json: &str,
        memory: &mut Memory,
        reader: &mut EventReader,
    ) -> Result<Option<Repeat>, JsonError> {
        let Self { hint, repeats, has_templates, .. } = self;
        let max_depth = reader.builder.limits().max_depth;
        let bytes = json.as_bytes();
        if *has_templates
            && !reader.builder.is_halted()
            && memory.layouts.match_json(None, bytes, max_depth, hint).is_some()
        {
            let fitting = memory.layouts.matched_json(hint.layout(), bytes);
            let is_repeated = read_repeat(fitting, true, repeats, memory, reader);
            return Ok(if is_repeated { None } else { read_as_new(fitting, repeats, memory, reader) });
        }
        let document = memory.tape.parse(json, max_depth)?;
        repeats.forget();
        reader.read_json(None, &document);
        let repeat = find_repeatable(&Event::new(None, document.root()), repeats, reader);
        drop(document);
        if *has_templates {
            memory.layouts.learn(bytes, 0..bytes.len(), None, &memory.tape, max_depth, hint);
        }
        Ok(repeat.filter(|(_, nodes)| nodes.usage.is_none()).map(|(repeat, _)| repeat))
    }

    /// Reads what is left at the end of the stream.
    pub(super) fn finish(&mut self, reader: &mut EventReader) {
        let alone = self.framer.standalone();
        let mut memory = Memory::take();
        self.framer.finish(&mut |frame| {
            reader.read_frame(frame, &mut memory.tape);
        });
        memory.put_back();
        if let Some(alone) = alone {
            reader.end_body(alone);
        }
    }

    /// Reads the record at the start of `bytes` if its layout is known, and returns its length.
    fn read_known_layout(
        &mut self,
        bytes: &[u8],
        memory: &mut Memory,
        reader: &mut EventReader,
    ) -> Option<usize> {
        if !self.has_templates || !self.framer.is_between() {
            return None;
        }
        let max_depth = reader.builder.limits().max_depth;
        let length = memory.layouts.match_bytes(bytes, max_depth, &mut self.hint)?.get();
        let record = bytes.get(..length).filter(|record| record.len() <= self.max_event_bytes)?;
        self.framer.skip_record(record);
        let fitting = memory.layouts.matched_record(self.hint.layout(), record);
        if !read_repeat(fitting, length == bytes.len(), &mut self.repeats, memory, reader) {
            read_as_new(fitting, &mut self.repeats, memory, reader);
        }
        Some(length)
    }

    /// Reads up to the end of the record, and returns the number of bytes read.
    fn read_record(&mut self, bytes: &[u8], memory: &mut Memory, reader: &mut EventReader) -> usize {
        let is_whole = self.has_templates && self.framer.is_at_record();
        let Self { framer, hint, repeats, has_templates, .. } = self;
        let (mut last, mut frames) = (None, 0);
        let max_depth = reader.builder.limits().max_depth;
        let taken = framer.push_record(bytes, &mut |frame| {
            frames += 1;
            last = None;
            if let Some((name, json)) =
                json_in(&frame).filter(|_| *has_templates && !reader.builder.is_halted())
                && memory.layouts.match_json(name, json.as_bytes(), max_depth, hint).is_some()
            {
                let fitting = memory.layouts.matched_json(hint.layout(), json.as_bytes());
                if !read_repeat(fitting, false, repeats, memory, reader) {
                    read_as_new(fitting, repeats, memory, reader);
                }
                return;
            }
            memory.texts.flush(reader);
            repeats.flush_usage(memory, reader);
            repeats.forget();
            last = reader.read_frame(frame, &mut memory.tape);
        });
        // Not learned: records with other frames, such as an invalid line, because a match would skip their warnings.
        let is_all = is_whole && frames == 1 && framer.is_at_record();
        if let (true, Some(Read { name, json })) = (is_all, last) {
            let record = bytes.get(..taken).unwrap_or_default();
            let start = json.start.checked_sub(record.as_ptr() as usize);
            // Nor records whose JSON had to be copied.
            if let Some(start) = start.filter(|start| start + json.len() <= record.len()) {
                let place = start..start + json.len();
                memory.layouts.learn(record, place, name.as_deref(), &memory.tape, max_depth, hint);
            }
        }
        taken
    }
}

/// Returns the name and the JSON of an event.
fn json_in<'f>(frame: &Frame<'f>) -> Option<(Option<&'f str>, &'f str)> {
    match *frame {
        Frame::Event { name, data, .. } if data.starts_with('{') => {
            Some((Some(name).filter(|name| !name.is_empty()), data))
        }
        Frame::Json { text, .. } => Some((None, text)),
        _ => None,
    }
}

/// Reads a matching event if it repeats an earlier one, and returns whether it does. `is_last`: nothing follows in the
/// same read.
#[expect(clippy::inline_always, reason = "nearly all events are read here, and nowhere else")]
#[inline(always)]
fn read_repeat(
    fitting: MatchedRecord<'_>,
    is_last: bool,
    repeats: &mut Repeats,
    memory: &mut Memory,
    reader: &mut EventReader,
) -> bool {
    let Memory { layouts, texts, .. } = memory;
    let usage = layouts.usage_span(fitting);
    let Some(key) = layouts.key(fitting) else { return false };
    if (usage.is_none() || reader.builder.is_joining())
        && let Some(target) = repeats.find(key)
        && let Some(text) = layouts.text(fitting).filter(|text| !text.is_empty())
    {
        texts.add(target, text, is_last, reader);
        if let Some(copies) = &mut reader.copies {
            copies.add_repeat(key, fitting.json);
        }
        if let Some(usage) = usage {
            repeats.add_usage(fitting, usage, layouts, texts, reader);
        }
        return true;
    }
    false
}

/// Returns how an event that was just read can be repeated, and which of its values may then differ.
fn find_repeatable(
    event: &Event<'_>,
    repeats: &mut Repeats,
    reader: &mut EventReader,
) -> Option<(Repeat, Nodes)> {
    let repeat = if repeats.should_check() { reader.repeatable(event)? } else { return None };
    Some((repeat, Nodes::of(repeat.shape, event.body)?))
}

/// Reads a matching event that repeats none. Returns how the event can be repeated with another text, if it reports no
/// usage.
#[inline(never)]
fn read_as_new(
    fitting: MatchedRecord<'_>,
    repeats: &mut Repeats,
    memory: &mut Memory,
    reader: &mut EventReader,
) -> Option<Repeat> {
    memory.texts.flush(reader);
    repeats.flush_usage(memory, reader);
    let Memory { layouts, tape, .. } = memory;
    let is_updated = layouts.update(fitting);
    let max_depth = reader.builder.limits().max_depth;
    let document =
        if is_updated { layouts.document(fitting) } else { parse_matching(fitting.json, tape, max_depth) }?;
    let event = Event::new(layouts.name(fitting), document.root());
    reader.read(&event);
    let repeat = find_repeatable(&event, repeats, reader).filter(|_| is_updated);
    let kind = reader.copies.as_ref().and_then(|_| event.kind()).map(String::from);
    drop(document);
    let (repeat, nodes) = repeat.unzip();
    let has_usage = nodes.as_ref().is_some_and(|nodes| nodes.usage.is_some());
    if let (Some(repeat), Some(nodes)) = (repeat, nodes)
        && let Some(key) = layouts.learn_parts(fitting, repeat.shape, nodes)
    {
        repeats.add(key, repeat.target, repeat.is_alone);
        if let Some(copies) = &mut reader.copies {
            copies.remember(key, kind.unwrap_or_default());
        }
    } else {
        repeats.forget();
    }
    repeat.filter(|_| !has_usage)
}

#[cfg(test)]
mod tests;
