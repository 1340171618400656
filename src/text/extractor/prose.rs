//! The state outside of calls and reasoning, and what can begin there.

use super::code::{Code, closes_span, has_lines, quotation, run_length};
use super::pass::Pass;
use super::thinking::Thinking;
use super::{Extractor, Header, State};
use crate::text::formats::{Body, INVOKE_TOOL, Place, Quirk, RESPONSE, Row, THINKING, closer_for};
use crate::text::grammar::Grammar;
use crate::text::grammar::named::NamedCall;
use crate::text::need_more::{Decided, NeedMore, more_unless};
use crate::text::reader::{Reader, longest_match, slice};

/// Maximum white space after a marker that ends the response, or before a header, in bytes.
const MAX_SPACE: usize = 64;

/// Kind of token that begins at a position in prose.
pub(crate) enum Token {
    Nothing,
    Row(&'static Row),
    Opener(usize),
    Closer(usize),
}

impl Extractor {
    pub(crate) fn read_prose(&mut self, pass: &mut Pass<'_>) -> Decided<()> {
        let bytes = pass.text.as_bytes();
        let mut at = self.at.max(pass.from);
        if self.is_blank && at == pass.from {
            match self.name_before_call(pass)? {
                Some((end, INVOKE_TOOL)) => {
                    self.emit_markup(pass.from + end, pass);
                    at = pass.from;
                }
                Some((end, marker)) => {
                    let name = slice(pass.rest(), 0, end).trim_ascii_start().to_owned();
                    self.begin_calls(Grammar::Named(NamedCall::unnamed()), "mistral", false);
                    (self.call.name, self.at, self.seen) = (name, pass.from + end + marker.len(), 0);
                    return Ok(());
                }
                None => {}
            }
            if let Some(row) = self.start_opener(pass)? {
                let start = bytes.len() - pass.rest().trim_ascii_start().len();
                // The white space before a header is part of it.
                if !matches!(row.body, Body::Header) {
                    self.emit_text(start, pass);
                }
                self.open(row, start, pass);
                return Ok(());
            }
        }
        loop {
            if self.code != Code::None && self.find_code_end(pass, &mut at).is_err() {
                return self.wait_at(at, pass);
            }
            let Some(place) = pass.leads.next(&self.options.leads, &self.options.seconds, bytes, at) else {
                return self.wait_at(bytes.len(), pass);
            };
            match self.unquoted_token_at(place, pass) {
                Err(NeedMore) => return self.wait_at(place, pass),
                Ok(Token::Row(row)) => {
                    self.emit_text(place, pass);
                    self.open(row, place, pass);
                    return Ok(());
                }
                Ok(Token::Opener(tag)) => {
                    self.emit_text(place, pass);
                    self.emit_markup(place + self.options.tags.get(tag).map_or(0, |tag| tag.0.len()), pass);
                    self.skips_space = !self.has_reasoning;
                    self.state = State::Thinking(Thinking::new(Some(tag)));
                    self.at = pass.from;
                    return Ok(());
                }
                Ok(Token::Closer(length)) => {
                    // The reasoning before it has already been emitted as text.
                    self.emit_text(place, pass);
                    self.emit_markup(place + length, pass);
                    pass.begin_line();
                    self.at = pass.from;
                    return Ok(());
                }
                Ok(Token::Nothing) => {
                    let Ok(is_closer) = self.is_closer(place, pass) else { return self.wait_at(place, pass) };
                    if is_closer {
                        self.emit_text(place, pass);
                        self.emit_markup(place + self.closer.len(), pass);
                        (self.at, self.closer) = (pass.from, "");
                        self.state = State::After { has_fence: false };
                        return Ok(());
                    }
                    let Ok(length) = self.begin_code(place, pass) else { return self.wait_at(place, pass) };
                    at = place + length;
                }
            }
        }
    }

    /// Whether the closer of the last JSON's block is at a position.
    fn is_closer(&self, place: usize, pass: &Pass<'_>) -> Decided<bool> {
        let rest = pass.text.as_bytes().get(place..).unwrap_or_default();
        Ok(!self.closer.is_empty() && longest_match(rest, &[self.closer], pass.is_over)?.is_some())
    }

    /// Begins the code or the quotation at a position, if there is one. Returns the length of its opener, at least 1.
    fn begin_code(&mut self, place: usize, pass: &mut Pass<'_>) -> Decided<usize> {
        let bytes = pass.text.as_bytes();
        let rest = bytes.get(place..).unwrap_or_default();
        let Some(&mark @ (b'`' | b'~')) = rest.first() else {
            let found = quotation(rest, pass.is_over)?.filter(|_| !self.options.rows.is_empty());
            let (code, length) = found.unwrap_or((Code::None, 1));
            self.code = code;
            return Ok(length);
        };
        let length = run_length(bytes, place, pass.is_over)?;
        if length >= 3 && pass.line_at(place).is_before_block() {
            self.code = Code::Fence { mark, length, is_first_line: true, inner: 0 };
        } else if mark == b'`' {
            self.code = Code::Span { length, has_lines: has_lines(bytes, place, length, pass.is_over)? };
        }
        Ok(length)
    }

    /// Returns the token that begins at a position in prose, unless the line is quoted.
    fn unquoted_token_at(&self, place: usize, pass: &mut Pass<'_>) -> Decided<Token> {
        Ok(match self.token_at(place, pass, true)? {
            Token::Row(row)
                if row.body.is_message() && (self.message == Header::Answer || pass.is_quoted(place)) =>
            {
                Token::Nothing
            }
            Token::Opener(_) | Token::Closer(_) if pass.is_quoted(place) => Token::Nothing,
            found => found,
        })
    }

    /// Moves `at` to the end of the code, or to a token in a code span that turns out not to be one. If more text is
    /// needed, `at` is the first undecided position.
    fn find_code_end(&mut self, pass: &mut Pass<'_>, at: &mut usize) -> Decided<()> {
        let (mut code, mut from) = (self.code, *at);
        let end = code.find_end(pass, at);
        if let Code::Span { length, has_lines: false } = self.code {
            let bytes = pass.text.as_bytes();
            while let Some(place) = pass.leads.next(&self.options.leads, &self.options.seconds, bytes, from)
                && place < *at
            {
                if !matches!(self.unquoted_token_at(place, pass), Ok(Token::Nothing)) {
                    let is_closed = closes_span(length, pass, place);
                    if is_closed == Ok(true) {
                        break;
                    }
                    *at = place;
                    is_closed?;
                    self.code = Code::None;
                    return Ok(());
                }
                from = place + 1;
            }
        }
        self.code = code;
        end
    }

    /// Returns the end of a tool's name before its call's marker, and the marker: that of the message was in the prompt,
    /// or, in Mistral's format, the two have changed places.
    fn name_before_call(&self, pass: &Pass<'_>) -> Decided<Option<(usize, &'static str)>> {
        const MARKERS: [&str; 3] = [INVOKE_TOOL, "[TOOL_CALLS]{", "[TOOL_CALLS][ARGS]{"];
        let rest = pass.rest();
        let space = rest.len() - rest.trim_ascii_start().len();
        let name = Reader::new(rest, space, 0, true).name();
        let end = space + name.len();
        let tools = &self.options.tools;
        let has_marker = |marker: &&&str| {
            self.options.rows.iter().any(|row| row.opener.len() > 1 && marker.starts_with(row.opener))
        };
        if end == rest.len() {
            let may_go_on = !pass.is_over
                && !name.is_empty()
                && tools.has_name_prefix(name)
                && MARKERS.iter().any(|marker| has_marker(&marker));
            return more_unless(!may_go_on).map(|()| None);
        }
        // With any name allowed, the first word of every text would be held back.
        if tools.find(name).is_none() {
            return Ok(None);
        }
        let behind = rest.as_bytes().get(end..).unwrap_or_default();
        let marker = longest_match(behind, &MARKERS, pass.is_over)?.and_then(|nth| MARKERS.get(nth));
        Ok(marker.filter(has_marker).map(|marker| (end, marker.strip_suffix('{').unwrap_or(marker))))
    }

    /// Returns the opener with [`Place::Start`] that the text begins with.
    fn start_opener(&self, pass: &Pass<'_>) -> Decided<Option<&'static Row>> {
        let space = pass.rest().len();
        let rest = pass.rest().trim_ascii_start().as_bytes();
        let has_header = || {
            self.options.rows.iter().any(|row| row.place == Place::Start && matches!(row.body, Body::Header))
        };
        if rest.is_empty() && (1..MAX_SPACE).contains(&space) && !pass.is_over && has_header() {
            return Err(NeedMore);
        }
        let places = pass.from..=pass.text.len() - rest.len();
        if rest.is_empty() || self.no_start_at.is_some_and(|at| places.contains(&at)) {
            return Ok(None);
        }
        let is_here =
            |row: &&&Row| row.place == Place::Start && (row.quirk != Quirk::Weak || self.has_reasoning);
        for row in self.options.rows.iter().filter(is_here) {
            // The first match counts, even if it needs more text.
            if row.opener.is_empty() || longest_match(rest, &[row.opener], pass.is_over)?.is_some() {
                return Ok(Some(row));
            }
        }
        let is_response =
            self.has_reasoning && longest_match(rest, &[RESPONSE.opener], pass.is_over)?.is_some();
        Ok(is_response.then_some(&RESPONSE))
    }

    /// Returns the token that begins at a position.
    pub(crate) fn token_at(&self, place: usize, pass: &Pass<'_>, with_openers: bool) -> Decided<Token> {
        let rest = pass.text.as_bytes().get(place..).unwrap_or_default();
        let lead = rest.first();
        let second = rest.get(1);
        // The second byte excludes nearly all tokens with the same first byte.
        let is_like = |token: &str| {
            let token = token.as_bytes();
            token.first() == lead && (second.is_none() || token.len() < 2 || token.get(1) == second)
        };
        let (mut length, mut found) = (0, Token::Nothing);
        let (mut is_open, mut may_go_on) = (false, false);
        let mut take = |token: &str, it: Token| {
            if rest.starts_with(token.as_bytes()) {
                if token.len() > length {
                    (length, found) = (token.len(), it);
                }
            } else if !pass.is_over && token.as_bytes().starts_with(rest) {
                may_go_on = true;
            }
        };
        for (nth, (opener, closer)) in self.options.tags.iter().enumerate() {
            if (opener.as_str(), closer.as_str()) == THINKING
                && is_like(opener) | is_like(closer)
                && !pass.is_line_start(place)
            {
                continue;
            }
            if with_openers && is_like(opener) {
                take(opener, Token::Opener(nth));
            }
            if is_like(closer) {
                take(closer, Token::Closer(closer.len()));
            }
        }
        if self.no_call_at != Some(place) {
            let nth = self.options.leads.iter().position(|known| Some(known) == lead);
            let rows = nth.and_then(|nth| self.options.rows_of.get(nth));
            for row in rows.map(Vec::as_slice).unwrap_or_default() {
                let is_here = is_like(row.opener)
                    && match row.place {
                        Place::Anywhere => true,
                        Place::Word => pass.is_word_start(place),
                        Place::Line => pass.is_line_start(place),
                        Place::Start | Place::Inside => false,
                    };
                let is_here = match row.body {
                    Body::Turn if row.quirk == Quirk::EndsText => {
                        is_here && matches!(self.message, Header::Text | Header::Answer)
                    }
                    Body::Turn => is_here && self.message != Header::None,
                    Body::Stop if self.is_struck_through && row.quirk == Quirk::Strikes => false,
                    Body::Stop if is_here && rest.starts_with(row.opener.as_bytes()) => {
                        // Only white space may follow.
                        let behind = rest.get(row.opener.len()..).unwrap_or_default();
                        let is_last = behind.len() < MAX_SPACE && behind.trim_ascii().is_empty();
                        is_open |= is_last && !pass.is_over;
                        is_last && pass.is_over
                    }
                    _ => is_here,
                };
                if is_here {
                    take(row.opener, Token::Row(row));
                }
            }
        }
        more_unless(!is_open && !may_go_on).map(|()| found)
    }

    /// Enters the state after an opener.
    pub(crate) fn open(&mut self, row: &'static Row, place: usize, pass: &mut Pass<'_>) {
        let end = place + row.opener.len();
        self.seen = 0;
        self.at = end;
        self.closer = "";
        self.place = row.place;
        let is_mark = row.body.is_call() && !row.is_named && row.quirk != Quirk::Weak;
        self.last_marker = is_mark.then_some((row.format, row.opener));
        match row.body {
            Body::Frame | Body::Turn => {
                self.emit_markup(end, pass);
                self.closer = closer_for(row.opener);
                self.skips_space |= !self.closer.is_empty();
                if let Body::Turn = row.body {
                    if self.message == Header::Answer {
                        self.message = Header::Text;
                    }
                    pass.begin_line();
                    self.skips_space = true;
                }
            }
            Body::Stop => self.emit_markup(pass.text.len(), pass),
            Body::Break => {
                self.is_struck_through |= row.quirk == Quirk::Strikes;
                self.emit_text(end, pass);
                pass.begin_line();
            }
            _ => self.state = State::Opened { opener: row.opener, at: place },
        }
    }
}
