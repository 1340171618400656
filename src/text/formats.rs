//! The formats in which models write tool calls and reasoning into their text: data.
//!
//! A row says what a call begins with and which grammar follows. A new model is a row here and a fixture.

use super::json_calls::Shape;
use super::named::{self, Style};
use super::tags::{self, Dialect};

/// What follows an opener.
#[derive(Debug, Clone, Copy)]
pub(super) enum Body {
    /// JSON objects or an array of them.
    Json(Shape),
    /// Another opener.
    Opener,
    /// Tags; the opener is the first of them, or before a name.
    Tags(&'static Dialect),
    Python,
    Name(&'static Style),
    /// The header of a message, which says what the message is.
    Header,
    /// Nothing: it only frames the answer.
    Frame,
}

/// Where an opener has to stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Anywhere,
    /// At the beginning of a word.
    Word,
    /// At the beginning of a line.
    Line,
    /// Before any other text.
    Start,
}

/// What a format begins with.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) format: &'static str,
    pub(super) opener: &'static str,
    pub(super) body: Body,
    pub(super) place: Place,
    /// Whether it is read only where the format is named: it has no marks of its own, or such as prose has too.
    pub(super) is_named: bool,
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

/// The formats. The rows of one are neighbours; of rows with the same opener the first that fits counts.
pub(super) static ROWS: &[Row] = &[
    row("hermes", "<tool_call>", JSON),
    row("hermes", "<longcat_tool_call>", JSON),
    row("qwen-xml", "<tool_call>", Body::Opener),
    row("qwen-xml", "<seed:tool_call>", Body::Opener),
    row("qwen-xml", "<function=", Body::Tags(&tags::FUNCTION)),
    row("glm", "<tool_calls>", Body::Opener),
    row("glm", "<tool_call>", Body::Tags(&tags::KEYS)),
    row("llama3-json", "<|python_tag|>", JSON),
    row("llama3-json", "<|python_tag|>", Body::Python),
    named(Place::Anywhere, "llama3-json", "{", BARE),
    row("pythonic", "<|tool_call_start|>", Body::Python),
    row("pythonic", "<|tool_call_start|>", JSON),
    row("pythonic", "<|python_start|>", Body::Python),
    row("pythonic", "<|python_start|>", JSON),
    named(Place::Start, "pythonic", "[", Body::Python),
    row("olmo3", "<function_calls>", Body::Python),
    row("mistral", "[TOOL_CALLS]", JSON),
    row("mistral", "[TOOL_CALLS]", Body::Name(&named::MISTRAL)),
    row("deepseek-v3", "<｜tool▁calls▁begin｜>", Body::Opener),
    row("deepseek-v3", "<｜tool▁call▁begin｜>", Body::Name(&named::DEEPSEEK)),
    row("deepseek-v3.1", "<｜tool▁calls▁begin｜>", Body::Opener),
    row("deepseek-v3.1", "<｜tool▁call▁begin｜>", Body::Name(&named::DEEPSEEK)),
    row("deepseek-dsml", "<｜DSML｜function_calls>", Body::Opener),
    row("deepseek-dsml", "<｜DSML｜tool_calls>", Body::Opener),
    row("deepseek-dsml", "<｜DSML｜invoke name=", Body::Tags(&tags::DSML)),
    row("kimi-k2", "<|tool_calls_section_begin|>", Body::Opener),
    row("kimi-k2", "<|tool_call_begin|>", Body::Name(&named::KIMI)),
    row("harmony", "<|channel|>", Body::Header),
    row("harmony", "<|start|>", Body::Header),
    at(Place::Start, "harmony", "to=functions.", Body::Header),
    row("harmony", "<|end|>", Body::Frame),
    row("harmony", "<|return|>", Body::Frame),
    row("minimax-m2", "<function_calls>", Body::Opener),
    row("minimax-m2", "<minimax:tool_call>", Body::Opener),
    row("minimax-m2", "<invoke name=", Body::Tags(&tags::INVOKE)),
    row("minimax-m2", "]<]minimax[>[<tool_call>", Body::Opener),
    row("minimax-m2", "]<]minimax[>[<invoke name=", Body::Tags(&tags::ELEMENTS)),
    row("minimax-m1", "<tool_calls>", JSON),
    row("gemma4", "<|tool_call>", Body::Name(&named::GEMMA)),
    row("gemma4", "<start_function_call>", Body::Name(&named::GEMMA)),
    row("command", "<|START_ACTION|>", JSON),
    row("command", "<|START_RESPONSE|>", Body::Frame),
    row("command", "<|END_RESPONSE|>", Body::Frame),
    row("command", "<|START_TEXT|>", Body::Frame),
    row("command", "<|END_TEXT|>", Body::Frame),
    row("nemotron", "<TOOLCALL>", JSON),
    row("granite", "<|tool_call|>", JSON),
    row("granite", "<tool_call>", JSON),
    row("granite", "<function_call>", JSON),
    at(Place::Word, "phi4-mini", "functools[", JSON),
    row("internlm2", "<|action_start|>", Body::Opener),
    row("internlm2", "<|plugin|>", JSON),
    row("functionary", "<function=", Body::Tags(&tags::FUNCTION)),
    named(Place::Start, "functionary", "", Body::Name(&named::LINE)),
    named(Place::Line, "functionary", ">>>all\n", Body::Frame),
    named(Place::Line, "functionary", ">>>", Body::Name(&named::LINE)),
    row("apertus", "<|tools_prefix|>", Body::Json(Shape::Keyed)),
    row("minicpm", "<function name=", Body::Tags(&tags::PARAM)),
    row("minicpm", "<functionname=", Body::Tags(&tags::PARAM)),
    row("minicpm", "<functionĠname=", Body::Tags(&tags::PARAM)),
    row("gigachat", "<|message_sep|>\n\nfunction call<|role_sep|>", JSON),
    row("gigachat", "<|function_call|>", JSON),
    named(Place::Line, "xlam", "[", BARE),
    named(Place::Line, "xlam", "{", BARE),
    named(Place::Line, "xlam", "```json\n", BARE),
    named(Place::Line, "xlam", "```\n", BARE),
    named(Place::Anywhere, "xlam", "<tool_call>", JSON),
    named(Place::Anywhere, "xlam", "[TOOL_CALLS]", JSON),
    named(Place::Line, "directive", "{", Body::Json(Shape::Alone)),
    named(Place::Line, "json-fence", "```json\n", BARE),
    named(Place::Line, "json-fence", "```tool_call\n", BARE),
    named(Place::Line, "json-fence", "```\n", BARE),
    named(Place::Line, "react", "Action:", Body::Name(&named::REACT)),
];

/// All names of formats, each after a comma.
pub(super) fn names() -> String {
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

/// The tags between which reasoning stands.
pub(super) static REASONING: &[(&str, &str)] = &[
    ("<think>", "</think>"),
    ("[THINK]", "[/THINK]"),
    ("<seed:think>", "</seed:think>"),
    ("◁think▷", "◁/think▷"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<mm:think>", "</mm:think>"),
    ("<|channel>thought\n", "<channel|>"),
];

/// What ends a message whose header says that it is reasoning.
pub(super) static MESSAGE_ENDS: &[&str] = &["<|end|>", "<|call|>", "<|return|>", "<|start|>", "<|channel|>"];
