//! Annotations of text from which calls or reasoning were extracted.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use respool::json::Document;
use respool::model::{ContentPart, Delta, MessageContent};
use respool::text::TextOptions;
use respool::{StreamAccumulator, StreamOptions};
use serde_json::{Value, json};

const TEXT: &str = "<think>Brest, then.</think>High water ⚓ at 9:35.<tool_call>{\"name\": \"tide\"}</tool_call> Ebb at six.";

/// Returns an annotation of these words.
fn citation(words: &str) -> Value {
    let start = TEXT.get(..TEXT.find(words).unwrap()).unwrap().chars().count();
    json!({ "start_index": start, "end_index": start + words.chars().count(), "url": "https://tides.test" })
}

/// Returns the words that the annotations of the result cover, if any, and those of the deltas.
fn supported(events: &[Value]) -> [Vec<Option<String>>; 2] {
    let options = json!({ "tools": [{ "name": "tide" }], "formats": ["auto"], "tags": ["*"] }).to_string();
    let text = TextOptions::new(Document::parse(&options, 64).unwrap().root()).unwrap();
    let options = StreamOptions { text: Some(text.into()), ..StreamOptions::default() };
    let mut stream = StreamAccumulator::new(options).unwrap();
    let mut deltas = Vec::new();
    for event in events {
        deltas.extend(stream.push_bytes(format!("data: {event}\n\n").as_bytes()).unwrap());
    }
    let result = stream.finish();
    let Some(MessageContent::Parts(parts)) = &result.response.message else { return Default::default() };
    let annotations = parts.iter().find_map(|part| match part {
        ContentPart::Text { annotations, .. } => Some(annotations),
        _ => None,
    });
    let words = |annotation: &str| {
        let annotation: Value = serde_json::from_str(annotation).unwrap();
        let holder = annotation.get("url_citation").unwrap_or(&annotation);
        assert_eq!(holder["url"], "https://tides.test");
        let index = |name: &str| Some(usize::try_from(holder.get(name)?.as_u64()?).unwrap());
        let (start, end) = (index("start_index")?, index("end_index")?);
        Some(result.text.chars().skip(start).take(end - start).collect::<String>())
    };
    let emitted = deltas.iter().filter_map(|delta| match delta {
        Delta::Annotation { annotation, .. } => Some(words(annotation.get())),
        _ => None,
    });
    [annotations.unwrap().iter().map(|annotation| words(annotation.get())).collect(), emitted.collect()]
}

#[test]
fn indices_refer_to_the_remaining_text() {
    let phrases = ["High water ⚓", "Ebb at six", "Brest", "9:35.<tool_call>"];
    let wanted = [Some("High water ⚓"), Some("Ebb at six"), None, Some("9:35.")];
    let wanted: Vec<_> = wanted.into_iter().map(|words| words.map(str::to_owned)).collect();
    let chunk = |delta: Value, reason: Option<&str>| json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": reason }] });
    let nested = phrases.map(|words| json!({ "type": "url_citation", "url_citation": citation(words) }));
    let again = chunk(json!({ "annotations": nested }), None);
    let chat = [
        chunk(json!({ "role": "assistant", "content": TEXT }), None),
        again.clone(),
        again,
        chunk(json!({}), Some("stop")),
    ];
    assert_eq!(supported(&chat), [wanted.clone(), wanted.clone()]);

    let flat = phrases.map(|words| {
        let mut flat = citation(words);
        flat["type"] = json!("url_citation");
        flat
    });
    let item =
        |content: Value| json!({ "id": "m1", "type": "message", "role": "assistant", "content": content });
    let part =
        |annotations: &[Value]| json!([{ "type": "output_text", "text": TEXT, "annotations": annotations }]);
    let mut events = vec![
        json!({ "type": "response.output_item.added", "output_index": 0, "item": item(json!([])) }),
        json!({ "type": "response.output_text.delta", "item_id": "m1", "output_index": 0, "content_index": 0, "delta": TEXT }),
    ];
    events.extend(flat.iter().enumerate().map(|(at, annotation)| {
        json!({ "type": "response.output_text.annotation.added", "item_id": "m1", "output_index": 0, "content_index": 0,
            "annotation_index": at, "annotation": annotation })
    }));
    events.push(json!({ "type": "response.output_item.done", "output_index": 0, "item": item(part(&flat)) }));
    let response =
        json!({ "id": "r1", "object": "response", "status": "completed", "output": [item(part(&flat))] });
    events.push(json!({ "type": "response.completed", "response": response }));
    assert_eq!(supported(&events), [wanted.clone(), wanted]);
}
