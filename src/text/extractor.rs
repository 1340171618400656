//! The machine that reads a text in pieces and finds the calls and the reasoning in it.

use std::rc::Rc;

use super::call::{CLOSERS, Calls, Read};
use super::code::{Code, Run, run};
use super::event::{Event, Sink};
use super::formats::{Body, Place, Row};
use super::grammar::{Begins, Grammar, begins};
use super::header::{self, HeaderRead, Message};
use super::leads::Leads;
use super::named::NamedCall;
use super::options::TextOptions;
use super::pass::Pass;
use super::reader::{Match, Reader, which};
use super::thinking::Thinking;
use crate::model::{RejectReason, RejectedToolCall};

/// So many bytes are held back at the most while it is not certain what they are.
pub(super) const MAX_HELD: usize = 1 << 20;

/// What turned out to be no call is read again, for calls inside, so many times if it is longer than a mark.
const MAX_AGAIN: u32 = 64;
const SHORT: usize = 512;

/// Where a text is.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one for each text")]
pub(super) enum State {
    Prose,
    /// Behind an opener that begins there.
    Opened {
        opener: &'static str,
        at: usize,
    },
    Calls {
        grammar: Grammar,
        format: &'static str,
        has_taken: bool,
        has_fence: bool,
    },
    /// After calls: what closes them is no text, nor is white space if more calls follow, or nothing.
    After {
        has_fence: bool,
    },
    Thinking(Thinking),
}

/// What stands at a place in prose.
pub(super) enum Found {
    Nothing,
    /// It may become something.
    Open,
    Row(&'static Row),
    Opener(usize),
    Closer(usize),
}

/// Reads a text in pieces, cut anywhere, and tells what is in it.
///
/// ```
/// use std::rc::Rc;
/// use respool::json::Document;
/// use respool::text::{Event, Extractor, TextOptions};
///
/// let json = r#"{"tools": [{"name": "now"}], "formats": ["auto"]}"#;
/// let options = TextOptions::new(Document::parse(json, 64).unwrap().root()).unwrap();
/// let mut extractor = Extractor::new(Rc::new(options));
/// let mut told = Vec::new();
/// for piece in ["Let me see. <tool", "_call>{\"name\": \"now\"}</tool_call>"] {
///     extractor.push(piece, &mut |event| told.push(format!("{event:?}")));
/// }
/// extractor.finish(&mut |event| told.push(format!("{event:?}")));
/// told.retain(|event| !event.starts_with("Markup"));
/// assert_eq!(told, [r#"Text("Let me see. ")"#, r#"Start { id: None, name: "now" }"#, "End"]);
/// ```
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct Extractor {
    pub(super) options: Rc<TextOptions>,
    pub(super) state: State,
    held: String,
    /// Where in what is held the grammar is, and how far it has looked.
    pub(super) at: usize,
    seen: usize,
    code: Code,
    is_line_blank: bool,
    /// Whether there was no text but white space.
    is_blank: bool,
    /// White space that comes next is no text.
    pub(super) skips_space: bool,
    /// At this place in what is held there is no call.
    no_call_at: Option<usize>,
    has_header: bool,
    /// How many bytes of the text came before what is held.
    offset: usize,
    /// The name in the call that is being read.
    name: String,
    is_call_open: bool,
    again: u32,
}

impl Extractor {
    /// For one text.
    pub fn new(options: Rc<TextOptions>) -> Self {
        let thinking = Thinking { tag: None, is_message: false, call_at: None };
        let is_open = options.is_open && !options.tags.is_empty();
        Self {
            options,
            state: if is_open { State::Thinking(thinking) } else { State::Prose },
            held: String::new(),
            at: 0,
            seen: 0,
            code: Code::None,
            is_line_blank: true,
            is_blank: true,
            skips_space: is_open,
            no_call_at: None,
            has_header: false,
            offset: 0,
            name: String::new(),
            is_call_open: false,
            again: 0,
        }
    }

    /// Reads the next piece.
    pub fn push(&mut self, piece: &str, sink: &mut Sink<'_>) {
        self.run(piece, false, sink);
    }

    /// The text is over: tells what was held back.
    pub fn finish(&mut self, sink: &mut Sink<'_>) {
        self.run("", true, sink);
    }

    /// Nothing more is looked for: tells what was held back, as text.
    pub fn give_up(&mut self, sink: &mut Sink<'_>) {
        let held = std::mem::take(&mut self.held);
        if std::mem::take(&mut self.is_call_open) {
            sink(Event::End);
        }
        sink(Event::Text(&held));
    }

    fn run(&mut self, piece: &str, is_over: bool, sink: &mut Sink<'_>) {
        let mut held = std::mem::take(&mut self.held);
        let text = if held.is_empty() {
            piece
        } else {
            held.push_str(piece);
            &held
        };
        let is_line_blank = self.is_line_blank;
        let mut pass = Pass { text, from: 0, is_over, is_line_blank, sink: &mut |event| sink(event) };
        while self.step(&mut pass) {}
        let (from, length) = (pass.from, text.len());
        self.is_line_blank = pass.is_line_blank;
        let rebased = |place: usize| place.saturating_sub(from);
        (self.at, self.seen) = (rebased(self.at), rebased(self.seen));
        self.no_call_at = self.no_call_at.and_then(|at| at.checked_sub(from));
        match &mut self.state {
            State::Opened { at, .. } => *at = rebased(*at),
            State::Thinking(thinking) => thinking.call_at = thinking.call_at.map(rebased),
            _ => {}
        }
        self.offset += from;
        if from < length {
            if held.is_empty() {
                piece.get(from..).unwrap_or_default().clone_into(&mut held);
            } else {
                held = String::from(held.get(from..).unwrap_or_default());
            }
        } else {
            held.clear();
        }
        self.held = held;
    }

    /// Reads on; false where more text is needed.
    fn step(&mut self, pass: &mut Pass<'_>) -> bool {
        if self.skips_space {
            let rest = pass.rest();
            let space = rest.len() - rest.trim_ascii_start().len();
            pass.markup(pass.from + space);
            self.at = self.at.max(pass.from);
            if pass.rest().is_empty() {
                return false;
            }
            self.skips_space = false;
        }
        match std::mem::replace(&mut self.state, State::Prose) {
            State::Prose => self.prose(pass),
            State::Opened { opener, at } => self.opened(opener, at, pass),
            State::Calls { grammar, format, has_taken, has_fence } => {
                self.calls(grammar, format, has_taken, has_fence, pass)
            }
            State::After { has_fence } => self.after(has_fence, pass),
            State::Thinking(thinking) => self.thinking(thinking, pass),
        }
    }

    fn prose(&mut self, pass: &mut Pass<'_>) -> bool {
        let bytes = pass.text.as_bytes();
        let mut at = self.at.max(pass.from);
        let mut leads = Leads::default();
        if self.is_blank && at == pass.from {
            match self.at_start(pass) {
                Found::Open => return false,
                Found::Row(row) => {
                    let start = bytes.len() - pass.rest().trim_ascii_start().len();
                    self.give_text(start, pass);
                    return self.open(row, start, pass);
                }
                _ => {}
            }
        }
        loop {
            if self.code != Code::None {
                match self.code.end(pass, at) {
                    Ok(end) => at = end,
                    Err(place) => return self.wait_at(place, pass),
                }
            }
            let Some(place) = leads.next(&self.options.leads, bytes, at) else {
                return self.wait_at(bytes.len(), pass);
            };
            match self.found(place, pass, true) {
                Found::Open => return self.wait_at(place, pass),
                Found::Row(row) => {
                    self.give_text(place, pass);
                    return self.open(row, place, pass);
                }
                Found::Opener(tag) => {
                    self.give_text(place, pass);
                    pass.markup(place + self.options.tags.get(tag).map_or(0, |tag| tag.0.len()));
                    self.skips_space = true;
                    self.state =
                        State::Thinking(Thinking { tag: Some(tag), is_message: false, call_at: None });
                    self.at = pass.from;
                    return true;
                }
                Found::Closer(length) => {
                    // What it closes has been given out as text.
                    self.give_text(place, pass);
                    pass.markup(place + length);
                    at = place + length;
                }
                Found::Nothing => {
                    at = place + 1;
                    if let Some(&mark @ (b'`' | b'~')) = bytes.get(place) {
                        let Run::Is(length) = run(bytes, place, pass.is_over) else {
                            return self.wait_at(place, pass);
                        };
                        if length >= 3 && pass.is_line_start(place) {
                            self.code = Code::Fence { mark, length, is_first_line: true };
                        } else if mark == b'`' {
                            self.code = Code::Span(length);
                        }
                        at = place + length;
                    }
                }
            }
        }
    }

    /// What stands before any text, where only there it is a call.
    fn at_start(&self, pass: &Pass<'_>) -> Found {
        let rest = pass.rest().trim_ascii_start().as_bytes();
        let mut found = Found::Nothing;
        for row in self.options.rows.iter().filter(|row| row.place == Place::Start) {
            let is_here =
                if row.opener.is_empty() { Match::Is(0) } else { which(rest, &[row.opener], pass.is_over) };
            match is_here {
                Match::Is(_) if self.no_call_at.is_none() && !rest.is_empty() => return Found::Row(row),
                Match::Open => found = Found::Open,
                _ => {}
            }
        }
        found
    }

    /// What stands at a place where something may begin.
    pub(super) fn found(&self, place: usize, pass: &Pass<'_>, with_openers: bool) -> Found {
        let rest = pass.text.as_bytes().get(place..).unwrap_or_default();
        let lead = rest.first();
        let (mut length, mut found) = (0, Found::Nothing);
        let mut is_open = false;
        let mut take = |token: &str, it: Found| {
            if rest.starts_with(token.as_bytes()) {
                if token.len() > length {
                    (length, found) = (token.len(), it);
                }
            } else if !pass.is_over && token.as_bytes().starts_with(rest) {
                is_open = true;
            }
        };
        for (nth, (opener, closer)) in self.options.tags.iter().enumerate() {
            if with_openers && opener.as_bytes().first() == lead {
                take(opener, Found::Opener(nth));
            }
            if closer.as_bytes().first() == lead {
                take(closer, Found::Closer(closer.len()));
            }
        }
        if self.no_call_at != Some(place) {
            for row in &self.options.rows {
                let is_here = row.opener.as_bytes().first() == lead
                    && match row.place {
                        Place::Anywhere => true,
                        Place::Word => pass.is_word_start(place),
                        Place::Line => pass.is_line_start(place),
                        Place::Start => false,
                    };
                let is_frame = matches!(row.body, Body::Frame) && row.format == "harmony";
                if is_here && (!is_frame || self.has_header) {
                    take(row.opener, Found::Row(row));
                }
            }
        }
        if is_open { Found::Open } else { found }
    }

    /// An opener has been found.
    fn open(&mut self, row: &'static Row, place: usize, pass: &mut Pass<'_>) -> bool {
        let end = place + row.opener.len();
        self.seen = 0;
        self.at = end;
        match row.body {
            Body::Frame => {
                pass.markup(end);
                self.skips_space = row.format == "harmony";
            }
            _ => self.state = State::Opened { opener: row.opener, at: place },
        }
        true
    }

    /// Decides by what follows an opener.
    fn opened(&mut self, opener: &'static str, at: usize, pass: &mut Pass<'_>) -> bool {
        let mut reader = Reader::new(pass.text, self.at, self.seen, pass.is_over);
        let options = Rc::clone(&self.options);
        for row in options.rows.iter().filter(|row| row.opener == opener) {
            match row.body {
                Body::Header => return self.header(opener, at, pass),
                Body::Opener => {
                    reader.skip_space();
                    let mut inner = options.rows.iter().filter(|other| {
                        other.format == row.format && !matches!(other.body, Body::Frame | Body::Header)
                    });
                    let openers: Vec<&str> = inner.by_ref().map(|row| row.opener).collect();
                    match reader.which(&openers) {
                        Match::No => {}
                        Match::Open => return self.wait_opened(opener, at, &reader),
                        Match::Is(nth) => {
                            let inner = openers.get(nth).copied().unwrap_or_default();
                            let inner = options.rows.iter().find(|row| row.opener == inner);
                            let place = reader.at;
                            return inner.is_some_and(|row| self.open(row, place, pass));
                        }
                    }
                }
                _ => match begins(row, &reader) {
                    Begins::No => {}
                    Begins::Open => return self.wait_opened(opener, at, &reader),
                    Begins::Yes => {
                        if let Some(grammar) = Grammar::of(row, at, &mut reader) {
                            (self.at, self.seen) = (reader.at, 0);
                            let has_fence = opener.starts_with('`');
                            self.state =
                                State::Calls { grammar, format: row.format, has_taken: false, has_fence };
                            return true;
                        }
                    }
                },
            }
        }
        self.no_call(pass);
        true
    }

    fn wait_opened(&mut self, opener: &'static str, at: usize, reader: &Reader<'_>) -> bool {
        self.at = reader.at;
        self.state = State::Opened { opener, at };
        false
    }

    /// Reads the header of a message.
    fn header(&mut self, opener: &'static str, at: usize, pass: &mut Pass<'_>) -> bool {
        // The opener says something, too.
        let mut reader = Reader::new(pass.text, at, self.seen, pass.is_over);
        let message = match header::read(&mut reader) {
            HeaderRead::Is(message) if message != Message::Reasoning || !self.options.tags.is_empty() => {
                message
            }
            HeaderRead::More => {
                self.seen = reader.seen;
                self.state = State::Opened { opener, at };
                return false;
            }
            _ => {
                self.no_call(pass);
                return true;
            }
        };
        self.has_header = true;
        (self.at, self.seen) = (reader.at, 0);
        match message {
            Message::Call(name) => {
                let grammar = Grammar::Named(NamedCall::of(&name));
                self.state = State::Calls { grammar, format: "harmony", has_taken: false, has_fence: false };
            }
            Message::Reasoning => {
                pass.markup(reader.at);
                self.state = State::Thinking(Thinking { tag: None, is_message: true, call_at: None });
            }
            Message::Text => pass.markup(reader.at),
        }
        true
    }

    fn calls(
        &mut self,
        mut grammar: Grammar,
        format: &'static str,
        has_taken: bool,
        has_fence: bool,
        pass: &mut Pass<'_>,
    ) -> bool {
        let end = pass.text.floor_char_boundary(pass.from.saturating_add(MAX_HELD));
        let is_full = end < pass.text.len();
        let text = pass.text.get(..end).unwrap_or_default();
        let mut reader = Reader::new(text, self.at, self.seen, pass.is_over && !is_full);
        let options = Rc::clone(&self.options);
        let mut calls = Calls {
            tools: &options.tools,
            sink: &mut |event| (pass.sink)(event),
            name: &mut self.name,
            is_open: &mut self.is_call_open,
        };
        let mut read = grammar.read(&mut reader, &mut calls);
        let mut is_finished = false;
        if read == Read::More && (pass.is_over || is_full) {
            let is_stuck = pass.is_over || !*calls.is_open || reader.at == pass.from;
            if is_stuck {
                is_finished = true;
                read = grammar.finish(&mut calls);
                reader.at = text.len();
            }
            if is_stuck && is_full && matches!(read, Read::Rejected(_)) {
                read = Read::Rejected(RejectReason::TooLong);
            }
        }
        (self.at, self.seen) = (reader.at, reader.seen);
        let calls_fence = has_fence || grammar.has_fence();
        let next = |has_taken| State::Calls { has_fence, grammar, format, has_taken };
        match read {
            Read::More => {
                if self.is_call_open {
                    pass.markup(self.at);
                }
                self.state = next(has_taken);
                is_full
            }
            Read::Taken => {
                pass.markup(self.at);
                self.is_blank = false;
                self.state = if is_finished { State::After { has_fence: calls_fence } } else { next(true) };
                true
            }
            Read::Rejected(reason) => {
                let rejected = RejectedToolCall {
                    format: format.to_owned(),
                    name: Some(self.name.clone()).filter(|name| !name.is_empty()),
                    reason,
                    text: reader.since(pass.from).to_owned(),
                    offset: self.offset + pass.from,
                };
                (pass.sink)(Event::Rejected(&rejected));
                if reason == RejectReason::UnknownTool && !is_finished {
                    self.give_text(self.at, pass);
                    self.state = next(has_taken);
                } else {
                    self.no_call(pass);
                }
                true
            }
            Read::Done if has_taken => {
                pass.markup(self.at);
                self.state = State::After { has_fence: calls_fence };
                true
            }
            Read::Done => {
                self.at = pass.from;
                true
            }
            Read::NoCall => {
                self.no_call(pass);
                true
            }
        }
    }

    /// What was read from here on is no call: it is read again as text, in which calls may be.
    fn no_call(&mut self, pass: &mut Pass<'_>) {
        let is_long = self.at.saturating_sub(pass.from) > SHORT;
        if is_long {
            self.again += 1;
        }
        if is_long && self.again > MAX_AGAIN {
            self.give_text(self.at.min(pass.text.len()), pass);
        }
        self.no_call_at = Some(pass.from);
        self.at = pass.from;
        self.state = State::Prose;
    }

    fn after(&mut self, mut has_fence: bool, pass: &mut Pass<'_>) -> bool {
        let mut reader = Reader::new(pass.text, self.at.max(pass.from), 0, pass.is_over);
        loop {
            reader.skip_space();
            let mut found = reader.eat(CLOSERS);
            if has_fence && found == Match::No {
                found = reader.eat(&["```"]);
                has_fence = found != Match::Is(0);
            }
            match found {
                Match::Is(_) => pass.markup(reader.at),
                Match::Open => {
                    self.at = reader.at;
                    if pass.is_over {
                        pass.markup(reader.at);
                    }
                    self.state = State::After { has_fence };
                    return false;
                }
                Match::No => break,
            }
        }
        let is_end = reader.rest().is_empty();
        match self.found(reader.at, pass, true) {
            Found::Open if !is_end => {
                self.at = reader.at;
                self.state = State::After { has_fence };
                return false;
            }
            Found::Row(_) => pass.markup(reader.at),
            _ if is_end => pass.markup(reader.at),
            _ => {}
        }
        self.at = pass.from;
        true
    }

    /// Gives out text up to a place.
    fn give_text(&mut self, to: usize, pass: &mut Pass<'_>) {
        let Some(text) = pass.text.get(pass.from..to).filter(|text| !text.is_empty()) else { return };
        if self.is_blank {
            self.is_blank = text.trim_ascii_start().is_empty();
        }
        pass.note_line(to);
        pass.from = to;
        (pass.sink)(Event::Text(text));
    }

    /// Gives out text up to a place, from which on more text is needed.
    fn wait_at(&mut self, place: usize, pass: &mut Pass<'_>) -> bool {
        let place = if pass.is_over { pass.text.len() } else { place };
        self.give_text(place, pass);
        self.at = pass.from;
        false
    }
}
