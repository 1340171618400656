//! Calls as JSON objects with a name and arguments: one, several, or an array of them.

mod members;

use super::call::{Calls, MAX_BRACKETS, Read, end_before_closer, skip_brackets};
use crate::json::{ToJson, is_space};
use crate::model::RejectReason;
use crate::save::state;
use crate::text::literal::Stop;
use crate::text::need_more::{Decided, NeedMore, false_if_complete, more_unless};
use crate::text::reader::{Reader, slice};

/// How an object identifies its tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Its members are the name and the arguments.
    Named,
    /// As `Named`, but without a marker: the first members have to show that the object is a call.
    Bare,
    /// As `Bare`, and only white space is around it on its lines.
    Alone,
    /// Its keys are tool names, and their values the arguments.
    Keyed,
}

state! { enum Shape { 0 Named, 1 Bare, 2 Alone, 3 Keyed } }

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Start,
    Value,
    /// The value of a member begins.
    Member,
    /// An object has ended that has to be alone on its lines.
    Alone,
    /// A top-level value has ended.
    Between,
    /// A call without arguments has ended, and code may follow, which is one.
    Code,
}

state! { enum Step { 0 Start, 1 Value, 2 Member, 3 Alone, 4 Between, 5 Code } }

/// Role of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Name,
    Arguments,
    Id,
    Else,
    /// An argument, if no member holds the arguments.
    Argument,
    /// A list of calls.
    Calls,
}

state! { enum Role { 0 Name, 1 Arguments, 2 Id, 3 Else, 4 Argument, 5 Calls } }

/// Reader of calls that are JSON objects.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(crate) struct JsonCalls {
    shape: Shape,
    step: Step,
    /// Depth of the objects that are calls.
    depth: usize,
    role: Role,
    /// Position in the JSON at which the member's value begins.
    from: usize,
    has_name: bool,
    arguments: Option<String>,
    /// Position in the JSON at which the member begins, and the JSON of all possible arguments, each after a comma.
    member: usize,
    others: String,
    /// Whether the arguments are emitted as they arrive.
    is_streaming: bool,
    /// Whether a call has been read inside the current object.
    is_read: bool,
    /// Whether the current top-level value contains a call.
    has_call: bool,
    /// Whether the calls are in a code fence.
    pub(crate) has_fence: bool,
}

state! { struct JsonCalls {
    shape, step, depth, role, from, has_name, arguments, member, others, is_streaming, is_read, has_call, has_fence,
} }

impl JsonCalls {
    pub(crate) fn new(shape: Shape) -> Self {
        Self {
            shape,
            step: Step::Start,
            depth: 1,
            role: Role::Else,
            from: 0,
            has_name: false,
            arguments: None,
            member: 0,
            others: String::new(),
            is_streaming: false,
            is_read: false,
            has_call: false,
            has_fence: false,
        }
    }

    pub(crate) fn read(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Read> {
        loop {
            let read = match self.step {
                Step::Start => self.start(reader, calls)?,
                Step::Value => self.read_value(reader, calls)?,
                Step::Member => self.begin_member(reader, calls)?,
                Step::Alone => Some(self.end_alone(reader, calls)?),
                Step::Between => self.read_between(reader, calls)?,
                Step::Code => Some(self.read_code(reader, calls)?),
            };
            if let Some(read) = read {
                return Ok(read);
            }
        }
    }

    /// Whether a complete object was read that isn't a call, so that others may follow.
    pub(crate) fn has_skipped(&self) -> bool {
        self.step == Step::Value
    }

    /// Ends the calls at the end of the text.
    pub(crate) fn finish(&mut self, calls: &mut Calls<'_>) -> Read {
        match self.step {
            _ if calls.call.is_open => {
                if self.step == Step::Code {
                    self.arguments = Some("{".to_owned());
                } else if self.is_streaming {
                    calls.emit_all();
                }
                self.end_call(calls)
            }
            Step::Value if self.has_name && self.arguments.is_some() && self.shape != Shape::Alone => {
                self.end_call(calls)
            }
            Step::Between => Read::Done,
            Step::Start => Read::NoCall,
            _ => Read::Rejected(RejectReason::Truncated),
        }
    }

    fn start(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Option<Read>> {
        let from = reader.at;
        self.has_fence = self.has_fence || reader.accept_fence()?;
        reader.skip_space();
        if let Some(byte @ (b'{' | b'[')) = reader.peek() {
            self.start_value(byte, calls);
            return Ok(None);
        }
        more_unless(reader.is_over || reader.peek().is_some())?;
        reader.at = from;
        Ok(Some(Read::NoCall))
    }

    /// Begins an object or a list, depending on the bracket.
    fn start_value(&mut self, bracket: u8, calls: &mut Calls<'_>) {
        self.depth = if bracket == b'{' { 1 } else { 2 };
        self.has_call = false;
        calls.call.literal.restart(self.depth);
        self.step = Step::Value;
    }

    /// Reads the separators after a value, and begins the next value if there is one.
    fn read_between(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Option<Read>> {
        let mut from = reader.at;
        loop {
            reader.skip_space();
            match reader.peek() {
                _ if reader.at - from > MAX_BRACKETS => break,
                // A superfluous bracket.
                Some(b'}' | b']') if matches!(self.shape, Shape::Named | Shape::Keyed) => {
                    reader.at += 1;
                    from = reader.at;
                }
                Some(b',' | b';') => reader.at += 1,
                _ => break,
            }
        }
        let next = if self.shape == Shape::Alone { Ok(false) } else { is_before_calls(reader) };
        if let (Ok(true), Some(bracket)) = (next, reader.peek()) {
            self.start_value(bracket, calls);
            return Ok(None);
        }
        reader.at = from;
        next?;
        if self.shape == Shape::Alone { Ok(Some(Read::Done)) } else { skip_brackets(reader).map(Some) }
    }

    fn read_value(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Option<Read>> {
        let stop = calls.call.literal.read(reader);
        let json = calls.call.literal.json();
        if self.is_streaming && !may_precede_code(slice(json, self.from, json.len())) {
            calls.emit_settled();
        }
        match stop? {
            Stop::Member => return Ok(self.start_member(calls)),
            Stop::MemberEnd => {
                let end = calls.call.literal.json().len();
                return Ok(self.end_member(end, calls));
            }
            Stop::ObjectEnd => {
                let watch = std::mem::replace(&mut calls.call.literal.watch, self.depth);
                let is_inner = watch != self.depth;
                if self.shape == Shape::Alone {
                    self.step = Step::Alone;
                } else if self.shape == Shape::Named
                    && !is_inner
                    && !self.is_read
                    && self.depth == 1
                    && self.has_name
                    && self.others.is_empty()
                    && may_precede_code(self.arguments.as_deref().unwrap_or_default())
                {
                    self.step = Step::Code;
                } else if !std::mem::replace(&mut self.is_read, is_inner) || calls.call.is_open {
                    return Ok(Some(self.end_call(calls)));
                }
            }
            Stop::End => {
                self.step = Step::Between;
                return Ok(Some(Read::Ended { is_call: self.has_call }));
            }
            Stop::Typed => {
                let depth = calls.call.literal.watch;
                match self.role {
                    Role::Arguments => calls.find_types(depth),
                    Role::Argument => calls.find_types(depth.saturating_sub(1)),
                    _ => {}
                }
            }
            Stop::Unfit => calls.warn_of_type(),
            Stop::Foreign => {
                let is_closed = end_before_closer(&mut calls.call.literal, reader)?;
                self.step = Step::Between;
                if reader.peek() == Some(b'"') {
                    // The arguments have ended inside a string.
                    calls.arguments("\"");
                } else if self.is_streaming && !is_closed {
                    calls.emit_invalid();
                }
                if is_closed && self.is_streaming {
                    // Emit the brackets just closed, except those around the arguments.
                    calls.emit(calls.call.literal.json().len().saturating_sub(self.depth));
                } else if is_closed && calls.call.literal.take_member() {
                    let literal = &calls.call.literal;
                    let end = literal.json().len().saturating_sub(literal.watch);
                    if let Some(read) = self.end_member(end, calls) {
                        return Ok(Some(read));
                    }
                }
                return Ok(Some(match () {
                    () if calls.call.is_open || is_closed && self.has_name => self.end_call(calls),
                    () if is_closed => Read::Done,
                    () => Read::Rejected(RejectReason::InvalidArguments),
                }));
            }
        }
        Ok(None)
    }

    /// Reads code after a call without arguments: `{"name": "run", "arguments": {}}<code>print(1)</code>`.
    fn read_code(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Read> {
        let from = reader.at;
        reader.skip_space();
        let code = match reader.accept(&["<code>"]) {
            Ok(Some(_)) => reader.find(*b"<<", &["</code>"]).map(|(code, _)| Some(code)),
            found => found.map(|_| None),
        };
        let tool = calls.tools.find(&calls.call.name);
        match code.inspect_err(|_| reader.at = from)? {
            Some(code) if tool.is_none_or(|tool| tool.declares("code") || !tool.has_arguments()) => {
                let mut json = "{\"code\":".to_owned();
                let code = code.strip_prefix('\n').unwrap_or(code);
                code.strip_suffix('\n').unwrap_or(code).write_json(&mut json);
                json.push('}');
                self.arguments = Some(json);
            }
            _ => reader.at = from,
        }
        self.step = Step::Value;
        Ok(self.end_call(calls))
    }

    /// Ends the call if only white space follows on the line.
    fn end_alone(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Read> {
        let mut rest = reader.rest().bytes();
        match rest.find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')) {
            None if !reader.is_over => Err(NeedMore),
            None | Some(b'\n') => {
                self.step = Step::Between;
                Ok(self.end_call(calls))
            }
            _ => Ok(Read::NoCall),
        }
    }
}

/// Whether arguments are empty, or the beginning of an empty `code`, so that code after the call may be the argument.
fn may_precede_code(json: &str) -> bool {
    let is_beginning = |of: &[u8]| {
        let mut of = of.iter();
        json.bytes().all(|byte| is_space(byte) || of.next() == Some(&byte))
    };
    is_beginning(b"{}") || is_beginning(br#"{"code":""}"#)
}

/// Whether an object or a list of objects follows.
fn is_before_calls(reader: &Reader<'_>) -> Decided<bool> {
    let rest = reader.rest();
    let inner = if rest.starts_with('[') { slice(rest, 1, rest.len()).trim_ascii_start() } else { rest };
    inner.bytes().next().map_or(false_if_complete(reader.is_over), |byte| Ok(byte == b'{'))
}
