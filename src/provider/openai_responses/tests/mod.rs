//! Undocumented behaviour of servers. The documented shapes are in `tests/fixtures`.

#![expect(clippy::needless_pass_by_value, reason = "so that json!() can stand in a call")]

mod content;
mod items;
mod responses;
mod tools;

use serde_json::{Value as Json, json};

use super::ENTRY;
use crate::accumulator::{Builder, Recording};
use crate::json::Document;
use crate::model::{Delta, Ending, Limits, StreamResult};
use crate::provider::Event;

fn read(events: &[Json]) -> (StreamResult, Vec<Delta>) {
    let mut builder = Builder::new(Limits::default(), Recording::EachEvent);
    let mut reader = (ENTRY.reader)();
    for event in events {
        let text = event.to_string();
        let tape = Document::parse(&text, 64).unwrap();
        reader.read(&Event::new(None, tape.root()), &mut builder);
        let _ = reader.fields(&builder);
    }
    builder.close_input();
    let deltas = builder.take_deltas();
    (builder.result(Ending::Open, reader.fields(&builder)), deltas)
}

fn result(events: &[Json]) -> StreamResult {
    read(events).0
}

fn added(index: u64, item: Json) -> Json {
    json!({"type": "response.output_item.added", "output_index": index, "item": item})
}

fn done(index: u64, item: Json) -> Json {
    json!({"type": "response.output_item.done", "output_index": index, "item": item})
}

fn completed(output: Json) -> Json {
    json!({"type": "response.completed", "response": {"object": "response", "status": "completed", "output": output}})
}

fn function(id: &str, call_id: &str, arguments: &str) -> Json {
    json!({"type": "function_call", "id": id, "call_id": call_id, "name": "f", "arguments": arguments})
}

fn message(id: &str, text: &str) -> Json {
    json!({"type": "message", "id": id, "role": "assistant", "content": [{"type": "output_text", "text": text}]})
}

fn calls(result: &StreamResult) -> Vec<(&str, &str)> {
    result.tool_calls.iter().map(|call| (call.id.as_str(), call.arguments.as_str())).collect()
}

fn output_items(result: &StreamResult) -> Json {
    serde_json::to_value(&result.response).unwrap()["apiSpecific"]["outputItems"].clone()
}

fn parts(result: &StreamResult) -> Json {
    serde_json::to_value(&result.response).unwrap()["message"].clone()
}
