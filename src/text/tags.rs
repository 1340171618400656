//! Calls whose arguments stand in tags, as plain text: `<function=f><parameter=a>1</parameter></function>`.

use super::call::{CLOSERS, Calls, Read};
use super::elements;
use super::reader::{Match, Near, Reader, slice, split};
use super::schema::{self, write_member};
use crate::model::RejectReason;

/// A tag is not longer.
const MAX_TAG: usize = 400;

const CDATA: &str = "<![CDATA[";

/// How the tags are written.
#[derive(Debug)]
pub(super) struct Dialect {
    /// What an argument begins with.
    argument: &'static str,
    /// What its value ends with.
    close: &'static str,
    /// What the call ends with.
    end: &'static str,
    /// The argument's name and its value are in tags of their own, and the call's name is in none.
    pub(super) has_keys: bool,
    /// The arguments are elements of their own names, and there may be others in them.
    has_elements: bool,
    /// A call counts only when it has ended, with each argument once and all that are required.
    is_strict: bool,
}

const fn dialect(argument: &'static str, close: &'static str, end: &'static str) -> Dialect {
    Dialect { argument, close, end, has_keys: false, has_elements: false, is_strict: false }
}

pub(super) static FUNCTION: Dialect = dialect("<parameter", "</parameter>", "</function>");
pub(super) static INVOKE: Dialect = dialect("<parameter", "</parameter>", "</invoke>");
pub(super) static DSML: Dialect = dialect("<｜DSML｜parameter", "</｜DSML｜parameter>", "</｜DSML｜invoke>");
pub(super) static ELEMENTS: Dialect =
    Dialect { has_elements: true, ..dialect("", "", "]<]minimax[>[</invoke>") };
pub(super) static PARAM: Dialect =
    Dialect { is_strict: true, ..dialect("<param", "</param>", "</function>") };
pub(super) static KEYS: Dialect =
    Dialect { has_keys: true, ..dialect("<arg_key>", "</arg_value>", "</tool_call>") };

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The tag, or the line, that has the name of the call.
    Name,
    /// Before an argument, or the end.
    Between,
    /// In a tag that begins an argument.
    Argument,
    /// In the name of an argument.
    Key,
    /// Before its value.
    BeforeValue,
    Value,
    /// All arguments as elements.
    Elements,
    /// All arguments as JSON.
    Json,
    Over,
}

/// Reads one call.
#[derive(Debug)]
pub(super) struct TaggedCall {
    dialect: &'static Dialect,
    step: Step,
    argument: String,
    /// Whether a tag says that its value is a string, or that it is not.
    is_string: Option<bool>,
    /// The names of the arguments.
    seen: Vec<String>,
    /// The arguments so far, where they are told only at the end.
    json: String,
}

impl TaggedCall {
    pub(super) fn new(dialect: &'static Dialect) -> Self {
        let (argument, seen, json) = (String::new(), Vec::new(), String::new());
        Self { dialect, step: Step::Name, argument, is_string: None, seen, json }
    }

    pub(super) fn read(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Read {
        loop {
            let read = match self.step {
                Step::Name if self.dialect.has_keys => self.read_plain_name(reader, calls),
                Step::Name | Step::Argument | Step::Key => self.read_tag(reader, calls),
                Step::Between => self.between(reader, calls),
                Step::BeforeValue => self.before_value(reader),
                Step::Value => self.read_value(reader, calls),
                Step::Elements => Some(self.read_elements(reader, calls)),
                Step::Json => {
                    let read = calls.read_literal(reader);
                    if read.is_some() {
                        self.step = Step::Over;
                    }
                    return read.unwrap_or(Read::More);
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
        match self.step {
            Step::Over => return Read::Done,
            Step::Name => return Read::NoCall,
            Step::Json => return calls.cut_off(),
            Step::Between if self.seen.is_empty() && !self.dialect.has_keys => return Read::NoCall,
            Step::Between if !self.dialect.is_strict => return self.end(calls),
            _ => {}
        }
        if self.seen.is_empty() {
            calls.arguments("{");
        }
        calls.end(RejectReason::Truncated)
    }

    /// A name without a tag, and what says that it is one: a tag after it.
    fn read_plain_name(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Option<Read> {
        let from = reader.at;
        reader.skip_space();
        let name = reader.name();
        reader.at += name.len();
        reader.skip_space();
        match reader.which(&["<tool_sep>", self.dialect.argument, self.dialect.end]) {
            Match::Is(nth) if !name.is_empty() => {
                if nth == 0 {
                    reader.at += "<tool_sep>".len();
                }
            }
            Match::No if !name.is_empty() && reader.is_over && reader.peek().is_none() => {}
            found => {
                reader.at = from;
                let is_open = found == Match::Open && reader.rest().len() < MAX_TAG;
                return Some(if is_open { Read::More } else { Read::NoCall });
            }
        }
        name.clone_into(&mut calls.call.name);
        self.step = Step::Between;
        None
    }

    /// A tag with a name in it, or a name up to a tag.
    fn read_tag(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Option<Read> {
        let is_key = self.step == Step::Key;
        let ends: &[&str] = if is_key { &["</arg_key>"] } else { &[">", "\n"] };
        let (text, end) = match reader.find_near(if is_key { *b"<<" } else { *b">\n" }, ends, MAX_TAG) {
            Near::Is(text, end) => (text, end),
            Near::No if !reader.is_over => return Some(self.give_up(calls)),
            _ => return Some(Read::More),
        };
        let name = if is_key { Some(text.trim_ascii()) } else { name_in(text).filter(|_| end == 0) };
        let Some(name) = name else { return Some(self.give_up(calls)) };
        let (place, next) = match self.step {
            Step::Name if self.dialect.has_elements => (&mut calls.call.name, Step::Elements),
            Step::Name => (&mut calls.call.name, Step::Between),
            Step::Key => (&mut self.argument, Step::BeforeValue),
            _ => (&mut self.argument, Step::Value),
        };
        name.clone_into(place);
        if next == Step::Value {
            self.is_string = attribute(text, "string=").map(|word| word == "true");
        }
        self.step = next;
        if next == Step::Elements {
            calls.begin();
        }
        None
    }

    fn read_elements(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Read {
        let Some((text, _)) = reader.find(*b"]]", &[self.dialect.end]) else { return Read::More };
        let (json, unfit) = elements::object(text, calls.tools.find(&calls.call.name));
        for argument in unfit {
            calls.warn(&argument);
        }
        calls.arguments(&json);
        self.step = Step::Over;
        calls.end(RejectReason::UnknownTool)
    }

    fn between(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Option<Read> {
        let from = reader.at;
        reader.skip_space();
        let Some(byte) = reader.peek() else {
            reader.at = from;
            return Some(Read::More);
        };
        if byte == b'{' && self.seen.is_empty() && !calls.call.is_open {
            calls.begin_literal();
            self.step = Step::Json;
            return None;
        }
        match reader.which(&[self.dialect.argument, self.dialect.end, self.dialect.close]) {
            Match::Open => {
                // The white space may be text.
                reader.at = from;
                Some(Read::More)
            }
            // After a section of characters.
            Match::Is(2) => {
                reader.at += self.dialect.close.len();
                None
            }
            Match::Is(0) => {
                if self.seen.is_empty() && !self.dialect.is_strict {
                    calls.begin();
                }
                self.step = Step::Argument;
                if self.dialect.has_keys {
                    reader.at += self.dialect.argument.len();
                    self.step = Step::Key;
                }
                None
            }
            Match::Is(_) => {
                if !self.dialect.has_keys {
                    reader.at += self.dialect.end.len();
                }
                Some(self.end(calls))
            }
            Match::No => {
                let found = reader.which(CLOSERS);
                reader.at = from;
                if found == Match::Open {
                    return Some(Read::More);
                }
                // The end is missing, or this was none.
                let is_none = self.seen.is_empty() && found == Match::No && !self.dialect.has_keys;
                Some(if is_none {
                    self.step = Step::Name;
                    self.give_up(calls)
                } else if self.dialect.is_strict {
                    self.give_up(calls)
                } else {
                    self.end(calls)
                })
            }
        }
    }

    fn before_value(&mut self, reader: &mut Reader<'_>) -> Option<Read> {
        reader.skip_space();
        match reader.eat(&["<arg_value>"]) {
            Match::Is(_) => {
                self.step = Step::Value;
                None
            }
            Match::Open => Some(Read::More),
            Match::No => {
                self.step = Step::Between;
                None
            }
        }
    }

    fn read_value(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Option<Read> {
        let from = reader.at;
        let Dialect { argument, close, end, .. } = *self.dialect;
        let is_cdata = reader.which(&[CDATA]);
        if is_cdata == Match::Open {
            return Some(Read::More);
        }
        if is_cdata != Match::No {
            let Some((text, _)) = reader.find(*b"]]", &["]]>"]) else { return Some(Read::More) };
            return self.add(slice(text, CDATA.len(), text.len()), calls);
        }
        loop {
            let Some((text, found)) = reader.find(*b"<<", &[close, argument, end]) else {
                return Some(Read::More);
            };
            if found == 2 {
                // What ends a call may also stand in a value.
                let at = reader.at - end.len();
                reader.skip_space();
                let is_end = match reader.peek() {
                    Some(byte) => byte == b'<',
                    None if reader.is_over => true,
                    None => {
                        (reader.at, reader.seen) = (from, at);
                        return Some(Read::More);
                    }
                };
                reader.at = from;
                if !is_end {
                    reader.seen = at + 1;
                    continue;
                }
                reader.at = at;
            } else if found == 1 {
                reader.at -= argument.len();
            }
            let text = match text.strip_prefix('\n') {
                Some(text) => text.strip_suffix('\n').unwrap_or(text),
                None => text,
            };
            return self.add(text, calls);
        }
    }

    /// Takes in an argument.
    fn add(&mut self, text: &str, calls: &mut Calls<'_>) -> Option<Read> {
        self.step = Step::Between;
        let tool = calls.tools.find(&calls.call.name);
        let (json, fits) = match (self.is_string.take(), tool) {
            (Some(false), _) => (schema::json(text), true),
            (None, Some(tool)) => schema::typed(text, tool, &self.argument),
            _ => (crate::json::to_json(text), true),
        };
        if self.dialect.is_strict && self.seen.contains(&self.argument) {
            self.step = Step::Over;
            return Some(Read::Rejected(RejectReason::DuplicateArgument));
        }
        write_member(&self.argument, &json, self.seen.is_empty(), &mut self.json);
        if !fits {
            calls.warn(&self.argument);
        }
        self.seen.push(std::mem::take(&mut self.argument));
        self.tell(calls);
        None
    }

    fn tell(&mut self, calls: &mut Calls<'_>) {
        if calls.call.is_open {
            calls.arguments(&self.json);
            self.json.clear();
        }
    }

    /// The call has ended.
    fn end(&mut self, calls: &mut Calls<'_>) -> Read {
        self.step = Step::Over;
        if self.dialect.is_strict
            && let Some(tool) = calls.tools.find(&calls.call.name)
            && !tool.has_required(&self.seen)
        {
            return Read::Rejected(RejectReason::MissingArgument);
        }
        calls.begin();
        if !self.seen.is_empty() {
            self.json.push('}');
            self.tell(calls);
        }
        calls.end(RejectReason::UnknownTool)
    }

    /// What follows belongs to no call.
    fn give_up(&mut self, calls: &mut Calls<'_>) -> Read {
        match std::mem::replace(&mut self.step, Step::Over) {
            Step::Name if !calls.call.is_open => Read::NoCall,
            _ => calls.end(RejectReason::InvalidArguments),
        }
    }
}

/// The name in a tag: after the first `=`, with or without quotes.
fn name_in(tag: &str) -> Option<&str> {
    let name = attribute(tag, "name=").or_else(|| split(tag, "=").map(|(_, name)| name.trim_ascii()))?;
    (!name.is_empty()).then_some(name)
}

/// The value of an attribute, in quotes of either kind.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let (_, value) = split(tag, name)?;
    let quote = value.get(..1).filter(|quote| matches!(*quote, "\"" | "'"))?;
    split(value.get(1..)?, quote).map(|(value, _)| value)
}
