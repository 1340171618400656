//! The value of an argument between tags: where it ends, and which line breaks belong to it.

use super::MAX_TAG;
use super::tag::{Tag, xml_text};
use crate::save::state;
use crate::text::arguments::Arguments;
use crate::text::formats::CLOSERS;
use crate::text::formats::dialect::{Argument, Dialect, Form};
use crate::text::grammar::python::is_name;
use crate::text::more::{Decided, More, more_unless};
use crate::text::reader::{Reader, first_of, last_of, slice, split};
use crate::text::tools::Tool;

const CDATA: &str = "<![CDATA[";
/// Between two such sections, as XML writes the mark that ends one.
const CDATA_AGAIN: &str = "]]><![CDATA[";

/// Tags around the type of a value, which K2 Horizon writes between its key and it.
pub(crate) const TYPE: &str = "<ifm|arg_type>";
pub(crate) const TYPE_END: &str = "</ifm|arg_type>";

/// A value that is being read.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each stands for itself")]
pub(crate) struct Value {
    /// The closing tag.
    close: String,
    /// The next argument, which ends a value that isn't closed.
    next: Vec<String>,
    /// What follows the name of the next argument. A value may contain the tag that opens one.
    opens: String,
    /// Whether the name preceded the value in an element of its own, so that a closing tag may or may not follow.
    is_nameless: bool,
    /// Whether line breaks around it belong to it.
    is_verbatim: bool,
    /// Whether a line break on one side only belongs to it: in these formats values begin behind the tag.
    is_inline: bool,
    /// Whether an attribute says that it is a string, or that it isn't.
    pub(crate) is_string: Option<bool>,
    /// Whether the next argument, or the end of the call, ended it.
    pub(crate) is_unclosed: bool,
    /// Whether it contains tags that open arguments, so that it may contain those that close them.
    has_tags: bool,
    /// Whether it is inside a call that is part of the value, or behind one: then only its closing tag ends it.
    is_quoting: Option<bool>,
    /// How many bytes precede the first closing tag with text behind it: part of the value if another one follows.
    lone: Option<usize>,
}

state! { struct Value { close, next, opens, is_nameless, is_verbatim, is_inline, is_string, is_unclosed, has_tags, is_quoting, lone } }

impl Value {
    /// The value of an argument behind its tag or its key.
    pub(crate) fn of(argument: &Argument, tag: &Tag<'_>, is_verbatim: bool) -> Self {
        // A tag of the same form: a value may contain a tag of another one.
        let next = match (tag.name, tag.is_attribute) {
            (None, _) => argument.open.to_owned(),
            (_, false) => [argument.open, "="].concat(),
            (_, true) => [argument.open, " "].concat(),
        };
        let opens = match argument.form {
            Form::Key(end, "") => end.to_owned(),
            Form::Key(_, open) => open.to_owned(),
            _ => String::new(),
        };
        let is_inline = tag.is_attribute || argument.form != Form::Tag;
        let (close, is_string) = (argument.close.to_owned(), tag.is_string);
        Self { close, next: vec![next], opens, is_verbatim, is_inline, is_string, ..Self::default() }
    }

    /// The value of an element.
    pub(crate) fn element(name: &str) -> Self {
        Self { close: ["</", name, ">"].concat(), ..Self::default() }
    }

    /// A value behind an element that holds the name.
    pub(crate) fn nameless(argument: &Argument, dialect: &Dialect) -> Self {
        let next = dialect.arguments.iter().map(|argument| argument.open.to_owned()).collect();
        Self { close: argument.close.to_owned(), next, is_nameless: true, ..Self::default() }
    }

    /// Reads the type of the value that [`TYPE`] opened at `from`.
    pub(crate) fn read_type(&mut self, from: usize, reader: &mut Reader<'_>) -> Decided<()> {
        let word = reader.name();
        reader.at += word.len();
        if reader.peek().is_none() {
            reader.at = from;
            return Err(More);
        }
        self.is_string = Some(word == "string");
        Ok(())
    }

    /// Reads the value and its closing tag. `tool`: whose argument it is; `given`: the arguments before it.
    pub(crate) fn read(
        &mut self,
        reader: &mut Reader<'_>,
        dialect: &Dialect,
        tool: Option<&Tool>,
        given: &Arguments,
    ) -> Decided<String> {
        if !dialect.is_xml {
            return self.read_text(reader, dialect, tool, given);
        }
        let from = reader.at;
        reader.skip_space();
        let is_section = reader.is_before(CDATA);
        if is_section == Ok(true) {
            return read_sections(reader).inspect_err(|_| reader.at = from);
        }
        reader.at = from;
        is_section?;
        self.read_text(reader, dialect, tool, given).map(|text| xml_text(&text))
    }

    fn read_text(
        &mut self,
        reader: &mut Reader<'_>,
        dialect: &Dialect,
        tool: Option<&Tool>,
        given: &Arguments,
    ) -> Decided<String> {
        let from = reader.at;
        let mut tokens: Vec<&str> = Vec::new();
        if !self.is_nameless {
            tokens.push(&self.close);
        }
        tokens.extend(self.next.iter().map(String::as_str));
        let first_end = tokens.len();
        tokens.extend(dialect.ends);
        let end = dialect.ends.first().copied().unwrap_or_default();
        let lead = first_of(end);
        let first_call = tokens.len();
        let call = ["<", slice(end, 2, end.len().saturating_sub(1))].concat();
        if !self.is_nameless {
            tokens.push(&call);
        }
        loop {
            if self.is_quoting == Some(true) {
                reader.find([lead; 2], dialect.ends)?;
                self.is_quoting = Some(false);
                (reader.at, reader.seen) = (from, reader.at);
            }
            let Ok((text, found)) = reader.find([lead; 2], &tokens) else {
                let lone = self.lone.filter(|_| reader.is_over).ok_or(More)?;
                return Ok(self.end_at(lone, from, reader).to_owned());
            };
            let length = tokens.get(found).map_or(0, |token| token.len());
            let is_close = found == 0 && !self.is_nameless;
            let is_tag = found < first_end && self.opens.is_empty() && !self.is_nameless;
            if found >= first_end || is_close || is_tag || !self.opens.is_empty() {
                // The mark may also be part of the value.
                let (at, behind) = (reader.at - length, reader.at);
                let begins_call = found >= first_call;
                let tags = tokens.get(1..first_call).unwrap_or_default();
                let is_end = match found {
                    _ if begins_call => is_call(reader, tags),
                    _ if !is_close && self.is_quoting.is_some() => Ok(false),
                    _ if is_close && self.has_tags => is_before_tag(reader, tags),
                    _ if is_close => self.is_before_markup(reader, dialect, tool),
                    _ if is_tag => is_argument(text, reader, tool, given),
                    _ if found < first_end => self.is_next(reader),
                    _ => self.is_end(reader, dialect, tool),
                };
                reader.at = from;
                let is_end = is_end.inspect_err(|_| reader.seen = at)?;
                if begins_call && is_end && self.lone.is_none() {
                    self.is_quoting = Some(true);
                    reader.seen = behind;
                    continue;
                }
                if !is_end {
                    if is_close && !self.has_tags {
                        self.lone.get_or_insert(at - from);
                    }
                    self.has_tags |= is_tag && !is_close;
                    reader.seen = at + 1;
                    continue;
                }
                if let Some(lone) = self.lone.filter(|_| !is_close) {
                    return Ok(self.end_at(lone, from, reader).to_owned());
                }
                reader.at = if is_close { behind } else { at };
            } else if !is_close {
                reader.at -= length;
            }
            self.is_unclosed = !is_close;
            return Ok(self.trimmed(text).to_owned());
        }
    }

    /// Ends the value at its first closing tag, behind so many bytes.
    fn end_at<'t>(&self, lone: usize, from: usize, reader: &mut Reader<'t>) -> &'t str {
        reader.at = from;
        let rest = reader.rest();
        let text = slice(rest, 0, lone);
        reader.at += rest.len().min(lone.saturating_add(self.close.len()));
        reader.seen = reader.at;
        self.trimmed(text)
    }

    /// Whether the mark just read opens the next argument: its value comes before the end of this one.
    fn is_next(&self, reader: &mut Reader<'_>) -> Decided<bool> {
        let mut tokens = vec![&*self.opens, &self.close];
        tokens.extend(self.next.iter().map(String::as_str));
        reader.seen = reader.at;
        let found = reader.find_near([first_of(&self.opens); 2], &tokens, MAX_TAG)?;
        Ok(found.is_some_and(|(_, nth)| nth == 0))
    }

    /// Whether the mark just read ends the call: markup or nothing follows, but not the value's closing tag.
    fn is_end(&self, reader: &mut Reader<'_>, dialect: &Dialect, tool: Option<&Tool>) -> Decided<bool> {
        reader.skip_space();
        match reader.peek() {
            None => more_unless(reader.is_over).map(|()| true),
            Some(b'<') if !self.is_nameless => {
                Ok(!reader.is_before(&self.close)? && self.is_before_markup(reader, dialect, tool)?)
            }
            byte => Ok(byte == Some(b'<')),
        }
    }

    /// Whether markup of a call follows the mark just read, or nothing. Other tags are part of the value.
    fn is_before_markup(
        &self,
        reader: &mut Reader<'_>,
        dialect: &Dialect,
        tool: Option<&Tool>,
    ) -> Decided<bool> {
        reader.skip_space();
        match reader.peek() {
            None => return more_unless(reader.is_over).map(|()| true),
            Some(b'<') => {}
            _ => return Ok(false),
        }
        let mut tokens: Vec<&str> = self.next.iter().map(String::as_str).collect();
        tokens.extend(CLOSERS);
        tokens.extend(dialect.ends);
        tokens.extend(dialect.arguments.iter().map(|argument| argument.close));
        if reader.which(&tokens)?.is_some() {
            return Ok(true);
        }
        reader.at += 1;
        if reader.peek() == Some(b'/') {
            return Ok(false);
        }
        // The next argument may be written otherwise, or another call begins.
        let name = Reader::new(reader.near(MAX_TAG), 0, 0, true).name();
        reader.at += name.len();
        let is_element = name.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric);
        let Some(tool) = tool.filter(|tool| is_element && tool.has_properties()) else { return Ok(true) };
        match reader.peek() {
            None if !reader.is_over => Err(More),
            Some(b' ') if dialect.arguments.iter().any(|argument| argument.open.get(1..) == Some(name)) => {
                reader.at += 1;
                is_argument(name, reader, Some(tool), &Arguments::default())
            }
            Some(b'>' | b' ') => {
                let close = ["</", name, ">"].concat();
                Ok(tool.declares(name) || CLOSERS.contains(&&*close))
            }
            _ => Ok(true),
        }
    }

    fn trimmed<'t>(&self, text: &'t str) -> &'t str {
        if self.is_nameless {
            let text = text.trim_ascii();
            return text.strip_suffix(self.close.as_str()).unwrap_or(text).trim_ascii_end();
        }
        // The opening tag is repeated.
        let text = text.strip_prefix(self.opens.as_str()).unwrap_or(text);
        let text = if self.is_unclosed { self.without_close(text) } else { text };
        let without_last = |text: &'t str| {
            let line = text.strip_suffix('\n');
            line.map_or(text, |line| line.strip_suffix('\r').unwrap_or(line))
        };
        let text = match text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n')) {
            Some(inner) if !self.is_verbatim && (!self.is_inline || inner.ends_with('\n')) => {
                without_last(inner)
            }
            _ => text,
        };
        // Before the next tag a line break belongs to the tags.
        if self.is_unclosed { without_last(text) } else { text }
    }

    /// The text before a closing tag that is misspelled: `</parameter1>`, `</parameter/>`, `</parameter`.
    fn without_close<'t>(&self, text: &'t str) -> &'t str {
        let Some(at) = last_of(text, b'<') else { return text };
        let name = self.close.strip_suffix('>').filter(|name| !name.is_empty());
        let rest = name.and_then(|name| slice(text, at, text.len()).strip_prefix(name));
        match rest.map(str::trim_ascii_end) {
            Some(rest) if rest.strip_suffix('>').unwrap_or(rest).bytes().all(is_name) => slice(text, 0, at),
            _ => text,
        }
    }
}

/// Reads sections of CDATA.
fn read_sections(reader: &mut Reader<'_>) -> Decided<String> {
    let from = reader.at;
    loop {
        let (text, found) = reader.find(*b"]]", &["]]>", CDATA_AGAIN])?;
        if found == 0 {
            let mut rest = slice(text, CDATA.len(), text.len());
            let mut out = String::new();
            while let Some((section, behind)) = split(rest, CDATA_AGAIN) {
                out.push_str(section);
                rest = behind;
            }
            out.push_str(rest);
            return Ok(out);
        }
        (reader.at, reader.seen) = (from, reader.at);
    }
}

/// Whether the mark just read, behind this text, opens an argument. It may be part of the text if there is such an argument
/// already, and in the middle of a line if the schema doesn't have one.
fn is_argument(text: &str, reader: &mut Reader<'_>, tool: Option<&Tool>, given: &Arguments) -> Decided<bool> {
    let line = slice(text, last_of(text, b'\n').map_or(0, |at| at + 1), text.len());
    let tool = tool.filter(|tool| !line.trim_ascii().is_empty() && tool.has_properties());
    reader.seen = reader.at;
    let Some((name, _)) = reader.find_near(*b">>", &[">"], MAX_TAG)? else { return Ok(true) };
    Ok(match Tag::read(&["=", name].concat()).name {
        Some(name) => !given.has(name) && tool.is_none_or(|tool| tool.declares(name)),
        None => tool.is_none(),
    })
}

/// Whether a call begins with the mark just read: its name follows, and one of these tags.
fn is_call(reader: &mut Reader<'_>, tags: &[&str]) -> Decided<bool> {
    reader.seen = reader.at;
    match reader.find_near(*b"<<", &["<"], MAX_TAG)? {
        Some((name, _)) if memchr::memchr(b'>', name.as_bytes()).is_some() => {
            reader.at -= 1;
            is_before_tag(reader, tags)
        }
        _ => Ok(false),
    }
}

/// Whether a tag follows the mark just read, one of those that may follow a value, or nothing.
fn is_before_tag(reader: &mut Reader<'_>, tags: &[&str]) -> Decided<bool> {
    reader.skip_space();
    if reader.peek().is_none() {
        return more_unless(reader.is_over).map(|()| true);
    }
    Ok(reader.which(tags)?.is_some())
}
