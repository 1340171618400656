//! Reads streams and checks their invariants.

use std::collections::BTreeMap;

use respool::json::Document;
use respool::model::{
    ApiSpecific, ContentPart, Delta, Limits, MessageContent, StreamResult, ToolCall, WarningCode,
};
use respool::{StreamAccumulator, StreamOptions};

/// Deeper than every case.
const DEPTH: usize = 600;

/// The output of a stream.
#[derive(Debug, PartialEq)]
pub(crate) struct Reading {
    pub(crate) deltas: Vec<Delta>,
    pub(crate) result: StreamResult,
}

/// Returns options for one delta per event.
pub(crate) fn each_event() -> StreamOptions {
    StreamOptions { coalesce: false, ..StreamOptions::default() }
}

/// Returns options with these limits.
pub(crate) fn limited(limits: Limits) -> StreamOptions {
    StreamOptions { limits, ..StreamOptions::default() }
}

/// Reads parsed events.
pub(crate) fn read_events<T: AsRef<str>>(options: StreamOptions, events: &[T]) -> Reading {
    let mut stream = StreamAccumulator::new(options).unwrap();
    let mut deltas = Vec::new();
    for event in events.iter().map(AsRef::as_ref) {
        let document = Document::parse(event, DEPTH).unwrap_or_else(|error| panic!("{error}: {event}"));
        deltas.extend(stream.push(document.root()).unwrap());
    }
    finish(stream, deltas)
}

/// Reads bytes in pieces.
pub(crate) fn read_bytes<'b>(options: StreamOptions, pieces: impl IntoIterator<Item = &'b [u8]>) -> Reading {
    let mut stream = StreamAccumulator::new(options).unwrap();
    let mut deltas = Vec::new();
    for piece in pieces {
        deltas.extend(stream.push_bytes(piece).unwrap());
    }
    finish(stream, deltas)
}

fn finish(mut stream: StreamAccumulator, mut deltas: Vec<Delta>) -> Reading {
    let result = stream.finish();
    deltas.extend(stream.take_deltas());
    assert_eq!(stream.finish(), result, "finish() again returns the same result");
    Reading { deltas, result }
}

impl Reading {
    /// Checks that the concatenated deltas of the first choice equal the result.
    pub(crate) fn check_deltas(&self, name: &str) {
        let (joined, result) = (self.joined(), &self.result);
        if self.is_resumed() {
            assert!(joined.text.len() <= result.text.len(), "{name}: text");
            assert!(joined.reasoning.len() <= result.reasoning.len(), "{name}: reasoning");
            return;
        }
        assert_eq!(joined.text, result.text, "{name}: text");
        assert_eq!(joined.reasoning, result.reasoning, "{name}: reasoning");
        self.check_deltas_in_any_order(name);
    }

    /// Like `check_deltas`, but for blocks that may arrive out of order: deltas are in the order of arrival, the result
    /// is in the order of the blocks.
    pub(crate) fn check_deltas_in_any_order(&self, name: &str) {
        let (joined, result) = (self.joined(), &self.result);
        if self.is_resumed() {
            return;
        }
        assert_eq!(sorted(&joined.text), sorted(&result.text), "{name}: text");
        assert_eq!(sorted(&joined.reasoning), sorted(&result.reasoning), "{name}: reasoning");
        let refusal = result.refusal.as_deref().unwrap_or_default();
        assert_eq!(sorted(&joined.refusal), sorted(refusal), "{name}: refusal");
        self.check_calls(&joined, name);
        let first = result.response.choices.first().map_or(0, |first| first.index);
        let told = self.deltas.iter().rev().find_map(|delta| match delta {
            Delta::Finish { finish_reason, choice, .. } if *choice == first => Some(finish_reason),
            _ => None,
        });
        if let (Some(told), Some(reason)) = (told, &result.finish_reason) {
            assert_eq!(told, reason, "{name}: the last finish");
        }
        let error = self.deltas.iter().find_map(|delta| match delta {
            Delta::Error { error } => Some(error),
            _ => None,
        });
        assert_eq!(error, result.error.as_ref(), "{name}: the first error stays");
    }

    /// Whether a warning says that the beginning was missing from the stream, and so from the deltas.
    fn is_resumed(&self) -> bool {
        self.result.warnings.iter().any(|warning| warning.code == WarningCode::ResumedStream)
    }

    /// Returns the concatenated deltas of the first choice.
    fn joined(&self) -> Joined {
        Joined::of(&self.deltas, self.result.response.choices.first().map(|first| first.index))
    }

    /// Checks that the result contains each call as its `tool-call-end` delta has it, unless the provider answered the
    /// call itself or a model that declined made it.
    pub(crate) fn check_ended_calls(&self, name: &str) {
        let Reading { result, .. } = self;
        let is_withdrawn = |call: &ToolCall| {
            let Some(MessageContent::Parts(parts)) = &result.response.message else { return false };
            let is_it = |part: &ContentPart| matches!(part, ContentPart::ServerTool { id: Some(id), call: Some(_), .. } if *id == call.id);
            result.warnings.iter().any(|warning| warning.code == WarningCode::WithdrawnToolCall)
                && (parts.iter().any(is_it) || self.declined().contains(&call.id))
        };
        for ended in &self.joined().ended {
            let calls = &result.tool_calls;
            assert!(
                calls.contains(ended) != is_withdrawn(ended) || self.is_replaced(ended),
                "{name}: {ended:?} ended, but the result has {calls:?}"
            );
        }
    }

    /// Ids of the blocks of an Anthropic model that then declined, so that another model took over.
    fn declined(&self) -> Vec<String> {
        let Some(ApiSpecific::AnthropicMessages { content_blocks, .. }) = &self.result.response.api_specific
        else {
            return Vec::new();
        };
        let blocks: Vec<serde_json::Value> =
            content_blocks.iter().map(|block| serde_json::from_str(block.get()).unwrap()).collect();
        let end = blocks.iter().rposition(|block| block["type"] == "fallback").unwrap_or_default();
        blocks.iter().take(end).filter_map(|block| block["id"].as_str().map(Into::into)).collect()
    }

    /// Whether a later event may have replaced these arguments, because they aren't valid JSON, or because there are more
    /// of them.
    fn is_replaced(&self, told: &ToolCall) -> bool {
        let start = told.arguments.trim_end_matches(['"', '}', ']']);
        let has_more = |call: &ToolCall| call.id == told.id && call.arguments.starts_with(start);
        self.result.warnings.iter().any(|warning| replaces(warning.code, &warning.message))
            && (serde_json::from_str::<serde_json::Value>(&told.arguments).is_err()
                || self.result.tool_calls.iter().any(has_more))
    }

    fn check_calls(&self, joined: &Joined, name: &str) {
        for call in &self.result.tool_calls {
            let Some(told) = joined.calls.values().find(|told| told.id == call.id) else {
                panic!("{name}: {call:?} never began");
            };
            assert_eq!(told.name, call.name, "{name}: the name of {}", call.id);
            let is_empty = told.arguments.is_empty() && call.arguments == "{}";
            assert!(
                is_empty || told.arguments == call.arguments || self.is_replaced(told),
                "{name}: the deltas of {} say {:?}, the result says {:?}",
                call.id,
                told.arguments,
                call.arguments
            );
        }
    }
}

/// Whether a warning reports replaced arguments. Deltas that were already emitted have the old ones.
pub(crate) fn replaces(code: WarningCode, message: &str) -> bool {
    code == WarningCode::Mismatch && message.ends_with("replace them")
}

/// The concatenated deltas of one choice.
#[derive(Default)]
struct Joined {
    text: String,
    reasoning: String,
    refusal: String,
    calls: BTreeMap<u32, ToolCall>,
    ended: Vec<ToolCall>,
}

impl Joined {
    fn of(deltas: &[Delta], first: Option<u32>) -> Self {
        // A single choice may have any index.
        let is_wanted = |choice: u32| first.is_none_or(|first| first == choice);
        let mut joined = Self::default();
        for delta in deltas {
            match delta {
                Delta::Text { text, choice } if is_wanted(*choice) => joined.text += &filled(text),
                Delta::Reasoning { text, choice } if is_wanted(*choice) => joined.reasoning += &filled(text),
                Delta::Refusal { text, choice } if is_wanted(*choice) => joined.refusal += &filled(text),
                Delta::ToolCallStart { index, id, name, choice } if is_wanted(*choice) => {
                    let call = ToolCall { id: id.clone(), name: name.clone(), arguments: String::new() };
                    let earlier = joined.calls.insert(*index, call);
                    assert!(earlier.is_none(), "call {index} began twice");
                }
                Delta::ToolCallDelta { index, id, arguments, choice } if is_wanted(*choice) => {
                    let call = joined.calls.get_mut(index).unwrap_or_else(|| panic!("{index} has not begun"));
                    assert_eq!(&call.id, id, "an id is final");
                    call.arguments += &filled(arguments);
                }
                Delta::ToolCallEnd { tool_call, choice, .. } if is_wanted(*choice) => {
                    joined.ended.push(tool_call.clone());
                }
                _ => {}
            }
        }
        joined
    }
}

/// Returns the characters of a text, sorted.
fn sorted(text: &str) -> Vec<char> {
    let mut characters: Vec<char> = text.chars().collect();
    characters.sort_unstable();
    characters
}

/// Checks that the text of a delta isn't empty, and returns it.
fn filled(text: &str) -> String {
    assert!(!text.is_empty(), "an empty delta");
    text.to_owned()
}
