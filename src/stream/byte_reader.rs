//! The bytes of a stream: cut into records, which are read by [templates](crate::template) where they fit one,
//! and as JSON where they do not.

use std::mem;
use std::ops::Range;

use super::event_reader::EventReader;
use super::run::Run;
use crate::framing::{Frame, Framer};
use crate::json::TapeBuffer;
use crate::provider::{Event, Repeat, Target};
use crate::template::{Fit, Hole, HoleKind, Template, Templates};
#[cfg(target_family = "wasm")]
use crate::text::PlainText;

/// The beginning of a record that fits a template so far is held back up to this many bytes.
const MAX_HELD: usize = 1 << 14;

/// A record that began in an earlier read is tried again after so many bytes more.
const STEP: usize = 512;

/// Reads the bytes of one stream.
#[derive(Debug)]
pub(super) struct ByteReader {
    framer: Framer,
    tape: TapeBuffer,
    /// Nothing where records are to be read as JSON, all of them.
    templates: Option<Templates>,
    /// The beginning of a record that fits a template so far.
    held: Vec<u8>,
    run: Run,
    /// How long the text of the last read is, where that was one record of the template of the one before; or 0.
    repeated_bytes: usize,
    max_event_bytes: usize,
}

/// A record that was read and may come again with another text.
pub(super) struct Learned {
    target: Target,
    is_alone: bool,
    /// Where the record begins in the stream.
    offset: u64,
    /// Where in memory its JSON is: inside the read, if it had not to be copied.
    json: Range<usize>,
    /// Where in the JSON the holes are.
    holes: Vec<Hole>,
}

impl Learned {
    /// An event that was read out of this JSON; nothing where its holes are not to be found.
    pub(super) fn new(repeat: Repeat, event: &Event<'_>, json: &str, offset: u64) -> Option<Self> {
        let Repeat { shape, target, is_alone } = repeat;
        let mut holes = vec![hole(shape.text_of(event.body)?.span()?, HoleKind::Text)];
        for name in shape.ignored {
            let Some(value) = event.body.get(name) else { continue };
            let kind = if value.unsigned().is_some() { HoleKind::Number } else { HoleKind::String };
            if kind == HoleKind::Number || value.fragment().is_some() {
                let hole = hole(value.span()?, kind);
                let at = holes.partition_point(|other| other.start < hole.start);
                holes.insert(at, hole);
            }
        }
        let start = json.as_ptr() as usize;
        Some(Self { target, is_alone, offset, json: start..start + json.len(), holes })
    }

    /// The template that the record makes; `read` begins at `offset` in the stream and ends with the record.
    fn template(mut self, read: &[u8], offset: u64) -> Option<Template> {
        let record = read.get(usize::try_from(self.offset.checked_sub(offset)?).ok()?..)?;
        let start = record.as_ptr() as usize;
        let json = self.json.start.checked_sub(start).filter(|_| self.json.end <= start + record.len())?;
        for hole in &mut self.holes {
            hole.start += json;
            hole.end += json;
        }
        Template::new(record, &self.holes, self.target)
    }
}

fn hole(span: Range<usize>, kind: HoleKind) -> Hole {
    Hole { start: span.start, end: span.end, kind }
}

impl ByteReader {
    pub(super) fn new(max_event_bytes: usize, has_templates: bool) -> Self {
        Self {
            framer: Framer::new(max_event_bytes),
            tape: TapeBuffer::default(),
            templates: has_templates.then(Templates::default),
            held: Vec::new(),
            run: Run::default(),
            repeated_bytes: 0,
            max_event_bytes,
        }
    }

    /// Takes in the next read.
    pub(super) fn push(&mut self, bytes: &[u8], reader: &mut EventReader) {
        self.repeated_bytes = 0;
        let mut rest = self.end_held(bytes, reader);
        while !rest.is_empty() && !reader.builder.is_halted() {
            let is_all = rest.len() == bytes.len();
            rest = self.read_fitting(rest, reader);
            if rest.is_empty() {
                if !is_all {
                    self.repeated_bytes = 0;
                }
                return;
            }
            let taken = self.read_record(rest, reader);
            rest = rest.get(taken..).unwrap_or_default();
        }
    }

    /// How long the text of the last read is, where that was one record of the template of the one before; or 0.
    #[cfg(target_family = "wasm")]
    pub(super) fn repeated_bytes(&self) -> usize {
        self.repeated_bytes
    }

    /// Takes in a read that is one more such record; gives its text, which waits to be [told](Self::tell_kept).
    /// `None` where it is none, or has to be read in the ordinary way.
    #[cfg(target_family = "wasm")]
    pub(super) fn keep(&mut self, bytes: &[u8], plain: Option<&PlainText>) -> Option<&[u8]> {
        let templates = self.templates.as_mut().filter(|_| self.repeated_bytes > 0)?;
        let Fit::Whole(fitting) = templates.fit(bytes) else { return None };
        if fitting.length != bytes.len() || fitting.length > self.max_event_bytes {
            return None;
        }
        let text = self.run.keep(bytes, &fitting, plain)?;
        self.framer.skip_records(bytes);
        Some(text)
    }

    /// Tells the texts that wait; false where there is none.
    #[cfg(target_family = "wasm")]
    pub(super) fn tell_kept(&mut self, reader: &mut EventReader) -> bool {
        let Some(templates) = self.templates.as_ref().filter(|_| self.run.length() > 0) else { return false };
        self.run.tell(templates, reader);
        true
    }

    /// The stream is over.
    pub(super) fn finish(&mut self, reader: &mut EventReader) {
        self.give_up_held(reader);
        let Self { framer, tape, .. } = self;
        framer.finish(&mut |frame| {
            reader.read_frame(frame, tape, false);
        });
    }

    /// Forgets the templates: something else was read, after which they may not hold.
    pub(super) fn forget_templates(&mut self) {
        self.repeated_bytes = 0;
        if let Some(templates) = &mut self.templates {
            templates.forget();
        }
    }

    /// Reads the records at the beginning that fit a template; what is after them.
    fn read_fitting<'b>(&mut self, bytes: &'b [u8], reader: &mut EventReader) -> &'b [u8] {
        let Some(templates) = &mut self.templates else { return bytes };
        if templates.is_empty() || !self.framer.is_between() {
            return bytes;
        }
        let (mut rest, mut length) = (bytes, 0);
        let mut is_open = false;
        while !rest.is_empty() {
            match templates.fit(rest) {
                Fit::Whole(fitting) if fitting.length <= self.max_event_bytes => {
                    let is_again = self.run.is_of(&fitting);
                    if !self.run.add(rest, &fitting, templates, reader) {
                        break;
                    }
                    if is_again && fitting.length == bytes.len() {
                        self.repeated_bytes = self.run.length();
                    }
                    length += fitting.length;
                }
                Fit::Open if rest.len() <= MAX_HELD.min(self.max_event_bytes) => {
                    is_open = true;
                    break;
                }
                _ => break,
            }
            rest = bytes.get(length..).unwrap_or_default();
        }
        self.run.tell(templates, reader);
        if length > 0 {
            self.framer.skip_records(bytes.get(..length).unwrap_or_default());
        }
        if is_open {
            self.held.extend_from_slice(rest);
            return &[];
        }
        rest
    }

    /// Reads what is held with what comes after it in this read; what of the read is left.
    fn end_held<'b>(&mut self, bytes: &'b [u8], reader: &mut EventReader) -> &'b [u8] {
        let before = self.held.len();
        let Some(templates) = self.templates.as_mut().filter(|_| before > 0) else { return bytes };
        let mut rest = bytes;
        while !rest.is_empty() {
            let (step, after) = rest.split_at(rest.len().min(STEP));
            self.held.extend_from_slice(step);
            rest = after;
            match templates.fit(&self.held) {
                Fit::Whole(fitting) if fitting.length <= self.max_event_bytes => {
                    let taken = fitting.length.checked_sub(before);
                    let Some(after) = taken.and_then(|taken| bytes.get(taken..)) else { break };
                    if !self.run.add(&self.held, &fitting, templates, reader) {
                        break;
                    }
                    self.run.tell(templates, reader);
                    self.framer.skip_records(self.held.get(..fitting.length).unwrap_or_default());
                    self.held.clear();
                    return after;
                }
                Fit::Open if self.held.len() <= MAX_HELD.min(self.max_event_bytes) => {
                    if rest.is_empty() {
                        return &[];
                    }
                }
                _ => break,
            }
        }
        self.held.truncate(before);
        self.give_up_held(reader);
        bytes
    }

    /// What is held does not fit, or the stream ends in it.
    fn give_up_held(&mut self, reader: &mut EventReader) {
        let mut held = mem::take(&mut self.held);
        let mut at = 0;
        while at < held.len() {
            at += self.read_record(held.get(at..).unwrap_or_default(), reader);
        }
        held.clear();
        self.held = held;
    }

    /// Reads up to the end of the record as JSON; how many bytes that took.
    fn read_record(&mut self, bytes: &[u8], reader: &mut EventReader) -> usize {
        let Self { framer, tape, templates, .. } = self;
        let offset = framer.offset();
        let mut learned = None;
        let mut frames = 0;
        let taken = framer.push_record(bytes, &mut |frame: Frame<'_>| {
            frames += 1;
            let is_learning = templates.as_mut().is_some_and(Templates::is_worth_learning);
            learned = reader.read_frame(frame, tape, is_learning);
            if let (Some(templates), true) =
                (&mut *templates, learned.as_ref().is_none_or(|one| one.is_alone))
            {
                templates.forget();
            }
        });
        // Where there was something else, too, as a line to be warned of, that is to be read again.
        let is_all = frames == 1 && framer.is_between();
        if let (Some(templates), Some(learned), true) = (templates, learned, is_all) {
            let is_alone = learned.is_alone;
            if let Some(template) = learned.template(bytes.get(..taken).unwrap_or_default(), offset) {
                templates.learn(template, is_alone);
            }
        }
        taken
    }
}
