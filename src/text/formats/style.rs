//! Data for [`NamedCall`](crate::text::grammar::named::NamedCall): the syntax of a name before arguments that are one
//! literal.

/// Syntax of the name before the arguments.
#[derive(Debug)]
pub(crate) struct Style {
    /// Markers after the name, all of which begin with one of the bytes in `first`.
    pub(crate) ends: &'static [&'static str],
    pub(crate) first: [u8; 2],
    /// Tokens that may precede the name.
    pub(crate) prefixes: &'static [&'static str],
    pub(crate) note: Note,
}

/// Other properties of a style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Note {
    Nothing,
    /// The name is an id: `functions.NAME:0`.
    IsId,
    /// An id is between the second marker of `ends` and the first one.
    HasId,
    /// A kind precedes the marker. The name follows it, on a line of its own.
    HasKind,
    /// The arguments aren't JSON; the schema determines their types.
    IsTyped,
}

const fn style(ends: &'static [&'static str], first: [u8; 2], note: Note) -> Style {
    Style { ends, first, prefixes: &[], note }
}

impl Style {
    /// Whether a marker after the name may begin with this byte.
    pub(crate) fn may_end_name(&self, byte: u8) -> bool {
        self.first.contains(&byte)
    }
}

pub(crate) static MISTRAL: Style = style(&["[ARGS]", "[CALL_ID]", "{", "[TOOL_CALLS]"], *b"[{", Note::HasId);
pub(crate) static DEEPSEEK: Style = style(&["<｜tool▁sep｜>"], *b"<<", Note::HasKind);
/// The name after the kind.
pub(crate) static KIND: Style = style(&["\n", "{"], *b"\n{", Note::Nothing);
pub(crate) static KIMI: Style = style(&["<|tool_call_argument_begin|>"], *b"<<", Note::IsId);
pub(crate) static GEMMA: Style = Style {
    ends: &["{", "<tool_call|>"],
    first: *b"{<",
    prefixes: &[":", "call:", ":", "default_api:"],
    note: Note::IsTyped,
};
pub(crate) static PLAMO: Style = style(
    &[
        "<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>",
        "<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>",
        "<|plamo:end_tool_name:plamo|>",
    ],
    *b"<<",
    Note::Nothing,
);
pub(crate) static SOLAR: Style = style(&["<|tool_call:args|>"], *b"<<", Note::Nothing);
pub(crate) static BRACKETS: Style = style(&[")>", ")"], *b"))", Note::Nothing);
pub(crate) static LINE: Style = style(&["\n"], *b"\n\n", Note::Nothing);
pub(crate) static QWEN: Style = style(&["\n✿ARGS✿:"], *b"\n\n", Note::Nothing);
/// The name of a server precedes that of the tool.
pub(crate) static MCP: Style = style(&["</tool_name>\n<arguments>"], *b"<<", Note::Nothing);
pub(crate) static REACT: Style = style(&["\nAction Input:", "\n**Action Input:**"], *b"\n\n", Note::Nothing);
