//! Data: how reasoning and messages begin and end.

/// Reasoning as Claude writes it if it is prompted to.
pub(crate) const THINKING: (&str, &str) = ("<thinking>", "</thinking>");

/// Openers and closers of reasoning. Those in plain words, which any text may contain, are searched for only by name.
pub(crate) static REASONING: &[(&str, &str)] = &[
    ("<think>", "</think>"),
    // Bedrock wraps each piece of gpt-oss's reasoning in these tags.
    ("<reasoning>", "</reasoning>"),
    // Prose about prompts mentions it, so it counts only at the beginning of a line.
    (THINKING.0, THINKING.1),
    ("[THINK]", "[/THINK]"),
    ("<seed:think>", "</seed:think>"),
    ("<longcat_think>", "</longcat_think>"),
    ("<think:opensource>", "</think:opensource>"),
    ("<think:6124c78e>", "</think:6124c78e>"),
    ("<ifm|think>", "</ifm|think>"),
    ("<ifm|think_fast>", "</ifm|think_fast>"),
    ("<ifm|think_faster>", "</ifm|think_faster>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<|plamo:begin_think:plamo|>", "<|plamo:end_think:plamo|>"),
    ("◁think▷", "◁/think▷"),
    ("<|thought_start|>", "<|thought_end|>"),
    ("<|think:start|>", "<|think:end|>"),
    // Apriel: the prompt contains the opener.
    ("", "[BEGIN FINAL RESPONSE]"),
    ("", "[END FINAL RESPONSE]"),
    // HyperCLOVA X Seed Think 14B, likewise.
    ("", "<|im_end|>\n<|im_start|>assistant"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<mm:think>", "</mm:think>"),
    ("<|channel>thought", "<channel|>"),
    ("<|channel>", "<channel|>"),
    ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),
    ("<|open|> think <|sep|>", "<|close|> think <|sep|>"),
    ("<|content_thinking|>", "<|end_message|>"),
    // Granite 3; quantized, it also writes the second pair.
    ("Here is my thought process:", "Here is my response:"),
    ("Here's my thought process:", "Here's my response:"),
];

/// Markers that end a reasoning message.
pub(crate) static MESSAGE_ENDS: &[&str] =
    &["<|end|>", "<|call|>", "<|return|>", "<|eom|>", "<|eot|>", "<|start|>", "<|channel|>"];

/// The end of a call's header, with its format.
pub(crate) const MESSAGE: (&str, &str) = ("harmony", "<|message|>");

/// A word that has lost its marker before a complete header, and the word with that header's marker.
pub(crate) const CUT_HEADERS: (&str, [&str; 2]) =
    ("commentary", ["commentary<|channel|>", "commentary<|start|>"]);

/// Closing tags of calls in a reasoning message.
pub(crate) const CALL_ENDS: [&str; 2] = ["</atem:function_calls>", "</atem:invoke>"];

/// Opener of calls after which the tool's name may be missing, because the header before it has the name.
pub(crate) const INVOKE_TOOL: &str = "<|content_invoke_tool_json|>";
