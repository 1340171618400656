//! The order of the events of a response.
//! <https://platform.openai.com/docs/api-reference/responses-streaming>

use respool::json::RawJson;
use serde_json::Value as Json;

use crate::chat::End;
use crate::sse::Event;

#[derive(Default)]
struct Item {
    id: String,
    kind: String,
    /// The text of each part, and whether it has ended.
    parts: Vec<(String, bool)>,
    arguments: String,
    is_done: bool,
    last: Json,
}

/// Checks the events and returns how the stream ended.
pub(crate) fn check(events: &[Event]) -> End {
    let mut items: Vec<Item> = Vec::new();
    let mut id = Json::Null;
    for (at, event) in events.iter().enumerate() {
        let is_last = at + 1 == events.len();
        let data = &event.data;
        assert_eq!(event.name, event.text("type"));
        assert_eq!(data["sequence_number"], at, "events are numbered from 0");
        match (at, event.text("type")) {
            (0, "response.created") | (1, "response.in_progress") => {
                check_response(&data["response"], "in_progress", &[]);
                id = data["response"]["id"].clone();
            }
            (_, "response.output_item.added") => {
                assert_eq!(data["output_index"], items.len());
                let item = &data["item"];
                let id = item["id"].as_str().unwrap().to_owned();
                assert!(items.iter().all(|known| known.id != id), "ids are unique");
                items.push(Item { id, kind: item["type"].as_str().unwrap().to_owned(), ..Item::default() });
            }
            (_, end @ ("response.completed" | "response.incomplete" | "response.failed")) => {
                assert!(is_last, "the response is over");
                let response = &data["response"];
                assert_eq!(response["id"], id);
                check_response(response, end.strip_prefix("response.").unwrap(), &items);
                if end == "response.failed" {
                    assert!(
                        response["error"]["message"].is_string() && response["error"]["code"].is_string()
                    );
                    return End::Failure;
                }
                assert!(items.iter().all(|item| item.is_done), "an item has no end");
                assert_eq!(response["incomplete_details"].is_object(), end == "response.incomplete");
                return End::Success;
            }
            (_, kind) => {
                let index = usize::try_from(data["output_index"].as_u64().unwrap()).unwrap();
                let item = &mut items[index];
                assert!(!item.is_done, "nothing comes after the end of an item");
                check_inside(kind, item, data);
            }
        }
    }
    panic!("the stream has no end");
}

fn check_response(response: &Json, status: &str, items: &[Item]) {
    assert_eq!(response["object"], "response");
    assert_eq!(response["status"], status);
    assert!(response["id"].is_string() && response["model"].is_string() && response["created_at"].is_u64());
    if let Some(usage) = response["usage"].as_object() {
        // Codex and clients that validate against OpenAI's schema fail on usage without these details.
        let input = &usage["input_tokens_details"];
        assert!(input["cached_tokens"].is_u64() && input["cache_write_tokens"].is_u64(), "{usage:?}");
        assert!(usage["output_tokens_details"]["reasoning_tokens"].is_u64(), "{usage:?}");
    }
    let output = response["output"].as_array().unwrap();
    assert_eq!(output.len(), items.len());
    for (written, item) in output.iter().zip(items) {
        assert_eq!(written["id"], item.id);
        let is_json =
            |call: &Json| call["arguments"].as_str().is_some_and(|text| RawJson::parse(text).is_some());
        // Arguments that aren't JSON, or only the first ones, may be replaced after the end of their call.
        let start = item.last["arguments"].as_str().unwrap_or_default().trim_end_matches(['"', '}']);
        let has_more = || written["arguments"].as_str().is_some_and(|all| all.starts_with(start));
        let is_replaced =
            item.kind == "function_call" && is_json(written) && (!is_json(&item.last) || has_more());
        if item.is_done && !is_replaced {
            assert_eq!(*written, item.last, "the output has the items as they ended");
        }
    }
}

fn check_inside(kind: &str, item: &mut Item, data: &Json) {
    if kind == "response.output_item.done" {
        let last = &data["item"];
        assert_eq!(last["id"], item.id);
        assert!(item.parts.iter().all(|(_, is_over)| *is_over));
        check_end(item, last);
        item.last = last.clone();
        item.is_done = true;
        return;
    }
    assert_eq!(data["item_id"], item.id);
    let name = kind.strip_prefix("response.").unwrap();
    let is_summary = name.starts_with("reasoning");
    let index = || {
        let index = if is_summary { &data["summary_index"] } else { &data["content_index"] };
        usize::try_from(index.as_u64().unwrap()).unwrap()
    };
    let text = |member: &str| data[member].as_str().unwrap().to_owned();
    match name {
        "content_part.added" | "reasoning_summary_part.added" => {
            assert_eq!(index(), item.parts.len());
            assert!(item.parts.iter().all(|(_, is_over)| *is_over), "one part is open");
            assert_eq!(item.kind, if is_summary { "reasoning" } else { "message" });
            item.parts.push((String::new(), false));
        }
        "output_text.delta" | "refusal.delta" | "reasoning_summary_text.delta" => {
            let part = &mut item.parts[index()];
            assert!(!part.1 && !text("delta").is_empty());
            part.0.push_str(&text("delta"));
        }
        "refusal.done" => assert_eq!(item.parts[index()].0, text("refusal")),
        "output_text.done" | "reasoning_summary_text.done" => assert_eq!(item.parts[index()].0, text("text")),
        "content_part.done" | "reasoning_summary_part.done" => {
            let part = &mut item.parts[index()];
            let whole = data["part"].get("text").unwrap_or(&data["part"]["refusal"]);
            assert_eq!(*whole, part.0);
            part.1 = true;
        }
        "output_text.annotation.added" => assert!(!item.parts[index()].1),
        "function_call_arguments.delta" | "custom_tool_call_input.delta" => {
            item.arguments.push_str(&text("delta"));
        }
        "custom_tool_call_input.done" => assert_eq!(item.arguments, text("input")),
        "function_call_arguments.done" => {
            // The end replaces arguments that aren't JSON, or aren't all.
            let start = item.arguments.trim_end_matches(['"', '}', ']']);
            let is_better =
                RawJson::parse(&*item.arguments).is_none() || text("arguments").starts_with(start);
            // More may follow the object that replaced one.
            let tail = |text: &str| text.split_once('}').map(|(_, tail)| tail.to_owned());
            let has_same_tail =
                || tail(&item.arguments).is_some_and(|own| tail(&text("arguments")) == Some(own));
            let is_replaced = is_better && (RawJson::parse(text("arguments")).is_some() || has_same_tail());
            if is_replaced {
                item.arguments = text("arguments");
            }
            assert_eq!(item.arguments, text("arguments"));
        }
        other => panic!("an unknown event {other}"),
    }
}

fn check_end(item: &Item, last: &Json) {
    match &*item.kind {
        "message" => {
            let parts = last["content"].as_array().unwrap();
            assert!(!parts.is_empty() && parts.len() == item.parts.len());
            for (part, (text, _)) in parts.iter().zip(&item.parts) {
                assert_eq!(*part.get("text").unwrap_or(&part["refusal"]), **text);
                assert!(!text.is_empty());
            }
        }
        "reasoning" => {
            let parts = last["summary"].as_array().unwrap();
            assert_eq!(parts.len(), item.parts.len());
            assert!(!parts.is_empty() || last["encrypted_content"].is_string());
        }
        "function_call" => {
            assert_eq!(last["arguments"], item.arguments);
            assert!(!item.arguments.is_empty() || last["status"] == "incomplete");
            assert!(last["call_id"].is_string() && last["name"].is_string());
        }
        "custom_tool_call" => assert_eq!(last["input"], item.arguments),
        "image_generation_call" => assert!(last["result"].is_string()),
        other => panic!("an unknown item {other}"),
    }
}
