//! The output reads back as the input, except for reported losses, and streams read back as bodies do.

use respool::StreamOptions;
use respool::encode::{WireApi, encode_result};
use respool::model::{
    AnnotatedLlmResponse, ContentPart, Ending, FinishReason, MessageContent, StreamResult, WarningCode,
};
use serde_json::{Value as Json, json};

use crate::corpus::bodies;
use crate::corpus::streams::{read_bytes, replaces};
use crate::lifecycle::is_passed;
use crate::sources::{self, Output, api_of, encode, options};

/// Returns the content of a response in a form that can be compared, without reported losses.
pub(crate) fn content_of(response: &AnnotatedLlmResponse, lost: &Output) -> Json {
    let mut text = String::new();
    let (mut reasoning, mut seals) = (String::new(), Vec::new());
    match &response.message {
        Some(MessageContent::Text(plain)) => text.push_str(plain),
        Some(MessageContent::Parts(parts)) => {
            for part in parts {
                match part {
                    ContentPart::Text { text: more, .. } => text.push_str(more),
                    ContentPart::Reasoning { text, signature, encrypted, .. } => {
                        reasoning.push_str(text);
                        seals.push(json!([signature, encrypted]));
                    }
                    _ => {}
                }
            }
        }
        None => {}
    }
    if lost.has_lost(WarningCode::LostRefusal) {
        text.push_str(response.refusal.as_deref().unwrap_or_default());
    }
    if lost.has_lost(WarningCode::LostText) {
        text.retain(|c| !c.is_whitespace());
    }
    seals.retain(|seal| *seal != json!([null, null]));
    if lost.has_lost(WarningCode::LostSignature) {
        seals.clear();
    }
    let mut calls: Vec<Json> = response
        .tool_calls
        .iter()
        .map(|call| {
            let arguments = respool::json::compact(call.arguments.get());
            let signature = call.signature.as_ref().filter(|_| !lost.has_lost(WarningCode::LostSignature));
            json!([call.name, without_wrapper(&arguments), signature])
        })
        .collect();
    // Servers may start calls in another order than that of their indices.
    calls.sort_by_key(Json::to_string);
    json!({
        "text": text,
        "reasoning": reasoning,
        "seals": seals,
        "calls": calls,
        "finish": finish(response, lost),
        "usage": usage(response, lost),
    })
}

/// Returns the input of a custom tool as text, even if it was cut off, or the arguments of a function. Anthropic has
/// the input as a member of an object.
fn without_wrapper(arguments: &str) -> String {
    let text = |json: &str| serde_json::from_str(json).unwrap_or_else(|_| json.to_owned());
    let kept = text(arguments);
    let Some(input) = kept.strip_prefix("{\"input\":\"") else {
        return kept.strip_prefix('"').unwrap_or(&kept).to_owned();
    };
    let whole = input
        .strip_suffix("\"}")
        .or_else(|| input.strip_suffix('"'))
        .map(|input| text(&format!("\"{input}\"")));
    let input = whole.unwrap_or_else(|| input.to_owned());
    input.strip_prefix('"').unwrap_or(&input).to_owned()
}

fn finish(response: &AnnotatedLlmResponse, lost: &Output) -> Json {
    match &response.finish_reason {
        Some(FinishReason::Length) => json!("length"),
        Some(FinishReason::Unknown(word)) if matches!(&**word, "pause_turn" | "time_limit") => {
            json!("length")
        }
        Some(FinishReason::ContentFilter) => json!("content_filter"),
        Some(_) if lost.has_lost(WarningCode::LostRefusal) => json!("content_filter"),
        _ if response.has_tool_calls() => json!("tool_use"),
        _ => json!("complete"),
    }
}

fn usage(response: &AnnotatedLlmResponse, lost: &Output) -> Json {
    let Some(usage) = response.usage.as_ref().filter(|_| !lost.has_lost(WarningCode::LostUsage)) else {
        return Json::Null;
    };
    // Responses reports unknown details as 0.
    json!([
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_tokens.unwrap_or_default(),
        usage.cache_write_tokens.unwrap_or_default(),
        usage.reasoning_tokens.unwrap_or_default()
    ])
}

fn written(target: WireApi, output: &Output) -> StreamResult {
    let options = StreamOptions { api: Some(api_of(target)), ..StreamOptions::default() };
    read_bytes(options, [output.text.as_bytes()]).result
}

/// Encodes each stream that is complete, checks the output, and returns the faults.
fn faults(check: impl Fn(WireApi, &Output) -> Option<String>) -> Vec<String> {
    let mut faults = Vec::new();
    for source in sources::all() {
        for target in WireApi::ALL {
            if is_passed(&source.bytes, target) {
                continue;
            }
            let output = encode(target, options(), source.bytes.chunks(101));
            let is_reordered = output.result.warnings.iter().any(|warning| {
                matches!(
                    warning.code,
                    WarningCode::OutOfOrder
                        | WarningCode::ResumedStream
                        | WarningCode::SecondAnswer
                        | WarningCode::WithdrawnToolCall
                ) || replaces(warning.code, &warning.message)
            });
            if output.result.ending == Ending::Complete
                && !is_reordered
                && let Some(fault) = check(target, &output)
            {
                faults.push(format!("{} in {}: {fault}", source.name, target.as_str()));
            }
        }
    }
    faults
}

fn difference<T: PartialEq + std::fmt::Debug>(written: &T, wanted: &T) -> Option<String> {
    (written != wanted).then(|| format!("\n  wrote {written:?}\n  not   {wanted:?}"))
}

#[test]
fn encoded_streams_read_back_as_their_source() {
    let statuses = |result: &StreamResult| {
        let mut statuses: Vec<String> =
            result.tool_call_status.iter().map(|status| format!("{status:?}")).collect();
        statuses.sort();
        statuses
    };
    let faults = faults(|target, output| {
        let back = written(target, output);
        // Not all interfaces can mark a call as cut off.
        let may_look_whole = output.has_lost(WarningCode::LostContent);
        difference(&back.ending, &Ending::Complete)
            .or_else(|| difference(&statuses(&back), &statuses(&output.result)).filter(|_| !may_look_whole))
            .or_else(|| {
                difference(&content_of(&back.response, output), &content_of(&output.result.response, output))
            })
            .map(|fault| format!("{fault}\n  lost {:?}", output.lost))
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn streams_and_bodies_agree() {
    let faults = faults(|target, output| {
        let streamed = written(target, output).response;
        let whole = encode_result(&output.result, target, &options());
        let decoded = match bodies::decode(&whole.body) {
            Ok(decoded) => decoded,
            Err(error) => return Some(error.to_string()),
        };
        let ids = |response: &AnnotatedLlmResponse| -> Vec<String> {
            let mut ids: Vec<String> = response.tool_calls.iter().map(|call| call.id.clone()).collect();
            ids.sort();
            ids
        };
        // A stream begins with the first model; another one may take over later.
        let takes_over =
            serde_json::to_string(&output.result.response.api_specific).unwrap().contains("fallback");
        let has_model = streamed.model.as_deref() != Some("unknown") && !takes_over;
        difference(&content_of(&streamed, output), &content_of(&decoded, output))
            .or_else(|| difference(&ids(&streamed), &ids(&decoded)))
            .or_else(|| difference(&streamed.model, &decoded.model).filter(|_| has_model))
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn results_in_the_interface_of_their_source_read_back_as_the_source() {
    let mut faults = Vec::new();
    for source in sources::all() {
        for target in WireApi::ALL.into_iter().filter(|target| is_passed(&source.bytes, *target)) {
            let mut output = encode(target, options(), source.bytes.chunks(101));
            if output.result.ending != Ending::Complete {
                continue;
            }
            let encoded = encode_result(&output.result, target, &options());
            output.lost.extend(encoded.lost);
            let decoded = bodies::decode(&encoded.body).unwrap();
            let fault =
                difference(&content_of(&decoded, &output), &content_of(&output.result.response, &output));
            faults.extend(fault.map(|fault| format!("{} in {}: {fault}", source.name, target.as_str())));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
