//! Calls whose arguments stand in tags, as plain text: `<function=f><parameter=a>1</parameter></function>`.

use super::call::{Arguments, ArgumentsRead, CLOSERS, Calls, Read};
use super::literal::Literal;
use super::python::is_name;
use super::reader::{Match, Near, Reader, split};
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
    has_keys: bool,
    /// A call counts only when it has ended, with each argument once and all that are required.
    is_strict: bool,
}

const fn dialect(argument: &'static str, close: &'static str, end: &'static str) -> Dialect {
    Dialect { argument, close, end, has_keys: false, is_strict: false }
}

pub(super) static FUNCTION: Dialect = dialect("<parameter", "</parameter>", "</function>");
pub(super) static INVOKE: Dialect = dialect("<parameter", "</parameter>", "</invoke>");
pub(super) static DSML: Dialect = dialect("<｜DSML｜parameter", "</｜DSML｜parameter>", "</｜DSML｜invoke>");
pub(super) static PARAM: Dialect =
    Dialect { is_strict: true, ..dialect("<param", "</param>", "</function>") };
pub(super) static KEYS: Dialect =
    Dialect { has_keys: true, ..dialect("<arg_key>", "</arg_value>", "</tool_call>") };

#[derive(Debug)]
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
    /// All arguments as JSON.
    Json(Arguments),
    Over,
}

/// Reads one call.
#[derive(Debug)]
pub(super) struct TaggedCall {
    dialect: &'static Dialect,
    step: Step,
    name: String,
    argument: String,
    /// Whether a tag says that its value is a string, or that it is not.
    is_string: Option<bool>,
    /// The names of the arguments.
    seen: Vec<String>,
    /// The arguments so far, where they are told only at the end.
    json: String,
    is_declared: bool,
}

impl TaggedCall {
    pub(super) fn new(dialect: &'static Dialect) -> Self {
        Self {
            dialect,
            step: Step::Name,
            name: String::new(),
            argument: String::new(),
            is_string: None,
            seen: Vec::new(),
            json: String::new(),
            is_declared: false,
        }
    }

    pub(super) fn read(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Read {
        loop {
            let read = match &mut self.step {
                Step::Name if self.dialect.has_keys => self.read_plain_name(reader),
                Step::Name | Step::Argument => self.read_tag(reader, calls),
                Step::Between => self.between(reader, calls),
                Step::Key => match reader.find_near(*b"<<", &["</arg_key>"], MAX_TAG) {
                    Near::Is(key, _) => {
                        key.trim_ascii().clone_into(&mut self.argument);
                        self.step = Step::BeforeValue;
                        None
                    }
                    Near::Open => Some(Read::More),
                    Near::No if reader.is_over => Some(Read::More),
                    Near::No => Some(self.give_up(false, calls)),
                },
                Step::BeforeValue => self.before_value(reader),
                Step::Value => self.read_value(reader, calls),
                Step::Json(arguments) => {
                    let read = arguments.read(reader, calls);
                    if read == ArgumentsRead::More {
                        return Read::More;
                    }
                    self.step = Step::Over;
                    Some(self.close(calls))
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
            Step::Over => return Read::Done,
            Step::Name => return Read::NoCall,
            Step::Json(arguments) => arguments.finish(calls),
            Step::Between if self.seen.is_empty() && !self.dialect.has_keys => return Read::NoCall,
            Step::Between if !self.dialect.is_strict => return self.end(calls),
            _ => {}
        }
        if *calls.is_open {
            if self.seen.is_empty() {
                calls.arguments("{");
            }
            calls.end();
            return Read::Taken;
        }
        calls.name.clone_from(&self.name);
        Read::Rejected(RejectReason::Truncated)
    }

    /// A name without a tag, and what says that it is one: a tag after it.
    fn read_plain_name(&mut self, reader: &mut Reader<'_>) -> Option<Read> {
        let from = reader.at;
        reader.skip_space();
        let rest = reader.rest();
        let length = rest.bytes().position(|byte| !is_name(byte)).unwrap_or(rest.len());
        let name = rest.get(..length).unwrap_or_default();
        reader.at += length;
        reader.skip_space();
        let found = reader.which(&[self.dialect.argument, self.dialect.end, "<tool_sep>"]);
        let found = if found == Match::No && reader.peek().is_none() && reader.is_over {
            Match::Is(1)
        } else {
            found
        };
        if length == 0 || found != Match::Is(0) && found != Match::Is(1) && found != Match::Is(2) {
            reader.at = from;
            return Some(if found == Match::Open && reader.rest().len() < MAX_TAG {
                Read::More
            } else {
                Read::NoCall
            });
        }
        if found == Match::Is(2) {
            reader.at += "<tool_sep>".len();
        }
        name.clone_into(&mut self.name);
        self.step = Step::Between;
        None
    }

    /// A tag with a name in it.
    fn read_tag(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Option<Read> {
        let is_call = matches!(self.step, Step::Name);
        let tag = match reader.find_near(*b">\n", &[">", "\n"], MAX_TAG) {
            Near::Is(tag, _) => tag,
            Near::No if !reader.is_over => return Some(self.give_up(is_call, calls)),
            _ => return Some(Read::More),
        };
        let name = name_in(tag).filter(|_| reader.since(reader.at - 1) == ">");
        let Some(name) = name else { return Some(self.give_up(is_call, calls)) };
        if is_call {
            name.clone_into(&mut self.name);
            self.step = Step::Between;
        } else {
            name.clone_into(&mut self.argument);
            self.is_string = attribute(tag, "string=").map(|word| word == "true");
            self.step = Step::Value;
        }
        None
    }

    fn between(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Option<Read> {
        let from = reader.at;
        reader.skip_space();
        let Some(byte) = reader.peek() else {
            reader.at = from;
            return Some(Read::More);
        };
        if byte == b'{' && self.seen.is_empty() {
            self.begin(calls);
            self.step = Step::Json(Arguments::new(Literal::new(0), self.is_declared));
            return None;
        }
        match reader.which(&[self.dialect.argument, self.dialect.end, self.dialect.close]) {
            Match::Open => Some(Read::More),
            // After a section of characters.
            Match::Is(2) => {
                reader.at += self.dialect.close.len();
                None
            }
            Match::Is(0) => {
                if self.seen.is_empty() && !self.dialect.is_strict {
                    self.begin(calls);
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
                if found == Match::Open {
                    return Some(Read::More);
                }
                reader.at = from;
                // The end is missing, or this was none.
                let is_none = self.seen.is_empty() && found == Match::No && !self.dialect.has_keys;
                Some(if is_none || self.dialect.is_strict {
                    self.give_up(is_none, calls)
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
            let text = text.get(CDATA.len()..).unwrap_or_default().to_owned();
            return self.add(&text, calls);
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
        let tool = calls.tools.find(&self.name);
        let (json, fits) = match (self.is_string.take(), tool) {
            (Some(false), _) => (schema::json(text), true),
            (None, Some(tool)) => schema::typed(text, tool, &self.argument),
            _ => (crate::json::to_json(text), true),
        };
        if self.dialect.is_strict && self.seen.contains(&self.argument) {
            self.step = Step::Over;
            calls.name.clone_from(&self.name);
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

    fn begin(&mut self, calls: &mut Calls<'_>) {
        if !*calls.is_open {
            self.is_declared = calls.begin(&self.name, None);
        }
    }

    fn tell(&mut self, calls: &mut Calls<'_>) {
        if *calls.is_open {
            calls.arguments(&self.json);
            self.json.clear();
        }
    }

    /// The call has ended.
    fn end(&mut self, calls: &mut Calls<'_>) -> Read {
        if self.dialect.is_strict
            && let Some(tool) = calls.tools.find(&self.name)
            && !tool.has_required(&self.seen)
        {
            calls.name.clone_from(&self.name);
            self.step = Step::Over;
            return Read::Rejected(RejectReason::MissingArgument);
        }
        self.begin(calls);
        if !self.seen.is_empty() {
            self.json.push('}');
            self.tell(calls);
        }
        self.close(calls)
    }

    fn close(&mut self, calls: &mut Calls<'_>) -> Read {
        self.step = Step::Over;
        if self.is_declared {
            calls.end();
            return Read::Taken;
        }
        calls.name.clone_from(&self.name);
        Read::Rejected(RejectReason::UnknownTool)
    }

    /// What follows belongs to no call.
    fn give_up(&mut self, is_none: bool, calls: &mut Calls<'_>) -> Read {
        self.step = Step::Over;
        if *calls.is_open {
            return self.close(calls);
        }
        if is_none {
            return Read::NoCall;
        }
        calls.name.clone_from(&self.name);
        Read::Rejected(RejectReason::InvalidArguments)
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
