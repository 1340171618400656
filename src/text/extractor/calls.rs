//! The state inside calls, from the opener to the closers.

use super::code::Code;
use super::pass::Pass;
use super::suspect::Suspect;
use super::{Extractor, MAX_HELD, State};
use crate::model::{RejectReason, RejectedToolCall};
use crate::text::event::Event;
use crate::text::formats::{MESSAGE, Place, closer_for};
use crate::text::grammar::Grammar;
use crate::text::grammar::call::{Calls, Read};
use crate::text::need_more::{Decided, NeedMore, more_unless};
use crate::text::reader::{Reader, position, skip, slice};

impl Extractor {
    pub(super) fn begin_calls(&mut self, grammar: Grammar, format: &'static str, has_fence: bool) {
        self.grammar = grammar;
        self.clear_call();
        self.state = State::Calls { format, has_taken: false, has_fence };
    }

    /// Clears the name and id, because the next call has its own.
    fn clear_call(&mut self) {
        self.call.name.clear();
        self.call.id.clear();
    }

    pub(crate) fn continue_calls(
        &mut self,
        format: &'static str,
        has_taken: bool,
        has_fence: bool,
        pass: &mut Pass<'_>,
    ) -> Decided<()> {
        let end = pass.text.floor_char_boundary(pass.from.saturating_add(MAX_HELD));
        let is_full = end < pass.text.len();
        let (read, is_finished) = self.read_calls(slice(pass.text, 0, end), is_full, pass);
        let after = State::After { has_fence: has_fence || self.grammar.has_fence() };
        let next = |has_taken| State::Calls { has_fence, format, has_taken };
        let Ok(read) = read else {
            if self.call.is_open {
                self.emit_markup(self.at, pass);
            }
            self.state = next(has_taken);
            return more_unless(is_full);
        };
        match read {
            Read::CallEnded => {
                self.emit_markup(self.at, pass);
                self.is_blank = false;
                self.state = if is_finished { after } else { next(true) };
                self.clear_call();
            }
            Read::Ended { is_call } => {
                if is_call {
                    self.emit_markup(self.at, pass);
                    self.closer = self.last_marker.map_or("", |(_, opener)| closer_for(opener));
                } else if has_taken {
                    self.emit_text(self.at, pass);
                }
                self.state = next(has_taken);
            }
            Read::Rejected(reason) => {
                self.reject(format, reason, slice(pass.text, pass.from, self.at), pass);
                let is_read = matches!(reason, RejectReason::UnknownTool | RejectReason::MissingArgument);
                if !is_finished && (is_read || self.grammar.has_skipped()) {
                    self.emit_text(self.at, pass);
                    self.state = next(has_taken);
                } else {
                    self.continue_as_prose(pass);
                }
            }
            Read::Done if has_taken => {
                self.emit_markup(self.at, pass);
                (self.state, self.seen) = (after, 0);
            }
            // Nothing has been read since the last rejected call.
            Read::Done if self.at <= pass.from => {
                self.at = pass.from;
                if has_fence || self.grammar.has_fence() {
                    // The surrounding fence is still open.
                    self.code = Code::Fence { mark: b'`', length: 3, is_first_line: true, inner: 0 };
                }
            }
            Read::Done | Read::NoCall => self.continue_as_prose(pass),
        }
        Ok(())
    }

    /// Reads calls in `text`, the held text up to its limit. `is_full`: the limit is reached. Also returns whether
    /// nothing more can be read as calls.
    fn read_calls(&mut self, text: &str, is_full: bool, pass: &mut Pass<'_>) -> (Decided<Read>, bool) {
        let mut reader = Reader::new(text, self.at, self.seen, pass.is_over && !is_full);
        let Self { grammar, call, again, options, suspect: watch_suspect, .. } = self;
        let mut sink = |event: Event<'_>| {
            // A call settles the suspect before it.
            if matches!(event, Event::Start { .. })
                && let Some(rejected) = watch_suspect.take().and_then(|suspect| suspect.into_report())
            {
                (pass.sink)(Event::Rejected(rejected));
            }
            (pass.sink)(event);
        };
        let mut calls = Calls { tools: &options.tools, sink: &mut sink, call, again, is_cut: pass.is_cut };
        let mut read = grammar.read(&mut reader, &mut calls);
        let mut is_finished = false;
        if read == Err(NeedMore)
            && (pass.is_over || is_full && (!calls.call.is_open || reader.at == pass.from))
        {
            is_finished = true;
            read = Ok(grammar.finish(&mut calls));
            reader.at = text.len();
            if is_full && matches!(read, Ok(Read::Rejected(_))) {
                read = Ok(Read::Rejected(RejectReason::TooLong));
            }
        }
        if matches!(read, Ok(Read::Rejected(_))) && skip(reader.since(pass.from), b" \n\r\t,;").is_empty() {
            // Only white space and separators follow the last call: a bracket is missing, or another call.
            read = Ok(Read::Done);
        }
        (self.at, self.seen) = (reader.at, reader.seen);
        (read, is_finished)
    }

    /// Reports a call that was read but isn't valid.
    fn reject(&mut self, format: &'static str, reason: RejectReason, text: &str, pass: &mut Pass<'_>) {
        let rejected = RejectedToolCall {
            format: format.to_owned(),
            name: Some(std::mem::take(&mut self.call.name)).filter(|name| !name.is_empty()),
            reason,
            text: text.to_owned(),
            offset: self.offset + pass.from,
        };
        self.settle_suspect(pass);
        self.last_marker = None;
        (pass.sink)(Event::Rejected(rejected));
        self.closer = "";
        self.clear_call();
    }

    /// Continues in prose, because the text from here on isn't a call. It is read again as text, which may contain
    /// calls.
    pub(crate) fn continue_as_prose(&mut self, pass: &mut Pass<'_>) {
        self.closer = "";
        let length = self.at.saturating_sub(pass.from);
        if !self.again.record(length) {
            self.emit_text(self.at.min(pass.text.len()), pass);
        }
        let (from, marked) = (pass.from, self.last_marker);
        self.suspect(pass);
        if marked.is_some_and(|(_, opener)| opener == MESSAGE.1) {
            // This header doesn't contain another one.
            self.emit_text(self.at, pass);
        }
        *(if self.place == Place::Start { &mut self.no_start_at } else { &mut self.no_call_at }) = Some(from);
        self.at = pass.from;
        self.state = State::Prose;
    }

    /// Watches the text after a marker that couldn't be read as a call.
    fn suspect(&mut self, pass: &mut Pass<'_>) {
        let name = std::mem::take(&mut self.call.name);
        let Some((format, opener)) = self.last_marker.take() else { return };
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
        // The marker may be inside another one.
        let mark = position(pass.rest(), opener).unwrap_or_default() + opener.len();
        let suspect = Suspect::new(rejected, opener, mark, pass.is_over);
        if !self.suspect.as_mut().is_some_and(|outer| outer.merge(&suspect)) {
            self.suspect = Some(Box::new(suspect));
        }
    }
}
