//! Kinds of content blocks and of deltas.
//! <https://platform.claude.com/docs/en/api/messages#content_block>
//! <https://platform.claude.com/docs/en/build-with-claude/streaming#content-block-delta-types>

use super::block::deltas::Delta;
use super::server_tool::{ServerCall, ServerResult};
use super::tool_input::ToolInput;
use crate::json::{Field, Object, Value};
use crate::save::state;

/// Names of the tools that the provider runs, by the ids of their calls.
pub(super) type ToolNames = Object;

/// Type of the block at which another model takes over, because the one before it declined.
pub(super) const FALLBACK: &str = "fallback";

/// Kind of a content block, with the state that it needs while it is streamed.
pub(super) enum BlockKind {
    /// `text`, perhaps with `citations`.
    Text,
    /// `thinking` with its `signature`.
    Thinking,
    /// `redacted_thinking`: reasoning that is encrypted in `data`.
    RedactedThinking,
    /// `tool_use`: the call of a tool that the client has to run.
    ToolUse(ToolInput),
    /// `server_tool_use`, `mcp_tool_use`: the call of a tool that the provider runs.
    ServerCall(ServerCall),
    /// `web_search_tool_result`, `mcp_tool_result` …: the result of such a tool.
    ServerResult(ServerResult),
    /// Anything else: `container_upload`, `compaction`, and unknown types.
    Other,
}

state! { enum BlockKind {
    0 Text, 1 Thinking, 2 RedactedThinking, 3 ToolUse(input), 4 ServerCall(call), 5 ServerResult(result), 6 Other,
} }

impl BlockKind {
    /// Whether this is a block, not a delta.
    pub(super) fn is_known(block: Value<'_>) -> bool {
        let is_known = |name: &str| {
            matches!(name, "text" | "thinking" | "redacted_thinking")
                || name.ends_with("tool_use")
                || name.ends_with("_tool_result")
        };
        block.get_non_empty("type").is_some_and(is_known)
    }

    /// Returns the kind of a block of this type.
    pub(super) fn new(name: &str, block: Value<'_>, names: &mut ToolNames) -> Self {
        match name {
            "text" => Self::Text,
            "thinking" => Self::Thinking,
            "redacted_thinking" => Self::RedactedThinking,
            "tool_use" | "tool_call" | "function_call" => Self::ToolUse(ToolInput::default()),
            // Without a type.
            "" if block.get("name").is_some() => Self::ToolUse(ToolInput::default()),
            "" if block.get("thinking").is_some() => Self::Thinking,
            "" if block.get("text").is_some() => Self::Text,
            _ if name.ends_with("_tool_use") => Self::ServerCall(ServerCall::new(name, block, names)),
            _ if name.ends_with("_tool_result") => Self::ServerResult(ServerResult::new(name, block, names)),
            _ => Self::Other,
        }
    }
}

/// Removes the wrapper that some servers put around a call. Portkey sends `{"type":"tool_use","tool_use":{…}}`:
/// <https://github.com/Portkey-AI/gateway/blob/main/src/providers/anthropic-base/utils/streamGenerator.ts>
pub(super) fn unwrapped(block: Value<'_>) -> Value<'_> {
    block.get("tool_use").filter(|inner| inner.get_non_empty("name").is_some()).unwrap_or(block)
}

/// Kind of content that a `content_block_delta` adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DeltaKind {
    /// `text_delta`
    Text,
    /// `citations_delta`
    Citation,
    /// `thinking_delta`
    Thinking,
    /// `signature_delta`
    Signature,
    /// `input_json_delta`: a fragment of a tool's input, as JSON text.
    Input,
    /// Anything else: `compaction_delta`, and unknown types.
    Other,
}

impl DeltaKind {
    /// Returns the kind of a delta: by its type, else by its members.
    pub(super) fn of(delta: &Delta<'_>) -> Self {
        const KINDS: [(&str, DeltaKind); 5] = [
            ("text_delta", DeltaKind::Text),
            ("input_json_delta", DeltaKind::Input),
            ("thinking_delta", DeltaKind::Thinking),
            ("citations_delta", DeltaKind::Citation),
            ("signature_delta", DeltaKind::Signature),
        ];
        let kind = delta.kind();
        match KINDS.iter().find(|(word, _)| kind.equals(word)) {
            Some((_, kind)) => *kind,
            None if kind.non_empty().is_some_and(|kind| !is_block_type(kind)) => Self::Other,
            None => Self::from_members(delta.whole),
        }
    }

    fn from_members(delta: Value<'_>) -> Self {
        let members = [
            ("text", Self::Text),
            ("partial_json", Self::Input),
            ("input", Self::Input),
            ("thinking", Self::Thinking),
            ("signature", Self::Signature),
            ("citation", Self::Citation),
        ];
        let find = |has_member: fn(Value<'_>) -> bool| {
            members.iter().find(|(name, _)| delta.get(name).is_some_and(has_member))
        };
        // Some servers send all members, and leave the unused ones empty.
        let found = find(|value| !value.is("")).or_else(|| find(|_| true));
        found.map_or(Self::Other, |(_, kind)| *kind)
    }
}

/// Whether this is the type of a block or of a block event, which some servers send instead of a delta's type.
fn is_block_type(kind: &str) -> bool {
    matches!(kind, "text" | "thinking" | "tool_use") || kind.starts_with("content_block_")
}

/// Whether a delta was understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Understood {
    Yes,
    No,
    /// The delta is input, but the block has no input.
    Stray,
}

impl From<bool> for Understood {
    fn from(is_read: bool) -> Self {
        if is_read { Self::Yes } else { Self::No }
    }
}
