//! The state after calls, where closers and white space aren't text.

use super::code::Code;
use super::pass::Pass;
use super::prose::Token;
use super::{Extractor, Header, MAX_HELD, State};
use crate::text::formats::{CLOSERS, CUT_HEADERS, REPEATED, Repeated};
use crate::text::grammar::call::{Call, Calls, Read};
use crate::text::grammar::python::PythonCalls;
use crate::text::grammar::starts_name_before;
use crate::text::literal::At;
use crate::text::need_more::{Decided, NeedMore};
use crate::text::reader::{Reader, first_byte};
use crate::text::reread_budget::RereadBudget;

impl Extractor {
    pub(crate) fn read_after_calls(&mut self, mut has_fence: bool, pass: &mut Pass<'_>) -> Decided<()> {
        // A closer also counts if the end of the text truncates it.
        let mut reader = Reader::new(pass.text, self.at.max(pass.from), 0, false);
        loop {
            reader.skip_space();
            let from = reader.at;
            // Behind the call's own closer, that of reasoning is text if nothing looks for reasoning.
            let is_text = self.closer.is_empty() && self.options.tags.is_empty();
            let closers = match CLOSERS {
                [others @ .., "</think>"] if is_text => others,
                all => all,
            };
            let mut found = reader.accept(closers);
            if let Ok(Some(nth)) = found {
                self.closer = "";
                let mut ahead = Reader::new(pass.text, reader.at, self.seen, pass.is_over);
                match self.skip_repeated_text(CLOSERS.get(nth).copied().unwrap_or_default(), &mut ahead) {
                    Ok(true) => reader.at = ahead.at,
                    Ok(false) => {}
                    Err(NeedMore) => {
                        self.seen = ahead.seen;
                        return self.wait_after_calls(has_fence, from);
                    }
                }
                self.seen = 0;
            }
            if has_fence && found == Ok(None) {
                found = reader.accept(&["```"]);
                has_fence = found != Ok(Some(0));
            }
            match found {
                Ok(Some(_)) => self.emit_markup(reader.at, pass),
                // A single bracket is text.
                Err(NeedMore) if pass.is_over && reader.rest() == "[" => break,
                Err(NeedMore) => {
                    if pass.is_over {
                        self.emit_markup(pass.text.len(), pass);
                    }
                    return self.wait_after_calls(has_fence, reader.at);
                }
                Ok(None) => break,
            }
        }
        let is_end = reader.rest().is_empty();
        if self.message != Header::None && !is_end {
            // A header that has lost its markers, before the complete one.
            let (word, headers) = CUT_HEADERS;
            match reader.next_token(&headers) {
                Err(NeedMore) if !pass.is_over => return self.wait_after_calls(has_fence, reader.at),
                Ok(Some(_)) => reader.at += word.len(),
                _ => {}
            }
        }
        match self.token_at(reader.at, pass, true) {
            Err(NeedMore) if !is_end => return self.wait_after_calls(has_fence, reader.at),
            Ok(Token::Row(_)) => {
                self.emit_markup(reader.at, pass);
                pass.begin_line();
            }
            _ if is_end => self.emit_markup(reader.at, pass),
            _ if has_fence && self.call.literal.at != At::End => {
                // The rest of an unreadable call is in the fence around it.
                self.code = Code::Fence { mark: b'`', length: 3, is_first_line: true, inner: 0 };
            }
            _ => {}
        }
        self.at = pass.from;
        Ok(())
    }

    fn wait_after_calls(&mut self, has_fence: bool, at: usize) -> Decided<()> {
        self.at = at;
        self.state = State::After { has_fence };
        Err(NeedMore)
    }

    /// Skips text that models write after a closer and that isn't part of the response. Returns whether it is there.
    fn skip_repeated_text(&mut self, closer: &str, reader: &mut Reader<'_>) -> Decided<bool> {
        let Some(&Repeated { lead, behind_name, end, .. }) =
            REPEATED.iter().find(|repeated| repeated.closer == closer)
        else {
            return Ok(false);
        };
        if reader.accept(&[lead])?.is_none()
            || !starts_name_before(behind_name, reader.rest(), reader.is_over)?
            || !self.options.tools.allows(reader.name())
        {
            return Ok(false);
        }
        let reach = self.again.lookahead().min(MAX_HELD);
        let Some((calls, _)) = reader.find_near([first_byte(end); 2], &[end], reach)? else {
            self.again.record(reader.seen.saturating_sub(reader.at));
            return Ok(false);
        };
        Ok(closer != end || self.ends_with_last_call(calls))
    }

    /// Whether the last of these Python calls has the same arguments as the call that was read last.
    fn ends_with_last_call(&self, calls: &str) -> bool {
        let (mut call, mut python) = (Call::default(), PythonCalls::default());
        let mut calls_read = Calls {
            tools: &self.options.tools,
            sink: &mut |_| (),
            call: &mut call,
            again: &mut RereadBudget::default(),
            is_cut: false,
        };
        let mut reader = Reader::new(calls, 0, 0, true);
        while python.read(&mut reader, &mut calls_read) == Ok(Read::CallEnded) {}
        call.literal.json() == self.call.literal.json()
    }
}
