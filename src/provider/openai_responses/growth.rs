//! What comes in pieces: which events bring it, and where in an item it belongs.
//! <https://platform.openai.com/docs/api-reference/responses-streaming>

use std::borrow::Cow;

use crate::json::{Field, Fragment, Value, fields};

fields! {
    /// The members of an event that most events have.
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

/// Where something is, also in the names that OpenRouter's SDK gives all members.
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

/// The member of an event that says where in a list something grows.
#[derive(Debug, Clone, Copy)]
pub(super) enum Counter {
    /// There is no list.
    None,
    Content,
    Summary,
    Command,
}

impl Counter {
    /// Its value in an event.
    pub(super) fn of(self, event: &EventFields<'_>) -> Option<u64> {
        match self {
            Self::None => Some(0),
            Self::Content => event.content_index().unsigned(),
            Self::Summary => event.summary_index().unsigned(),
            Self::Command => event.command_index().unsigned(),
        }
    }
}

/// Something in an item that grows.
#[derive(Debug)]
pub(super) struct Growth {
    /// What the events' names have between `response.` and `.delta`, `.added` or `.done`.
    pub(super) event: &'static str,
    /// The type of the item.
    pub(super) item: &'static str,
    /// The member of the item.
    pub(super) member: &'static str,
    /// Where in a list it grows.
    pub(super) index: Counter,
    /// What grows inside the member; empty where it is the member itself.
    pub(super) leaf: &'static str,
    /// The member of the last event, or of its `part`, that has all of it.
    pub(super) whole: &'static str,
    /// The type of the part of which it is the text.
    pub(super) part: &'static str,
}

/// How an event's name ends: whether the event brings a piece of something, or all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Suffix {
    /// It begins, mostly as an empty text.
    Added,
    /// A piece.
    Delta,
    /// All of it.
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

/// All that grows. By far the most events are about the first ones.
pub(super) static GROWTHS: &[Growth] = &[
    part("output_text", "output_text", "text"),
    tool("function_call_arguments", "function_call", "arguments", ""),
    thought("reasoning_summary_text", "summary", Counter::Summary, "summary_text"),
    thought("reasoning_text", "content", Counter::Content, "reasoning_text"),
    part("refusal", "refusal", "refusal"),
    // Servers that took the names from elsewhere, and earlier versions. OpenRouter has `content_part.delta`.
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
    /// The one that a part of a message or of a reasoning item is the place of. Some servers leave out the type.
    pub(super) fn of_part(part: Value<'_>) -> Option<&'static Self> {
        let kind = part.get_non_empty("type");
        let is_of = |growth: &&Self| match kind {
            Some(kind) => growth.part == kind,
            None => !growth.part.is_empty() && part.get_non_empty(growth.leaf).is_some(),
        };
        GROWTHS.iter().find(is_of)
    }
}

/// What a `delta` brings: a string; from some servers, and in early versions, an object with `text`, or the arguments
/// themselves. Without one, the piece is where the last event has all of it.
pub(super) fn piece<'a>(growth: &Growth, event: &EventFields<'a>) -> Option<Fragment<'a>> {
    let Some(delta) = event.delta() else {
        // LM Studio calls it `content`.
        return [growth.whole, "content"].into_iter().find_map(|name| event.whole.get_fragment(name));
    };
    let object = || match growth.member {
        "arguments" if delta.is_object() => {
            Some(Fragment { text: Cow::Owned(delta.compact()?), ..Fragment::default() })
        }
        _ => delta.get_fragment("text"),
    };
    delta.spoken().or_else(object)
}

/// How the name of a member is saved in which something grows.
pub(super) mod member_name {
    use super::GROWTHS;
    use crate::save::Coder;

    pub(in super::super) fn code(name: &mut &'static str, coder: &mut Coder<'_>) {
        let names = GROWTHS.iter().flat_map(|growth| [growth.leaf, growth.member]);
        coder.one_of(name, names.chain(["part"]));
    }
}

/// The same, where there may be none.
pub(super) mod shown_member {
    use super::member_name;
    use crate::save::Coder;

    pub(in super::super) fn code(name: &mut Option<&'static str>, coder: &mut Coder<'_>) {
        if coder.flag(name.is_some()) {
            member_name::code(name.get_or_insert_default(), coder);
        }
    }
}
