//! Calls as a name, a marker, and arguments that are one literal.

use super::call::{Calls, Read, is_before_mark, skip_brackets};
use crate::model::RejectReason;
use crate::save::state;
use crate::text::arguments::Arguments;
use crate::text::formats::CLOSERS;
use crate::text::formats::style::{LINE, Note, Style};
use crate::text::need_more::{Decided, NeedMore, more_unless};
use crate::text::reader::{Reader, last_position, skip, skip_last, slice, split};
use crate::text::tools::{Tools, is_well_formed};

/// Maximum length of a name with its surroundings, in bytes.
const MAX_NAME: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Name,
    Id,
    /// The name after the kind.
    Line,
    Before,
    Arguments,
    Over,
    /// Before an object that also has the name.
    Object,
}

state! { enum Step { 0 Name, 1 Id, 2 Line, 3 Before, 4 Arguments, 5 Over, 6 Object } }

/// Reader of one call.
#[derive(Debug)]
pub(crate) struct NamedCall {
    style: &'static Style,
    step: Step,
    /// Whether the arguments are in a code fence.
    pub(crate) has_fence: bool,
}

state! { struct NamedCall { style, step, has_fence } }

impl NamedCall {
    pub(crate) fn new(style: &'static Style) -> Self {
        Self { style, step: Step::Name, has_fence: false }
    }

    /// Creates a reader for a call whose name is already known.
    pub(crate) fn unnamed() -> Self {
        Self { style: &LINE, step: Step::Before, has_fence: false }
    }

    pub(crate) fn read(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Read> {
        loop {
            let read = match self.step {
                Step::Name => self.read_name(reader, calls)?,
                Step::Id | Step::Line => self.read_rest(reader, calls)?,
                Step::Before => self.begin(reader, calls)?,
                Step::Arguments => {
                    let read = calls.read_literal(reader)?;
                    self.step = Step::Over;
                    Some(read)
                }
                Step::Over => self.read_after_arguments(reader, calls)?,
                Step::Object => Some(Read::NoCall),
            };
            if let Some(read) = read {
                return Ok(read);
            }
        }
    }

    /// Whether an object follows that has the name and the arguments.
    pub(crate) fn is_before_object(&self) -> bool {
        self.step == Step::Object
    }

    /// Ends the call at the end of the text.
    pub(crate) fn finish(&mut self, calls: &mut Calls<'_>) -> Read {
        match self.step {
            Step::Arguments => calls.end_truncated(),
            Step::Over => Read::Done,
            _ => Read::NoCall,
        }
    }

    fn read_name(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Option<Read>> {
        if self.style.note == Note::IsTyped
            && let Some((name, _)) = split(reader.near(MAX_NAME), "(")
            && let Some(tool) = calls.tools.find(self.own_name(name))
        {
            // `call:tide(place: "Brest")`
            tool.name.clone_into(&mut calls.call.name);
            reader.at += name.len();
            self.step = Step::Before;
            return Ok(None);
        }
        let found = reader.find_near(self.style.first, self.style.ends, MAX_NAME)?;
        let Some((name, end)) = found else { return self.end_lone_name(reader, calls).map(Some) };
        let name = self.without_fence(name);
        let mut name = self.own_name(name);
        if let Some((id, own)) = split(name, "<|tool_call:name|>") {
            id.trim_ascii().clone_into(&mut calls.call.id);
            name = own.trim_ascii();
        }
        let end_mark = self.style.ends.get(end).copied().unwrap_or_default();
        if matches!(end_mark, "{" | "<tool_call|>" | "[TOOL_CALLS]") {
            reader.at -= end_mark.len();
        }
        if end_mark == "[TOOL_CALLS]" {
            // The next call begins, so this one has no arguments.
            if !is_well_formed(name) {
                return Ok(Some(Read::NoCall));
            }
            name.clone_into(&mut calls.call.name);
            return Ok(Some(self.end_without_arguments(calls)));
        }
        self.step = match self.style.note {
            Note::HasId if end == 1 => Step::Id,
            Note::HasKind if name == "function" || name.is_empty() => Step::Line,
            _ => Step::Before,
        };
        if self.style.note == Note::IsId {
            name.clone_into(&mut calls.call.id);
            name = name.strip_prefix("functions.").unwrap_or(name);
            name = slice(name, 0, last_position(name, b':').unwrap_or(name.len()));
            // Clients rewrite ids, and models imitate them: `functions_tide_0`, `functionstide0`.
            let id = skip_last(skip_last(&calls.call.id, b"0123456789"), b"_:!");
            let own = id.strip_prefix("functions").map_or(id, |own| skip(own, b"_."));
            if calls.tools.find(name).is_none() && calls.tools.find(own).is_some() {
                name = own;
            }
            if calls.tools.find(name).is_none() && name.starts_with("call_") {
                // An id as OpenAI makes them; the name is beside the arguments.
                self.step = Step::Object;
                return Ok(Some(Read::NoCall));
            }
        }
        name.clone_into(&mut calls.call.name);
        Ok(memchr::memchr(b'\n', name.as_bytes()).map(|_| Read::NoCall))
    }

    /// Returns the name without the tokens before it.
    fn own_name<'n>(&self, name: &'n str) -> &'n str {
        let mut name = name.trim_ascii();
        for prefix in self.style.prefixes {
            name = name.strip_prefix(prefix).unwrap_or(name).trim_ascii_start();
        }
        name = split(name, "<tool_name>").map_or(name, |(_, own)| own);
        skip(skip_last(name, b" `"), b" `")
    }

    /// Ends a call that is only a name, at the end of the text or before a closer, if the tool requires no arguments.
    fn end_lone_name(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Read> {
        reader.skip_space();
        let name = reader.name();
        let behind = Reader::new(reader.rest(), name.len(), 0, reader.is_over);
        let is_end =
            !calls.is_cut && behind.rest().trim_ascii().is_empty() || behind.next_token(CLOSERS)?.is_some();
        let tool = calls.tools.find(name).filter(|tool| Arguments::default().has_required(tool));
        if self.style.note != Note::HasId || !is_end || tool.is_none() {
            return Ok(Read::NoCall);
        }
        name.clone_into(&mut calls.call.name);
        reader.at += name.len();
        Ok(self.end_without_arguments(calls))
    }

    /// Returns the name without a code fence that begins directly after it.
    fn without_fence<'n>(&mut self, name: &'n str) -> &'n str {
        let fenced = split(name, "```");
        self.has_fence |= fenced.is_some();
        fenced.map_or(name, |(name, _)| name)
    }

    /// Reads the id after the name, or the name after the kind.
    fn read_rest(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Option<Read>> {
        let is_id = self.step == Step::Id;
        let ends: &[&str] = if is_id { &["[ARGS]"] } else { &["\n", "{"] };
        let found = reader.find_near(if is_id { *b"[[" } else { *b"\n{" }, ends, MAX_NAME)?;
        let Some((word, end)) = found else { return Ok(Some(Read::NoCall)) };
        // The brace is part of the arguments.
        reader.at -= end;
        let word = self.without_fence(word);
        let place = if is_id { &mut calls.call.id } else { &mut calls.call.name };
        word.trim_ascii().clone_into(place);
        self.step = Step::Before;
        Ok(None)
    }

    /// Reads the text after the arguments, where the next call may lack its opener.
    fn read_after_arguments(&mut self, reader: &mut Reader<'_>, calls: &Calls<'_>) -> Decided<Option<Read>> {
        let is_next = match self.style.note {
            Note::HasId => is_before_named_tool("", &["[ARGS]", "[CALL_ID]"], reader, calls.tools)?,
            Note::IsTyped => is_before_named_tool("call:", &["{", "("], reader, calls.tools)?,
            _ => false,
        };
        if !is_next {
            return skip_brackets(reader).map(Some);
        }
        self.step = Step::Name;
        Ok(None)
    }

    fn begin(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Decided<Option<Read>> {
        self.has_fence = self.has_fence || reader.accept_fence()?;
        reader.skip_space();
        let has_round = reader.peek() == Some(b'(') && self.style.note == Note::IsTyped;
        if reader.peek() == Some(b'{') || has_round {
            if self.style.note == Note::IsTyped {
                calls.begin_typed_literal();
                if has_round {
                    reader.at += 1;
                    calls.call.literal.open_keywords();
                }
            } else {
                calls.begin_literal();
            }
            self.step = Step::Arguments;
            return Ok(None);
        }
        more_unless(reader.is_over || reader.peek().is_some())?;
        let has_ended = is_before_mark(reader, &["[TOOL_CALLS]"])?;
        Ok(Some(if has_ended { self.end_without_arguments(calls) } else { Read::NoCall }))
    }

    fn end_without_arguments(&mut self, calls: &mut Calls<'_>) -> Read {
        self.step = Step::Over;
        calls.begin();
        calls.end(RejectReason::UnknownTool)
    }
}

/// Whether a declared tool's name follows, between `lead` and one of `ends`.
fn is_before_named_tool(lead: &str, ends: &[&str], reader: &Reader<'_>, tools: &Tools) -> Decided<bool> {
    let mut ahead = Reader::new(reader.rest(), 0, 0, reader.is_over);
    ahead.skip_space();
    if ahead.accept(&[lead])?.is_none() && !lead.is_empty() {
        return Ok(false);
    }
    let name = ahead.name();
    ahead.at += name.len();
    match ahead.peek() {
        None if !reader.is_over && tools.has_name_prefix(name) => Err(NeedMore),
        _ => Ok(tools.find(name).is_some() && ahead.next_token(ends)?.is_some()),
    }
}
