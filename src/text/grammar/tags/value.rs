//! Value of an argument between tags: its end, and the line breaks that are part of it.

use super::MAX_TAG;
use super::marks::{Mark, Marks, opening_tag};
use super::tag::{Tag, xml_text};
use crate::collect::Collect;
use crate::save::state;
use crate::text::arguments::Arguments;
use crate::text::formats::CLOSERS;
use crate::text::formats::dialect::{Argument, Dialect, Form};
use crate::text::grammar::python::is_name;
use crate::text::need_more::{Decided, NeedMore, more_unless};
use crate::text::reader::{Reader, first_byte, last_position, position, slice, split};
use crate::text::tools::Tool;
use crate::text::work::look_at;

const CDATA: &str = "<![CDATA[";
/// Separator of two sections, with which XML includes the end of one as text.
const CDATA_SEPARATOR: &str = "]]><![CDATA[";

/// Tags around a value's type, which K2 Horizon writes between the key and the value.
pub(crate) const TYPE: &str = "<ifm|arg_type>";
pub(crate) const TYPE_END: &str = "</ifm|arg_type>";

/// The call that contains a value.
#[derive(Clone, Copy)]
pub(crate) struct Surrounding<'a> {
    pub(crate) dialect: &'a Dialect,
    /// The called tool, if it is declared.
    pub(crate) tool: Option<&'a Tool>,
    /// The previous arguments.
    pub(crate) previous: &'a Arguments,
}

/// Reader of one value.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each stands for itself")]
pub(crate) struct Value {
    /// The closing tag.
    close: String,
    /// Beginnings of the next argument, which end an unclosed value.
    next: Vec<String>,
    /// Token after the name of the next argument, because the value may contain that argument's opening tag.
    opens: String,
    /// Whether the name was in an element before the value, so that the closing tag is optional.
    is_nameless: bool,
    /// Whether line breaks around the value are part of it.
    is_verbatim: bool,
    /// Whether a line break on only one side is part of the value, because in this syntax values begin directly after
    /// the tag.
    is_inline: bool,
    /// Whether the value is a string, if an attribute declares it.
    pub(crate) is_string: Option<bool>,
    /// Whether the next argument or the end of the call ended the value.
    pub(crate) is_unclosed: bool,
    /// Whether the value contains opening tags of arguments, so that it may contain their closing tags, too.
    has_tags: bool,
    quoted: QuotedCall,
    /// Length of the value before the first closing tag that text follows. That tag is part of the value if there is
    /// another one.
    first_close: Option<usize>,
}

state! { struct Value { close, next, opens, is_nameless, is_verbatim, is_inline, is_string, is_unclosed, has_tags, quoted, first_close } }

/// A call that is part of a value.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum QuotedCall {
    #[default]
    None,
    /// The value goes on in the middle of one.
    Open,
    /// The value has one. Only the closing tag ends it.
    Closed,
}

state! { enum QuotedCall { 0 None, 1 Open, 2 Closed } }

impl Value {
    /// Creates a reader for the value after an argument's tag or key.
    pub(crate) fn of(argument: &Argument, tag: &Tag<'_>, is_verbatim: bool) -> Self {
        // A tag in the same form: the value may contain one in another form.
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

    /// Creates a reader for the value of an element.
    pub(crate) fn element(name: &str) -> Self {
        Self { close: ["</", name, ">"].concat(), ..Self::default() }
    }

    /// Creates a reader for a value after an element that holds the name.
    pub(crate) fn nameless(argument: &Argument, dialect: &Dialect) -> Self {
        let next = dialect.arguments.iter().map(|argument| argument.open.to_owned()).collect_vec();
        Self { close: argument.close.to_owned(), next, is_nameless: true, ..Self::default() }
    }

    /// Reads the type of the value, after [`TYPE`] at `from`.
    pub(crate) fn read_type(&mut self, from: usize, reader: &mut Reader<'_>) -> Decided<()> {
        let word = reader.name();
        reader.at += word.len();
        if reader.peek().is_none() {
            reader.at = from;
            return Err(NeedMore);
        }
        self.is_string = Some(word == "string");
        Ok(())
    }

    /// Reads the value and its closing tag.
    pub(crate) fn read(&mut self, reader: &mut Reader<'_>, call: Surrounding<'_>) -> Decided<String> {
        if !call.dialect.is_xml {
            return self.read_text(reader, call);
        }
        let from = reader.at;
        reader.skip_space();
        let is_section = reader.is_before(CDATA);
        if is_section == Ok(true) {
            return read_sections(reader).inspect_err(|_| reader.at = from);
        }
        reader.at = from;
        is_section?;
        self.read_text(reader, call).map(|text| xml_text(&text))
    }

    fn read_text(&mut self, reader: &mut Reader<'_>, call: Surrounding<'_>) -> Decided<String> {
        let from = reader.at;
        let ends = call.dialect.ends;
        let opener = opening_tag(ends.first().copied().unwrap_or_default());
        let needs_close = !self.is_nameless;
        let marks = Marks::new(
            needs_close.then_some(&*self.close),
            &self.next,
            ends,
            needs_close.then_some(&*opener),
        );
        loop {
            if self.quoted == QuotedCall::Open {
                reader.find([marks.lead; 2], ends)?;
                self.quoted = QuotedCall::Closed;
                (reader.at, reader.seen) = (from, reader.at);
            }
            let Ok((text, found)) = reader.find([marks.lead; 2], &marks.tokens) else {
                let first_close = self.first_close.filter(|_| reader.is_over).ok_or(NeedMore)?;
                return Ok(self.end_at(first_close, from, reader, call.dialect).to_owned());
            };
            let (mark, behind) = (marks.kind(found), reader.at);
            let at = behind - marks.length(found);
            if mark == Mark::Close && !self.has_tags {
                reader.skip_space();
                let is_repeated = reader.is_before(&self.close);
                reader.at = from;
                // The first of two closing tags may belong to an element in the value.
                self.has_tags = is_repeated.inspect_err(|_| reader.seen = at)?
                    && position(text, &opening_tag(&self.close)).is_some();
                reader.at = behind;
            }
            let has_tag_meaning = self.counts(mark, text, reader, &marks, call);
            reader.at = from;
            let counts = has_tag_meaning.inspect_err(|_| reader.seen = at)?;
            if !counts {
                match mark {
                    Mark::Close if !self.has_tags => _ = self.first_close.get_or_insert(at - from),
                    Mark::Next => self.has_tags |= self.opens.is_empty(),
                    _ => {}
                }
                reader.seen = at + 1;
                continue;
            }
            match (mark, self.first_close) {
                (Mark::Close, _) => reader.at = behind,
                (_, Some(first_close)) => {
                    return Ok(self.end_at(first_close, from, reader, call.dialect).to_owned());
                }
                (Mark::Call, None) => {
                    self.quoted = QuotedCall::Open;
                    reader.seen = behind;
                    continue;
                }
                _ => reader.at = at,
            }
            self.is_unclosed = mark != Mark::Close;
            return Ok(self.trimmed(text, call.dialect).to_owned());
        }
    }

    /// Whether the tag just read after `text` has the meaning of its kind. Otherwise it is part of the value.
    fn counts(
        &self,
        mark: Mark,
        text: &str,
        reader: &mut Reader<'_>,
        marks: &Marks<'_>,
        call: Surrounding<'_>,
    ) -> Decided<bool> {
        match mark {
            Mark::Call => is_call(reader, marks.after_close()),
            Mark::Close if self.has_tags => is_before_tag(reader, marks.after_close()),
            Mark::Close => self.is_before_markup(reader, call),
            _ if self.quoted != QuotedCall::None => Ok(false),
            Mark::Next if self.is_nameless => Ok(true),
            Mark::Next if self.opens.is_empty() => is_argument(text, reader, call.tool, call.previous),
            Mark::Next => self.is_next(reader),
            Mark::End => self.is_end(reader, call),
        }
    }

    /// Ends the value at its first closing tag, after `first_close` bytes.
    fn end_at<'t>(
        &self,
        first_close: usize,
        from: usize,
        reader: &mut Reader<'t>,
        dialect: &Dialect,
    ) -> &'t str {
        reader.at = from;
        let rest = reader.rest();
        let text = slice(rest, 0, first_close);
        reader.at += rest.len().min(first_close.saturating_add(self.close.len()));
        reader.seen = reader.at;
        self.trimmed(text, dialect)
    }

    /// Whether the tag just read opens the next argument: that argument's value begins before this one ends.
    fn is_next(&self, reader: &mut Reader<'_>) -> Decided<bool> {
        let mut tokens = vec![&*self.opens, &self.close];
        tokens.extend(self.next.iter().map(String::as_str));
        reader.seen = reader.at;
        let found = reader.find_near([first_byte(&self.opens); 2], &tokens, MAX_TAG)?;
        Ok(found.is_some_and(|(_, nth)| nth == 0))
    }

    /// Whether the tag just read ends the call: markup or the end of the text follows, but not the value's closing tag.
    fn is_end(&self, reader: &mut Reader<'_>, call: Surrounding<'_>) -> Decided<bool> {
        reader.skip_space();
        match reader.peek() {
            None => more_unless(reader.is_over).map(|()| true),
            Some(b'<') if !self.is_nameless => {
                Ok(!reader.is_before(&self.close)? && self.is_before_markup(reader, call)?)
            }
            byte => Ok(byte == Some(b'<')),
        }
    }

    /// Whether markup of a call, or the end of the text, follows the tag just read. Other tags are part of the value.
    fn is_before_markup(&self, reader: &mut Reader<'_>, call: Surrounding<'_>) -> Decided<bool> {
        let Surrounding { dialect, tool, .. } = call;
        reader.skip_space();
        match reader.peek() {
            None => return more_unless(reader.is_over).map(|()| true),
            Some(b'<') => {}
            _ => return Ok(false),
        }
        let mut tokens = self.next.iter().map(String::as_str).collect_vec();
        tokens.extend(CLOSERS);
        tokens.extend(dialect.ends);
        tokens.extend(dialect.arguments.iter().map(|argument| argument.close));
        if reader.next_token(&tokens)?.is_some() {
            return Ok(true);
        }
        reader.at += 1;
        if reader.peek() == Some(b'/') {
            return Ok(false);
        }
        // The next argument may be in another form, or another call begins.
        let name = Reader::new(reader.near(MAX_TAG), 0, 0, true).name();
        reader.at += name.len();
        let is_element = name.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric);
        let Some(tool) = tool.filter(|tool| is_element && tool.has_properties()) else { return Ok(true) };
        match reader.peek() {
            None if !reader.is_over => Err(NeedMore),
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

    fn trimmed<'t>(&self, text: &'t str, dialect: &Dialect) -> &'t str {
        if self.is_nameless {
            let text = text.trim_ascii();
            return text.strip_suffix(self.close.as_str()).unwrap_or(text).trim_ascii_end();
        }
        // The opening tag is repeated.
        let text = text.strip_prefix(self.opens.as_str()).unwrap_or(text);
        let text = if self.is_unclosed { self.without_close(text, dialect) } else { text };
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
        // A line break before the next tag isn't part of the value.
        if self.is_unclosed { without_last(text) } else { text }
    }

    /// Trims a misspelled closing tag, `</parameter1>`, `</parameter/>`, `</parameter`, or that of another syntax.
    fn without_close<'t>(&self, text: &'t str, dialect: &Dialect) -> &'t str {
        let Some(at) = last_position(text, b'<') else { return text };
        let tag = slice(text, at, text.len()).trim_ascii_end();
        let name = self.close.strip_suffix('>').filter(|name| !name.is_empty());
        let is_misspelled = name
            .and_then(|name| tag.strip_prefix(name))
            .is_some_and(|rest| rest.strip_suffix('>').unwrap_or(rest).bytes().all(is_name));
        let is_close = is_misspelled || dialect.arguments.iter().any(|argument| argument.close == tag);
        if is_close { slice(text, 0, at) } else { text }
    }
}

/// Reads CDATA sections.
fn read_sections(reader: &mut Reader<'_>) -> Decided<String> {
    let from = reader.at;
    loop {
        let (text, found) = reader.find(*b"]]", &["]]>", CDATA_SEPARATOR])?;
        if found == 0 {
            let mut rest = slice(text, CDATA.len(), text.len());
            let mut out = String::new();
            while let Some((section, behind)) = split(rest, CDATA_SEPARATOR) {
                out.push_str(section);
                rest = behind;
            }
            out.push_str(rest);
            return Ok(out);
        }
        (reader.at, reader.seen) = (from, reader.at);
    }
}

/// Whether the tag just read after `text` opens an argument. It may be part of the text if the argument was already
/// given, or, in the middle of a line, if the schema doesn't declare it.
fn is_argument(text: &str, reader: &mut Reader<'_>, tool: Option<&Tool>, given: &Arguments) -> Decided<bool> {
    let last = text.bytes().rposition(|byte| byte == b'\n' || !byte.is_ascii_whitespace());
    look_at(text.len() - last.unwrap_or(0));
    let is_in_line = last.is_some_and(|at| text.as_bytes().get(at) != Some(&b'\n'));
    let tool = tool.filter(|tool| is_in_line && tool.has_properties());
    reader.seen = reader.at;
    let Some((name, _)) = reader.find_near(*b">>", &[">"], MAX_TAG)? else { return Ok(true) };
    Ok(match Tag::read(&["=", name].concat()).name {
        Some(name) => !given.has(name) && tool.is_none_or(|tool| tool.declares(name)),
        None => tool.is_none(),
    })
}

/// Whether the tag just read begins a call: a name and one of these tags follow.
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

/// Whether one of the tags that may follow a value, or the end of the text, follows the tag just read.
fn is_before_tag(reader: &mut Reader<'_>, tags: &[&str]) -> Decided<bool> {
    reader.skip_space();
    if reader.peek().is_none() {
        return more_unless(reader.is_over).map(|()| true);
    }
    Ok(reader.next_token(tags)?.is_some())
}
