//! Cases that fixtures can't show: details that accumulate over chunks, and paths of arguments.

use serde_json::{Value, json};

use super::ENTRY;
use crate::accumulator::{Builder, Recording};
use crate::json::Document;
use crate::model::{Ending, Limits, WarningCode};
use crate::provider::Event;

/// Reads chunks with a candidate each. Returns the result as JSON, and the codes of the warnings.
fn read(candidates: &[Value]) -> (Value, Vec<WarningCode>) {
    let mut out = Builder::new(Limits::default(), Recording::EachEvent);
    let mut reader = (ENTRY.reader)();
    for candidate in candidates {
        let chunk = json!({ "candidates": [candidate] }).to_string();
        let tape = Document::parse(&chunk, 64).unwrap();
        reader.read(&Event::new(None, tape.root()), &mut out);
    }
    let result = out.result(Ending::Open, reader.fields(&out));
    (serde_json::to_value(&result).unwrap(), result.warnings.iter().map(|warning| warning.code).collect())
}

#[test]
fn log_probabilities_are_concatenated() {
    let chunk = |token: &str| {
        let tokens = json!({ "chosenCandidates": [{ "token": token }] });
        json!({ "content": { "parts": [{ "text": token }] }, "logprobsResult": tokens })
    };
    let (result, _) = read(&["a", "b", "c"].map(chunk));
    let tokens = &result["response"]["apiSpecific"]["candidate"]["logprobsResult"]["chosenCandidates"];
    assert_eq!(tokens, &json!([{ "token": "a" }, { "token": "b" }, { "token": "c" }]));
}

#[test]
fn members_next_to_the_parts_are_kept() {
    let content = |more: Value| {
        let mut content = json!({ "role": "model", "parts": [{ "text": "Low." }] });
        content.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "content": content })
    };
    let candidates = [content(json!({ "tide": 1 })), content(json!({ "moon": { "phase": 2 } }))];
    let (result, _) = read(&candidates);
    let wanted = json!({ "tide": 1, "moon": { "phase": 2 } });
    assert_eq!(result["response"]["apiSpecific"]["candidate"]["content"], wanted);
    assert_eq!(read(&[content(json!({}))]).0["response"]["apiSpecific"].get("candidate"), None);
}

#[test]
fn the_first_reason_other_than_stop_is_used() {
    let reasons = ["STOP", "MAX_TOKENS", "STOP", "SAFETY"];
    let chunks: Vec<_> = reasons
        .iter()
        .flat_map(|reason| [0, 1].map(|index| json!({ "index": index, "finishReason": reason })))
        .collect();
    let (result, _) = read(&chunks);
    assert_eq!(result["finishReason"], "length");
    assert_eq!(result["response"]["rawFinishReason"], "MAX_TOKENS");
    assert_eq!(result["response"]["apiSpecific"]["otherCandidates"][0]["finishReason"], "MAX_TOKENS");
}

#[test]
fn code_and_its_result_have_the_same_id() {
    let code = |id: &str| json!({ "executableCode": { "id": id, "code": "1" } });
    let output = |id: &str| json!({ "code_execution_result": { "id": id, "output": "1" } });
    let none = json!({ "executableCode": { "code": "1" } });
    let parts = [code("a"), code("b"), output("b"), output("a"), none];
    let (result, _) = read(&[json!({ "content": { "parts": parts } })]);
    let message = result["response"]["message"].as_array().unwrap();
    let ids: Vec<_> = message.iter().map(|part| part.get("id").and_then(Value::as_str)).collect();
    assert_eq!(ids, [Some("a"), Some("b"), Some("b"), Some("a"), None]);
}

/// Returns the arguments of a call that are sent with these paths, and the codes of the warnings.
fn arguments(paths: &[(&str, Value)]) -> (Value, Vec<WarningCode>) {
    let pieces: Vec<Value> =
        paths.iter().map(|(path, value)| json!({ "jsonPath": path, "numberValue": value })).collect();
    let call = json!({ "functionCall": { "name": "f", "partialArgs": pieces } });
    let (result, warnings) = read(&[json!({ "content": { "parts": [call] } })]);
    let text = result["toolCalls"][0]["arguments"].as_str().unwrap().to_owned();
    (serde_json::from_str(&text).unwrap(), warnings)
}

#[test]
fn arguments_are_inserted_at_their_paths() {
    let (found, warnings) = arguments(&[
        ("$.a.b", json!(1)),
        ("$.list[0].x", json!(2)),
        ("$.list[1].x", json!(3)),
        ("$['a b']", json!(4)),
        (r#"$["it's"]['it\'s']"#, json!(5)),
        ("$.é", json!(6)),
    ]);
    let expected = json!({
        "a": { "b": 1 }, "list": [{ "x": 2 }, { "x": 3 }], "a b": 4, "it's": { "it's": 5 }, "é": 6,
    });
    assert_eq!((found, warnings), (expected, vec![]));
}

#[test]
fn invalid_paths_are_reported() {
    for path in ["", "$", "a", "$.", "$..a", "$[", "$[x]", "$['a", "$['a'", "$[99999999]", "$[0]", "$a"] {
        let (found, warnings) = arguments(&[(path, json!(1)), ("$.b", json!(2))]);
        assert_eq!((found, warnings), (json!({ "b": 2 }), vec![WarningCode::StrayFragment]), "{path}");
    }
}

#[test]
fn content_in_place_of_candidates_is_another_interface() {
    let is_body = |more: Value| {
        let mut body = json!({ "modelVersion": "tide-1", "usageMetadata": { "totalTokenCount": 3 } });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        (ENTRY.is_body)(Document::parse(&body.to_string(), 64).unwrap().root())
    };
    assert!(is_body(json!({})));
    assert!(!is_body(json!({ "content": { "role": "model", "parts": [{ "text": "Low." }] } })));
}
