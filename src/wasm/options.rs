//! Options and agents as JavaScript gives them.

use tsify::Tsify;
use wasm_bindgen::JsValue;

use super::input::describe;
use super::js_document::JsDocument;
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Kind, Value};
use crate::model::{Agent, Api, Limits};
use crate::provider::PROVIDERS;
use crate::{StreamOptions, TextBlocks};

/// Options of `StreamAccumulator`.
#[derive(Tsify)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "the shape of what users write; it is read by read_stream_options")]
struct StreamAccumulatorOptions {
    /// The interface that the stream comes from, or the name of a registered codec; `"auto"`, which is the
    /// default, finds it out from the first event.
    #[tsify(optional, type = "Api | \"auto\" | (string & {})")]
    api: Option<Api>,
    /// What is known about the request; it decides where an event could be of several interfaces.
    #[tsify(optional, type = "{ model?: { provider?: string; apiType?: string }; outputs?: unknown }")]
    agent: Agent,
    /// Bounds on what a provider may make the accumulator hold.
    #[tsify(optional)]
    limits: Limits,
    /// Whether neighbouring pieces of text of one read become one delta. Default true.
    #[tsify(optional)]
    coalesce: bool,
    /// Whether events that repeat the one before but for their text are read without looking at the rest. That
    /// makes no difference but to the time. Default true.
    #[tsify(optional)]
    templates: bool,
    /// Whether `json` deltas tell what becomes known of the arguments of tool calls while they arrive, and of the
    /// text where `agent.outputs` says that it is JSON. Default false.
    #[tsify(optional)]
    partial_json: bool,
}

/// Options of `process`.
#[derive(Tsify)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProcessOptions {
    /// Which text blocks of an Anthropic answer count: `"all"`, the default, joins them; `"first"` takes the
    /// first one.
    #[tsify(optional, type = "\"all\" | \"first\"")]
    pub(super) text_blocks: TextBlocks,
    /// What embeddings come as: `"array"`, the default, a `"float32"` or a `"float64"` array. An array that is
    /// in this form already, in a response that is an object, is handed back as it is.
    #[tsify(optional, type = "\"array\" | \"float32\" | \"float64\"")]
    pub(super) vectors: VectorsOption,
}

/// What embeddings come as. In js/host.js these are numbers.
#[derive(Clone, Copy)]
pub(super) enum VectorsOption {
    Array = 0,
    Float32 = 1,
    Float64 = 2,
}

/// The options of a stream.
pub(super) fn read_stream_options(options: &JsValue) -> Result<StreamOptions> {
    let document = open(options, "options")?;
    let options = document.root();
    check_names(options, "options", &["api", "agent", "limits", "coalesce", "templates", "partialJson"])?;
    let switch = |name, default| read_switch(options, name, default);
    let (coalesce, templates) = (switch("coalesce", true)?, switch("templates", true)?);
    let partial_json = switch("partialJson", false)?;
    let name = options.get_filled("api");
    if name.is_none() && options.get("api").is_some() {
        return Err(wrong("options.api", "the name of an interface, or \"auto\""));
    }
    let name = name.filter(|name| name != "auto");
    let entry = PROVIDERS.iter().find(|entry| name.as_deref() == Some(entry.api.as_str()));
    let api = entry.map(|entry| entry.api);
    // Any other name is a codec's; the accumulator says so where there is none.
    let codec = name.filter(|_| api.is_none()).map(Into::into);
    let agent = options.get("agent").map(agent_of).unwrap_or_default();
    let limits = read_limits(options)?;
    Ok(StreamOptions { api, codec, agent, limits, coalesce, templates, partial_json })
}

fn read_limits(options: Value<'_>) -> Result<Limits> {
    let mut limits = Limits::default();
    let Some(object) = options.get("limits") else { return Ok(limits) };
    if !object.is_object() {
        return Err(wrong("options.limits", "an object"));
    }
    let names = &["maxEventBytes", "maxTotalBytes", "maxToolCalls", "maxChoices", "maxDepth"];
    check_names(object, "options.limits", names)?;
    for (name, limit) in [
        ("maxEventBytes", &mut limits.max_event_bytes),
        ("maxTotalBytes", &mut limits.max_total_bytes),
        ("maxToolCalls", &mut limits.max_tool_calls),
        ("maxChoices", &mut limits.max_choices),
        ("maxDepth", &mut limits.max_depth),
    ] {
        if let Some(value) = object.get(name) {
            let is_endless = value.number().is_some_and(|number| number == f64::INFINITY);
            let number = value.unsigned().map(|number| usize::try_from(number).unwrap_or(usize::MAX));
            *limit = number
                .filter(|number| *number > 0)
                .or(is_endless.then_some(usize::MAX))
                .ok_or_else(|| wrong(&format!("options.limits.{name}"), "a whole number above 0"))?;
        }
    }
    Ok(limits)
}

/// The options of `process`.
pub(super) fn read_process_options(options: &JsValue) -> Result<ProcessOptions> {
    if options.is_undefined() {
        return Ok(ProcessOptions { text_blocks: TextBlocks::All, vectors: VectorsOption::Array });
    }
    let document = open(options, "options")?;
    let options = document.root();
    check_names(options, "options", &["textBlocks", "vectors"])?;
    let is_first = read_word(options, "textBlocks", &["all", "first"])? == 1;
    let vectors = match read_word(options, "vectors", &["array", "float32", "float64"])? {
        1 => VectorsOption::Float32,
        2 => VectorsOption::Float64,
        _ => VectorsOption::Array,
    };
    Ok(ProcessOptions { text_blocks: if is_first { TextBlocks::First } else { TextBlocks::All }, vectors })
}

/// The agent out of an object; nothing is known where there is none.
pub(super) fn read_agent(agent: &JsValue) -> Agent {
    agent_of(JsDocument::new(agent).root())
}

fn agent_of(agent: Value<'_>) -> Agent {
    let model = agent.get("model");
    let text = |name| model?.get_filled(name).map(Into::into);
    Agent {
        provider: text("provider"),
        api_type: text("apiType"),
        expects_json: agent.get("outputs").is_some_and(is_filled),
    }
}

/// Whether a value says anything: not `false`, `""`, `0`, `[]` or `{}`.
fn is_filled(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::Null => false,
        Kind::Boolean => value.boolean() == Some(true),
        Kind::Number => value.number().is_some_and(|number| number != 0.0),
        Kind::String => value.filled().is_some(),
        Kind::Array => value.items().next().is_some(),
        Kind::Object => value.others(&[]).next().is_some(),
    }
}

/// An object with options; an empty one where there is none.
fn open(options: &JsValue, what: &str) -> Result<JsDocument> {
    let is_object = options.is_object() && !js_sys::Array::is_array(options);
    if options.is_undefined() || options.is_null() || is_object {
        return Ok(JsDocument::new(options));
    }
    Err(wrong(what, &format!("an object, not {}", describe(options))))
}

/// Whether a switch is on.
fn read_switch(options: Value<'_>, name: &'static str, default: bool) -> Result<bool> {
    let Some(value) = options.get(name) else { return Ok(default) };
    value.boolean().ok_or_else(|| wrong(&format!("options.{name}"), "true or false"))
}

/// Which one of several words it is; the first one where there is none.
fn read_word(object: Value<'_>, name: &'static str, words: &[&str]) -> Result<usize> {
    let Some(value) = object.get(name) else { return Ok(0) };
    let found = words.iter().position(|word| value.is(word));
    found.ok_or_else(|| wrong(&format!("options.{name}"), &format!("one of {}", list(words))))
}

/// Words, with commas between.
fn list(words: &[&str]) -> String {
    let mut list = String::new();
    for word in words {
        list.push_str(if list.is_empty() { "" } else { ", " });
        list.push_str(word);
    }
    list
}

/// A name that is misspelt would be ignored: it is an error.
fn check_names(object: Value<'_>, path: &str, known: &'static [&'static str]) -> Result<()> {
    match object.others(known).next() {
        None => Ok(()),
        Some((name, _)) => {
            let message = format!("{path} has no {name}; there are {}", list(known));
            Err(Error::new(ErrorCode::InvalidOption, message))
        }
    }
}

fn wrong(path: &str, expected: &str) -> Error {
    Error::new(ErrorCode::InvalidOption, format!("{path} must be {expected}"))
}
