//! The choices of a chat completion, with their unrecognised members.

use super::content::Parts;
use super::reasoning::write_reasoning;
use crate::collect::Collect;
use crate::encode::common_calls::{CommonCall, read_calls};
use crate::encode::common_form::read_finish_reason;
use crate::encode::custom::cut_input;
use crate::encode::json::{list, object};
use crate::encode::losses::LossWarnings;
use crate::json::{Document, Object, RawJson, Value};
use crate::model::FinishReason;
use crate::provider::{EXECUTED_TOOLS, finish_of, listed_server_tool_of};

/// Returns the list of choices as JSON.
pub(super) fn choices(
    response: Value<'_>,
    result: Option<Value<'_>>,
    own: Value<'_>,
    lost: &mut LossWarnings,
) -> String {
    let first = FirstChoiceData { result, logprobs: own.get("logprobs") };
    let mut several = response.get_items("choices").peekable();
    if several.peek().is_none() {
        // Only the details have its index.
        let details = own.get_items("choices").next();
        let index = details.and_then(|details| details.get_unsigned("index")).unwrap_or_default();
        return ["[", &choice(response, index, details, first, lost), "]"].concat();
    }
    let written: Vec<String> = (0..)
        .zip(several)
        .map(|(at, value)| {
            let index = value.get_unsigned("index").unwrap_or(at);
            let details = own.get_items("choices").find(|own| own.get_unsigned("index") == Some(index));
            choice(value, index, details, if at == 0 { first } else { FirstChoiceData::default() }, lost)
        })
        .collect_vec();
    list(&written)
}

/// Whether the kept fields have the names of chat completions, not those of `DashScope` or Oracle.
pub(super) fn has_chat_names(own: Value<'_>, usage: Option<Value<'_>>) -> bool {
    let is_counted = usage.is_none_or(|usage| {
        let has = |name| usage.get(name).is_some();
        has("prompt_tokens") || has("completion_tokens") || !(has("input_tokens") || has("promptTokens"))
    });
    is_counted && !own.get_items("choices").any(is_oracle)
}

fn is_oracle(choice: Value<'_>) -> bool {
    choice.get("choice").is_some_and(|choice| choice.get("finishReason").is_some())
}

/// Data that only the first choice has: the stream result with its calls, and its log probabilities.
#[derive(Clone, Copy, Default)]
struct FirstChoiceData<'a> {
    result: Option<Value<'a>>,
    logprobs: Option<Value<'a>>,
}

/// Returns a choice as JSON, with its details.
fn choice(
    choice: Value<'_>,
    index: u64,
    details: Option<Value<'_>>,
    first: FirstChoiceData<'_>,
    lost: &mut LossWarnings,
) -> String {
    let members = |name| details.and_then(|details| details.get(name));
    let mut written = Object::default();
    written.set("index", RawJson::of(&index));
    written.set("message", RawJson::valid(message(choice, first.result, details, lost)));
    let logprobs = members("logprobs").or(first.logprobs);
    written.set("logprobs", logprobs.and_then(Value::raw).unwrap_or_else(RawJson::null));
    written.set("finish_reason", finish_reason(choice).unwrap_or_else(RawJson::null));
    if let Some(members) = members("choice") {
        written.put_all(members);
    }
    written.to_json()
}

/// Returns the finish reason as it came, unless there is none, as some servers end with another event, or the calls or
/// the reason were edited.
fn finish_reason(choice: Value<'_>) -> Option<RawJson> {
    let raw = choice.get("rawFinishReason");
    let reason = choice.get("finishReason").and_then(read_finish_reason);
    let has_calls = choice.get_items("toolCalls").next().is_some();
    let word = match reason {
        Some(FinishReason::Complete | FinishReason::ToolUse) if has_calls => "tool_calls",
        Some(FinishReason::Complete | FinishReason::ToolUse) => "stop",
        Some(FinishReason::Length) => "length",
        Some(FinishReason::ContentFilter) => "content_filter",
        Some(FinishReason::Unknown(_)) | None => return raw?.raw(),
    };
    let is_same = |raw: &Value<'_>| {
        let raw = raw.text().map(|raw| finish_of(&raw).reason);
        // Some servers end calls with `stop`.
        let is_usual =
            has_calls && reason == Some(FinishReason::ToolUse) && raw == Some(FinishReason::Complete);
        is_usual || raw == Some(finish_of(word).reason)
    };
    raw.filter(is_same).and_then(Value::raw).or_else(|| Some(RawJson::string(word)))
}

fn message(
    choice: Value<'_>,
    result: Option<Value<'_>>,
    details: Option<Value<'_>>,
    lost: &mut LossWarnings,
) -> String {
    let parts = Parts::of(choice, details);
    if parts.lacks_members {
        lost.add_fields();
    }
    let [members, call_members] = ["message", "toolCalls"].map(|name| details.and_then(|all| all.get(name)));
    let mut message = Object::default();
    message.set("role", RawJson::string("assistant"));
    message.set("content", parts.content());
    message.set("refusal", choice.get("refusal").and_then(Value::raw).unwrap_or_else(RawJson::null));
    for (name, items) in [("annotations", &parts.annotations), ("images", &parts.images)] {
        if !items.is_empty() {
            message.set(name, RawJson::of(items));
        }
    }
    if let Some(audio) = parts.audio {
        message.set("audio", audio);
    }
    for tool in parts.tools {
        let name = tool_list_name(tool);
        // Tools that the provider lists separately are written with the details.
        if members.and_then(|members| members.get(name)).is_none() || name == TOOL_CALLS {
            message.add(name, tool);
        }
    }
    for call in read_calls(choice, result) {
        message.add_item(TOOL_CALLS, RawJson::valid(write_call(&call, call_members)));
    }
    if let Some(members) = members {
        // The kept content was already read into the parts.
        message.append_others(members, &["content"]);
    }
    write_reasoning(&parts.reasoning, members, &mut message);
    message.to_json()
}

const TOOL_CALLS: &str = "tool_calls";

/// Returns the name of the list in a message that a server tool belongs to.
fn tool_list_name(tool: Value<'_>) -> &'static str {
    if listed_server_tool_of(tool).is_some() {
        TOOL_CALLS
    } else if tool.get("type").is_some_and(|kind| kind.is("reasoning.server_tool_call")) {
        "reasoning_details"
    } else {
        EXECUTED_TOOLS
    }
}

/// Returns a call as JSON, with its unrecognised members.
fn write_call(known: &CommonCall<'_>, details: Option<Value<'_>>) -> String {
    let call = known.call;
    let id = call.get_text("id").unwrap_or_default();
    let name = call.get_text("name").unwrap_or_default();
    let details =
        details.and_then(|all| all.others(&[]).find(|(key, _)| *key == *id)).map(|(_, value)| value);
    let is_custom = details.and_then(|details| details.get("type")).is_some_and(|kind| kind.is("custom"));
    let arguments = &known.arguments.text;
    let mut written = Object::default();
    written.set("id", RawJson::string(&id));
    written.set("type", RawJson::string(if is_custom { "custom" } else { "function" }));
    let mut function = String::new();
    if is_custom {
        object!(&mut function, "name": &&*name, "input": &input_of(arguments));
    } else {
        let arguments = if known.lacks_arguments() { "" } else { arguments };
        object!(&mut function, "name": &&*name, "arguments": &arguments);
    }
    written.set(if is_custom { "custom" } else { "function" }, RawJson::valid(function));
    if let Some(details) = details {
        written.put_others(details, &["function"]);
    }
    written.to_json()
}

/// Decodes the input of a custom tool, which is a JSON string or the beginning of one.
fn input_of(arguments: &str) -> String {
    match Document::parse(arguments, 512) {
        Ok(document) => document.root().text().unwrap_or_default().into_owned(),
        Err(_) => cut_input(arguments),
    }
}
