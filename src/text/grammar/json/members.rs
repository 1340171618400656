//! Members of an object that is a call, and their roles.

use super::{JsonCalls, Role, Shape, Step, may_precede_code};
use crate::json::Document;
use crate::model::RejectReason;
use crate::text::grammar::call::{Calls, Read};
use crate::text::literal::MAX_DEPTH;
use crate::text::need_more::{Decided, NeedMore};
use crate::text::reader::{Reader, slice};
use crate::text::schema::{literal, text_of};
use crate::text::tools::Tool;

const NAMES: &[&str] =
    &["name", "tool_name", "tool", "function", "function_name", "tool_call", "function_call"];
const ARGUMENTS: &[&str] =
    &["arguments", "parameters", "args", "input", "tool_args", "params", "tool_input", "kwargs"];
const IDS: &[&str] = &["id", "tool_call_id", "call_id"];
const IGNORED: &[&str] = &["type", "index"];
/// Member that holds a list of calls.
const CALLS: &str = "tool_calls";

impl JsonCalls {
    /// Determines the role of the member that begins.
    pub(super) fn start_member(&mut self, calls: &mut Calls<'_>) -> Option<Read> {
        let key = calls.call.literal.key();
        let is = |names: &[&str]| names.contains(&key);
        self.role = match self.shape {
            Shape::Keyed => Role::Arguments,
            _ if is(NAMES) && !self.has_name => Role::Name,
            _ if is(ARGUMENTS) && self.arguments.is_none() => Role::Arguments,
            _ if is(IDS) => Role::Id,
            // As in a response of OpenAI.
            Shape::Named | Shape::Bare if key == CALLS && self.depth == 1 && !self.has_name => Role::Calls,
            // A tool definition isn't a call, nor is an object without a name among its first members.
            Shape::Bare | Shape::Alone
                if !calls.call.is_open && (key == "description" || !self.has_name && !is(IGNORED)) =>
            {
                return Some(Read::NoCall);
            }
            _ if is(IGNORED) => Role::Else,
            _ => Role::Argument,
        };
        self.member = calls.call.literal.key.0.saturating_sub(1);
        if self.shape == Shape::Keyed {
            self.has_name = true;
            key.clone_into(&mut calls.call.name);
        }
        self.step = Step::Member;
        None
    }

    pub(super) fn begin_member(
        &mut self,
        reader: &mut Reader<'_>,
        calls: &mut Calls<'_>,
    ) -> Decided<Option<Read>> {
        reader.skip_space();
        let mut byte = reader.peek().ok_or(NeedMore)?;
        if byte == b'"' && self.role == Role::Arguments && reader.is_before("\"{\"")? {
            // An object between quotes, as a string whose quotes aren't escaped.
            reader.at += 1;
            calls.call.literal.is_quoted = true;
            byte = b'{';
        }
        self.step = Step::Value;
        self.from = calls.call.literal.json().len();
        if self.role == Role::Calls {
            if byte != b'[' {
                return Ok(Some(Read::NoCall));
            }
            self.depth = 3;
            calls.call.literal.watch = 3;
            calls.call.literal.take_member();
        } else if byte == b'{' {
            if self.role == Role::Name {
                // `"function": {"name": …}`
                calls.call.literal.watch += 1;
            } else if self.role == Role::Arguments
                // In an array the id may come last.
                && self.depth == 1
                && self.has_name
                && self.shape != Shape::Alone
            {
                calls.begin();
                calls.call.emitted = self.from;
                self.is_streaming = calls.call.is_open;
            }
        }
        Ok(None)
    }

    /// Ends a member whose value ends at `end` in the JSON.
    pub(super) fn end_member(&mut self, end: usize, calls: &mut Calls<'_>) -> Option<Read> {
        let json = calls.call.literal.json();
        let value = slice(json, self.from, end).trim_ascii();
        if std::mem::take(&mut self.is_streaming) {
            let is_held = may_precede_code(value);
            self.arguments = Some(if is_held { value } else { "" }.to_owned());
            if !is_held {
                calls.emit_all();
            }
            return None;
        }
        match self.role {
            Role::Name => {
                let name = text_of(value);
                self.has_name = name.is_some();
                calls.call.name = name.unwrap_or_default();
            }
            Role::Id => calls.call.id = text_of(value).unwrap_or_default(),
            Role::Arguments => self.arguments = Some(value.to_owned()),
            Role::Argument => {
                self.others.push(',');
                self.others.push_str(slice(json, self.member, end));
            }
            Role::Else | Role::Calls => {}
        }
        if self.shape == Shape::Keyed {
            self.is_read = true;
            return Some(self.end_call(calls));
        }
        None
    }

    /// Ends the call at the end of its object.
    pub(super) fn end_call(&mut self, calls: &mut Calls<'_>) -> Read {
        self.is_streaming = false;
        let lacks_value = std::mem::take(&mut calls.call.literal.lacks_value);
        let (has_name, arguments) = (std::mem::take(&mut self.has_name), self.arguments.take());
        let others = std::mem::take(&mut self.others);
        if !calls.call.is_open {
            if !has_name {
                return Read::Rejected(RejectReason::MissingName);
            }
            if arguments.is_none() && calls.tools.is_any() && matches!(self.shape, Shape::Bare | Shape::Alone)
            {
                // Any object may have a name.
                return Read::NoCall;
            }
            let others = Some(others).filter(|others| arguments.is_none() && !others.is_empty());
            let arguments = match others {
                None => arguments.map_or_else(String::new, |json| to_object(&json)),
                Some(others) => {
                    let tool = calls.tools.find(&calls.call.name);
                    match flat_arguments(&others, tool) {
                        Some(json) => json,
                        None => return Read::Rejected(RejectReason::InvalidArguments),
                    }
                }
            };
            if lacks_value || !arguments.is_empty() && !arguments.starts_with('{') {
                return Read::Rejected(RejectReason::InvalidArguments);
            }
            calls.begin();
            calls.arguments(&arguments);
        } else if let Some(held) = arguments {
            calls.arguments(&held);
        }
        let read = calls.end(RejectReason::UnknownTool);
        self.has_call |= read == Read::CallEnded;
        read
    }
}

/// Returns arguments that are members beside the name; `None` if the tool declares none of them.
fn flat_arguments(members: &str, tool: Option<&Tool>) -> Option<String> {
    let json = ["{", slice(members, 1, members.len()), "}"].concat();
    let Some(tool) = tool.filter(|tool| !tool.parameters.is_empty()) else { return Some(json) };
    let is_known = {
        let document = Document::parse(&json, MAX_DEPTH).ok()?;
        let mut names = document.root().others(&[]);
        names.any(|(name, _)| tool.declares(&name))
    };
    is_known.then_some(json)
}

/// Returns arguments as an object. Some models write them as a string of JSON.
fn to_object(json: &str) -> String {
    match text_of(json) {
        Some(inner) if json.starts_with('"') => literal(&inner).unwrap_or_else(|| json.to_owned()),
        _ if json == "null" || json == "\"\"" => String::new(),
        _ => json.to_owned(),
    }
}
