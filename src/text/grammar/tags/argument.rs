//! One argument between tags: its tag or key, and its value.

use super::elements;
use super::tag::{Tag, without_entities};
use super::value::{Surrounding, TYPE, TYPE_END, Value};
use super::{MAX_TAG, Step, TaggedCall};
use crate::model::RejectReason;
use crate::text::arguments::is_wrapper;
use crate::text::event::Unfit;
use crate::text::formats::dialect::{Argument, Form};
use crate::text::grammar::call::{Calls, Read};
use crate::text::grammar::python::is_name;
use crate::text::need_more::{Decided, NeedMore, more_unless};
use crate::text::reader::{Reader, first_byte, longest_match, position, slice, split};
use crate::text::schema;
use crate::text::tools::{Tool, is_well_formed};

impl TaggedCall {
    pub(super) fn begin_argument(
        &mut self,
        nth: usize,
        reader: &mut Reader<'_>,
        calls: &mut Calls<'_>,
    ) -> Decided<()> {
        let Argument { open, form, .. } = self.argument(nth)?;
        calls.begin_unless(self.dialect.is_strict);
        self.step = match form {
            Form::Key(..) => {
                reader.at += open.len();
                Step::Key(nth)
            }
            Form::Tag | Form::Json => Step::Tag(nth),
        };
        Ok(())
    }

    /// Returns the syntax of an argument. In a damaged state the index may be invalid, which no text can resolve.
    fn argument(&self, nth: usize) -> Decided<&'static Argument> {
        self.dialect.arguments.get(nth).ok_or(NeedMore)
    }

    /// Reads the opening tag of an argument.
    pub(super) fn read_argument_tag(
        &mut self,
        nth: usize,
        reader: &mut Reader<'_>,
        calls: &mut Calls<'_>,
    ) -> Decided<Option<Read>> {
        let argument = self.argument(nth)?;
        let Some(text) = self.read_tag(reader)? else { return Ok(Some(self.end_or_reject("", calls))) };
        let text = slice(text, argument.open.len(), text.len());
        if argument.form == Form::Json {
            reader.skip_space();
            calls.begin_literal();
            self.step = Step::Json;
            return Ok(None);
        }
        let tag = Tag::read(text);
        let is_element =
            text.bytes().next().is_some_and(|byte| is_name(byte) && byte != b'/') && tag.name.is_none();
        // MiMo writes all tags on one line and values verbatim. With a schema, line breaks around values are trimmed.
        let has_schema = calls.tools.find(&calls.call.name).is_some_and(Tool::has_properties);
        // In dialects whose tags are tokens, declared strings are verbatim.
        let is_exact = tag.is_string == Some(true) && !argument.open.starts_with("<param");
        let is_verbatim = is_exact || self.is_compact && !has_schema;
        self.value = Value::of(argument, &tag, is_verbatim);
        match tag.name {
            Some(name) => self.name = without_entities(name),
            None if is_element => {
                self.name = [slice(argument.open, 1, argument.open.len()), text].concat();
                self.value = Value::element(&self.name);
            }
            None => {
                self.step = if tag.is_closed { Step::Between } else { Step::Key(nth) };
                return Ok(None);
            }
        }
        self.step = Step::Value;
        if reader.last_byte() != Some(b'>')
            && let Some((_, value)) = split(&self.name, "=")
        {
            // `<parameter=place=Brest</parameter>`
            let value = value.to_owned();
            self.name.truncate(self.name.len() - value.len() - 1);
            return Ok(self.add(&value, calls));
        }
        Ok(if tag.is_closed { self.add("", calls) } else { None })
    }

    /// Reads the name of an argument up to its end.
    pub(super) fn read_key(
        &mut self,
        nth: usize,
        reader: &mut Reader<'_>,
        calls: &mut Calls<'_>,
    ) -> Decided<Option<Read>> {
        let argument = self.argument(nth)?;
        let (end, open) = match argument.form {
            Form::Key(end, open) => (end, Some(open).filter(|open| !open.is_empty())),
            _ => (argument.close, None),
        };
        let mut tokens = vec![end, open.unwrap_or(end)];
        if let Form::Key(..) = argument.form {
            tokens.push(argument.close);
            tokens.extend(self.dialect.ends);
        }
        let from = reader.at;
        // The value may follow although the end of the name is missing.
        let Some((name, found)) = reader.find_near([first_byte(end); 2], &tokens, MAX_TAG)? else {
            more_unless(!reader.is_over)?;
            return Ok(Some(self.end_or_reject(argument.open, calls)));
        };
        if found > 2 {
            reader.at -= tokens.get(found).map_or(0, |token| token.len());
            return Ok(Some(self.end_or_reject(&[argument.open, reader.since(from)].concat(), calls)));
        }
        let mut name = name.trim_ascii();
        if let Form::Key(..) = argument.form {
            // The opening tag may be repeated.
            while let Some((_, rest)) = split(name, argument.open) {
                name = rest.trim_ascii_start();
            }
            if found == 2
                && let Some((name, value)) = split(name, "=")
            {
                // `<arg_key>place=Brest</arg_value>`
                self.value = Value::of(argument, &Tag::default(), false);
                name.trim_ascii().clone_into(&mut self.name);
                return Ok(self.add(value.trim_ascii(), calls));
            }
            // Where values have no opening tag, a closing tag says that there is none.
            let has_no_value = found == 2 && open.is_none();
            if name.is_empty() || has_no_value || memchr::memchr(b'<', name.as_bytes()).is_some() {
                return Ok(Some(self.end_or_reject(&[argument.open, reader.since(from)].concat(), calls)));
            }
            self.value = Value::of(argument, &Tag::default(), false);
            self.step = if found == 1 { Step::Value } else { Step::BeforeValue(nth) };
        } else {
            // `<parameter>place</parameter>Brest`; anything else isn't an argument.
            self.value = Value::nameless(argument, self.dialect);
            self.step = if is_well_formed(name) { Step::Value } else { Step::Between };
        }
        name.clone_into(&mut self.name);
        Ok(None)
    }

    pub(super) fn read_before_value(
        &mut self,
        nth: usize,
        reader: &mut Reader<'_>,
        calls: &mut Calls<'_>,
    ) -> Decided<Option<Read>> {
        let argument = self.argument(nth)?;
        if let Form::Key(end, open) = argument.form
            && !open.is_empty()
        {
            reader.skip_space();
            let from = reader.at;
            let tokens = [open, end, TYPE_END, TYPE];
            match reader.accept(&tokens)? {
                Some(0) => {}
                Some(3) => return self.value.read_type(from, reader).map(|()| None),
                // The end of the name is repeated, or this is the end of the type.
                Some(_) => return Ok(None),
                None => {
                    // The text may end in the middle of the tag.
                    longest_match(reader.rest().as_bytes(), &tokens, false)?;
                    if reader.peek() == Some(b'<') {
                        let key = [argument.open, &self.name, end].concat();
                        return Ok(Some(self.end_or_reject(&key, calls)));
                    }
                    // Only the tag is missing.
                }
            }
        }
        self.step = Step::Value;
        Ok(None)
    }

    pub(super) fn read_value(
        &mut self,
        reader: &mut Reader<'_>,
        calls: &mut Calls<'_>,
    ) -> Decided<Option<Read>> {
        let tool = calls.tools.find(&calls.call.name);
        let call = Surrounding { dialect: self.dialect, tool, previous: &self.arguments };
        let text = self.value.read(reader, call)?;
        Ok(self.add(self.without_own_close(&text), calls))
    }

    /// Trims a closing tag named after the argument: `<parameter name="place">Brest</place>`.
    fn without_own_close<'t>(&self, text: &'t str) -> &'t str {
        let close = ["</", &self.name, ">"].concat();
        match text.trim_ascii_end().strip_suffix(&close) {
            Some(inner)
                if self.value.is_unclosed && position(inner, &["<", &self.name].concat()).is_none() =>
            {
                inner.strip_suffix('\n').unwrap_or(inner)
            }
            _ => text,
        }
    }

    /// Adds an argument to the call.
    pub(crate) fn add(&mut self, text: &str, calls: &mut Calls<'_>) -> Option<Read> {
        self.step = Step::Between;
        let tool = calls.tools.find(&calls.call.name);
        let name = std::mem::take(&mut self.name);
        if self.value.is_unclosed && text.trim_ascii().is_empty() && is_wrapper(&name, tool) {
            return None;
        }
        // Without a schema, the dialect determines whether the value is JSON.
        let is_json = self.dialect.is_json && !tool.is_some_and(|tool| tool.declares(&name));
        let is_string = self.value.is_string.or(is_json.then_some(false));
        let nested = if self.dialect.has_elements { elements::value(text, tool, &name) } else { None };
        let (json, fits) = match nested {
            Some(json) => (json, true),
            None => schema::convert_argument(text, tool, &name, is_string, &self.arguments),
        };
        if self.arguments.has(&name) {
            if self.dialect.is_strict {
                self.step = Step::Over;
                return Some(Read::Rejected(RejectReason::DuplicateArgument));
            }
            calls.warn(&name, Unfit::Repeated);
        }
        if !fits {
            calls.warn(&name, Unfit::Type);
        }
        self.arguments.put(&name, json, text, tool);
        None
    }

    pub(super) fn read_nested(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Read> {
        let end = self.dialect.ends.first().copied().unwrap_or_default();
        let (text, _) = reader.find([first_byte(end); 2], &[end])?;
        let (json, unfit) = elements::object(text, calls.tools.find(&calls.call.name));
        for argument in unfit {
            calls.warn(&argument, Unfit::Type);
        }
        if json == "{}" && !text.trim_ascii().is_empty() {
            // Arguments that can't be read are kept as they are, so the call is invalid.
            calls.arguments("{");
            calls.arguments(text.trim_ascii());
        } else {
            calls.arguments(&json);
        }
        self.step = Step::Over;
        Ok(calls.end(RejectReason::UnknownTool))
    }
}
