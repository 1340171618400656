//! How reasoning and messages begin and end: data.

/// The tags around reasoning. Those that are words, which any text may contain, are searched for only by their names.
pub(crate) static REASONING: &[(&str, &str)] = &[
    ("<think>", "</think>"),
    // Bedrock writes the reasoning of gpt-oss so, with a pair of tags for each piece.
    ("<reasoning>", "</reasoning>"),
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
    // Apriel's prompt opens it.
    ("", "[BEGIN FINAL RESPONSE]"),
    ("", "[END FINAL RESPONSE]"),
    // So does that of HyperCLOVA X Seed Think 14B.
    ("", "<|im_end|>\n<|im_start|>assistant"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<mm:think>", "</mm:think>"),
    ("<|channel>thought", "<channel|>"),
    ("<|channel>", "<channel|>"),
    ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),
    ("<|open|> think <|sep|>", "<|close|> think <|sep|>"),
    ("<|content_thinking|>", "<|end_message|>"),
    // Granite 3 and, quantized, the other way to write it.
    ("Here is my thought process:", "Here is my response:"),
    ("Here's my thought process:", "Here's my response:"),
];

/// The marks that end a message whose header makes it reasoning.
pub(crate) static MESSAGE_ENDS: &[&str] =
    &["<|end|>", "<|call|>", "<|return|>", "<|eom|>", "<|eot|>", "<|start|>", "<|channel|>"];

/// What ends the header of a call, and the format that has it.
pub(crate) const MESSAGE: (&str, &str) = ("harmony", "<|message|>");

/// A word without its mark, before a whole header, and the two together.
pub(crate) const CUT_HEADERS: (&str, [&str; 2]) =
    ("commentary", ["commentary<|channel|>", "commentary<|start|>"]);

/// What ends the calls in a message of reasoning.
pub(crate) const CALL_ENDS: [&str; 2] = ["</atem:function_calls>", "</atem:invoke>"];

/// What begins calls of which the name of the tool may precede the mark, because the header has it.
pub(crate) const INVOKE_TOOL: &str = "<|content_invoke_tool_json|>";
