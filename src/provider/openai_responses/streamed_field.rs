//! Streamed fields: which events carry them, and where in an item they belong.
//! <https://platform.openai.com/docs/api-reference/responses-streaming>

use std::borrow::Cow;

use super::role::APP_CALL;
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
        block_index,
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
pub(super) enum IndexMember {
    /// There is no list.
    None,
    Content,
    Summary,
    Block,
    Command,
}

impl IndexMember {
    /// Returns the index in an event; 0 if there is no list.
    pub(super) fn of(self, event: &EventFields<'_>) -> Option<u64> {
        match self {
            Self::None => Some(0),
            Self::Content => event.content_index().unsigned(),
            Self::Summary => event.summary_index().unsigned(),
            Self::Block => event.block_index().unsigned(),
            Self::Command => event.command_index().unsigned(),
        }
    }
}

/// A field of an item that is streamed.
#[derive(Debug)]
pub(super) struct StreamedField {
    /// Part of the events' names between `response.` and `.delta`, `.added` or `.done`.
    pub(super) event: &'static str,
    /// Type of the item.
    pub(super) item: &'static str,
    /// Name of the item's member that contains the field.
    pub(super) member: &'static str,
    /// Member of the events with its index in a list.
    pub(super) index: IndexMember,
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

const fn part_field(event: &'static str, part: &'static str, leaf: &'static str) -> StreamedField {
    let (item, member, index) = ("message", "content", IndexMember::Content);
    StreamedField { event, item, member, index, leaf, whole: leaf, part }
}

const fn reasoning_field(
    event: &'static str,
    member: &'static str,
    index: IndexMember,
    part: &'static str,
) -> StreamedField {
    StreamedField { event, item: "reasoning", member, index, leaf: "text", whole: "text", part }
}

/// A field of a block, whose type is also the name of its text, except in events.
const fn block_field(event: &'static str, part: &'static str, leaf: &'static str) -> StreamedField {
    let (item, member, index) = (APP_CALL, "blocks", IndexMember::Block);
    StreamedField { event, item, member, index, leaf, whole: "text", part }
}

const fn tool_field(
    event: &'static str,
    item: &'static str,
    member: &'static str,
    leaf: &'static str,
) -> StreamedField {
    let whole = if leaf.is_empty() { member } else { leaf };
    StreamedField { event, item, member, index: IndexMember::None, leaf, whole, part: "" }
}

/// All streamed fields. By far the most events are about the first ones.
pub(super) static STREAMED_FIELDS: &[StreamedField] = &[
    part_field("output_text", "output_text", "text"),
    tool_field("function_call_arguments", "function_call", "arguments", ""),
    reasoning_field("reasoning_summary_text", "summary", IndexMember::Summary, "summary_text"),
    reasoning_field("reasoning_text", "content", IndexMember::Content, "reasoning_text"),
    part_field("refusal", "refusal", "refusal"),
    // Names from other servers and from earlier versions. OpenRouter sends `content_part.delta`.
    part_field("text", "text", "text"),
    part_field("content_part", "output_text", "text"),
    reasoning_field("reasoning_summary", "summary", IndexMember::Summary, "summary_text"),
    reasoning_field("reasoning_summary_part", "summary", IndexMember::Summary, "summary_text"),
    reasoning_field("reasoning", "content", IndexMember::Content, "reasoning_text"),
    reasoning_field("reasoning_content", "content", IndexMember::Content, "reasoning_text"),
    reasoning_field("thinking", "content", IndexMember::Content, "reasoning_text"),
    tool_field("function_call", "function_call", "arguments", ""),
    tool_field("tool_call_arguments", "function_call", "arguments", ""),
    tool_field("tool_call.arguments", "function_call", "arguments", ""),
    tool_field("custom_tool_call_input", "custom_tool_call", "input", ""),
    tool_field("apply_patch_call_operation_diff", "apply_patch_call", "operation", "diff"),
    StreamedField {
        index: IndexMember::Command,
        whole: "command",
        ..tool_field("shell_call_command", "shell_call", "action", "commands")
    },
    StreamedField {
        index: IndexMember::Command,
        ..tool_field("shell_call_output_content", "shell_call_output", "output", "")
    },
    tool_field("code_interpreter_call_code", "code_interpreter_call", "code", ""),
    tool_field("mcp_call_arguments", "mcp_call", "arguments", ""),
    block_field("doubao_app_call_output_text", "output_text", "text"),
    block_field("doubao_app_call_reasoning_text", "reasoning_text", "reasoning_text"),
    // The older names.
    block_field("doubao_app_call.output_text", "output_text", "text"),
    block_field("doubao_app_call.reasoning_text", "reasoning_text", "reasoning_text"),
    tool_field("function_call.arguments", "function_call", "arguments", ""),
    tool_field("code_interpreter_call.code", "code_interpreter_call", "code", ""),
    tool_field("mcp_call.arguments", "mcp_call", "arguments", ""),
];

impl StreamedField {
    /// Returns the field that a part of a message or reasoning item contains. Some servers leave out the part's type.
    pub(super) fn for_part(part: Value<'_>) -> Option<&'static Self> {
        let kind = part.get_non_empty("type");
        let is_of = |field: &&Self| match kind {
            Some(kind) => field.part == kind,
            None => !field.part.is_empty() && part.get_non_empty(field.leaf).is_some(),
        };
        STREAMED_FIELDS.iter().find(is_of)
    }
}

/// Returns the fragment in a `delta`: a string; from some servers, and in early versions, an object with `text`, or the
/// arguments themselves. Without a `delta`, the fragment is in the member where the last event has the complete value.
pub(super) fn piece<'a>(field: &StreamedField, event: &EventFields<'a>) -> Option<Fragment<'a>> {
    let Some(delta) = event.delta() else {
        // LM Studio sends it as `content`.
        return [field.whole, "content"].iter().find_map(|name| event.whole.get_fragment(name));
    };
    let object = || match field.member {
        "arguments" if delta.is_object() => {
            Some(Fragment { text: Cow::Owned(delta.compact()?), ..Fragment::default() })
        }
        _ => delta.get_fragment("text"),
    };
    delta.scalar_fragment().or_else(object)
}

/// Saves the name of a streamed member.
pub(super) mod member_name {
    use super::STREAMED_FIELDS;
    use crate::save::Coder;

    pub(in super::super) fn code(name: &mut &'static str, coder: &mut Coder<'_>) {
        let names = STREAMED_FIELDS.iter().flat_map(|field| [field.leaf, field.member]);
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
