//! Calls in a text, from the opener to the closing marks.

use super::code::Code;
use super::header::{self, Message};
use super::pass::Pass;
use super::prose::Found;
use super::suspect::Suspect;
use super::thinking::Thinking;
use super::{Extractor, MAX_HELD, State};
use crate::model::{RejectReason, RejectedToolCall};
use crate::text::event::Event;
use crate::text::formats::dialect::RFL;
use crate::text::formats::{Body, Place, Row};
use crate::text::grammar::call::{CLOSERS, Call, Calls, Read, closer_of};
use crate::text::grammar::named::NamedCall;
use crate::text::grammar::python::PythonCalls;
use crate::text::grammar::tags::TaggedCall;
use crate::text::grammar::{Grammar, begins, name_before};
use crate::text::more::{Decided, More, more_unless};
use crate::text::options::Shared;
use crate::text::reader::{Reader, first_of, position, skip, slice};

/// Text that isn't a call after all is read again, for calls inside it: at most so many bytes in total, apart from
/// short texts.
const MAX_AGAIN: usize = 1 << 20;
const SHORT: usize = 512;

/// The most bytes between the mark of Kimi K2's section and that of its first call.
const MAX_WORDS: usize = 64;

/// What ends the header of a call.
pub(crate) const MESSAGE: &str = "<|message|>";

impl Extractor {
    /// Decides by the text behind an opener.
    pub(crate) fn opened(&mut self, opener: &'static str, at: usize, pass: &mut Pass<'_>) -> Decided<()> {
        let mut reader = Reader::new(pass.text, self.at, self.seen, pass.is_over);
        let options = Shared::clone(&self.options);
        if reader.has_endless_space_behind() {
            self.no_call(pass);
            return Ok(());
        }
        let is_header = |row: &Row| row.opener == opener && matches!(row.body, Body::Header);
        // Each header is a message of its own.
        let is_repeatable = !options.rows.iter().any(|row| is_header(row));
        if is_repeatable && skip_repeated(opener, &mut reader).is_err() {
            return self.wait_opened(opener, at, &reader);
        }
        self.at = reader.at;
        let is_here = |row: &&&Row| row.opener == opener && (row.place == Place::Inside) == self.is_inside;
        for row in options.rows.iter().filter(is_here) {
            match row.body {
                Body::Header => return self.header(opener, at, pass),
                Body::Opener => {
                    reader.skip_space();
                    if row.format == "kimi-k2" {
                        // Words may precede the mark of the first call.
                        let near = reader.near(MAX_WORDS);
                        match memchr::memchr(b'<', near.as_bytes()) {
                            Some(words) => reader.at += words,
                            None if !pass.is_over && near.len() == reader.rest().len() => {
                                return self.wait_opened(opener, at, &reader);
                            }
                            None => {}
                        }
                    }
                    let is_inner = |other: &&&Row| other.format == row.format && other.body.is_call();
                    for inner in options.rows.iter().filter(is_inner) {
                        match reader.is_before(inner.opener) {
                            Ok(false) => {}
                            Err(More) => return self.wait_opened(opener, at, &reader),
                            Ok(true) => {
                                self.open(inner, reader.at, pass);
                                return Ok(());
                            }
                        }
                    }
                }
                _ => match begins(row, &reader) {
                    Ok(false) => {}
                    Err(More) => return self.wait_opened(opener, at, &reader),
                    Ok(true) => {
                        if let Some(grammar) = Grammar::of(row, at, &mut reader) {
                            (self.at, self.seen) = (reader.at, 0);
                            self.begin_calls(grammar, row.format, opener.starts_with('`'));
                            return Ok(());
                        }
                    }
                },
            }
        }
        self.no_call(pass);
        Ok(())
    }

    fn begin_calls(&mut self, grammar: Grammar, format: &'static str, has_fence: bool) {
        self.grammar = grammar;
        self.forget_call();
        self.state = State::Calls { format, has_taken: false, has_fence };
    }

    /// The next call has a name of its own.
    fn forget_call(&mut self) {
        self.call.name.clear();
        self.call.id.clear();
    }

    fn wait_opened(&mut self, opener: &'static str, at: usize, reader: &Reader<'_>) -> Decided<()> {
        self.at = reader.at;
        self.state = State::Opened { opener, at };
        Err(More)
    }

    /// Reads the header of a message.
    fn header(&mut self, opener: &'static str, at: usize, pass: &mut Pass<'_>) -> Decided<()> {
        // The opener is part of the header.
        let mut reader = Reader::new(pass.text, at, self.seen, pass.is_over);
        let message = self.read_header(&mut reader).inspect_err(|_| {
            self.seen = reader.seen;
            self.state = State::Opened { opener, at };
        })?;
        let Some(message) = message else {
            self.no_call(pass);
            return Ok(());
        };
        self.has_header = true;
        self.is_answer = message == Message::Answer;
        self.is_said = matches!(message, Message::Answer | Message::Text);
        (self.at, self.seen) = (reader.at, 0);
        match message {
            Message::Call(name) => {
                self.marked = Some(("harmony", MESSAGE));
                self.begin_calls(Grammar::Named(NamedCall::unnamed()), "harmony", false);
                self.call.name = name;
            }
            Message::TaggedCall(name) => {
                self.marked = Some(("harmony", MESSAGE));
                self.begin_calls(Grammar::Tagged(TaggedCall::unnamed(&RFL)), "harmony", false);
                self.call.name = name;
            }
            Message::Reasoning => {
                self.markup(reader.at, pass);
                self.state =
                    State::Thinking(Thinking { is_message: true, may_open: false, ..Thinking::new(None) });
            }
            Message::Text | Message::Answer => self.markup(reader.at, pass),
        }
        Ok(())
    }

    /// The message that the header here begins, if it is one that is searched for.
    fn read_header(&self, reader: &mut Reader<'_>) -> Decided<Option<Message>> {
        Ok(match header::read(reader, &self.options.tools)? {
            Some(Message::Reasoning) if self.options.tags.is_empty() => None,
            // A header may also precede a call that names its tool itself.
            Some(Message::Call(_)) if self.begins_call(reader)? => Some(Message::Text),
            message => message,
        })
    }

    /// Whether the opener of a call follows the header here.
    fn begins_call(&self, reader: &Reader<'_>) -> Decided<bool> {
        let mut reader = Reader::new(reader.rest(), 0, 0, reader.is_over);
        reader.skip_space();
        let is_mark = |row: &&&Row| row.body.is_call() && row.place == Place::Anywhere && !row.is_named;
        let openers: Vec<&str> = self.options.rows.iter().filter(is_mark).map(|row| row.opener).collect();
        Ok(reader.which(&openers)?.is_some())
    }

    pub(crate) fn calls(
        &mut self,
        format: &'static str,
        has_taken: bool,
        has_fence: bool,
        pass: &mut Pass<'_>,
    ) -> Decided<()> {
        let end = pass.text.floor_char_boundary(pass.from.saturating_add(MAX_HELD));
        let is_full = end < pass.text.len();
        let text = slice(pass.text, 0, end);
        let mut reader = Reader::new(text, self.at, self.seen, pass.is_over && !is_full);
        let Self { grammar, call, options, suspect, .. } = self;
        let mut sink = |event: Event<'_>| {
            // A call ends what was suspected before it.
            if matches!(event, Event::Start { .. })
                && let Some(rejected) = suspect.take().and_then(|suspect| suspect.settle())
            {
                (pass.sink)(Event::Rejected(rejected));
            }
            (pass.sink)(event);
        };
        let mut calls = Calls { tools: &options.tools, sink: &mut sink, call };
        let mut read = grammar.read(&mut reader, &mut calls);
        let mut is_finished = false;
        if read == Err(More) && (pass.is_over || is_full && (!calls.call.is_open || reader.at == pass.from)) {
            is_finished = true;
            read = Ok(grammar.finish(&mut calls));
            reader.at = text.len();
            if is_full && matches!(read, Ok(Read::Rejected(_))) {
                read = Ok(Read::Rejected(RejectReason::TooLong));
            }
        }
        if matches!(read, Ok(Read::Rejected(_))) && skip(reader.since(pass.from), b" \n\r\t,;").is_empty() {
            // Only a bracket is missing, or another call.
            read = Ok(Read::Done);
        }
        (self.at, self.seen) = (reader.at, reader.seen);
        let after = State::After { has_fence: has_fence || self.grammar.has_fence() };
        let next = |has_taken| State::Calls { has_fence, format, has_taken };
        let Ok(read) = read else {
            if self.call.is_open {
                self.markup(self.at, pass);
            }
            self.state = next(has_taken);
            return more_unless(is_full);
        };
        match read {
            Read::Taken => {
                self.markup(self.at, pass);
                self.is_blank = false;
                self.state = if is_finished { after } else { next(true) };
                self.forget_call();
            }
            Read::Ended { is_call } => {
                if is_call {
                    self.markup(self.at, pass);
                    self.closer = self.marked.map_or("", |(_, opener)| closer_of(opener));
                } else if has_taken {
                    self.emit_text(self.at, pass);
                }
                self.state = next(has_taken);
            }
            Read::Rejected(reason) => {
                let rejected = RejectedToolCall {
                    format: format.to_owned(),
                    name: Some(std::mem::take(&mut self.call.name)).filter(|name| !name.is_empty()),
                    reason,
                    text: reader.since(pass.from).to_owned(),
                    offset: self.offset + pass.from,
                };
                self.settle(pass);
                self.marked = None;
                (pass.sink)(Event::Rejected(rejected));
                self.closer = "";
                self.forget_call();
                let is_read = matches!(reason, RejectReason::UnknownTool | RejectReason::MissingArgument);
                if !is_finished && (is_read || self.grammar.has_skipped()) {
                    self.emit_text(self.at, pass);
                    self.state = next(has_taken);
                } else {
                    self.no_call(pass);
                }
            }
            Read::Done if has_taken => {
                self.markup(self.at, pass);
                (self.state, self.seen) = (after, 0);
            }
            // Nothing was read since the last rejected call.
            Read::Done if self.at <= pass.from => {
                self.at = pass.from;
                if has_fence || self.grammar.has_fence() {
                    // The fence around it is still open.
                    self.code = Code::Fence { mark: b'`', length: 3, is_first_line: true, inner: 0 };
                }
            }
            Read::Done | Read::NoCall => self.no_call(pass),
        }
        Ok(())
    }

    /// The text from here on isn't a call: it is read again as text, which may contain calls.
    pub(crate) fn no_call(&mut self, pass: &mut Pass<'_>) {
        self.closer = "";
        let length = self.at.saturating_sub(pass.from);
        if length > SHORT {
            self.again = self.again.saturating_add(length);
            if self.again > MAX_AGAIN {
                self.emit_text(self.at.min(pass.text.len()), pass);
            }
        }
        let (from, marked) = (pass.from, self.marked);
        self.suspect(pass);
        if marked.is_some_and(|(_, opener)| opener == MESSAGE) {
            // There is no other header in this one.
            self.emit_text(self.at, pass);
        }
        *(if self.is_start { &mut self.no_start_at } else { &mut self.no_call_at }) = Some(from);
        self.at = pass.from;
        self.state = State::Prose;
    }

    /// Watches what follows a mark that could not be read as a call.
    fn suspect(&mut self, pass: &mut Pass<'_>) {
        let name = std::mem::take(&mut self.call.name);
        let Some((format, opener)) = self.marked.take() else { return };
        let reason = match name.as_str() {
            "" => RejectReason::MissingName,
            name if self.options.tools.allows(name) => RejectReason::InvalidArguments,
            _ => RejectReason::UnknownTool,
        };
        let rejected = RejectedToolCall {
            format: format.to_owned(),
            name: (!name.is_empty()).then_some(name),
            reason,
            text: String::new(),
            offset: self.offset + pass.from,
        };
        // The mark may be inside another one.
        let mark = position(pass.rest(), opener).unwrap_or_default() + opener.len();
        let suspect = Suspect::new(rejected, opener, mark, pass.is_over);
        if !self.suspect.as_mut().is_some_and(|outer| outer.merge(&suspect)) {
            self.suspect = Some(Box::new(suspect));
        }
    }

    pub(crate) fn after(&mut self, mut has_fence: bool, pass: &mut Pass<'_>) -> Decided<()> {
        // A closing mark that the end of the text cuts off counts as well.
        let mut reader = Reader::new(pass.text, self.at.max(pass.from), 0, false);
        loop {
            reader.skip_space();
            let from = reader.at;
            let mut found = reader.eat(CLOSERS);
            if let Ok(Some(nth)) = found {
                self.closer = "";
                let mut ahead = Reader::new(pass.text, reader.at, self.seen, pass.is_over);
                match self.repeated(CLOSERS.get(nth).copied().unwrap_or_default(), &mut ahead) {
                    Ok(true) => reader.at = ahead.at,
                    Ok(false) => {}
                    Err(More) => {
                        self.seen = ahead.seen;
                        return self.wait_after(has_fence, from);
                    }
                }
                self.seen = 0;
            }
            if has_fence && found == Ok(None) {
                found = reader.eat(&["```"]);
                has_fence = found != Ok(Some(0));
            }
            match found {
                Ok(Some(_)) => self.markup(reader.at, pass),
                Err(More) => {
                    if pass.is_over {
                        self.markup(pass.text.len(), pass);
                    }
                    return self.wait_after(has_fence, reader.at);
                }
                Ok(None) => break,
            }
        }
        let is_end = reader.rest().is_empty();
        if self.has_header && !is_end {
            // The beginning of a header without its marks, before the whole one.
            match reader.which(&["commentary<|channel|>", "commentary<|start|>"]) {
                Err(More) if !pass.is_over => return self.wait_after(has_fence, reader.at),
                Ok(Some(_)) => reader.at += "commentary".len(),
                _ => {}
            }
        }
        match self.found(reader.at, pass, true) {
            Err(More) if !is_end => return self.wait_after(has_fence, reader.at),
            Ok(Found::Row(_)) => {
                self.markup(reader.at, pass);
                pass.begin_line();
            }
            _ if is_end => self.markup(reader.at, pass),
            _ => {}
        }
        self.at = pass.from;
        Ok(())
    }

    fn wait_after(&mut self, has_fence: bool, at: usize) -> Decided<()> {
        self.at = at;
        self.state = State::After { has_fence };
        Err(More)
    }

    /// Reads over what models write behind a mark that closes calls, and isn't text. Answers whether it is there.
    fn repeated(&self, closer: &str, reader: &mut Reader<'_>) -> Decided<bool> {
        let (lead, behind_name, end) = match closer {
            // Gemma makes up the result.
            "<|tool_response>" => ("response:", b'{', "<tool_response|>"),
            // LFM2 writes the call again.
            "<|tool_call_end|>" => ("[", b'(', closer),
            _ => return Ok(false),
        };
        if reader.eat(&[lead])?.is_none()
            || !name_before(behind_name, reader.rest(), reader.is_over)?
            || !self.options.tools.allows(reader.name())
        {
            return Ok(false);
        }
        let found = reader.find_near([first_of(end); 2], &[end], MAX_HELD)?;
        Ok(found.is_some_and(|(calls, _)| closer != end || self.ends_with_last_call(calls)))
    }

    /// Whether the last one of these calls, written as Python, has the arguments of the one that was read last.
    fn ends_with_last_call(&self, calls: &str) -> bool {
        let (mut call, mut python) = (Call::default(), PythonCalls::default());
        let mut calls_read = Calls { tools: &self.options.tools, sink: &mut |_| (), call: &mut call };
        let mut reader = Reader::new(calls, 0, 0, true);
        while python.read(&mut reader, &mut calls_read) == Ok(Read::Taken) {}
        call.literal.json() == self.call.literal.json()
    }
}

/// Reads over an opener that is repeated, as some models do.
fn skip_repeated(opener: &str, reader: &mut Reader<'_>) -> Decided<()> {
    // One that ends within a tag begins something else each time.
    while matches!(opener.as_bytes(), [.., b'>' | b']']) {
        let from = reader.at;
        reader.skip_space();
        let found = reader.eat(&[opener]);
        if !matches!(found, Ok(Some(_))) {
            reader.at = from;
            return found.map(|_| ());
        }
    }
    Ok(())
}
