//! Reads the tool's name in a call with tags, and tags in general.

use super::marks::opening_tag;
use super::tag::{Tag, without_entities};
use super::{MAX_TAG, Step, TaggedCall};
use crate::collect::Collect;
use crate::text::formats::MESSAGE;
use crate::text::formats::dialect::{Argument, Form, NameAt};
use crate::text::grammar::call::{Calls, Read};
use crate::text::grammar::python::is_name;
use crate::text::need_more::{Decided, NeedMore, false_if_complete, more_unless};
use crate::text::reader::{Reader, first_byte, skip_last, slice, split};
use crate::text::tools::is_well_formed;

/// Tokens that may follow a plain name and aren't part of it.
const AFTER_NAME: &[&str] = &["<tool_sep>", "<tool_sep:opensource>", "<tool_sep:6124c78e>"];

/// The kind of the tool, which Step-Audio 2 writes on a line before the name.
const KIND: &str = "function\n";

/// Names of elements that are never arguments.
const NO_ELEMENTS: &[&str] = &[
    "tool_call",
    "tool_calls",
    "tool_response",
    "function",
    "function_call",
    "function_calls",
    "invoke",
    "think",
];

/// Returns the name in a tag without an end, directly before JSON, and the position of that JSON:
/// `<function=tide{"place":"Brest"}</function>`, `<function=tide={"place":"Brest"}</function>`.
/// <https://github.com/tashfeenahmed/freellmapi/pull/291>
fn name_before_json(near: &str) -> Option<(&str, usize)> {
    let length = near.bytes().position(|byte| matches!(byte, b'{' | b'>' | b'\n'))?;
    let (opener, name) = split(slice(near, 0, length), "function=")?;
    let name = skip_last(name.trim_ascii_start(), b"=, \t");
    let is_json = near.as_bytes().get(length) == Some(&b'{');
    (is_json && matches!(opener, "<" | "") && is_well_formed(name)).then_some((name, length))
}

/// Returns a tool's name and the arguments on the same line: `tide place="Le Havre" days=2`.
fn name_and_pairs(line: &str) -> Option<(&str, Vec<(&str, &str)>)> {
    let (tool, rest) = split(line, " ")?;
    let (mut rest, mut pairs) = (rest.trim_ascii(), Vec::new());
    while !rest.is_empty() {
        let (name, value) = split(rest, "=")?;
        let end = value.get(..1).filter(|quote| matches!(*quote, "\"" | "'"));
        let value = slice(value, end.map_or(0, str::len), value.len());
        let (value, behind) = split(value, end.unwrap_or(" ")).or(end.is_none().then_some((value, "")))?;
        if !is_well_formed(name) {
            return None;
        }
        pairs.push((name, value));
        rest = behind.trim_ascii_start();
    }
    Some((tool, pairs))
}

/// Returns the position of the first `<` in a tag outside of its quoted attributes, or of the first at all if a quote
/// is missing.
fn tag_end_bracket(tag: &str) -> Option<usize> {
    let first = memchr::memchr(b'<', tag.as_bytes())?;
    let (mut last, mut quote, mut found) = (0, None, None);
    for (at, byte) in tag.bytes().enumerate() {
        match quote {
            Some(end) if byte == end => quote = None,
            Some(_) => {}
            None if byte == b'<' => found = found.or(Some(at)),
            None if !matches!(byte, b'"' | b'\'') => {}
            None if last == b'=' => quote = Some(byte),
            None => return Some(first),
        }
        last = byte;
    }
    if quote.is_some() { Some(first) } else { found }
}

/// Returns the position of the first `>` outside of a tag's quoted attributes; `None` if a quote is missing.
fn end_outside_quotes(tag: &str, is_over: bool) -> Decided<Option<usize>> {
    let (mut last, mut quote) = (0, None);
    for (at, byte) in tag.bytes().enumerate() {
        match byte {
            b'>' if quote.is_none() => return Ok(Some(at)),
            b'<' | b'\n' if at > 0 => return Ok(None),
            _ if quote == Some(byte) => quote = None,
            b'"' | b'\'' if last == b'=' && quote.is_none() => quote = Some(byte),
            _ => {}
        }
        last = byte;
    }
    more_unless(is_over || tag.len() + 4 > MAX_TAG).map(|()| None)
}

impl TaggedCall {
    /// Reads the opening tag of the call.
    pub(crate) fn read_name_tag(
        &mut self,
        reader: &mut Reader<'_>,
        calls: &mut Calls<'_>,
    ) -> Decided<Option<Read>> {
        if let Some((name, length)) = name_before_json(reader.near(MAX_TAG)) {
            name.clone_into(&mut calls.call.name);
            reader.at += length;
            self.step = Step::Between;
            return Ok(None);
        }
        let tag = self.read_tag(reader)?.map(Tag::read).unwrap_or_default();
        let Some(name) = tag.name else { return Ok(Some(Read::NoCall)) };
        let name = name.strip_suffix(MESSAGE.1).unwrap_or(name);
        calls.call.name = without_entities(name);
        self.step = Step::Between;
        if self.dialect.name == NameAt::Nested {
            self.step = Step::Nested;
            calls.begin();
        }
        Ok(tag.is_closed.then(|| self.end(calls)))
    }

    /// Reads a plain-text name, followed by an argument or the end.
    pub(crate) fn read_plain_name(
        &mut self,
        reader: &mut Reader<'_>,
        calls: &mut Calls<'_>,
    ) -> Decided<Option<Read>> {
        let from = reader.at;
        self.read_plain_name_at(reader, calls).inspect_err(|_| reader.at = from)
    }

    fn read_plain_name_at(
        &mut self,
        reader: &mut Reader<'_>,
        calls: &mut Calls<'_>,
    ) -> Decided<Option<Read>> {
        let from = reader.at;
        reader.skip_space();
        let is_spaced = reader.last_byte() == Some(b' ');
        if reader.rest().starts_with(KIND) && calls.tools.find(KIND.trim_ascii_end()).is_none() {
            reader.at += KIND.len();
        }
        let start = reader.at;
        let near = reader.near(MAX_TAG);
        let end = near.bytes().position(|byte| matches!(byte, b'<' | b'{' | b'\n'));
        let written = slice(near, 0, end.unwrap_or(near.len())).trim_ascii_end();
        let name = written.strip_suffix('>').unwrap_or(written);
        let is_possible = is_well_formed(name) || calls.tools.find(name).is_some();
        reader.at += end.unwrap_or(near.len());
        reader.skip_space();
        let is_near = reader.at - from < MAX_TAG;
        if let Some((tool, argument)) = calls.tools.find_with_argument(written)
            && reader.is_before("</arg_key>")?
        {
            // There is no tag between the names of the tool and its first argument: `tideplace</arg_key>`.
            tool.name.clone_into(&mut calls.call.name);
            calls.begin();
            reader.at = start + written.len() - argument.len();
            self.step = Step::Key(0);
            return Ok(None);
        }
        if let (Some(b'<'), Some((tool, pairs))) = (reader.peek(), name_and_pairs(written))
            && calls.tools.find(tool).is_some()
            && reader.next_token(self.dialect.ends)?.is_some()
        {
            tool.clone_into(&mut calls.call.name);
            calls.begin();
            for (name, value) in pairs {
                name.clone_into(&mut self.name);
                self.add(value, calls);
            }
            return Ok(None);
        }
        // In prose, a space follows a marker.
        let is_prose = is_spaced && calls.tools.find(name).is_none();
        let is_call = match reader.peek() {
            // The text may end in the middle of a name.
            None if end.is_none() || !reader.is_over => false_if_complete(reader.is_over || !is_near)?,
            _ if !is_possible || !is_near || is_prose => false,
            None | Some(b'{') => true,
            Some(_) => self.after_name(reader, calls.tools.allows(name))?,
        };
        if is_call {
            name.clone_into(&mut calls.call.name);
            self.step = Step::Between;
            return Ok(None);
        }
        if is_possible && !is_prose && reader.peek() == Some(b'<') {
            // It isn't a call, but if the text looks like one, this is its name.
            name.clone_into(&mut calls.call.name);
        }
        reader.at = from;
        Ok(Some(Read::NoCall))
    }

    /// Whether the text here can follow a name.
    fn after_name(&self, reader: &mut Reader<'_>, is_tool: bool) -> Decided<bool> {
        if reader.accept(AFTER_NAME)?.is_some() {
            return Ok(true);
        }
        let mut tokens = self.dialect.ends.to_vec();
        tokens.extend(self.dialect.arguments.iter().map(|argument| argument.open));
        // GLM may write the closing tag of a value although there is no argument.
        tokens.extend(self.dialect.arguments.iter().map(|argument| argument.close));
        Ok(reader.next_token(&tokens)?.is_some()
            || is_tool && (self.element_tag_len(reader)?.is_some() || self.unopened_key(reader)?.is_some()))
    }

    /// Returns the syntax of the key here, if its opening tag is missing or that of a call, and the length of that tag.
    /// <https://github.com/vllm-project/vllm/issues/47190>
    pub(crate) fn unopened_key(&self, reader: &Reader<'_>) -> Decided<Option<(usize, usize)>> {
        let mut ahead = Reader::new(reader.near(MAX_TAG), 0, 0, false);
        let end = |argument: &Argument| if let Form::Key(end, _) = argument.form { end } else { "</>" };
        let ends = self.dialect.arguments.iter().map(end).collect_vec();
        let opener = opening_tag(self.dialect.ends.first().copied().unwrap_or_default());
        let found = ahead.accept(&[&[&*opener, ">"].concat()]);
        let lead = ahead.at;
        let name = ahead.name();
        ahead.at += name.len();
        let found = found.and_then(|_| ahead.next_token(&ends));
        let is_over = reader.is_over || reader.rest().len() > MAX_TAG;
        match found {
            Err(NeedMore) => more_unless(is_over).map(|()| None),
            Ok(nth) => Ok(nth.filter(|_| !name.is_empty()).map(|nth| (nth, lead))),
        }
    }

    /// Reads a name that is the content of an element.
    pub(crate) fn read_name_element(
        &mut self,
        reader: &mut Reader<'_>,
        calls: &mut Calls<'_>,
    ) -> Decided<Option<Read>> {
        let close = self.dialect.ends.first().copied().unwrap_or_default();
        let found = reader.find_near(*b"<<", &[close], MAX_TAG)?;
        let name = found.map(|(name, _)| name.trim_ascii()).filter(|name| is_well_formed(name));
        let Some(name) = name else { return Ok(Some(Read::NoCall)) };
        name.clone_into(&mut calls.call.name);
        self.step = Step::Between;
        // XML may have elements of this name, too.
        let is_tool = calls.tools.find(name).is_some() || self.is_inside && calls.tools.allows(name);
        Ok((!is_tool).then_some(Read::NoCall))
    }

    /// Reads a tag, and returns it without its end; `None` if it isn't a tag.
    pub(crate) fn read_tag<'t>(&self, reader: &mut Reader<'t>) -> Decided<Option<&'t str>> {
        let (from, end) = (reader.at, self.dialect.tag_end);
        let mut found = reader.find_near([b'\n', first_byte(end)], &[end, "\n"], MAX_TAG);
        if matches!(found, Ok(Some((text, 0))) if [text, end].concat().ends_with(MESSAGE.1)) {
            // A misplaced token: `<atem:invoke name="tide<|message|>">`.
            found = reader.find_near([first_byte(end); 2], &[end], MAX_TAG);
            if let Ok(Some(_)) = found {
                return Ok(Some(slice(reader.text(), from, reader.at - end.len())));
            }
            (reader.at, reader.seen) = (from, from);
        }
        match found? {
            Some((text, 0)) => {
                let tag = slice(reader.text(), from, reader.text().floor_char_boundary(from + MAX_TAG));
                let quoted_end = end_outside_quotes(tag, reader.is_over).inspect_err(|_| reader.at = from)?;
                if let Some(at) = quoted_end.filter(|at| *at > text.len()) {
                    reader.at = from + at + end.len();
                    return Ok(Some(slice(tag, 0, at)));
                }
                // The tag's end is missing before another tag.
                let inner = slice(text, 1, text.len());
                let Some(at) = tag_end_bracket(inner) else { return Ok(Some(text)) };
                reader.at -= inner.len() - at + end.len();
                // The search has gone past the next tag, so it has to be repeated from here.
                reader.seen = reader.at;
                Ok(Some(slice(text, 0, at + 1)))
            }
            Some((text, _)) => {
                // The tag's end is missing before another tag on the next line, or before a value.
                reader.skip_space();
                let next = reader.peek();
                reader.at = from;
                let tag = Tag::read(text);
                let is_before_value = matches!(self.step, Step::Tag(_)) && !tag.is_attribute;
                match next {
                    Some(byte)
                        if (byte == b'<' || is_before_value) && tag.name.is_some_and(is_well_formed) =>
                    {
                        reader.at += text.len();
                        Ok(Some(text))
                    }
                    _ => more_unless(reader.is_over || next.is_some()).map(|()| None),
                }
            }
            // The end of the text may have truncated the tag.
            None => more_unless(!reader.is_over).map(|()| None),
        }
    }

    /// Returns the length of the opening tag here, if it is an element named like an argument.
    pub(crate) fn element_tag_len(&self, reader: &Reader<'_>) -> Decided<Option<usize>> {
        let near = reader.near(MAX_TAG);
        if !self.dialect.has_elements || !near.starts_with('<') {
            return Ok(None);
        }
        let rest = slice(near, 1, near.len());
        let Some(end) = rest.bytes().position(|byte| !is_name(byte) || byte == b'/') else {
            return more_unless(reader.is_over || near.len() + 4 >= MAX_TAG).map(|()| None);
        };
        let is_tag = end > 0 && rest.as_bytes().get(end) == Some(&b'>');
        Ok((is_tag && !NO_ELEMENTS.contains(&slice(rest, 0, end))).then_some(end + 2))
    }
}
