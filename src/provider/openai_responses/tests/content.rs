//! Messages and reasoning.

use serde_json::{Value as Json, json};

use super::{completed, done, message, output_items, parts, read, result};
use crate::model::{ApiSpecific, Delta};

#[test]
fn content_indices_may_start_at_one() {
    let delta = |index: u64, text: &str| json!({"type": "response.output_text.delta", "item_id": "m", "output_index": 0, "content_index": index, "delta": text});
    let content = json!([{"type": "output_text", "text": "a"}, {"type": "output_text", "text": "b"}]);
    let item = json!({"type": "message", "id": "m", "content": content});
    let result = result(&[delta(1, "a"), delta(2, "b"), done(0, item)]);
    assert_eq!(result.text, "ab");
}

#[test]
fn openrouter_names_its_events_differently() {
    let result = result(&[
        json!({"type": "response.content_part.delta", "output_index": 0, "content_index": 0, "delta": "Once"}),
        json!({"type": "response.content_part.delta", "output_index": 0, "content_index": 0, "delta": {"type": "output_text", "text": " upon"}}),
        json!({"type": "response.done", "response": {"status": "completed", "usage": {"input_tokens": 1}}}),
    ]);
    assert_eq!(result.text, "Once upon");
    assert_eq!(result.raw_finish_reason.as_deref(), Some("completed"));
    assert_eq!(result.usage.unwrap().prompt_tokens, Some(1));
}

#[test]
fn output_text_is_used_without_a_message() {
    let body = json!({"object": "response", "status": "completed", "output": [], "output_text": "Hi"});
    let first = result(&[body]);
    assert_eq!(first.text, "Hi");
    let both = json!({"object": "response", "output": [message("m", "Hi")], "output_text": "Hi"});
    assert_eq!(result(&[both]).text, "Hi");
}

#[test]
fn content_may_be_a_string() {
    let body = json!({"object": "response", "output": [{"type": "message", "content": "Hi"}]});
    assert_eq!(result(&[body]).text, "Hi");
}

#[test]
fn reasoning_is_emitted_once_as_summary_or_content() {
    let delta = json!({"type": "response.reasoning_text.delta", "item_id": "r", "output_index": 0, "content_index": 0, "delta": "Hm."});
    let summary =
        json!({"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "Hm."}]});
    let content = json!({"type": "reasoning", "id": "r", "summary": [], "content": [{"type": "reasoning_text", "text": "Hm."}]});
    for end in [summary, content] {
        let result = result(&[delta.clone(), done(0, end.clone()), completed(json!([end]))]);
        assert_eq!(result.reasoning, "Hm.");
        assert!(result.warnings.is_empty());
    }
}

#[test]
fn with_a_summary_the_reasoning_content_is_only_kept() {
    let summary = json!({"type": "response.reasoning_summary_text.delta", "item_id": "r", "output_index": 0, "summary_index": 0, "delta": "Short."});
    let content = json!({"type": "response.reasoning_text.delta", "item_id": "r", "output_index": 0, "content_index": 0, "delta": "Long."});
    let cut = result(&[summary, content]);
    assert_eq!(cut.reasoning, "Short.");
    let raw = output_items(&cut);
    assert_eq!(raw[0]["summary"][0]["text"], "Short.");
    assert_eq!(raw[0]["content"][0]["text"], "Long.");
    let body = json!({"object": "response", "output": [{"type": "reasoning", "summary": [{"type": "summary_text", "text": "Short."}], "content": [{"type": "reasoning_text", "text": "Long."}]}]});
    assert_eq!(result(&[body]).reasoning, "Short.");
}

#[test]
fn final_annotations_and_logprobs_replace_earlier_ones() {
    let event = |kind: &str, member: &str, value: Json| json!({"type": format!("response.output_text.{kind}"), "item_id": "m", "output_index": 0, "content_index": 0, member: value});
    let part = json!({"type": "output_text", "text": "Hi", "annotations": [{"n": 1}, {"n": 2}], "logprobs": [{"token": "Hi", "bytes": [72, 105]}]});
    let mut delta = event("delta", "delta", json!("Hi"));
    delta["logprobs"] = json!([{"token": "Hi"}]);
    let events = [
        delta,
        event("annotation.added", "annotation", json!({"n": 1})),
        done(0, json!({"type": "message", "id": "m", "content": [part]})),
    ];
    let (result, deltas) = read(&events);
    assert_eq!(
        parts(&result)[0],
        json!({"type": "text", "text": "Hi", "annotations": part["annotations"], "logprobs": part["logprobs"]})
    );
    assert_eq!(deltas.iter().filter(|delta| matches!(delta, Delta::Annotation { .. })).count(), 2);
    let cut = super::result(&events[..2]);
    assert_eq!(output_items(&cut)[0]["content"][0]["annotations"], json!([{"n": 1}]));
}

#[test]
fn speech_is_joined() {
    let result = result(&[
        json!({"type": "response.audio.delta", "delta": "UklG"}),
        json!({"type": "response.audio.transcript.delta", "delta": "Hel"}),
        json!({"type": "response.audio.delta", "delta": "RgAA"}),
        json!({"type": "response.audio.transcript.delta", "delta": "lo"}),
    ]);
    assert_eq!(parts(&result)[0]["base64"], "UklGRgAA");
    assert_eq!(parts(&result)[0]["transcript"], "Hello");
}

#[test]
fn parts_of_a_summary_are_paragraphs() {
    let piece = |index: u64, text: &str| json!({"type": "response.reasoning_summary_text.delta", "item_id": "r", "output_index": 0, "summary_index": index, "delta": text});
    let part = |index: u64| json!({"type": "response.reasoning_summary_part.added", "item_id": "r", "output_index": 0, "summary_index": index, "part": {"type": "summary_text", "text": ""}});
    let summary = |texts: &[&str]| -> Vec<Json> {
        texts.iter().map(|text| json!({"type": "summary_text", "text": text})).collect()
    };
    let done = |texts: &[&str]| json!({"type": "response.output_item.done", "output_index": 0, "item": {"id": "r", "type": "reasoning", "summary": summary(texts)}});
    let emitted =
        [part(0), piece(0, "**One"), piece(0, "**"), part(1), piece(1, "**Two**"), part(2), part(3)];
    let more = [piece(3, "\n**Four**"), done(&["**One**", "**Two**", "", "\n**Four**", "**Five**"])];
    assert_eq!(result(&emitted).reasoning, "**One**\n\n**Two**");
    let all = [&emitted[..], &more].concat();
    let (streamed, deltas) = read(&all);
    assert_eq!(streamed.reasoning, "**One**\n\n**Two**\n**Four**\n\n**Five**");
    assert_eq!(streamed.warnings, []);
    let emitted: String = deltas
        .iter()
        .filter_map(|delta| match delta {
            Delta::Reasoning { text, .. } => Some(&**text),
            _ => None,
        })
        .collect();
    assert_eq!(emitted, streamed.reasoning);
    assert_eq!(result(&all[all.len() - 1..]).reasoning, streamed.reasoning);
    // A surrogate pair may be split at the start of a part.
    let cut = [part(0), piece(0, "a"), part(1)].map(|event| event.to_string());
    let halves = [r"\ud83d", r"\ude00"].map(|half| piece(1, "half").to_string().replace("half", half));
    let mut stream = crate::StreamAccumulator::default();
    for event in cut.iter().chain(&halves) {
        stream.push_bytes(["data: ", event, "\n\n"].concat().as_bytes()).unwrap();
    }
    assert_eq!(stream.finish().reasoning, "a\n\n😀");
    // An index that rises with every delta is one part.
    assert_eq!(result(&[piece(0, "a"), piece(1, "b"), piece(2, "c")]).reasoning, "abc");
}

#[test]
fn parts_of_reasoning_may_be_announced_by_that_name() {
    let part = |end: &str, index: u64, text: &str| json!({"type": format!("response.reasoning_part.{end}"), "item_id": "r", "output_index": 0, "content_index": index, "part": {"type": "reasoning_text", "text": text}});
    let piece = |index: u64, text: &str| json!({"type": "response.reasoning_text.delta", "item_id": "r", "output_index": 0, "content_index": index, "delta": text});
    let streamed = result(&[part("added", 0, ""), piece(0, "Hm"), piece(1, "."), part("done", 2, "Hm.")]);
    assert_eq!(streamed.reasoning, "Hm.");
    let Some(ApiSpecific::OpenaiResponses { other_events, .. }) = streamed.response.api_specific else {
        panic!("it is of another interface");
    };
    assert!(other_events.is_empty());
    assert_eq!(result(&[part("done", 0, "Hm.")]).reasoning, "Hm.");
}
