//! Formats that are read as a variant of an interface: Mistral's conversations, and LM Studio's own chat.

use respool::StreamOptions;
use respool::encode::{WireApi, encode_json};
use respool::json::Document;
use respool::model::{Ending, FinishReason};
use respool::{decode, detect_api};
use serde_json::{Value as Json, json};

use crate::corpus::streams::read_bytes;
use crate::corpus::wire;
use crate::sources::{encode, options};

fn conversation() -> [Vec<Json>; 2] {
    let usage = json!({ "prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5 });
    let call = json!({ "type": "function.call", "id": "fc_1", "tool_call_id": "a", "name": "tide", "arguments": "{}" });
    let body = json!({ "object": "conversation.response", "conversation_id": "c", "outputs": [call], "usage": usage });
    let mut delta = call;
    delta["type"] = json!("function.call.delta");
    delta["output_index"] = json!(0);
    let started = json!({ "type": "conversation.response.started", "conversation_id": "c" });
    let done = json!({ "type": "conversation.response.done", "usage": usage });
    [vec![started, delta, done], vec![body]]
}

fn lm_studio() -> [Vec<Json>; 2] {
    let body = json!({ "model_instance_id": "m", "output": [{ "type": "message", "content": "Ebb." }], "stats": {} });
    let begin = json!({ "type": "chat.start", "model_instance_id": "m" });
    let delta = json!({ "type": "message.delta", "content": "Ebb." });
    [vec![begin, delta, json!({ "type": "chat.end", "result": body })], vec![body]]
}

#[test]
fn other_forms_are_written_in_the_form_of_the_interface() {
    let all = [(WireApi::OpenaiChat, conversation()), (WireApi::OpenaiResponses, lm_studio())];
    for (target, [events, body]) in all {
        let lines = |list: &[Json]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        let bytes = wire::sse(&lines(&events));
        let source = read_bytes(StreamOptions::default(), [bytes.as_bytes()]).result;
        assert_eq!(source.ending, Ending::Complete);
        let output = encode(target, options(), [bytes.as_bytes()]).text;
        assert!(!output.contains("conversation.") && !output.contains("chat.end"), "{output}");
        let read = read_bytes(StreamOptions::default(), [output.as_bytes()]).result;
        assert_eq!((&read.text, &read.tool_calls), (&source.text, &source.tool_calls), "{output}");
        let reason = if read.tool_calls.is_empty() { FinishReason::Complete } else { FinishReason::ToolUse };
        assert_eq!((read.ending, read.finish_reason), (Ending::Complete, Some(reason)), "{output}");

        let body = body[0].to_string();
        let response =
            serde_json::to_string(&decode(Document::parse(&body, 64).unwrap().root()).unwrap()).unwrap();
        let result = serde_json::to_string(&source).unwrap();
        for json in [response, result] {
            let written =
                encode_json(Document::parse(&json, 64).unwrap().root(), target, &options()).unwrap().body;
            let document = Document::parse(&written, 64).unwrap();
            let object = if target == WireApi::OpenaiChat { "chat.completion" } else { "response" };
            assert_eq!(document.root().get_text("object").as_deref(), Some(object), "{written}");
            assert_eq!(detect_api(document.root()), Some(crate::sources::api_of(target)));
            let read = decode(document.root()).unwrap();
            assert!(read.finish_reason.is_some() && !written.contains("\"outputs\""), "{written}");
        }
    }
}
