//! The formats in which models write tool calls and reasoning into their text: data.
//!
//! A row names the opener of a call and the grammar that follows. A new model is a row here and a fixture.

pub(super) mod dialect;

use super::grammar::json::Shape;
use super::grammar::named::{self, Style};
use dialect::Dialect;

/// The text behind an opener.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Body {
    /// JSON objects or an array of them.
    Json(Shape),
    /// Another opener.
    Opener,
    /// Tags; the opener is the first of them, or before a name.
    Tags(&'static Dialect),
    /// Calls as Python writes them.
    Python,
    /// A name, a mark and one literal.
    Name(&'static Style),
    /// The header of a message, which says what the message is.
    Header,
    /// Nothing: it only frames the answer.
    Frame,
    /// Nothing: it is text, but what follows counts as the beginning of a line, and its closing tag is text, too.
    Break,
    /// Nothing: it ends a message that has a header.
    Turn,
    /// Nothing: it ends the answer, and is text anywhere else.
    Stop,
}

impl Body {
    /// Whether calls follow.
    pub(crate) fn is_call(self) -> bool {
        !matches!(self, Self::Header | Self::Frame | Self::Break | Self::Turn | Self::Stop)
    }

    /// Whether calls follow, or any message.
    pub(crate) fn is_message(self) -> bool {
        self.is_call() || matches!(self, Self::Header)
    }
}

/// Where an opener counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Anywhere,
    /// At the beginning of a word.
    Word,
    /// At the beginning of a line.
    Line,
    /// Before any other text.
    Start,
    /// Directly behind another opener of its format.
    Inside,
}

/// One opener of a format.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) format: &'static str,
    pub(crate) opener: &'static str,
    pub(crate) body: Body,
    pub(crate) place: Place,
    /// Whether it is read only if the caller names the format: it has no marks of its own, or such as prose has.
    pub(crate) is_named: bool,
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Row {}

const fn row(format: &'static str, opener: &'static str, body: Body) -> Row {
    at(Place::Anywhere, format, opener, body)
}

const fn at(place: Place, format: &'static str, opener: &'static str, body: Body) -> Row {
    Row { format, opener, body, place, is_named: false }
}

const fn named(place: Place, format: &'static str, opener: &'static str, body: Body) -> Row {
    Row { is_named: true, ..at(place, format, opener, body) }
}

const JSON: Body = Body::Json(Shape::Named);
const BARE: Body = Body::Json(Shape::Bare);

/// The formats. Rows of one format are neighbours; of rows with the same opener the first that fits counts.
pub(crate) static ROWS: &[Row] = &[
    row("hermes", "<tool_call>", JSON),
    row("hermes", "<tool_call>", Body::Python),
    named(Place::Anywhere, "hermes", "<tools>", BARE),
    row("hermes", "<longcat_tool_call>", JSON),
    row("hermes", "<|im_end|>", Body::Stop),
    row("qwen-xml", "<tool_call>", Body::Opener),
    row("qwen-xml", "<seed:tool_call>", Body::Opener),
    row("qwen-xml", "<function=", Body::Tags(&dialect::FUNCTION)),
    at(Place::Inside, "qwen-xml", "<function name=", Body::Tags(&dialect::FUNCTION)),
    at(Place::Inside, "qwen-xml", "<function>", Body::Tags(&dialect::FUNCTION_ELEMENT)),
    row("qwen-xml", "<function>", Body::Tags(&dialect::FUNCTION_ELEMENT)),
    at(Place::Inside, "qwen-xml", "function=", Body::Tags(&dialect::FUNCTION)),
    at(Place::Inside, "qwen-xml", "<invoke name=", Body::Tags(&dialect::INVOKE)),
    row("glm", "<tool_calls>", Body::Opener),
    row("glm", "<tool_call>", Body::Tags(&dialect::KEYS)),
    row("glm", "<tool_calls:opensource>", Body::Opener),
    row("glm", "<tool_call:opensource>", Body::Tags(&dialect::KEYS)),
    row("glm", "<tool_calls:6124c78e>", Body::Opener),
    row("glm", "<tool_call:6124c78e>", Body::Tags(&dialect::KEYS)),
    row("glm", "<longcat_tool_call>", Body::Tags(&dialect::KEYS)),
    row("glm", "<iquest_tool_call>", Body::Tags(&dialect::KEYS)),
    row("glm", "<iquestcoder_tool_call>", Body::Tags(&dialect::KEYS)),
    row("glm", "<|role_end|>", Body::Stop),
    row("glm", "<|user|>", Body::Stop),
    row("glm", "<|observation|>", Body::Stop),
    row("glm", "<|endoftext|>", Body::Stop),
    row("llama3-json", "<|python_tag|>", JSON),
    row("llama3-json", "<|python_tag|>", Body::Python),
    row("llama3-json", "<|eom_id|>", Body::Stop),
    row("llama3-json", "<|eot_id|>", Body::Stop),
    named(Place::Anywhere, "llama3-json", "[", BARE),
    named(Place::Anywhere, "llama3-json", "{", BARE),
    row("pythonic", "<|tool_call_start|>", Body::Python),
    row("pythonic", "<|tool_call_start|>", JSON),
    row("pythonic", "<|python_start|>", Body::Python),
    row("pythonic", "<|python_start|>", JSON),
    named(Place::Start, "pythonic", "[", Body::Python),
    row("olmo3", "<function_calls>", Body::Python),
    row("olmo3", "<function_calls>", JSON),
    row("mistral", "[TOOL_CALLS]", JSON),
    row("mistral", "[TOOL_CALLS]", Body::Name(&named::MISTRAL)),
    row("mistral", "<s>", Body::Break),
    row("mistral", "</s>", Body::Stop),
    row("deepseek-v3", "<｜tool▁calls▁begin｜>", Body::Opener),
    // The small models write the first mark in other ways, and leave out the second one.
    row("deepseek-v3", "<｜tool▁calls｜>", Body::Opener),
    row("deepseek-v3", "<｜tool_calls_begin｜>", Body::Opener),
    at(Place::Inside, "deepseek-v3", "function<｜tool▁sep｜>", Body::Name(&named::KIND)),
    row("deepseek-v3", "<｜tool▁call▁begin｜>", Body::Name(&named::DEEPSEEK)),
    row("deepseek-v3", "<｜end▁of▁sentence｜>", Body::Stop),
    row("deepseek-v3.1", "<｜tool▁calls▁begin｜>", Body::Opener),
    row("deepseek-v3.1", "<｜tool▁call▁begin｜>", Body::Name(&named::DEEPSEEK)),
    row("deepseek-dsml", "<｜DSML｜function_calls>", Body::Opener),
    row("deepseek-dsml", "<｜DSML｜tool_calls>", Body::Opener),
    // V4 misspells it.
    row("deepseek-dsml", "<｜DSML｜toolcalls>", Body::Opener),
    row("deepseek-dsml", "<｜DSML｜tool>", Body::Opener),
    row("deepseek-dsml", "<｜DSML｜invoke name=", Body::Tags(&dialect::DSML)),
    row("deepseek-dsml", "<｜｜DSML｜｜tool_calls>", Body::Opener),
    row("deepseek-dsml", "<｜｜DSML｜｜function_calls>", Body::Opener),
    row("deepseek-dsml", "<｜｜DSML｜｜invoke name=", Body::Tags(&dialect::DSML)),
    row("deepseek-dsml", "<‖DSML‖tool_calls>", Body::Opener),
    row("deepseek-dsml", "<‖DSML‖function_calls>", Body::Opener),
    row("deepseek-dsml", "<‖DSML‖invoke name=", Body::Tags(&dialect::DSML)),
    row("deepseek-dsml", "<|DSML|tool_calls>", Body::Opener),
    row("deepseek-dsml", "<|DSML|function_calls>", Body::Opener),
    row("deepseek-dsml", "<|DSML|invoke name=", Body::Tags(&dialect::DSML)),
    row("deepseek-dsml", "<||DSML||tool_calls>", Body::Opener),
    row("deepseek-dsml", "<||DSML||function_calls>", Body::Opener),
    row("deepseek-dsml", "<||DSML||invoke name=", Body::Tags(&dialect::DSML)),
    row("deepseek-dsml", "<｜DSML｜ calls>", Body::Opener),
    row("deepseek-dsml", "<｜DSML｜ invoke name=", Body::Tags(&dialect::DSML)),
    row("kimi-k2", "<|tool_calls_section_begin|>", Body::Opener),
    row("kimi-k2", "<|tool_call_section_begin|>", Body::Opener),
    row("kimi-k2", "<|tool_call_begin|>", Body::Name(&named::KIMI)),
    row("kimi-k3", "<|open|>tools<|sep|>", Body::Opener),
    row("kimi-k3", "<|open|>call", Body::Tags(&dialect::XTML)),
    row("kimi-k3", "<|open|>response<|sep|>", Body::Frame),
    row("kimi-k3", "<|close|>response<|sep|>", Body::Frame),
    row("kimi-k3", "<|open|>message<|sep|>", Body::Frame),
    row("kimi-k3", "<|close|>message<|sep|>", Body::Frame),
    // Servers may put spaces between tokens.
    row("kimi-k3", "<|open|> tools <|sep|>", Body::Opener),
    row("kimi-k3", "<|open|> call", Body::Tags(&dialect::XTML)),
    row("kimi-k3", "<|open|> response <|sep|>", Body::Frame),
    row("kimi-k3", "<|close|> response <|sep|>", Body::Frame),
    row("kimi-k3", "<|open|> message <|sep|>", Body::Frame),
    row("kimi-k3", "<|close|> message <|sep|>", Body::Frame),
    row("kimi-k3", "<|end_of_msg|>", Body::Frame),
    row("harmony", "<|channel|>", Body::Header),
    row("harmony", "<|start|>", Body::Header),
    at(Place::Start, "harmony", "to=", Body::Header),
    // The server has taken the first mark away.
    at(Place::Start, "harmony", "analysis<|message|>", Body::Header),
    at(Place::Start, "harmony", "analysis to=", Body::Header),
    at(Place::Start, "harmony", "commentary<|message|>", Body::Header),
    at(Place::Start, "harmony", "commentary to=", Body::Header),
    at(Place::Start, "harmony", "final<|message|>", Body::Header),
    // Beam's calls; the header names the tool.
    at(Place::Inside, "harmony", "<rfl:parameter name=", Body::Tags(&dialect::RFL)),
    row("harmony", "<|end|>", Body::Turn),
    row("harmony", "<|call|>", Body::Turn),
    row("harmony", "<|return|>", Body::Turn),
    row("muse-glimmer", "<atem:function_calls>", Body::Opener),
    row("muse-glimmer", "<atem:invoke name=", Body::Tags(&dialect::ATEM)),
    row("muse-glimmer", "<|start|>", Body::Header),
    at(Place::Start, "muse-glimmer", "to=", Body::Header),
    at(Place::Start, "muse-glimmer", "<|message|>", Body::Header),
    row("muse-glimmer", "<|eom|>", Body::Turn),
    row("muse-glimmer", "<|eot|>", Body::Turn),
    row("minimax-m2", "<function_calls>", Body::Opener),
    row("minimax-m2", "<tool_calls>", Body::Opener),
    row("minimax-m2", "<minimax:tool_call>", Body::Opener),
    row("minimax-m2", "<dots_function_call>", Body::Opener),
    row("minimax-m2", "<dots_function_call>", JSON),
    row("minimax-m2", "<invoke name=", Body::Tags(&dialect::INVOKE)),
    row("minimax-m2", "]<]minimax[>[<tool_call>", Body::Opener),
    row("minimax-m2", "]<]minimax[>[<invoke name=", Body::Tags(&dialect::ELEMENTS)),
    row("minimax-m1", "<tool_calls>", JSON),
    row("minimax-m1", "<|tool_calls|>", JSON),
    named(Place::Start, "minimax-m1", "<answer>\n", Body::Frame),
    named(Place::Anywhere, "minimax-m1", "</answer>", Body::Stop),
    row("gemma4", "<|tool_call>", Body::Name(&named::GEMMA)),
    row("gemma4", "<start_function_call>", Body::Name(&named::GEMMA)),
    named(Place::Word, "gemma4", "call:", Body::Name(&named::GEMMA)),
    row("gemma4", "<turn|>", Body::Stop),
    row("gemma4", "<eos>", Body::Stop),
    row("gemma4", "<end_of_turn>", Body::Stop),
    row("command", "<|START_ACTION|>", JSON),
    named(Place::Line, "command", "Action:", BARE),
    row("command", "<|END_OF_TURN_TOKEN|>", Body::Stop),
    at(Place::Start, "command", "<|CHATBOT_TOKEN|>", Body::Frame),
    row("command", "<|START_RESPONSE|>", Body::Frame),
    row("command", "<|END_RESPONSE|>", Body::Frame),
    row("command", "<|START_TEXT|>", Body::Frame),
    row("command", "<|END_TEXT|>", Body::Frame),
    row("nemotron", "<TOOLCALL>", JSON),
    row("granite", "<|tool_call|>", JSON),
    row("granite", "<tool_call>", JSON),
    row("granite", "<function_call>", JSON),
    row("granite", "<|end_of_text|>", Body::Stop),
    at(Place::Word, "phi4-mini", "functools[", JSON),
    row("internlm2", "<|action_start|>", Body::Opener),
    row("internlm2", "<|plugin|>", JSON),
    row("inkling", "<|content_invoke_tool_json|>", JSON),
    row("inkling", "<|message_model|>", Body::Header),
    row("inkling", "<|content_text|>", Body::Frame),
    row("inkling", "<|content_invoke_tool_text|>", Body::Frame),
    row("inkling", "<|content_tool_error|>", Body::Frame),
    row("inkling", "<|end_message|>", Body::Frame),
    row("inkling", "<|content_model_end_sampling|>", Body::Frame),
    row("step-3", "<｜tool_calls_begin｜>", Body::Opener),
    row("step-3", "<｜tool_call_begin｜>", Body::Opener),
    at(Place::Inside, "step-3", "function<｜tool_sep｜>", Body::Opener),
    row("step-3", "<steptml:invoke name=", Body::Tags(&dialect::STEP)),
    row("solar-open", "<|tool_call:start|>", Body::Tags(&dialect::SOLAR)),
    row("solar-open", "<|tool_calls|>", Body::Opener),
    row("solar-open", "<|tool_call:begin|>", Body::Name(&named::SOLAR)),
    row("solar-open", "<|think|>", Body::Header),
    row("solar-open", "<|content|>", Body::Header),
    row("solar-open", "<|begin|>assistant", Body::Frame),
    row("solar-open", "<|flush|>", Body::Frame),
    row("solar-open", "<|end|>", Body::Turn),
    row("k2-horizon", "<ifm|tool_calls>", Body::Opener),
    row("k2-horizon", "<ifm|tool_call>", JSON),
    row("k2-horizon", "<ifm|tool_call>", Body::Tags(&dialect::IFM)),
    row("plamo-3", "<|plamo:begin_tool_requests:plamo|>", Body::Opener),
    row("plamo-3", "<|plamo:begin_tool_request:plamo|>", Body::Opener),
    row("plamo-3", "<|plamo:begin_tool_name:plamo|>", Body::Name(&named::PLAMO)),
    row("plamo-3", "<|plamo:tag|>", Body::Stop),
    // It also ends the message before, whose end looks like that of reasoning.
    row("hyperclova-x", "<|im_end|>\n<|im_start|>assistant -> tool/function_call\n", JSON),
    row("hyperclova-x", "<|im_start|>assistant -> tool/function_call\n", JSON),
    at(Place::Start, "hyperclova-x", "-> tool/function_call\n", JSON),
    row("functionary", "<function=", Body::Tags(&dialect::FUNCTION)),
    row("functionary", "<function(", Body::Name(&named::BRACKETS)),
    named(Place::Start, "functionary", "all\n", Body::Frame),
    named(Place::Start, "functionary", "", Body::Name(&named::LINE)),
    named(Place::Anywhere, "functionary", ">>>all\n", Body::Frame),
    named(Place::Anywhere, "functionary", ">>>", Body::Name(&named::LINE)),
    row("apertus", "<|tools_prefix|>", Body::Json(Shape::Keyed)),
    at(Place::Start, "apertus", "<|assistant_start|>", Body::Frame),
    row("apertus", "<|assistant_end|>", Body::Stop),
    row("minicpm", "<function name=", Body::Tags(&dialect::PARAM)),
    row("minicpm", "<functionname=", Body::Tags(&dialect::PARAM)),
    row("minicpm", "<functionĠname=", Body::Tags(&dialect::PARAM)),
    row("gigachat", "<|message_sep|>\n\nfunction call<|role_sep|>", JSON),
    row("gigachat", "<|function_call|>", JSON),
    row("gigachat", "<｜GCML｜tool_calls>", Body::Opener),
    row("gigachat", "<｜GCML｜invoke name=", Body::Tags(&dialect::GCML)),
    named(Place::Anywhere, "xlam", "</think>", Body::Break),
    named(Place::Line, "xlam", "[", BARE),
    named(Place::Line, "xlam", "{", BARE),
    named(Place::Line, "xlam", "```json\n", BARE),
    named(Place::Line, "xlam", "```json\r\n", BARE),
    named(Place::Line, "xlam", "```\n", BARE),
    named(Place::Line, "xlam", "```\r\n", BARE),
    named(Place::Anywhere, "xlam", "<tool_call>", JSON),
    named(Place::Anywhere, "xlam", "[TOOL_CALLS]", JSON),
    named(Place::Line, "directive", "{", Body::Json(Shape::Alone)),
    named(Place::Line, "json-fence", "```json\n", BARE),
    named(Place::Line, "json-fence", "```json\r\n", BARE),
    named(Place::Line, "json-fence", "```tool_call\n", BARE),
    named(Place::Line, "json-fence", "```tool_call\r\n", BARE),
    named(Place::Line, "json-fence", "```\n", BARE),
    named(Place::Line, "json-fence", "```\r\n", BARE),
    named(Place::Line, "react", "Action:", Body::Name(&named::REACT)),
];

/// The names of all formats, each preceded by a comma.
pub(crate) fn names() -> String {
    let mut names = String::new();
    let mut last = "";
    for row in ROWS {
        if row.format != last {
            last = row.format;
            names.push_str(", ");
            names.push_str(last);
        }
    }
    names
}

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
