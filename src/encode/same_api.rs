//! Writes a complete response in the interface that it came from, with its own content blocks, output items or
//! messages, and with its unrecognised members.

mod chat;
mod content;
mod reasoning;

use super::body::{Encoded, is_over};
use super::common_form::read_finish_reason;
use super::head::Head;
use super::json::{EMPTY_LIST, NULL};
use super::losses::LossWarnings;
use super::options::{EncodeOptions, WireApi};
use super::targets::{Target, target};
use super::usage::Counts;
use super::writer::Output;
use crate::accumulator::{Builder, Depth, ProviderFields, Recording};
use crate::body::Body;
use crate::json::{Document, Kind, Object, RawJson, ToJson, Value, to_json};
use crate::model::{Api, Limits, Usage, is_under_way};
use crate::provider::has_other_form;

/// Returns the body of a response that came from the same interface. `result` is the stream result with the calls of
/// its first choice, if there is one. Returns `None` if something has to be changed, or if the response doesn't have
/// the provider's form.
pub(super) fn encode_same(
    response: Value<'_>,
    result: Option<Value<'_>>,
    api: WireApi,
    options: &EncodeOptions,
) -> Option<Encoded> {
    let target = target(api);
    let own = response.get("apiSpecific")?;
    let is_own = response.get("api")?.is(target.source.as_str())
        && !response
            .get("extra")
            .is_some_and(|extra| extra.get("model_instance_id").is_some() || has_other_form(extra));
    // Every client waits for a finish reason, also if the stream ended without one.
    let lacks_reason = is_over(result) && response.get("finishReason").and_then(read_finish_reason).is_none();
    if !options.keeps_reasoning(api) || !is_own || lacks_reason {
        return None;
    }
    let mut body = Object::default();
    set(&mut body, "id", response.get("id")); // to be the first member
    if let Some(extra) = response.get("extra") {
        body.put_all(extra);
    }
    let head = head_of(response, target.prefix, &body, options);
    body.set("model", RawJson::string(&head.model));
    let usage = response.get("usage").and_then(|usage| usage.get("raw"));
    let sum =
        response.get("usage").filter(|_| usage.is_none()).and_then(|sum| write_total_usage(sum, target));
    let sum = sum.as_deref().and_then(|sum| Document::parse(sum, usize::MAX).ok());
    let usage = usage.or_else(|| sum.as_ref().map(Document::root));
    let mut lost = LossWarnings::default();
    match api {
        WireApi::OpenaiChat => {
            if !chat::has_chat_names(own, usage) {
                return None;
            }
            default(&mut body, "object", &"chat.completion");
            default(&mut body, "created", &head.created);
            body.set("choices", RawJson::valid(chat::choices(response, result, own, &mut lost)));
            put(&mut body, "system_fingerprint", own.get("systemFingerprint"));
            put(&mut body, "service_tier", own.get("serviceTier"));
            put(&mut body, "usage", usage);
        }
        WireApi::OpenaiResponses => {
            default(&mut body, "object", &"response");
            default(&mut body, "created_at", &head.created);
            default(&mut body, "status", &"completed");
            let is_stale =
                |status: &Value<'_>| is_over(result) && status.non_empty().is_some_and(is_under_way);
            put(&mut body, "status", own.get("status").filter(|status| !is_stale(status)));
            default(&mut body, "error", &NULL);
            set(&mut body, "incomplete_details", own.get("incompleteDetails"));
            body.set("output", list(own.get("outputItems")?)?);
            put(&mut body, "service_tier", own.get("serviceTier"));
            set(&mut body, "usage", usage);
        }
        WireApi::AnthropicMessages => {
            default(&mut body, "type", &"message");
            default(&mut body, "role", &"assistant");
            body.set("content", list(own.get("contentBlocks")?)?);
            set(&mut body, "stop_reason", response.get("rawFinishReason"));
            set(&mut body, "stop_sequence", own.get("stopSequence"));
            put(&mut body, "usage", usage);
        }
    }
    // Chat completions are written from the response itself; the others come from the provider's form, so they are
    // compared. Call ids may be derived from the id of the response, which is replaced only afterwards.
    if api != WireApi::OpenaiChat {
        let read = read_same_api(&body.to_json(), target.source, response)?;
        let reason = response.get("finishReason").and_then(read_finish_reason);
        if read.finish_of(0).0 != reason {
            return None;
        }
    }
    body.set("id", RawJson::string(&head.id));
    Some(Encoded { body: body.to_json(), lost: lost.into_list(), failure: None })
}

/// Writes the total usage of several answers, which no provider sent, in the provider's form.
fn write_total_usage(usage: Value<'_>, target: &Target) -> Option<String> {
    let counts = Counts::of(Some(&Usage::from_field_names(usage)), &mut Output::default())?;
    let mut written = String::new();
    (target.usage)(&counts, &mut written);
    Some(written)
}

/// A provider's form in which one list has the parts and calls of an answer in order.
pub(super) struct ProviderForm {
    pub(super) api: Api,
    /// The member of `apiSpecific` that is the list.
    member: &'static str,
    /// Text of a body before the list, and after it.
    before: &'static str,
    after: &'static str,
}

pub(super) static PROVIDER_FORMS: &[ProviderForm] = &[
    ProviderForm {
        api: Api::OpenaiResponses,
        member: "outputItems",
        before: "{\"object\":\"response\",\"output\":",
        after: "",
    },
    ProviderForm {
        api: Api::AnthropicMessages,
        member: "contentBlocks",
        before: "{\"type\":\"message\",\"content\":",
        after: "",
    },
    ProviderForm {
        api: Api::Gemini,
        member: "parts",
        before: "{\"candidates\":[{\"content\":{\"parts\":",
        after: "}}]",
    },
    ProviderForm {
        api: Api::GeminiInteractions,
        member: "steps",
        before: "{\"object\":\"interaction\",\"steps\":",
        after: "",
    },
    ProviderForm {
        api: Api::BedrockConverse,
        member: "contentBlocks",
        before: "{\"stopReason\":\"end_turn\",\"output\":{\"message\":{\"content\":",
        after: "}}",
    },
];

/// Returns the answer that a response was made from, read from the provider's form. `None` if there is no such form, or
/// if it differs from the response.
pub(super) fn read_provider_form(response: Value<'_>) -> Option<Builder> {
    response.get_items("toolCalls").next()?;
    let api = response.get("api")?;
    let origin = PROVIDER_FORMS.iter().find(|origin| api.is(origin.api.as_str()))?;
    let list = list(response.get("apiSpecific")?.get(origin.member)?)?;
    // Call ids may be derived from the id of the response.
    let id = response.get("id").and_then(Value::raw).unwrap_or_else(RawJson::null);
    let id = id.get();
    let body =
        [origin.before, list.get(), origin.after, ",\"id\":", id, ",\"responseId\":", id, "}"].concat();
    read_same_api(&body, origin.api, response)
}

/// Reads a body in the provider's form. Returns `None` if it differs from the response: its text still has the calls
/// and reasoning that were extracted, and it lacks the user's edits.
fn read_same_api(body: &str, api: Api, response: Value<'_>) -> Option<Builder> {
    let document = Document::parse(body, usize::MAX).ok()?;
    let read = Body::read(api, document.root(), Depth::Everything)?;
    let body_response = to_json(&read.response());
    let body_response = Document::parse(&body_response, usize::MAX).ok()?;
    let is_equal_member = |name| is_equal(body_response.root().get(name), response.get(name));
    ["message", "refusal", "toolCalls"].into_iter().all(is_equal_member).then_some(read.builder)
}

fn is_equal(one: Option<Value<'_>>, other: Option<Value<'_>>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return one.is_none() && other.is_none() };
    one.kind() == other.kind()
        && match one.kind() {
            Kind::String => one.text() == other.text(),
            // JavaScript has rounded the number that it parsed.
            Kind::Number => one.number() == other.number(),
            Kind::Array => {
                let (mut others, mut ones) = (other.items(), one.items());
                ones.all(|item| is_equal(Some(item), others.next())) && others.next().is_none()
            }
            Kind::Object => {
                let (mut others, mut ones) = (other.others(&[]), one.others(&[]));
                let is_next = |(name, value)| {
                    others
                        .next()
                        .is_some_and(|(other, same)| name == other && is_equal(Some(value), Some(same)))
                };
                ones.all(is_next) && others.next().is_none()
            }
            _ => one.compact() == other.compact(),
        }
}

/// Returns the head of a response.
fn head_of(response: Value<'_>, prefix: &str, extra: &Object, options: &EncodeOptions) -> Head {
    let mut answer = Builder::new(Limits::default(), Recording::Off);
    answer.set_id(&response.get_text("id").unwrap_or_default());
    answer.set_model(&response.get_text("model").unwrap_or_default());
    let fields = ProviderFields { extra: extra.clone(), ..ProviderFields::default() };
    Head::new(prefix, &answer, &fields, options)
}

/// Sets a member unless it is already there.
fn default(body: &mut Object, name: &str, value: &dyn ToJson) {
    if body.get(name).is_none() {
        let mut json = String::new();
        value.write_json(&mut json);
        body.set(name, RawJson::valid(json));
    }
}

/// Sets a member, if there is a value.
fn put(body: &mut Object, name: &str, value: Option<Value<'_>>) {
    if let Some(raw) = value.and_then(Value::raw) {
        body.set(name, raw);
    }
}

/// Sets a member, to null if there is no value.
fn set(body: &mut Object, name: &str, value: Option<Value<'_>>) {
    body.set(name, value.and_then(Value::raw).unwrap_or_else(RawJson::null));
}

fn list(value: Value<'_>) -> Option<RawJson> {
    if value.items().next().is_none() { Some(RawJson::valid(EMPTY_LIST.0)) } else { value.raw() }
}
