//! Calls written as JSON objects that have a name and arguments: one, several, or an array of them.

use super::call::{Calls, Read, end_before_closer};
use super::literal::{Literal, Stop};
use super::quote::stands_before;
use super::reader::{Match, Reader};
use crate::json::Document;
use crate::model::RejectReason;

/// How an object says what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Its members are the name and the arguments.
    Named,
    /// The same, but nothing else says that it is a call: its first members have to.
    Bare,
    /// The same, and nothing but it may stand on its lines.
    Alone,
    /// Its keys are the names, their values the arguments.
    Keyed,
}

const NAMES: &[&str] =
    &["name", "tool_name", "tool", "function", "function_name", "tool_call", "function_call"];
const ARGUMENTS: &[&str] =
    &["arguments", "parameters", "args", "input", "tool_args", "params", "tool_input", "kwargs"];
const IDS: &[&str] = &["id", "tool_call_id", "call_id"];
const OTHERS: &[&str] = &["type", "index"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Start,
    Value,
    /// The value of a member begins.
    Member,
    /// An object has ended that may have to stand alone.
    Alone,
    /// An object has ended, and with it perhaps all.
    Between,
}

/// What a member says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    Name,
    Arguments,
    Id,
    Else,
}

/// Reads calls that are JSON objects.
#[derive(Debug)]
pub(super) struct JsonCalls {
    shape: Shape,
    step: Step,
    literal: Literal,
    /// The depth of the objects that are calls.
    depth: usize,
    says: Says,
    /// Where in the JSON the member's value begins.
    from: usize,
    name: Option<String>,
    id: Option<String>,
    arguments: Option<String>,
    /// The arguments are told as they come, up to here.
    told: Option<usize>,
    /// Whether a call has been read in the object that is open.
    is_read: bool,
    /// Whether the calls stand in a code fence.
    pub(super) has_fence: bool,
}

impl JsonCalls {
    pub(super) fn new(shape: Shape) -> Self {
        Self {
            shape,
            step: Step::Start,
            literal: Literal::new(1),
            depth: 1,
            says: Says::Else,
            from: 0,
            name: None,
            id: None,
            arguments: None,
            told: None,
            is_read: false,
            has_fence: false,
        }
    }

    pub(super) fn read(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Read {
        loop {
            let read = match self.step {
                Step::Start => self.start(reader, Read::NoCall),
                Step::Value => self.read_value(reader, calls),
                Step::Member => self.begin_member(reader, calls),
                Step::Alone => Some(self.end_alone(reader, calls)),
                Step::Between => self.between(reader),
            };
            if let Some(read) = read {
                return read;
            }
        }
    }

    /// The text is over.
    pub(super) fn finish(&mut self, calls: &mut Calls<'_>) -> Read {
        if *calls.is_open {
            self.tell(self.literal.json().len(), calls);
            calls.end();
            return Read::Taken;
        }
        match self.step {
            Step::Value if self.name.is_some() && self.arguments.is_some() && self.shape != Shape::Alone => {
                self.end_call(calls)
            }
            Step::Between => Read::Done,
            Step::Start => Read::NoCall,
            _ => self.reject(RejectReason::Truncated, calls),
        }
    }

    fn reject(&mut self, reason: RejectReason, calls: &mut Calls<'_>) -> Read {
        *calls.name = self.name.take().unwrap_or_default();
        Read::Rejected(reason)
    }

    fn start(&mut self, reader: &mut Reader<'_>, otherwise: Read) -> Option<Read> {
        let from = reader.at;
        if !self.has_fence && otherwise == Read::NoCall {
            match reader.eat_fence() {
                Match::Open => return Some(Read::More),
                found => self.has_fence = found != Match::No,
            }
        }
        reader.skip_space();
        self.depth = match reader.peek() {
            Some(b'{') => 1,
            Some(b'[') => 2,
            None if !reader.is_over => return Some(Read::More),
            _ => {
                reader.at = from;
                return Some(otherwise);
            }
        };
        self.literal = Literal::new(self.depth);
        self.step = Step::Value;
        None
    }

    fn between(&mut self, reader: &mut Reader<'_>) -> Option<Read> {
        let mut from = reader.at;
        loop {
            reader.skip_space();
            match reader.peek() {
                // One bracket too many.
                Some(b'}' | b']' | b',') if matches!(self.shape, Shape::Named | Shape::Keyed) => {
                    reader.at += 1;
                    from = reader.at;
                }
                Some(b';') => reader.at += 1,
                Some(b'{' | b'[') if self.shape != Shape::Alone => return self.start(reader, Read::Done),
                None if !reader.is_over => {
                    reader.at = from;
                    return Some(Read::More);
                }
                _ => {
                    reader.at = from;
                    return Some(Read::Done);
                }
            }
        }
    }

    fn read_value(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Option<Read> {
        let stop = self.literal.read(reader);
        self.tell(self.literal.settled(), calls);
        match stop {
            Stop::More => return Some(Read::More),
            Stop::Member => {
                if let Some(read) = self.note_key() {
                    return Some(read);
                }
                self.step = Step::Member;
            }
            Stop::MemberEnd => return self.end_member(calls),
            Stop::ObjectEnd => {
                let is_inner = std::mem::replace(&mut self.literal.watch, self.depth) != self.depth;
                if self.shape == Shape::Alone {
                    self.step = Step::Alone;
                } else if !std::mem::replace(&mut self.is_read, is_inner) {
                    return Some(self.end_call(calls));
                }
            }
            Stop::End => self.step = Step::Between,
            Stop::Foreign => match end_before_closer(&mut self.literal, reader) {
                Match::Open => return Some(Read::More),
                Match::Is(_) => {
                    // What was closed just now is told, but for what is around the arguments.
                    self.tell(self.literal.json().len().saturating_sub(self.depth), calls);
                    self.step = Step::Between;
                    return Some(if self.name.is_some() || *calls.is_open {
                        self.end_call(calls)
                    } else {
                        Read::Done
                    });
                }
                Match::No => {
                    self.step = Step::Between;
                    return Some(if *calls.is_open {
                        self.end_call(calls)
                    } else {
                        self.reject(RejectReason::InvalidArguments, calls)
                    });
                }
            },
        }
        None
    }

    /// A member of the object begins.
    fn note_key(&mut self) -> Option<Read> {
        let key = self.literal.key();
        let is = |names: &[&str]| names.contains(&key);
        self.says = match self.shape {
            Shape::Keyed => Says::Arguments,
            _ if is(NAMES) && self.name.is_none() => Says::Name,
            _ if is(ARGUMENTS) && self.arguments.is_none() => Says::Arguments,
            _ if is(IDS) => Says::Id,
            Shape::Bare | Shape::Alone if self.name.is_none() && !is(OTHERS) => return Some(Read::NoCall),
            _ => Says::Else,
        };
        if self.shape == Shape::Keyed {
            self.name = Some(key.to_owned());
        }
        None
    }

    fn begin_member(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Option<Read> {
        reader.skip_space();
        let Some(mut byte) = reader.peek() else { return Some(Read::More) };
        if byte == b'"' && self.says == Says::Arguments {
            // An object as a string whose quotes are not escaped is an object between two quotes.
            let Ok(mut is_object) = stands_before(reader, 1, b"{") else { return Some(Read::More) };
            if is_object {
                let inner = reader.rest().bytes().position(|byte| byte == b'{').unwrap_or_default();
                let Ok(is_open) = stands_before(reader, inner + 1, b"\"") else { return Some(Read::More) };
                is_object = is_open;
            }
            if is_object {
                reader.at += 1;
                reader.skip_space();
                byte = b'{';
            }
        }
        self.step = Step::Value;
        self.from = self.literal.json().len();
        if byte == b'{' && self.says == Says::Name {
            // `"function": {"name": …}`
            self.literal.watch += 1;
        } else if let (b'{', Says::Arguments, 1, Some(name)) = (byte, self.says, self.depth, &self.name)
            && self.shape != Shape::Alone
        {
            // In an array the id may come last.
            if calls.begin(name, self.id.as_deref()) {
                self.told = Some(self.from);
            }
        }
        None
    }

    fn end_member(&mut self, calls: &mut Calls<'_>) -> Option<Read> {
        if self.told.is_some() {
            self.tell(self.literal.json().len(), calls);
            self.told = None;
            self.arguments = Some(String::new());
            return None;
        }
        let value = self.literal.json().get(self.from..).unwrap_or_default().trim_ascii();
        match self.says {
            Says::Name => self.name = text_of(value),
            Says::Id => self.id = text_of(value),
            Says::Arguments => self.arguments = Some(value.to_owned()),
            Says::Else => {}
        }
        if self.shape == Shape::Keyed {
            self.is_read = true;
            return Some(self.end_call(calls));
        }
        None
    }

    /// An object has ended.
    fn end_call(&mut self, calls: &mut Calls<'_>) -> Read {
        self.told = None;
        let lacks_value = std::mem::take(&mut self.literal.lacks_value);
        let (name, id, arguments) = (self.name.take(), self.id.take(), self.arguments.take());
        if *calls.is_open {
            calls.end();
            return Read::Taken;
        }
        let Some(name) = name else {
            calls.name.clear();
            return Read::Rejected(RejectReason::MissingName);
        };
        let arguments = arguments.map_or_else(String::new, |json| object_of(&json));
        if lacks_value || !arguments.is_empty() && !arguments.starts_with('{') {
            self.name = Some(name);
            return self.reject(RejectReason::InvalidArguments, calls);
        }
        calls.take(name.trim_ascii(), id.as_deref(), &arguments)
    }

    /// Nothing but white space may follow on the line.
    fn end_alone(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Read {
        let mut rest = reader.rest().bytes();
        match rest.find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')) {
            None if !reader.is_over => Read::More,
            None | Some(b'\n') => {
                self.step = Step::Between;
                self.end_call(calls)
            }
            _ => Read::NoCall,
        }
    }

    fn tell(&mut self, to: usize, calls: &mut Calls<'_>) {
        if let Some(told) = self.told.filter(|told| *told < to) {
            calls.arguments(self.literal.json().get(told..to).unwrap_or_default());
            self.told = Some(to);
        }
    }
}

/// The text of a JSON string; that of any other value as it stands.
fn text_of(json: &str) -> Option<String> {
    let document = Document::parse(json, 0).ok()?;
    let text = document.root().filled()?;
    Some(text.trim_ascii().to_owned())
}

/// Arguments, which some write as a string of JSON.
fn object_of(json: &str) -> String {
    match text_of(json) {
        Some(inner) if json.starts_with('"') => {
            super::schema::literal(&inner).unwrap_or_else(|| json.to_owned())
        }
        _ if json == "null" || json == "\"\"" => String::new(),
        _ => json.to_owned(),
    }
}
