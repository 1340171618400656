//! The call that is being read.

use crate::model::RejectReason;
use crate::save::state;
use crate::text::arguments::Arguments;
use crate::text::event::{Event, Sink, Unfit};
use crate::text::formats::CLOSERS;
use crate::text::literal::{At, Literal, Stop};
use crate::text::need_more::Decided;
use crate::text::reader::{Reader, slice};
use crate::text::reread_budget::RereadBudget;
use crate::text::schema;
use crate::text::tools::Tools;

/// Maximum number of brackets and white space after the arguments of a call.
pub(super) const MAX_BRACKETS: usize = 2048;

/// Result of a reading step of a grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Read {
    /// A call has ended; there may be more.
    CallEnded,
    /// A top-level value has ended. If it contains no call, it is text. What follows isn't part of it.
    Ended { is_call: bool },
    /// The text since the last call isn't a call.
    Rejected(RejectReason),
    /// There are no more calls here.
    Done,
    /// This isn't a call, only text that mentions a marker.
    NoCall,
}

/// The call that is being read.
#[derive(Debug, Default)]
pub(crate) struct Call {
    /// Name of the tool, once it has been read.
    pub(crate) name: String,
    /// The call's id in the text; empty if there is none.
    pub(crate) id: String,
    /// Whether the call has begun and not ended.
    pub(crate) is_open: bool,
    /// Arguments of the call, or the whole call if it is one literal.
    pub(crate) literal: Literal,
    /// Length of the literal's JSON that has been emitted.
    pub(crate) emitted: usize,
}

state! { struct Call { name, id, is_open, literal, emitted } }

/// The current call of a grammar, with the receiver of its events.
pub(crate) struct Calls<'c> {
    pub(crate) tools: &'c Tools,
    pub(crate) sink: &'c mut Sink<'c>,
    pub(crate) call: &'c mut Call,
    pub(crate) again: &'c mut RereadBudget,
    /// Whether something has cut the text off where it is over.
    pub(crate) is_cut: bool,
}

impl Calls<'_> {
    /// Begins the call, if its tool is allowed and it hasn't begun.
    pub(crate) fn begin(&mut self) {
        let Call { name, id, is_open, .. } = &mut *self.call;
        if !*is_open && self.tools.allows(name) {
            *is_open = true;
            let name = self.tools.find(name).map_or(&**name, |tool| &tool.name);
            (self.sink)(Event::Start { id: Some(&**id).filter(|id| !id.is_empty()), name });
        }
    }

    /// Begins the call before its end, unless it counts only as a whole.
    pub(crate) fn begin_unless(&mut self, is_strict: bool) {
        if !is_strict {
            self.begin();
        }
    }

    /// Begins a call whose arguments are one literal.
    pub(crate) fn begin_literal(&mut self) {
        self.begin();
        self.call.literal.restart(0);
        self.call.emitted = 0;
    }

    /// Begins a call whose argument types the schema determines, as for plain text.
    pub(crate) fn begin_typed_literal(&mut self) {
        self.begin_literal();
        self.call.literal.is_typed = true;
    }

    /// Looks up the types of the current value. `depth`: that of the arguments in the literal.
    pub(crate) fn find_types(&mut self, depth: usize) {
        let Call { name, literal, .. } = &mut *self.call;
        let types = match literal.path(depth) {
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

    /// Emits the literal up to a position in its JSON.
    pub(crate) fn emit(&mut self, to: usize) {
        let Call { literal, emitted, is_open, .. } = &mut *self.call;
        if *is_open && *emitted < to {
            (self.sink)(Event::Arguments(slice(literal.json(), *emitted, to)));
            *emitted = to;
        }
    }

    /// Emits the part of the literal that is final.
    pub(crate) fn emit_settled(&mut self) {
        self.emit(self.call.literal.settled_len());
    }

    /// Emits the whole literal.
    pub(crate) fn emit_all(&mut self) {
        self.emit(self.call.literal.json().len());
    }

    /// Emits unreadable arguments completely, with an end that makes them invalid, not a prefix of valid JSON.
    pub(crate) fn emit_invalid(&mut self) {
        self.emit_all();
        let is_text = matches!(self.call.literal.at, At::Text { .. });
        self.arguments(if is_text { "\":}" } else { ":}" });
    }

    /// Reads arguments that are one literal. Returns a result at their end.
    pub(crate) fn read_literal(&mut self, reader: &mut Reader<'_>) -> Decided<Read> {
        let is_whole = self.read_to_end(reader)?;
        if !is_whole {
            self.emit_invalid();
        }
        Ok(self.end(if is_whole { RejectReason::UnknownTool } else { RejectReason::InvalidArguments }))
    }

    /// Reads a literal up to its end, or up to text that it can't contain. Returns whether it is complete.
    pub(crate) fn read_to_end(&mut self, reader: &mut Reader<'_>) -> Decided<bool> {
        let is_whole = loop {
            match self.call.literal.read(reader) {
                Ok(Stop::Member | Stop::MemberEnd | Stop::ObjectEnd) => {}
                Ok(Stop::Typed) => self.find_types(0),
                Ok(Stop::Unfit) => {
                    self.emit_settled();
                    self.warn_of_type();
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

    /// Emits a warning about the type of the current argument.
    pub(crate) fn warn_of_type(&mut self) {
        let argument = self.call.literal.key().to_owned();
        self.warn(&argument, Unfit::Type);
    }

    /// Emits a warning about an argument, if the call's tool is allowed.
    pub(crate) fn warn(&mut self, argument: &str, why: Unfit) {
        if self.tools.allows(&self.call.name) {
            (self.sink)(Event::Unfit { argument, why });
        }
    }

    /// Ends a call that the end of the text truncates.
    pub(crate) fn end_truncated(&mut self) -> Read {
        self.emit_all();
        self.end(RejectReason::Truncated)
    }

    /// Ends the call. A call that hasn't begun is rejected for the given reason.
    pub(crate) fn end(&mut self, otherwise: RejectReason) -> Read {
        if !std::mem::take(&mut self.call.is_open) {
            return Read::Rejected(otherwise);
        }
        (self.sink)(Event::End);
        Read::CallEnded
    }
}

/// Skips superfluous brackets, quotes and separators after arguments, if the text ends there, or a closer or the next
/// opener follows. Models in a loop write them endlessly.
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

/// Whether a closer or one of the other tokens follows.
pub(crate) fn is_before_mark(reader: &Reader<'_>, others: &[&str]) -> Decided<bool> {
    Ok(reader.next_token(CLOSERS)?.is_some() || reader.next_token(others)?.is_some())
}

/// Closes the open brackets if the call's closer follows. Returns whether it does.
pub(crate) fn end_before_closer(literal: &mut Literal, reader: &Reader<'_>) -> Decided<bool> {
    let is_closed = literal.is_between() && reader.next_token(CLOSERS)?.is_some();
    if is_closed {
        literal.close();
    }
    Ok(is_closed)
}
