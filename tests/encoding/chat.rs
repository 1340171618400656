//! The order of the events of a chat completion.
//! <https://platform.openai.com/docs/api-reference/chat/streaming>

use std::collections::{HashMap, HashSet};

use serde_json::Value as Json;

use crate::sse::Event;

/// How a stream ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Success,
    Failure,
}

#[derive(Default)]
struct Choice {
    calls: Vec<(String, String)>,
    has_annotations: bool,
    /// The entries of `reasoning_details` and their members that clients join.
    joined: HashSet<(u64, &'static str)>,
    is_finished: bool,
}

/// Checks the events and returns how the stream ended.
pub(crate) fn check(events: &[Event]) -> End {
    let mut choices: HashMap<u64, Choice> = HashMap::new();
    let mut head: Option<[Json; 3]> = None;
    let mut has_usage = false;
    for (at, event) in events.iter().enumerate() {
        let is_last = at + 1 == events.len();
        assert_eq!(event.name, "");
        let data = &event.data;
        if data == "[DONE]" {
            assert!(is_last && !choices.is_empty());
            assert!(choices.values().all(|choice| choice.is_finished), "a choice has no finish reason");
            return End::Success;
        }
        if let Some(error) = data.get("error") {
            assert!(is_last, "the error ends the stream");
            assert!(error["message"].is_string() && error["type"].is_string());
            return End::Failure;
        }
        assert_eq!(data["object"], "chat.completion.chunk");
        let own = ["id", "model", "created"].map(|name| data[name].clone());
        assert!(own[0].is_string() && own[1].is_string() && own[2].is_u64());
        assert_eq!(*head.get_or_insert(own.clone()), own, "the same in all chunks");
        let list = data["choices"].as_array().unwrap();
        if list.is_empty() {
            assert!(data["usage"]["total_tokens"].is_u64());
            assert!(!std::mem::replace(&mut has_usage, true));
            continue;
        }
        assert!(!has_usage, "the usage comes last");
        for choice in list {
            let index = choice["index"].as_u64().unwrap();
            let is_new = !choices.contains_key(&index);
            let count = choices.len() as u64;
            assert!(!is_new || index == count || index > 128, "clients have the choices in a list");
            let state = choices.entry(index).or_default();
            assert!(!state.is_finished, "nothing comes after the finish reason");
            let delta = &choice["delta"];
            assert_eq!(delta["role"] == "assistant", is_new, "only the first chunk has the role: {choice}");
            check_calls(&delta["tool_calls"], state);
            if delta.get("annotations").is_some() {
                assert!(!std::mem::replace(&mut state.has_annotations, true), "clients keep one list");
            }
            check_details(&delta["reasoning_details"], state);
            if let Some(reason) = choice["finish_reason"].as_str() {
                assert!(["stop", "length", "tool_calls", "content_filter"].contains(&reason));
                assert!(reason != "tool_calls" || !state.calls.is_empty());
                assert!(reason != "stop" || state.calls.is_empty());
                state.is_finished = true;
            }
        }
    }
    panic!("the stream has no end");
}

/// Checks that only the first piece of an entry has an id and a format: clients join the strings of all pieces.
fn check_details(entries: &Json, choice: &mut Choice) {
    for entry in entries.as_array().into_iter().flatten() {
        let index = entry["index"].as_u64().unwrap();
        for name in ["id", "format"].into_iter().filter(|name| entry.get(name).is_some()) {
            assert!(choice.joined.insert((index, name)), "only the first piece has {name}: {entry}");
        }
    }
}

fn check_calls(entries: &Json, choice: &mut Choice) {
    for entry in entries.as_array().into_iter().flatten() {
        let index = usize::try_from(entry["index"].as_u64().unwrap()).unwrap();
        let function = &entry["function"];
        if index == choice.calls.len() {
            let id = entry["id"].as_str().unwrap().to_owned();
            assert!(!id.is_empty() && function["name"].is_string() && entry["type"] == "function");
            assert!(choice.calls.iter().all(|(known, _)| *known != id), "ids are unique");
            choice.calls.push((id, String::new()));
        } else {
            assert!(index < choice.calls.len(), "calls are numbered in order");
            assert!(entry.get("id").is_none() && function.get("name").is_none());
        }
        if let Some(piece) = function["arguments"].as_str() {
            choice.calls[index].1.push_str(piece);
        }
    }
}
