//! Prose, and what begins in it.

use super::code::{Code, Run, closes_span, has_lines, quotation, run};
use super::extractor::{Extractor, State};
use super::formats::{Body, Place, Row};
use super::pass::Pass;
use super::reader::{Match, Reader, which};
use super::thinking::Thinking;

/// The longest white space behind a mark that ends an answer, or before a header.
const MAX_SPACE: usize = 64;

/// What Inkling's calls begin with.
const INVOKE: &str = "<|content_invoke_tool_json|>";

/// What begins at a place in prose.
pub(super) enum Found {
    Nothing,
    /// It may become something.
    Open,
    Row(&'static Row),
    Opener(usize),
    Closer(usize),
}

impl Extractor {
    pub(super) fn prose(&mut self, pass: &mut Pass<'_>) -> bool {
        let bytes = pass.text.as_bytes();
        let mut at = self.at.max(pass.from);
        if self.is_blank && at == pass.from {
            match self.name_before_call(pass) {
                Match::Open => return false,
                Match::Is(length) => {
                    self.markup(pass.from + length, pass);
                    at = pass.from;
                }
                Match::No => {}
            }
            match self.at_start(pass) {
                Found::Open => return false,
                Found::Row(row) => {
                    let start = bytes.len() - pass.rest().trim_ascii_start().len();
                    // The space before a header is part of it.
                    if !matches!(row.body, Body::Header) {
                        self.emit_text(start, pass);
                    }
                    return self.open(row, start, pass);
                }
                _ => {}
            }
        }
        loop {
            if self.code != Code::None {
                match self.code_end(pass, at) {
                    Ok(end) => at = end,
                    Err(place) => return self.wait_at(place, pass),
                }
            }
            let Some(place) = pass.leads.next(&self.options.leads, &self.options.seconds, bytes, at) else {
                return self.wait_at(bytes.len(), pass);
            };
            match self.found_unquoted(place, pass) {
                Found::Open => return self.wait_at(place, pass),
                Found::Row(row) => {
                    self.emit_text(place, pass);
                    return self.open(row, place, pass);
                }
                Found::Opener(tag) => {
                    self.emit_text(place, pass);
                    self.markup(place + self.options.tags.get(tag).map_or(0, |tag| tag.0.len()), pass);
                    self.skips_space = !self.has_reasoning;
                    self.state = State::Thinking(Thinking::new(Some(tag)));
                    self.at = pass.from;
                    return true;
                }
                Found::Closer(length) => {
                    // The reasoning it closes has been emitted as text.
                    self.emit_text(place, pass);
                    self.markup(place + length, pass);
                    pass.begin_line();
                    self.at = pass.from;
                    return true;
                }
                Found::Nothing => {
                    if !self.closer.is_empty() {
                        match which(bytes.get(place..).unwrap_or_default(), &[self.closer], pass.is_over) {
                            Match::No => {}
                            Match::Open => return self.wait_at(place, pass),
                            Match::Is(_) => {
                                self.emit_text(place, pass);
                                self.markup(place + self.closer.len(), pass);
                                (self.at, self.closer) = (pass.from, "");
                                self.state = State::After { has_fence: false };
                                return true;
                            }
                        }
                    }
                    at = place + 1;
                    match quotation(bytes.get(place..).unwrap_or_default(), pass.is_over) {
                        Err(()) => return self.wait_at(place, pass),
                        Ok(Some((code, length))) if !self.options.rows.is_empty() => {
                            self.code = code;
                            at = place + length;
                        }
                        Ok(_) => {}
                    }
                    if let Some(&mark @ (b'`' | b'~')) = bytes.get(place) {
                        let Run::Is(length) = run(bytes, place, pass.is_over) else {
                            return self.wait_at(place, pass);
                        };
                        if length >= 3 && pass.line_at(place).is_before_block() {
                            self.code = Code::Fence { mark, length, is_first_line: true, inner: 0 };
                        } else if mark == b'`' {
                            let Some(has_lines) = has_lines(bytes, place, length, pass.is_over) else {
                                return self.wait_at(place, pass);
                            };
                            self.code = Code::Span { length, has_lines };
                        }
                        at = place + length;
                    }
                }
            }
        }
    }

    /// What begins at a place in prose, unless the line quotes it.
    fn found_unquoted(&self, place: usize, pass: &mut Pass<'_>) -> Found {
        match self.found(place, pass, true) {
            Found::Row(row) if row.body.is_message() && (self.is_answer || pass.is_quoted(place)) => {
                Found::Nothing
            }
            Found::Opener(_) | Found::Closer(_) if pass.is_quoted(place) => Found::Nothing,
            found => found,
        }
    }

    /// Where the code ends, looked for from a place on, or the place of something in a code span that turns out to be
    /// none. `Err` where more text decides.
    fn code_end(&mut self, pass: &mut Pass<'_>, at: usize) -> Result<usize, usize> {
        let mut code = self.code;
        let end = code.end(pass, at);
        if let Code::Span { length, has_lines: false } = self.code {
            let (Ok(to) | Err(to)) = end;
            let (bytes, mut from) = (pass.text.as_bytes(), at);
            while let Some(place) = pass.leads.next(&self.options.leads, &self.options.seconds, bytes, from)
                && place < to
            {
                if !matches!(self.found_unquoted(place, pass), Found::Nothing) {
                    match closes_span(length, pass, place) {
                        Some(true) => break,
                        Some(false) => {
                            self.code = Code::None;
                            return Ok(place);
                        }
                        None => return Err(place),
                    }
                }
                from = place + 1;
            }
        }
        self.code = code;
        end
    }

    /// The length of a tool's name before its call, if the mark of the message before that was in the prompt.
    fn name_before_call(&self, pass: &Pass<'_>) -> Match {
        if !self.options.rows.iter().any(|row| row.opener == INVOKE) {
            return Match::No;
        }
        let rest = pass.rest();
        let space = rest.len() - rest.trim_ascii_start().len();
        let name = Reader::new(rest, space, 0, true).name();
        let end = space + name.len();
        let tools = &self.options.tools;
        if end == rest.len() {
            let may_go_on = !pass.is_over && !name.is_empty() && tools.has_beginning(name);
            return if may_go_on { Match::Open } else { Match::No };
        }
        match which(rest.as_bytes().get(end..).unwrap_or_default(), &[INVOKE], pass.is_over) {
            // Of any tool, the first word would be held back.
            Match::Is(_) if tools.find(name).is_some() => Match::Is(end),
            Match::Open if tools.find(name).is_some() => Match::Open,
            _ => Match::No,
        }
    }

    /// An opener that only counts before any text.
    pub(super) fn at_start(&self, pass: &Pass<'_>) -> Found {
        let space = pass.rest().len();
        let rest = pass.rest().trim_ascii_start().as_bytes();
        let has_header = || {
            self.options.rows.iter().any(|row| row.place == Place::Start && matches!(row.body, Body::Header))
        };
        if rest.is_empty() && (1..MAX_SPACE).contains(&space) && !pass.is_over && has_header() {
            return Found::Open;
        }
        let places = pass.from..=pass.text.len() - rest.len();
        if rest.is_empty() || self.no_start_at.is_some_and(|at| places.contains(&at)) {
            return Found::Nothing;
        }
        let mut found = Found::Nothing;
        for row in self.options.rows.iter().filter(|row| row.place == Place::Start) {
            let is_here =
                if row.opener.is_empty() { Match::Is(0) } else { which(rest, &[row.opener], pass.is_over) };
            match is_here {
                // The first one that fits counts, which may be an earlier one.
                Match::Is(_) if matches!(found, Found::Nothing) => return Found::Row(row),
                Match::Is(_) => break,
                Match::Open => found = Found::Open,
                Match::No => {}
            }
        }
        found
    }

    /// What begins at a place.
    pub(super) fn found(&self, place: usize, pass: &Pass<'_>, with_openers: bool) -> Found {
        let rest = pass.text.as_bytes().get(place..).unwrap_or_default();
        let lead = rest.first();
        let second = rest.get(1);
        // Nearly all that begins alike goes on otherwise.
        let is_like = |token: &str| {
            let token = token.as_bytes();
            token.first() == lead && (second.is_none() || token.len() < 2 || token.get(1) == second)
        };
        let (mut length, mut found) = (0, Found::Nothing);
        let (mut is_open, mut may_go_on) = (false, false);
        let mut take = |token: &str, it: Found| {
            if rest.starts_with(token.as_bytes()) {
                if token.len() > length {
                    (length, found) = (token.len(), it);
                }
            } else if !pass.is_over && token.as_bytes().starts_with(rest) {
                may_go_on = true;
            }
        };
        for (nth, (opener, closer)) in self.options.tags.iter().enumerate() {
            if with_openers && is_like(opener) {
                take(opener, Found::Opener(nth));
            }
            if is_like(closer) {
                take(closer, Found::Closer(closer.len()));
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
                    // At the end of a call that was rejected it is text like that.
                    Body::Turn if row.opener == "<|call|>" => is_here && self.is_said,
                    Body::Turn => is_here && self.has_header,
                    Body::Stop if self.is_struck && row.opener == "</s>" => false,
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
                    take(row.opener, Found::Row(row));
                }
            }
        }
        if is_open || may_go_on { Found::Open } else { found }
    }

    /// An opener has been found.
    pub(super) fn open(&mut self, row: &'static Row, place: usize, pass: &mut Pass<'_>) -> bool {
        let end = place + row.opener.len();
        self.seen = 0;
        self.at = end;
        self.closer = "";
        self.is_start = row.place == Place::Start;
        self.is_inside = row.place == Place::Inside;
        let is_mark = row.body.is_call() && !row.is_named && (row.opener != "<function>" || self.is_inside);
        self.marked = is_mark.then_some((row.format, row.opener));
        match row.body {
            Body::Frame | Body::Turn => {
                self.markup(end, pass);
                if let Body::Turn = row.body {
                    self.is_answer = false;
                    pass.begin_line();
                    self.skips_space = true;
                }
            }
            Body::Stop => self.markup(pass.text.len(), pass),
            Body::Break => {
                self.is_struck |= row.opener == "<s>";
                self.emit_text(end, pass);
                pass.begin_line();
            }
            _ => self.state = State::Opened { opener: row.opener, at: place },
        }
        true
    }
}
