//! Streamed fields: which events carry them, and where in an item they belong.
//! <https://platform.openai.com/docs/api-reference/responses-streaming>

use std::borrow::Cow;

use crate::json::{Field, Fragment, Value, fields};

fields! {
    /// The members that most events have.
    pub(super) struct EventFields {
        kind = "type",
        sequence_number,
        own_item_id = "item_id",
        own_output_index = "output_index",
        own_content_index = "content_index",
        own_summary_index = "summary_index",
        command_index,
        delta,
        part,
        item,
        response,
        logprobs,
        obfuscation,
    }
}

/// Ids and indices, also under the camelCase names of OpenRouter's SDK.
impl<'a> EventFields<'a> {
    pub(super) fn item_id(&self) -> Option<Value<'a>> {
        self.own_item_id().or_else(|| self.whole.get("itemId"))
    }

    pub(super) fn output_index(&self) -> Option<Value<'a>> {
        self.own_output_index().or_else(|| self.whole.get("outputIndex"))
    }

    pub(super) fn content_index(&self) -> Option<Value<'a>> {
        self.own_content_index().or_else(|| self.whole.get("contentIndex"))
    }

    pub(super) fn summary_index(&self) -> Option<Value<'a>> {
        self.own_summary_index().or_else(|| self.whole.get("summaryIndex"))
    }
}

/// The member of an event with the index of a streamed list item.
#[derive(Debug, Clone, Copy)]
pub(super) enum Counter {
    /// There is no list.
    None,
    Content,
    Summary,
    Command,
}

impl Counter {
    /// Returns the index in an event; 0 if there is no list.
    pub(super) fn of(self, event: &EventFields<'_>) -> Option<u64> {
        match self {
            Self::None => Some(0),
            Self::Content => event.content_index().unsigned(),
            Self::Summary => event.summary_index().unsigned(),
            Self::Command => event.command_index().unsigned(),
        }
    }
}

/// A field of an item that is streamed.
#[derive(Debug)]
pub(super) struct Growth {
    /// Part of the events' names between `response.` and `.delta`, `.added` or `.done`.
    pub(super) event: &'static str,
    /// Type of the item.
    pub(super) item: &'static str,
    /// Name of the item's member that contains the field.
    pub(super) member: &'static str,
    /// Member of the events with its index in a list.
    pub(super) index: Counter,
    /// Name of the field inside the member; empty if the member itself is streamed.
    pub(super) leaf: &'static str,
    /// Member of the last event, or of its `part`, with the complete value.
    pub(super) whole: &'static str,
    /// Type of the part whose text this is; empty if the field isn't in a part.
    pub(super) part: &'static str,
}

/// The end of an event's name: whether the event carries a fragment of a field, or all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Suffix {
    /// The start of the field, usually an empty text.
    Added,
    /// A fragment.
    Delta,
    /// The complete value.
    Done,
}

impl Suffix {
    pub(super) fn of(word: &str) -> Option<Self> {
        match word {
            "added" => Some(Self::Added),
            "delta" => Some(Self::Delta),
            "done" => Some(Self::Done),
            _ => None,
        }
    }
}

const fn part(event: &'static str, part: &'static str, leaf: &'static str) -> Growth {
    let (item, member, index) = ("message", "content", Counter::Content);
    Growth { event, item, member, index, leaf, whole: leaf, part }
}

const fn thought(event: &'static str, member: &'static str, index: Counter, part: &'static str) -> Growth {
    Growth { event, item: "reasoning", member, index, leaf: "text", whole: "text", part }
}

const fn tool(event: &'static str, item: &'static str, member: &'static str, leaf: &'static str) -> Growth {
    let whole = if leaf.is_empty() { member } else { leaf };
    Growth { event, item, member, index: Counter::None, leaf, whole, part: "" }
}

/// All streamed fields. By far the most events are about the first ones.
pub(super) static GROWTHS: &[Growth] = &[
    part("output_text", "output_text", "text"),
    tool("function_call_arguments", "function_call", "arguments", ""),
    thought("reasoning_summary_text", "summary", Counter::Summary, "summary_text"),
    thought("reasoning_text", "content", Counter::Content, "reasoning_text"),
    part("refusal", "refusal", "refusal"),
    // Names from other servers and from earlier versions. OpenRouter sends `content_part.delta`.
    part("text", "text", "text"),
    part("content_part", "output_text", "text"),
    thought("reasoning_summary", "summary", Counter::Summary, "summary_text"),
    thought("reasoning_summary_part", "summary", Counter::Summary, "summary_text"),
    thought("reasoning", "content", Counter::Content, "reasoning_text"),
    thought("reasoning_content", "content", Counter::Content, "reasoning_text"),
    thought("thinking", "content", Counter::Content, "reasoning_text"),
    tool("function_call", "function_call", "arguments", ""),
    tool("tool_call_arguments", "function_call", "arguments", ""),
    tool("tool_call.arguments", "function_call", "arguments", ""),
    tool("custom_tool_call_input", "custom_tool_call", "input", ""),
    tool("apply_patch_call_operation_diff", "apply_patch_call", "operation", "diff"),
    Growth {
        index: Counter::Command,
        whole: "command",
        ..tool("shell_call_command", "shell_call", "action", "commands")
    },
    Growth {
        index: Counter::Command,
        ..tool("shell_call_output_content", "shell_call_output", "output", "")
    },
    tool("code_interpreter_call_code", "code_interpreter_call", "code", ""),
    tool("mcp_call_arguments", "mcp_call", "arguments", ""),
    // The older names.
    tool("function_call.arguments", "function_call", "arguments", ""),
    tool("code_interpreter_call.code", "code_interpreter_call", "code", ""),
    tool("mcp_call.arguments", "mcp_call", "arguments", ""),
];

impl Growth {
    /// Returns the field that a part of a message or reasoning item contains. Some servers leave out the part's type.
    pub(super) fn of_part(part: Value<'_>) -> Option<&'static Self> {
        let kind = part.get_non_empty("type");
        let is_of = |growth: &&Self| match kind {
            Some(kind) => growth.part == kind,
            None => !growth.part.is_empty() && part.get_non_empty(growth.leaf).is_some(),
        };
        GROWTHS.iter().find(is_of)
    }
}

/// Returns the fragment in a `delta`: a string; from some servers, and in early versions, an object with `text`, or the
/// arguments themselves. Without a `delta`, the fragment is in the member where the last event has the complete value.
pub(super) fn piece<'a>(growth: &Growth, event: &EventFields<'a>) -> Option<Fragment<'a>> {
    let Some(delta) = event.delta() else {
        // LM Studio sends it as `content`.
        return [growth.whole, "content"].iter().find_map(|name| event.whole.get_fragment(name));
    };
    let object = || match growth.member {
        "arguments" if delta.is_object() => {
            Some(Fragment { text: Cow::Owned(delta.compact()?), ..Fragment::default() })
        }
        _ => delta.get_fragment("text"),
    };
    delta.spoken().or_else(object)
}

/// Saves the name of a streamed member.
pub(super) mod member_name {
    use super::GROWTHS;
    use crate::save::Coder;

    pub(in super::super) fn code(name: &mut &'static str, coder: &mut Coder<'_>) {
        let names = GROWTHS.iter().flat_map(|growth| [growth.leaf, growth.member]);
        coder.one_of(name, names.chain(["part"]));
    }
}

/// Saves the optional name of a streamed member.
pub(super) mod shown_member {
    use super::member_name;
    use crate::save::Coder;

    pub(in super::super) fn code(name: &mut Option<&'static str>, coder: &mut Coder<'_>) {
        if coder.flag(name.is_some()) {
            member_name::code(name.get_or_insert_default(), coder);
        }
    }
}
