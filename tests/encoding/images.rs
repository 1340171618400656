//! Images, which some interfaces support and others don't.

use respool::encode::{EncodeOptions, Retention, WireApi, encode_result};
use respool::model::WarningCode;
use serde_json::{Value as Json, json};

use crate::corpus::wire;
use crate::lifecycle::check;
use crate::sources::{encode, options};

/// As `OpenRouter` sends images: in a URL.
#[test]
fn images_of_chat_completions_are_written_to_responses() {
    let image = json!({ "type": "image_url", "image_url": { "url": "data:image/png;base64,QUJD" } });
    let linked = json!({ "type": "image_url", "image_url": { "url": "https://images.test/a.png" } });
    for (image, is_lost) in [(image, false), (linked, true)] {
        let event = json!({ "id": "a", "model": "m", "choices": [{ "index": 0, "delta": { "content": "Hi", "images": [image] }, "finish_reason": "stop" }] });
        let output =
            encode(WireApi::OpenaiResponses, options(), [wire::sse(&[event.to_string()]).as_bytes()]);
        let whole = encode_result(&output.result, WireApi::OpenaiResponses, &options());
        assert_eq!(output.has_lost(WarningCode::LostImage), is_lost, "{:?}", output.lost);
        assert_eq!(
            whole.lost.iter().any(|lost| lost.code == WarningCode::LostImage),
            is_lost,
            "{:?}",
            whole.lost
        );
        for written in [output.text, whole.body] {
            assert_eq!(written.contains(r#""result":"QUJD""#), !is_lost, "{written}");
        }
    }
}

/// Before the image, Responses sends previews of it. Because of the option, events of the same interface aren't passed
/// on but written again.
#[test]
fn previews_of_images_are_not_the_image() {
    let response = |status: &str, output: Json| json!({ "id": "r", "object": "response", "model": "m", "status": status, "output": output });
    let item = |status: &str, result: Json| json!({ "type": "image_generation_call", "id": "ig_7", "status": status, "output_format": "png", "revised_prompt": "A quiet port.", "result": result });
    let whole = item("completed", json!("QUJD"));
    let preview = json!({ "type": "response.image_generation_call.partial_image", "item_id": "ig_7", "output_index": 0, "partial_image_index": 0, "partial_image_b64": "QQ==" });
    let events = [
        json!({ "type": "response.created", "response": response("in_progress", json!([])) }),
        json!({ "type": "response.output_item.added", "output_index": 0, "item": item("in_progress", Json::Null) }),
        preview.clone(),
        preview,
        json!({ "type": "response.output_item.done", "output_index": 0, "item": whole }),
        json!({ "type": "response.completed", "response": response("completed", json!([whole])) }),
    ];
    let options = EncodeOptions { reasoning: Retention::Drop, ..options() };
    for count in [4, events.len()] {
        let events: Vec<String> = events.iter().take(count).map(Json::to_string).collect();
        let bytes = wire::named_sse(&events).into_bytes();
        for pieces in [vec![bytes.as_slice()], bytes.chunks(1).collect()] {
            let output = encode(WireApi::OpenaiResponses, options.clone(), pieces);
            check(WireApi::OpenaiResponses, &output.text);
            let is_whole = count == 6;
            assert_eq!(output.has_lost(WarningCode::LostImage), !is_whole, "{:?}", output.lost);
            assert!(!output.text.contains("QQ=="), "{}", output.text);
            assert_eq!(output.text.matches(&whole.to_string()).count(), if is_whole { 2 } else { 0 });
            assert_eq!(output.text.matches("output_item.added\",").count(), usize::from(is_whole));
        }
    }
}

#[test]
fn draft_images_are_not_part_of_the_answer() {
    let image = |data: &str| json!({ "mimeType": "image/png", "data": data });
    let parts =
        json!([{ "thought": true, "inlineData": image("RFJBRlQ=") }, { "inlineData": image("RklOQUw=") }]);
    let body = json!({ "candidates": [{ "content": { "parts": parts }, "finishReason": "STOP" }] });
    for target in WireApi::ALL {
        let there = encode(target, options(), [body.to_string().as_bytes()]);
        assert!(!there.text.contains("RFJBRlQ="), "{target:?}: {}", there.text);
        assert!(there.has_lost(WarningCode::LostImage), "{target:?}");
        assert_eq!(there.text.contains("RklOQUw="), target == WireApi::OpenaiResponses, "{target:?}");
    }
}
