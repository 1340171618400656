//! The call that is being read.

use crate::model::RejectReason;
use crate::save::state;
use crate::text::again::Again;
use crate::text::arguments::Arguments;
use crate::text::event::{Event, Sink, Unfit};
use crate::text::formats::CLOSERS;
use crate::text::literal::{At, Literal, Stop};
use crate::text::more::Decided;
use crate::text::reader::{Reader, slice};
use crate::text::schema;
use crate::text::tools::Tools;

/// No call has more brackets and white space behind its arguments.
pub(super) const MAX_BRACKETS: usize = 2048;

/// The result of one reading step of a grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Read {
    /// A call has ended; there may be more.
    Taken,
    /// A value with calls has ended, or another one behind it, which is text: what comes now doesn't belong to it.
    Ended { is_call: bool },
    /// The text since the last call isn't a call.
    Rejected(RejectReason),
    /// There are no more calls here.
    Done,
    /// This isn't a call, only text that mentions a mark.
    NoCall,
}

/// The call that is being read.
#[derive(Debug, Default)]
pub(crate) struct Call {
    /// Its name, once that has been read.
    pub(crate) name: String,
    /// The id in the text; empty if there is none.
    pub(crate) id: String,
    /// Whether it has begun and not ended.
    pub(crate) is_open: bool,
    /// Its arguments, or the whole call, if that is one literal.
    pub(crate) literal: Literal,
    /// How much of the literal has been emitted.
    pub(crate) emitted: usize,
}

state! { struct Call { name, id, is_open, literal, emitted } }

/// Where a grammar emits what it reads.
pub(crate) struct Calls<'c> {
    pub(crate) tools: &'c Tools,
    pub(crate) sink: &'c mut Sink<'c>,
    pub(crate) call: &'c mut Call,
    pub(crate) again: &'c mut Again,
}

impl Calls<'_> {
    /// Begins the call, if its tool may be called and it hasn't begun.
    pub(crate) fn begin(&mut self) {
        let Call { name, id, is_open, .. } = &mut *self.call;
        if !*is_open && self.tools.allows(name) {
            *is_open = true;
            let name = self.tools.find(name).map_or(&**name, |tool| &tool.name);
            (self.sink)(Event::Start { id: Some(&**id).filter(|id| !id.is_empty()), name });
        }
    }

    /// Begins the call early, unless it only counts as a whole.
    pub(crate) fn begin_unless(&mut self, is_strict: bool) {
        if !is_strict {
            self.begin();
        }
    }

    /// Begins the call with arguments that are one literal.
    pub(crate) fn begin_literal(&mut self) {
        self.begin();
        self.call.literal.restart(0);
        self.call.emitted = 0;
    }

    /// Begins the call with arguments whose types the schema determines, as it does for plain text.
    pub(crate) fn begin_typed_literal(&mut self) {
        self.begin_literal();
        self.call.literal.is_typed = true;
    }

    /// A value begins in such arguments.
    fn begin_typed_value(&mut self) {
        let Call { name, literal, .. } = &mut *self.call;
        let types = match literal.path() {
            Some(path) => schema::types_at(self.tools.find(name), &path, &Arguments::default()),
            None => 0,
        };
        literal.set_types(types);
    }

    pub(crate) fn arguments(&mut self, json: &str) {
        if self.call.is_open && !json.is_empty() {
            (self.sink)(Event::Arguments(json));
        }
    }

    /// Emits more of the literal, up to a place in its JSON.
    pub(crate) fn emit(&mut self, to: usize) {
        let Call { literal, emitted, is_open, .. } = &mut *self.call;
        if *is_open && *emitted < to {
            (self.sink)(Event::Arguments(slice(literal.json(), *emitted, to)));
            *emitted = to;
        }
    }

    /// Emits the settled part of the literal.
    pub(crate) fn emit_settled(&mut self) {
        self.emit(self.call.literal.settled());
    }

    /// Emits all of the literal.
    pub(crate) fn emit_all(&mut self) {
        self.emit(self.call.literal.json().len());
    }

    /// Emits all of arguments that can't be read, and nothing that they could be the beginning of.
    pub(crate) fn emit_broken(&mut self) {
        self.emit_all();
        let is_text = matches!(self.call.literal.at, At::Text { .. });
        self.arguments(if is_text { "\":}" } else { ":}" });
    }

    /// Reads arguments that are one literal. Returns a result once they are over.
    pub(crate) fn read_literal(&mut self, reader: &mut Reader<'_>) -> Decided<Read> {
        let is_whole = self.read_to_end(reader)?;
        if !is_whole {
            self.emit_broken();
        }
        Ok(self.end(if is_whole { RejectReason::UnknownTool } else { RejectReason::InvalidArguments }))
    }

    /// Reads a literal up to its end, or up to something that it can't contain. Answers whether it is whole.
    pub(crate) fn read_to_end(&mut self, reader: &mut Reader<'_>) -> Decided<bool> {
        let is_whole = loop {
            match self.call.literal.read(reader) {
                Ok(Stop::Member | Stop::MemberEnd | Stop::ObjectEnd) => {}
                Ok(Stop::Typed) => self.begin_typed_value(),
                Ok(Stop::Unfit) => {
                    self.emit_settled();
                    let argument = self.call.literal.key().to_owned();
                    self.warn(&argument, Unfit::Type);
                }
                Ok(Stop::End) => break Ok(true),
                Ok(Stop::Foreign) => break end_before_closer(&mut self.call.literal, reader),
                Err(more) => break Err(more),
            }
        };
        self.emit_settled();
        if is_whole == Ok(false) {
            self.emit_all();
        }
        is_whole
    }

    /// Warns of an argument, if the call counts.
    pub(crate) fn warn(&mut self, argument: &str, why: Unfit) {
        if self.tools.allows(&self.call.name) {
            (self.sink)(Event::Unfit { argument, why });
        }
    }

    /// The text ends in the middle of the call.
    pub(crate) fn cut_off(&mut self) -> Read {
        self.emit_all();
        self.end(RejectReason::Truncated)
    }

    /// Ends the call. A call that hasn't begun is rejected.
    pub(crate) fn end(&mut self, otherwise: RejectReason) -> Read {
        if !std::mem::take(&mut self.call.is_open) {
            return Read::Rejected(otherwise);
        }
        (self.sink)(Event::End);
        Read::Taken
    }
}

/// Reads over brackets, quotes and separators too many behind arguments, if nothing follows them, or a mark that closes
/// a call or begins the next one. Models in a loop write them without an end.
pub(crate) fn skip_brackets(reader: &mut Reader<'_>) -> Decided<Read> {
    let from = reader.at;
    reader.skip_space();
    let first = reader.at;
    while let Some(b'}' | b']' | b')' | b'"' | b',' | b';') = reader.peek() {
        reader.at += 1;
        reader.skip_space();
    }
    if reader.at - from > MAX_BRACKETS {
        reader.at = from;
        return Ok(Read::Done);
    }
    if reader.at > first || reader.peek().is_none() && !reader.is_over {
        let is_mark = is_before_mark(reader, &["```", "[TOOL_CALLS]"]);
        if is_mark.is_ok_and(|is_mark| is_mark || reader.peek().is_none()) {
            return Ok(Read::Done);
        }
        reader.at = from;
        is_mark?;
    }
    reader.at = from;
    Ok(Read::Done)
}

/// Whether a mark that closes a call is here, or one of these.
pub(crate) fn is_before_mark(reader: &Reader<'_>, others: &[&str]) -> Decided<bool> {
    Ok(reader.which(CLOSERS)?.is_some() || reader.which(others)?.is_some())
}

/// Closes the open brackets if the mark that closes the call is already here. Answers whether it is.
pub(crate) fn end_before_closer(literal: &mut Literal, reader: &Reader<'_>) -> Decided<bool> {
    let is_closed = literal.is_between() && reader.which(CLOSERS)?.is_some();
    if is_closed {
        literal.close();
    }
    Ok(is_closed)
}
