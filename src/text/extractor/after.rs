//! The state after calls, where closers and white space aren't text.

use super::pass::Pass;
use super::prose::Found;
use super::{Extractor, Header, MAX_HELD, State};
use crate::text::again::Again;
use crate::text::formats::{CLOSERS, CUT_HEADERS, REPEATED, Repeated};
use crate::text::grammar::call::{Call, Calls, Read};
use crate::text::grammar::name_before;
use crate::text::grammar::python::PythonCalls;
use crate::text::more::{Decided, More};
use crate::text::reader::{Reader, first_of};

impl Extractor {
    pub(crate) fn after(&mut self, mut has_fence: bool, pass: &mut Pass<'_>) -> Decided<()> {
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
            let mut found = reader.eat(closers);
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
        if self.message != Header::None && !is_end {
            // A header that has lost its markers, before the complete one.
            let (word, headers) = CUT_HEADERS;
            match reader.which(&headers) {
                Err(More) if !pass.is_over => return self.wait_after(has_fence, reader.at),
                Ok(Some(_)) => reader.at += word.len(),
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

    /// Skips text that models write after a closer and that isn't part of the response. Returns whether it is there.
    fn repeated(&mut self, closer: &str, reader: &mut Reader<'_>) -> Decided<bool> {
        let Some(&Repeated { lead, behind_name, end, .. }) =
            REPEATED.iter().find(|repeated| repeated.closer == closer)
        else {
            return Ok(false);
        };
        if reader.eat(&[lead])?.is_none()
            || !name_before(behind_name, reader.rest(), reader.is_over)?
            || !self.options.tools.allows(reader.name())
        {
            return Ok(false);
        }
        let reach = self.again.reach().min(MAX_HELD);
        let Some((calls, _)) = reader.find_near([first_of(end); 2], &[end], reach)? else {
            self.again.add(reader.seen.saturating_sub(reader.at));
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
            again: &mut Again::default(),
        };
        let mut reader = Reader::new(calls, 0, 0, true);
        while python.read(&mut reader, &mut calls_read) == Ok(Read::Taken) {}
        call.literal.json() == self.call.literal.json()
    }
}
