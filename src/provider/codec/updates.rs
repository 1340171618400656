//! The data that a codec returns: a list of updates, each an object with a `type`.

use super::calls::Calls;
use crate::accumulator::{Builder, Finish, Place, ProviderFields, Slot};
use crate::error::quote;
use crate::json::{Kind, Object, RawJson, Value};
use crate::model::{ApiSpecific, ContentPart, Failure, FailureCode, FinishReason, Usage, WarningCode};
use crate::save::state;

/// Data of a response that a codec has read and the [`Builder`] doesn't keep.
#[derive(Debug, Default)]
pub struct CustomFields {
    data: Option<RawJson>,
    extra: Object,
    calls: Calls,
}

state! { struct CustomFields { data, extra, calls } }

impl CustomFields {
    /// Returns the fields for the result.
    pub fn fields(&self, api_name: &str) -> ProviderFields {
        let data = self.data.clone().unwrap_or_else(RawJson::null);
        let api_specific = ApiSpecific::Custom { api_name: api_name.to_owned(), data };
        ProviderFields { api_specific: Some(api_specific), extra: self.extra.clone() }
    }
}

/// Applies one update.
///
/// | `type` | members |
/// |---|---|
/// | `id` | `id` |
/// | `model` | `model` |
/// | `text`, `refusal` | `text`, `part?`, `choice?` |
/// | `reasoning` | `text?`, `signature?`, `encrypted?`, `part?`, `choice?` |
/// | `tool-call` | `index?`, `id?`, `name?`, `arguments?` (a piece of JSON text, or an object), `done?`, `choice?` |
/// | `annotation` | `annotation`, `part?`, `choice?` |
/// | `other` | `raw`, `part?`, `choice?` |
/// | `usage` | the counts of `Usage` |
/// | `finish` | `finishReason` (a common word, or any other), `rawFinishReason?`, `choice?` |
/// | `error` | `message`, `providerType?`, `providerCode?` |
/// | `warning` | `message` |
/// | `extra` | `name`, `value` |
/// | `data` | `data`: for `apiSpecific.data` |
/// | `done` | |
///
/// A `tool-call` update at the same index, or without one, starts another call if its id differs. If either has no id,
/// a different name starts another call too, and so does any id or name after a call that is `done`.
///
/// # Errors
/// A sentence that says why the update is invalid.
pub fn apply_update(update: Value<'_>, custom: &mut CustomFields, out: &mut Builder) -> Result<(), String> {
    apply(update, custom, out).map_err(|property| invalid_update_message(update, property))
}

/// Returns why an update is invalid, given the property that is missing or invalid.
fn invalid_update_message(update: Value<'_>, property: &'static str) -> String {
    let kind = quote(update.get_non_empty("type").unwrap_or_default());
    let value = update.get(property).filter(|value| value.kind() != Kind::Null);
    let json = value.and_then(Value::compact).unwrap_or_default();
    match (property, value) {
        ("type", Some(_)) => ["invalid update: unknown type ", &kind].concat(),
        ("type", None) => "invalid update: it has no `type`".to_owned(),
        (_, None) => ["invalid update of the type ", &kind, ": `", property, "` is missing"].concat(),
        (_, Some(_)) => {
            ["invalid update of the type ", &kind, ": `", property, "` can't be ", excerpt(&json)].concat()
        }
    }
}

/// Returns the beginning of a JSON text, for a message.
fn excerpt(json: &str) -> &str {
    json.get(..json.floor_char_boundary(80)).unwrap_or_default()
}

/// Applies an update. The error is the property that is missing or invalid.
fn apply(update: Value<'_>, custom: &mut CustomFields, out: &mut Builder) -> Result<(), &'static str> {
    let place = place(update)?;
    match update.get_non_empty("type").unwrap_or_default() {
        "id" => out.set_id(&update.get_text("id").ok_or("id")?),
        "model" => out.set_model(&update.get_text("model").ok_or("model")?),
        "text" => out.append_text(place, &update.get_fragment("text").ok_or("text")?),
        "refusal" => out.push_refusal(place, &update.get_fragment("text").ok_or("text")?),
        "reasoning" => apply_reasoning(place, update, out),
        "tool-call" => apply_tool_call(place, update, &mut custom.calls, out)?,
        "annotation" => out.push_annotation(place, raw(update, "annotation")?),
        "other" => out.set_part(place, ContentPart::Other { raw: raw(update, "raw")? }),
        "usage" => apply_usage(update, out),
        "finish" => out.finish(place.choice, read_finish(update).ok_or("finishReason")?),
        "error" => out.fail(Failure {
            provider_type: update.get_string("providerType"),
            provider_code: update.get_string("providerCode"),
            ..Failure::new(FailureCode::ProviderError, update.get_text("message").ok_or("message")?)
        }),
        "warning" => out.warn(WarningCode::InvalidEvent, update.get_text("message").ok_or("message")?),
        "extra" => {
            let name = update.get_non_empty("name").ok_or("name")?;
            custom.extra.put(name, update.get("value").ok_or("value")?);
        }
        "data" => custom.data = Some(raw(update, "data")?),
        "done" => out.finish_stream(),
        _ => return Err("type"),
    }
    Ok(())
}

fn raw(update: Value<'_>, name: &'static str) -> Result<RawJson, &'static str> {
    update.get(name).and_then(Value::raw).ok_or(name)
}

fn apply_reasoning(place: Place, update: Value<'_>, out: &mut Builder) {
    out.append_reasoning(place, &update.get_fragment("text").unwrap_or_default());
    if let Some(signature) = update.get_non_empty("signature") {
        out.push_signature(place, signature);
    }
    if let Some(encrypted) = update.get_non_empty("encrypted") {
        out.push_encrypted(place, encrypted);
    }
}

fn apply_tool_call(
    at: Place,
    update: Value<'_>,
    calls: &mut Calls,
    out: &mut Builder,
) -> Result<(), &'static str> {
    let arguments = update.get("arguments").filter(|arguments| arguments.kind() != Kind::Null);
    if arguments.is_some_and(|arguments| !matches!(arguments.kind(), Kind::Object | Kind::String)) {
        return Err("arguments");
    }
    let [id, name] = ["id", "name"].map(|name| update.get_non_empty(name));
    let place = calls.place(at, id, name, out);
    out.open_call(place, id, name);
    match arguments {
        Some(arguments) if arguments.is_object() => {
            out.push_object_arguments(place, arguments.compact().unwrap_or_default());
        }
        Some(arguments) => out.push_arguments(place, &arguments.fragment().unwrap_or_default()),
        None => {}
    }
    if update.get("done").and_then(Value::boolean) == Some(true) {
        out.end_call(place);
    }
    Ok(())
}

/// Reads a common reason, or another word, also as `{ unknown: word }`.
fn read_finish(update: Value<'_>) -> Option<Finish> {
    let reason = update.get("finishReason")?;
    let word = reason.non_empty().or_else(|| reason.get_non_empty("unknown"))?;
    let raw = update.get_non_empty("rawFinishReason").unwrap_or(word).to_owned();
    Some(Finish { reason: FinishReason::from_word(word), raw: Some(raw), or_tool_use: true })
}

fn apply_usage(update: Value<'_>, out: &mut Builder) {
    let invalid = Usage::COUNTS.iter().find(|name| {
        update.get(name).is_some_and(|count| count.kind() != Kind::Null && count.unsigned().is_none())
    });
    let usage = read_usage(update);
    if let Some(name) = invalid {
        let message = ["Skipped `", name, "` of the codec's usage: it isn't a whole number"].concat();
        out.warn_once(WarningCode::InvalidEvent, message);
    } else if usage.raw.is_some() && usage.is_empty_usage() {
        let message = "The codec's usage has no known count, such as `inputTokens`".to_owned();
        out.warn_once(WarningCode::InvalidEvent, message);
    }
    out.set_usage(usage);
}

fn read_usage(update: Value<'_>) -> Usage {
    let mut own = Usage::from_field_names(update);
    own.raw = own.raw.or_else(|| unknown_members(update));
    if update.get("reportedCost").is_none_or(|cost| cost.number().is_none()) {
        own.reported_cost = None;
    }
    let (input, uncached, output) = (own.input_tokens, own.uncached_input_tokens, own.output_tokens);
    let mut usage = own.with_cache_inside();
    usage.input_tokens = input.or(usage.input_tokens);
    usage.uncached_input_tokens = uncached.or(usage.uncached_input_tokens);
    usage.output_tokens = output.or(usage.output_tokens);
    usage
}

/// Returns the members of a usage that aren't fields of [`Usage`].
fn unknown_members(update: Value<'_>) -> Option<RawJson> {
    let mut unknown = Object::default();
    for (name, value) in update.others(&["type", "raw", "reportedCost", "serviceTier"]) {
        if !Usage::COUNTS.contains(&&*name) {
            unknown.set_value(&name, value);
        }
    }
    (!unknown.is_empty()).then(|| RawJson::of(&unknown))
}

/// Returns the place of an update: parts are ordered by `part`, calls by `index`. The error is the property that isn't
/// a non-negative integer.
fn place(update: Value<'_>) -> Result<Place, &'static str> {
    let number = |name| match update.get(name) {
        Some(value) if value.kind() != Kind::Null => value.unsigned().map(Some).ok_or(name),
        _ => Ok(None),
    };
    let choice = u32::try_from(number("choice")?.unwrap_or_default()).unwrap_or(u32::MAX);
    let (part, index) = (number("part")?, number("index")?);
    Ok(Place { choice, slot: Slot(part.or(index).unwrap_or_default(), 0) })
}

#[cfg(test)]
mod tests;
