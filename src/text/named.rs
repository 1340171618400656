//! Calls written as a name, a mark, and arguments that are one literal.

use super::call::{Arguments, ArgumentsRead, CLOSERS, Calls, Read};
use super::literal::Literal;
use super::reader::{Match, Near, Reader};
use crate::model::RejectReason;

/// A name, with all that may stand around it, is not longer.
const MAX_NAME: usize = 200;

/// How a name stands before the arguments.
#[derive(Debug)]
pub(super) struct Style {
    /// What is after the name; all begin with one of two bytes.
    ends: &'static [&'static str],
    first: [u8; 2],
    /// What is before it.
    prefixes: &'static [&'static str],
    note: Note,
}

/// What else a style has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Note {
    Nothing,
    /// The name is an id: `functions.NAME:0`.
    IsId,
    /// After the second end comes an id, up to the first.
    HasId,
    /// Before the end is what the call is of, and the name follows on a line of its own.
    HasKind,
}

const fn style(ends: &'static [&'static str], first: [u8; 2], note: Note) -> Style {
    Style { ends, first, prefixes: &[], note }
}

pub(super) static MISTRAL: Style = style(&["[ARGS]", "[CALL_ID]", "{"], *b"[{", Note::HasId);
pub(super) static DEEPSEEK: Style = style(&["<｜tool▁sep｜>"], *b"<<", Note::HasKind);
pub(super) static KIMI: Style = style(&["<|tool_call_argument_begin|>"], *b"<<", Note::IsId);
pub(super) static GEMMA: Style =
    Style { ends: &["{", "<tool_call|>"], first: *b"{<", prefixes: &["call:", ":"], note: Note::Nothing };
pub(super) static LINE: Style = style(&["\n"], *b"\n\n", Note::Nothing);
pub(super) static REACT: Style = style(&["\nAction Input:"], *b"\n\n", Note::Nothing);

#[derive(Debug)]
enum Step {
    Name,
    Id,
    /// The name after the kind.
    Line,
    Before,
    Arguments(Arguments),
    Over,
}

/// Reads one call.
#[derive(Debug)]
pub(super) struct NamedCall {
    style: &'static Style,
    step: Step,
    name: String,
    id: Option<String>,
    is_declared: bool,
    /// Whether the arguments stand in a code fence.
    pub(super) has_fence: bool,
}

impl NamedCall {
    pub(super) fn new(style: &'static Style) -> Self {
        Self { style, step: Step::Name, name: String::new(), id: None, is_declared: false, has_fence: false }
    }

    /// A call whose name has been read already.
    pub(super) fn of(name: &str) -> Self {
        Self { step: Step::Before, name: name.to_owned(), ..Self::new(&LINE) }
    }

    pub(super) fn read(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Read {
        loop {
            let read = match &mut self.step {
                Step::Name => self.read_name(reader),
                Step::Id => match reader.find_near(*b"[[", &["[ARGS]"], MAX_NAME) {
                    Near::Is(id, _) => {
                        self.id = Some(id.trim_ascii().to_owned());
                        self.step = Step::Before;
                        None
                    }
                    Near::Open => Some(Read::More),
                    Near::No => Some(Read::NoCall),
                },
                Step::Line => match reader.find_near(*b"\n{", &["\n", "{"], MAX_NAME) {
                    Near::Is(name, end) => {
                        reader.at -= end;
                        name.trim_ascii().clone_into(&mut self.name);
                        self.step = Step::Before;
                        None
                    }
                    Near::Open => Some(Read::More),
                    Near::No => Some(Read::NoCall),
                },
                Step::Before => self.begin(reader, calls),
                Step::Arguments(arguments) => {
                    let read = arguments.read(reader, calls);
                    if read == ArgumentsRead::More {
                        return Read::More;
                    }
                    self.step = Step::Over;
                    Some(self.end(calls))
                }
                Step::Over => Some(Read::Done),
            };
            if let Some(read) = read {
                return read;
            }
        }
    }

    /// The text is over.
    pub(super) fn finish(&mut self, calls: &mut Calls<'_>) -> Read {
        match &mut self.step {
            Step::Arguments(arguments) => {
                arguments.finish(calls);
                if self.is_declared {
                    calls.end();
                    return Read::Taken;
                }
                calls.name.clone_from(&self.name);
                Read::Rejected(RejectReason::Truncated)
            }
            Step::Over => Read::Done,
            _ => Read::NoCall,
        }
    }

    fn read_name(&mut self, reader: &mut Reader<'_>) -> Option<Read> {
        let (name, end) = match reader.find_near(self.style.first, self.style.ends, MAX_NAME) {
            Near::Is(name, end) => (name, end),
            Near::Open => return Some(Read::More),
            Near::No => return Some(Read::NoCall),
        };
        let mut name = name.trim_ascii();
        for prefix in self.style.prefixes {
            name = name.strip_prefix(prefix).unwrap_or(name);
        }
        name.clone_into(&mut self.name);
        let end_mark = self.style.ends.get(end).copied().unwrap_or_default();
        if matches!(end_mark, "{" | "<tool_call|>") {
            reader.at -= end_mark.len();
        }
        self.step = Step::Before;
        match self.style.note {
            Note::IsId => {
                self.id = Some(self.name.clone());
                let name = self.name.strip_prefix("functions.").unwrap_or(&self.name);
                let end = memchr::memrchr(b':', name.as_bytes()).unwrap_or(name.len());
                self.name = name.get(..end).unwrap_or_default().to_owned();
            }
            Note::HasId if end == 1 => self.step = Step::Id,
            Note::HasKind if self.name == "function" || self.name.is_empty() => self.step = Step::Line,
            _ => {}
        }
        memchr::memchr(b'\n', self.name.as_bytes()).map(|_| Read::NoCall)
    }

    fn begin(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Option<Read> {
        match reader.eat_fence() {
            Match::Open => return Some(Read::More),
            found => self.has_fence |= found != Match::No,
        }
        match reader.peek() {
            Some(b'{') => {
                self.is_declared = calls.begin(&self.name, self.id.as_deref());
                self.step = Step::Arguments(Arguments::new(Literal::new(0), self.is_declared));
                None
            }
            None if !reader.is_over => Some(Read::More),
            _ => match reader.which(CLOSERS) {
                Match::Open => Some(Read::More),
                // No arguments at all.
                Match::Is(_) => {
                    self.step = Step::Over;
                    self.is_declared = calls.begin(&self.name, self.id.as_deref());
                    Some(self.end(calls))
                }
                Match::No => Some(Read::NoCall),
            },
        }
    }

    fn end(&self, calls: &mut Calls<'_>) -> Read {
        if self.is_declared {
            calls.end();
            return Read::Taken;
        }
        calls.name.clone_from(&self.name);
        Read::Rejected(RejectReason::UnknownTool)
    }
}
