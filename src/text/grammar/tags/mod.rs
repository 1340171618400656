//! Calls with plain-text arguments between tags: `<function=f><parameter=a>1</parameter></function>`.

mod argument;
mod elements;
mod marks;
mod name;
mod tag;
mod value;

use super::call::{Calls, Read, skip_brackets};
use crate::collect::Collect;
use crate::text::arguments::Arguments;
use crate::text::formats::CLOSERS;
use crate::text::formats::dialect::{Dialect, NameAt};

use crate::model::RejectReason;
use crate::save::state;
use crate::text::need_more::{Decided, NeedMore};
use crate::text::reader::{Reader, longest_match, slice};
use value::Value;

/// Tags with which `MiniCPM` may wrap all arguments.
const WRAPPER: [&str; 2] = ["<arguments>", "</arguments>"];

/// Maximum length of a tag in bytes.
pub(crate) const MAX_TAG: usize = 400;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// At the tag or the text with the tool's name.
    Name,
    /// Before an argument, or the end.
    Between,
    /// In the opening tag of an argument, whose syntax has this index.
    Tag(usize),
    /// In the name of an argument that isn't in its tag.
    Key(usize),
    /// Before the value of such an argument.
    BeforeValue(usize),
    Value,
    /// In arguments that are nested elements.
    Nested,
    /// In arguments that are one JSON object.
    Json,
    /// After such an object.
    Brackets,
    Over,
}

state! { enum Step {
    0 Name, 1 Between, 2 Tag(nth), 3 Key(nth), 4 BeforeValue(nth), 5 Value, 6 Nested, 7 Json, 8 Over, 9 Brackets,
} }

/// Reader of one call.
#[derive(Debug)]
pub(crate) struct TaggedCall {
    pub(crate) dialect: &'static Dialect,
    pub(crate) step: Step,
    /// Whether the call is inside an element that contains only calls.
    pub(crate) is_inside: bool,
    /// Name of the current argument.
    pub(crate) name: String,
    value: Value,
    arguments: Arguments,
    /// Whether no white space precedes the first argument, so that line breaks may be part of the values.
    is_compact: bool,
}

state! { struct TaggedCall { dialect, step, is_inside, name, value, arguments, is_compact } }

impl TaggedCall {
    pub(crate) fn new(dialect: &'static Dialect, is_inside: bool) -> Self {
        let (value, arguments) = (Value::default(), Arguments::default());
        Self {
            dialect,
            step: Step::Name,
            is_inside,
            name: String::new(),
            value,
            arguments,
            is_compact: false,
        }
    }

    /// Creates a reader for a call whose name is already known.
    pub(crate) fn unnamed(dialect: &'static Dialect) -> Self {
        Self { step: Step::Between, ..Self::new(dialect, false) }
    }

    pub(crate) fn read(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Read> {
        loop {
            let read = match self.step {
                Step::Name => match self.dialect.name {
                    NameAt::Text => self.read_plain_name(reader, calls)?,
                    NameAt::Element => self.read_name_element(reader, calls)?,
                    _ => self.read_name_tag(reader, calls)?,
                },
                Step::Between => self.read_between(reader, calls)?,
                Step::Tag(nth) => self.read_argument_tag(nth, reader, calls)?,
                Step::Key(nth) => self.read_key(nth, reader, calls)?,
                Step::BeforeValue(nth) => self.read_before_value(nth, reader, calls)?,
                Step::Value => self.read_value(reader, calls)?,
                Step::Nested => Some(self.read_nested(reader, calls)?),
                Step::Json => {
                    let read = calls.read_literal(reader)?;
                    self.step = Step::Brackets;
                    Some(read)
                }
                Step::Brackets => Some(skip_brackets(reader)?),
                Step::Over => Some(Read::Done),
            };
            if let Some(read) = read {
                return Ok(read);
            }
        }
    }

    /// Ends the call at the end of the text.
    pub(crate) fn finish(&mut self, calls: &mut Calls<'_>) -> Read {
        match self.step {
            Step::Over | Step::Brackets => return Read::Done,
            Step::Name => return Read::NoCall,
            Step::Json => return calls.end_truncated(),
            // A name at the end of a cut text may be the beginning of another one.
            Step::Between
                if self.arguments.is_empty()
                    && (self.dialect.name == NameAt::Tag || calls.is_cut && !calls.call.is_open) =>
            {
                return Read::NoCall;
            }
            Step::Between if !self.dialect.is_strict => {
                let tool = calls.tools.find(&calls.call.name);
                if !calls.is_cut && tool.is_none_or(|tool| self.arguments.has_required(tool)) {
                    return self.end(calls);
                }
                calls.begin();
            }
            _ => {}
        }
        self.end_incomplete(RejectReason::Truncated, "", calls)
    }

    /// Ends the call in the middle of its arguments, of which `unreadable` isn't one.
    fn end_incomplete(&self, reason: RejectReason, unreadable: &str, calls: &mut Calls<'_>) -> Read {
        let json = self.arguments.to_json();
        calls.arguments(json.strip_suffix('}').unwrap_or(&json));
        // Truncated arguments stay a prefix of valid JSON; invalid ones don't.
        if reason != RejectReason::Truncated {
            calls.arguments(&[":", unreadable, "}"].concat());
        }
        calls.end(reason)
    }

    fn read_between(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Option<Read>> {
        let from = reader.at;
        reader.skip_space();
        let Some(byte) = reader.peek() else {
            reader.at = from;
            return Err(NeedMore);
        };
        let is_first = self.arguments.is_empty() && !calls.call.is_open;
        if byte == b'{' && is_first {
            calls.begin_literal();
            self.step = Step::Json;
            return Ok(None);
        }
        let own_end = ["</", &calls.call.name, ">"].concat();
        let Dialect { arguments, ends, .. } = *self.dialect;
        let mut tokens = arguments.iter().map(|argument| argument.open).collect_vec();
        tokens.extend(ends);
        tokens.push(&own_end);
        let first_close = tokens.len();
        tokens.extend(arguments.iter().map(|argument| argument.close));
        if self.dialect.is_strict {
            tokens.extend(WRAPPER);
        }
        let opens = tokens.get(..arguments.len()).unwrap_or_default();
        match reader.next_token(&tokens) {
            // The text ends in the middle of an argument's tag.
            Ok(None)
                if longest_match(reader.rest().as_bytes(), opens, false).is_err()
                    && (!is_first || self.dialect.name == NameAt::Text) =>
            {
                calls.begin_unless(self.dialect.is_strict);
                self.step = Step::Tag(0);
                Err(NeedMore)
            }
            Err(NeedMore) => {
                // The white space may be text.
                reader.at = from;
                Err(NeedMore)
            }
            Ok(Some(nth)) if nth < arguments.len() => {
                if is_first {
                    self.is_compact = from == reader.at && self.dialect.name == NameAt::Tag;
                }
                self.begin_argument(nth, reader, calls).map(|()| None)
            }
            Ok(Some(nth)) => {
                reader.at += tokens.get(nth).map_or(0, |token| token.len());
                Ok((nth < first_close).then(|| self.end(calls)))
            }
            Ok(None) => {
                if let Some((nth, lead)) = self.unopened_key(reader).inspect_err(|_| reader.at = from)? {
                    reader.at += lead;
                    calls.begin_unless(self.dialect.is_strict);
                    self.step = Step::Key(nth);
                    return Ok(None);
                }
                let Some(length) = self.element_tag_len(reader).inspect_err(|_| reader.at = from)? else {
                    return self.end_unclosed(from, reader, calls).map(Some);
                };
                self.name = slice(reader.rest(), 1, length - 1).to_owned();
                reader.at += length;
                calls.begin_unless(self.dialect.is_strict);
                self.value = Value::element(&self.name);
                self.step = Step::Value;
                Ok(None)
            }
        }
    }

    /// Ends the call at text that isn't part of one: its closing tag is missing, or it wasn't a call.
    fn end_unclosed(&mut self, from: usize, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Read> {
        let closer = reader.next_token(CLOSERS);
        reader.at = from;
        Ok(match closer? {
            None if self.arguments.is_empty() && self.dialect.name != NameAt::Element => {
                self.step = Step::Name;
                self.end_or_reject("", calls)
            }
            _ if self.dialect.is_strict => self.end_or_reject("", calls),
            _ => self.end(calls),
        })
    }

    /// Ends a complete call.
    pub(crate) fn end(&mut self, calls: &mut Calls<'_>) -> Read {
        self.step = Step::Over;
        if self.dialect.is_strict
            && let Some(tool) = calls.tools.find(&calls.call.name)
            && !self.arguments.has_required(tool)
        {
            return Read::Rejected(RejectReason::MissingArgument);
        }
        calls.begin();
        if !self.arguments.is_empty() {
            calls.arguments(&self.arguments.to_json());
        }
        calls.end(RejectReason::UnknownTool)
    }

    /// Ends or rejects the call, because the text that follows isn't part of one. What was read of it, `unreadable`, is
    /// kept.
    fn end_or_reject(&mut self, unreadable: &str, calls: &mut Calls<'_>) -> Read {
        match std::mem::replace(&mut self.step, Step::Over) {
            Step::Name if !calls.call.is_open => Read::NoCall,
            _ => self.end_incomplete(RejectReason::InvalidArguments, unreadable, calls),
        }
    }
}
