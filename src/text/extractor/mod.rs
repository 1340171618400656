//! State machine that reads a text in pieces and finds the calls and the reasoning in it.

mod after_calls;
mod calls;
pub(super) mod code;
mod header;
mod leads;
mod line;
mod opened;
mod pass;
mod prose;
mod suspect;
mod thinking;

use super::event::{Event, Sink};
use super::formats::{Place, Row};
use super::grammar::Grammar;
use super::grammar::call::Call;
use super::need_more::{Decided, NeedMore};
use super::options::{Shared, TextOptions};
use super::reader::slice;
use super::reread_budget::RereadBudget;
use super::saved::{word, words};
use crate::save::state;
use code::Code;
use leads::Leads;
use line::Line;
use pass::Pass;
use suspect::Suspect;
use thinking::Thinking;

/// Maximum number of bytes held back until it is clear whether they are a call.
pub(crate) const MAX_HELD: usize = 1 << 20;

/// Models in a loop write endless white space. After this much of it at the end of the held text, more doesn't change
/// the result, so the text is read again only after every `READ_AGAIN_EVERY` bytes.
const ENDLESS_SPACE: usize = 2048;
const READ_AGAIN_EVERY: usize = 1 << 16;

/// State of the extractor.
#[derive(Debug, Clone, Copy)]
pub(crate) enum State {
    Prose,
    /// After an opener, which begins at `at`.
    Opened {
        opener: &'static str,
        at: usize,
    },
    Calls {
        format: &'static str,
        has_taken: bool,
        has_fence: bool,
    },
    /// After calls: closers aren't text, nor is white space before further calls or the end.
    After {
        has_fence: bool,
    },
    Thinking(Thinking),
}

state! {
    enum State {
        0 Prose,
        1 Opened { opener as word, at },
        2 Calls { format as word, has_taken, has_fence },
        3 After { has_fence },
        4 Thinking(thinking),
    }
}

/// Header of the current message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Header {
    None,
    /// A header that doesn't declare the message to be text.
    Other,
    Text,
    /// The message is for the user, so it contains no calls.
    Answer,
}

state! { enum Header { 0 None, 1 Other, 2 Text, 3 Answer } }

/// Extracts tool calls and reasoning from a text that arrives in pieces, split anywhere.
///
/// ```
/// use respool::json::Document;
/// use respool::text::{Event, Extractor, TextOptions};
///
/// let json = r#"{"tools": [{"name": "now"}], "formats": ["auto"]}"#;
/// let options = TextOptions::new(Document::parse(json, 64).unwrap().root()).unwrap();
/// let mut extractor = Extractor::new(options.into());
/// let mut events = Vec::new();
/// for piece in ["Let me see. <tool", "_call>{\"name\": \"now\"}</tool_call>"] {
///     extractor.push(piece, &mut |event| events.push(format!("{event:?}")));
/// }
/// extractor.finish(&mut |event| events.push(format!("{event:?}")));
/// events.retain(|event| !event.starts_with("Markup"));
/// assert_eq!(events, [r#"Text("Let me see. ")"#, r#"Start { id: None, name: "now" }"#, "End"]);
/// ```
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct Extractor {
    pub(crate) options: Shared<TextOptions>,
    pub(crate) state: State,
    pub(crate) held: String,
    /// Position of the grammar in the held text, and how far it has looked ahead.
    pub(crate) at: usize,
    pub(crate) seen: usize,
    pub(crate) code: Code,
    pub(crate) is_line_blank: bool,
    /// Whether the text so far is blank.
    pub(crate) is_blank: bool,
    /// Whether white space that follows isn't text.
    pub(crate) skips_space: bool,
    /// Whether there was reasoning, which the next block continues.
    pub(crate) has_reasoning: bool,
    /// Position in the held text at which no call begins.
    pub(crate) no_call_at: Option<usize>,
    /// Position in the held text at which no opener with [`Place::Start`] begins.
    pub(crate) no_start_at: Option<usize>,
    /// Position in which the last opener counts.
    pub(crate) place: Place,
    /// Last byte before the held text.
    pub(crate) last: u8,
    pub(crate) message: Header,
    /// Whether a marker has [begun struck-through text](crate::text::formats::Quirk::Strikes).
    pub(crate) is_struck_through: bool,
    /// Number of bytes before the held text.
    pub(crate) offset: usize,
    /// Line on which the held text begins.
    pub(crate) line: Line,
    /// Format and opener that were found last, unless prose often has such an opener.
    pub(crate) last_marker: Option<(&'static str, &'static str)>,
    /// Closer of the last JSON's block, if text may precede it; else empty.
    pub(crate) closer: &'static str,
    /// Marker after which no call could be read, while it may still have to be reported.
    pub(crate) suspect: Option<Box<Suspect>>,
    /// Grammar that reads the current calls.
    pub(crate) grammar: Grammar,
    pub(crate) call: Call,
    pub(crate) again: RereadBudget,
    /// Bit set of the tags that nothing closes.
    pub(crate) unclosed: u32,
}

state! {
    struct Extractor {
        state, held, at, seen, code, is_line_blank, is_blank, skips_space, has_reasoning, no_call_at, no_start_at,
        place, last, message, is_struck_through, offset, line, last_marker as words, closer as word, suspect, grammar,
        call, again,
        unclosed,
    } anew { options } if has_valid_positions
}

impl Extractor {
    /// Creates an extractor for one text.
    pub fn new(options: Shared<TextOptions>) -> Self {
        let is_open = options.is_open && !options.tags.is_empty();
        Self {
            options,
            state: if is_open { State::Thinking(Thinking::new(None)) } else { State::Prose },
            held: String::new(),
            at: 0,
            seen: 0,
            code: Code::None,
            is_line_blank: true,
            is_blank: true,
            skips_space: is_open,
            has_reasoning: false,
            no_call_at: None,
            no_start_at: None,
            place: Place::Anywhere,
            last: b' ',
            message: Header::None,
            is_struck_through: false,
            offset: 0,
            line: Line::default(),
            last_marker: None,
            closer: "",
            suspect: None,
            grammar: Grammar::default(),
            call: Call::default(),
            again: RereadBudget::default(),
            unclosed: 0,
        }
    }

    /// Reads the next piece of the text.
    pub fn push(&mut self, piece: &str, sink: &mut Sink<'_>) {
        self.run(piece, false, false, sink);
    }

    /// Ends the text, and emits everything that is held back.
    pub fn finish(&mut self, sink: &mut Sink<'_>) {
        self.run("", true, false, sink);
    }

    /// Like [`finish`](Self::finish), for a text that a limit or a lost connection has cut off: a call without its end
    /// may lack arguments, so it is truncated.
    pub fn cut_off(&mut self, sink: &mut Sink<'_>) {
        self.run("", true, true, sink);
    }

    /// Stops searching, because structured calls have arrived. Emits everything that is held back as text, unless it is
    /// the opener of such a call that the server has left, or its beginning.
    pub fn give_up(&mut self, sink: &mut Sink<'_>) {
        let held = std::mem::take(&mut self.held);
        if std::mem::take(&mut self.call.is_open) {
            sink(Event::End);
        }
        let is_opener = self.code == Code::None && self.is_opener(&held);
        sink(if is_opener { Event::Markup(&held) } else { Event::Text(&held) });
    }

    /// Whether a text consists of openers, the last of which may be cut off.
    fn is_opener(&self, text: &str) -> bool {
        let mut rest = text.trim_ascii();
        let mut is_opener = false;
        while rest.len() > 1 && rest.bytes().next().is_some_and(|byte| !byte.is_ascii_alphanumeric()) {
            let is_mark = |row: &&&Row| row.body.is_call() && !row.is_named;
            if self.options.rows.iter().filter(is_mark).any(|row| row.opener.starts_with(rest)) {
                return true;
            }
            let whole =
                self.options.rows.iter().filter(is_mark).find_map(|row| rest.strip_prefix(row.opener));
            let Some(behind) = whole else { return false };
            (rest, is_opener) = (behind.trim_ascii_start(), true);
        }
        is_opener && rest.is_empty()
    }

    /// Whether all positions are inside the held text; in a damaged state they may not be.
    fn has_valid_positions(&self) -> bool {
        let mark = match self.state {
            State::Opened { at, .. } => at,
            State::Thinking(thinking) => thinking.call_at.unwrap_or_default(),
            _ => 0,
        };
        self.at.max(self.seen).max(mark) <= self.held.len()
    }

    /// Sets the options of an extractor that was [loaded](crate::save::State::code), because they are saved separately.
    pub(crate) fn share_options(&mut self, options: &Shared<TextOptions>) {
        self.options = Shared::clone(options);
    }

    /// Whether nothing is held back, so that text without the beginning of a marker would be emitted unchanged, as the
    /// same kind of event as the text before it.
    pub fn is_idle(&self) -> bool {
        let is_between = match &self.state {
            // A quotation's end may begin with any byte.
            State::Prose => !self.is_blank && !matches!(self.code, Code::Until(_)),
            State::Thinking(thinking) => thinking.call_at.is_none() && !thinking.may_open,
            _ => false,
        };
        is_between && !self.skips_space && self.held.is_empty() && self.suspect.is_none()
    }

    /// Whether a piece only continues the endless white space at the end of the held text.
    fn is_endless_space(&self, piece: &str) -> bool {
        let (before, after) = (self.held.len(), self.held.len() + piece.len());
        let last = before.checked_sub(ENDLESS_SPACE).and_then(|from| self.held.as_bytes().get(from..));
        let is_space = |bytes: &[u8]| bytes.trim_ascii_start().is_empty();
        before / READ_AGAIN_EVERY == after / READ_AGAIN_EVERY
            && is_space(piece.as_bytes())
            && last.is_some_and(is_space)
    }

    fn run(&mut self, piece: &str, is_over: bool, is_cut: bool, sink: &mut Sink<'_>) {
        if !is_over && self.is_endless_space(piece) {
            return self.held.push_str(piece);
        }
        let mut held = std::mem::take(&mut self.held);
        let text = if held.is_empty() {
            piece
        } else {
            held.push_str(piece);
            &held
        };
        let mut pass = Pass {
            text,
            from: 0,
            is_over,
            is_cut,
            is_line_blank: self.is_line_blank,
            line: self.line,
            ahead: (0, self.line),
            last: self.last,
            leads: Leads::default(),
            sink: &mut |event| sink(event),
        };
        while self.step(&mut pass).is_ok() {}
        if is_over {
            self.settle_suspect(&mut pass);
        }
        self.line = pass.line;
        let (from, length) = (pass.from, text.len());
        self.is_line_blank = pass.is_line_blank;
        let rebased = |place: usize| place.saturating_sub(from);
        (self.at, self.seen) = (rebased(self.at), rebased(self.seen));
        self.no_call_at = self.no_call_at.and_then(|at| at.checked_sub(from));
        self.no_start_at = self.no_start_at.and_then(|at| at.checked_sub(from));
        self.last = from.checked_sub(1).and_then(|at| text.as_bytes().get(at).copied()).unwrap_or(self.last);
        match &mut self.state {
            State::Opened { at, .. } => *at = rebased(*at),
            State::Thinking(thinking) => thinking.call_at = thinking.call_at.map(rebased),
            _ => {}
        }
        self.offset += from;
        if held.is_empty() {
            held.push_str(slice(piece, from, length));
        } else {
            held.drain(..from);
        }
        self.held = held;
    }

    /// Runs the current state once.
    fn step(&mut self, pass: &mut Pass<'_>) -> Decided<()> {
        if self.skips_space {
            let rest = pass.rest();
            let space = rest.len() - rest.trim_ascii_start().len();
            self.emit_markup(pass.from + space, pass);
            self.at = self.at.max(pass.from);
            if pass.rest().is_empty() {
                return Err(NeedMore);
            }
            self.skips_space = false;
        }
        match std::mem::replace(&mut self.state, State::Prose) {
            State::Prose => self.read_prose(pass),
            State::Opened { opener, at } => self.read_after_opener(opener, at, pass),
            State::Calls { format, has_taken, has_fence } => {
                self.continue_calls(format, has_taken, has_fence, pass)
            }
            State::After { has_fence } => self.read_after_calls(has_fence, pass),
            State::Thinking(thinking) => self.read_thinking(thinking, pass),
        }
    }

    /// Emits text up to a position.
    pub(crate) fn emit_text(&mut self, to: usize, pass: &mut Pass<'_>) {
        let text = slice(pass.text, pass.from, to);
        self.is_blank = self.is_blank && text.trim_ascii_start().is_empty();
        if let Some(suspect) = &mut self.suspect
            && to > pass.from
        {
            match suspect.read(text) {
                Err(NeedMore) => {}
                Ok(None) => self.suspect = None,
                Ok(Some(length)) => {
                    pass.emit(Event::Text(slice(text, 0, length)), pass.from + length);
                    if let Some(suspect) = self.suspect.take() {
                        (pass.sink)(Event::Rejected(suspect.into_rejected()));
                    }
                }
            }
        }
        pass.emit(Event::Text(slice(pass.text, pass.from, to)), to);
    }

    /// Emits reasoning up to a position.
    pub(crate) fn emit_reasoning(&mut self, to: usize, pass: &mut Pass<'_>) {
        self.has_reasoning |= to > pass.from;
        pass.emit_reasoning(to);
    }

    /// Emits markup up to a position.
    pub(crate) fn emit_markup(&mut self, to: usize, pass: &mut Pass<'_>) {
        self.settle_suspect(pass);
        pass.emit_markup(to);
    }

    /// Ends the search for the rest of a suspect, and reports it if it looks like a call.
    pub(crate) fn settle_suspect(&mut self, pass: &mut Pass<'_>) {
        if let Some(rejected) = self.suspect.take().and_then(|suspect| suspect.into_report()) {
            (pass.sink)(Event::Rejected(rejected));
        }
    }

    /// Emits text up to a position at which more text is needed.
    pub(crate) fn wait_at(&mut self, place: usize, pass: &mut Pass<'_>) -> Decided<()> {
        let place = if pass.is_over { pass.text.len() } else { place };
        self.emit_text(place, pass);
        self.at = pass.from;
        Err(NeedMore)
    }
}
