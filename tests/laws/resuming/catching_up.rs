//! A late client that gets the deltas of `catch_up` assembles the same as one that was connected from the beginning.

use std::collections::BTreeMap;

use respool::StreamAccumulator;
use respool::model::{Delta, WarningCode};
use respool::provider::decode_base64;
use serde_json::{Value, json};

use super::inputs::{Input, all_bytes};
use super::ways;
use crate::corpus::cuts::{Numbers, pieces};
use crate::corpus::live;
use crate::corpus::streams::replaces;

/// State that a client assembles from deltas.
#[derive(Debug, PartialEq, Default)]
struct Client {
    texts: BTreeMap<(u32, &'static str), String>,
    /// The phase of the text that follows, and all text of each phase.
    phase: BTreeMap<u32, Option<String>>,
    phases: BTreeMap<(u32, Option<String>), String>,
    calls: BTreeMap<(u32, u32), Call>,
    /// Other parts, by kind and identity.
    parts: BTreeMap<String, Value>,
    values: BTreeMap<String, Value>,
    finishes: BTreeMap<u32, Value>,
    usage: Option<Value>,
    error: Option<Value>,
    warnings: Vec<Value>,
}

#[derive(Debug, PartialEq, Default)]
struct Call {
    id: String,
    name: String,
    arguments: String,
    end: Option<Value>,
}

impl Client {
    fn of<'d>(deltas: impl IntoIterator<Item = &'d Delta>) -> Self {
        let mut client = Self::default();
        for delta in deltas {
            client.take(delta);
        }
        if let Some(speech) = client.parts.get_mut("audio") {
            // Where audio was split decides where it has padding.
            let pieces = speech[0].as_str().unwrap().split_inclusive('=').filter(|piece| *piece != "=");
            speech[0] = pieces.flat_map(|piece| decode_base64(piece).unwrap()).collect();
        }
        client
    }

    fn take(&mut self, delta: &Delta) {
        // Null if a number is out of range.
        let whole = serde_json::to_value(delta).unwrap_or_default();
        let mut add = |choice: u32, kind, text: &str| *self.texts.entry((choice, kind)).or_default() += text;
        match delta {
            Delta::Text { text, choice } => {
                add(*choice, "text", text);
                let phase = self.phase.get(choice).cloned().flatten();
                *self.phases.entry((*choice, phase)).or_default() += text;
            }
            Delta::Phase { phase, choice } => drop(self.phase.insert(*choice, phase.clone())),
            Delta::Reasoning { text, choice } => add(*choice, "reasoning", text),
            Delta::Refusal { text, choice } => add(*choice, "refusal", text),
            Delta::ToolCallStart { index, id, name, choice } => {
                let call = Call { id: id.clone(), name: name.clone(), ..Call::default() };
                assert!(self.calls.insert((*choice, *index), call).is_none(), "call {index} began twice");
            }
            Delta::ToolCallDelta { index, arguments, choice, .. } => {
                let call = self.calls.get_mut(&(*choice, *index)).unwrap();
                call.arguments += arguments;
            }
            Delta::ToolCallEnd { index, choice, .. } => {
                self.calls.get_mut(&(*choice, *index)).unwrap().end = Some(whole);
            }
            Delta::Json { index, path, value, append, choice, .. } => {
                let root = self.values.entry(format!("{choice} {index:?}")).or_default();
                let place = live::find(root, path);
                if let Some(value) = value {
                    *place = serde_json::from_str(&value.get().replace("1e400", "null")).unwrap_or_default();
                }
                if let Some(text) = append {
                    live::append(place, text);
                }
            }
            Delta::Annotation { annotation, choice } => {
                self.parts.insert(format!("{choice} {annotation:?}"), Value::Null);
            }
            Delta::ServerTool { .. } => {
                let part = &whole["part"];
                let known = self.parts.entry(format!("tool {}", part["id"])).or_insert(json!({}));
                for name in ["call", "result"] {
                    if !part[name].is_null() {
                        known[name] = part[name].clone();
                    }
                }
            }
            Delta::Image { .. } => {
                let part = &whole["part"];
                let data = part["base64"].as_str().or(part["url"].as_str()).unwrap_or_default();
                // The image replaces its preview. Deltas don't say which image a preview belongs to.
                self.parts.insert("the last image".to_owned(), data.into());
            }
            Delta::Audio { .. } => {
                let known = self.parts.entry("audio".to_owned()).or_insert(json!(["", ""]));
                for (nth, name) in ["base64", "transcript"].into_iter().enumerate() {
                    let piece = whole["part"][name].as_str().unwrap_or_default();
                    known[nth] = json!(known[nth].as_str().unwrap().to_owned() + piece);
                }
            }
            Delta::Usage { .. } => self.usage = Some(whole),
            Delta::Finish { choice, .. } => drop(self.finishes.insert(*choice, whole)),
            Delta::Error { .. } => drop(self.error.get_or_insert(whole)),
            Delta::Warning { .. } => self.warnings.push(whole),
            _ => panic!("{delta:?} is not known here"),
        }
    }
}

/// Whether a warning reports a change that deltas can't express, such as text before other text or a withdrawn call.
fn is_out_of_order(deltas: &[Delta]) -> bool {
    let codes = [
        WarningCode::OutOfOrder,
        WarningCode::ResumedStream,
        WarningCode::SupersededToolCall,
        WarningCode::WithdrawnToolCall,
        WarningCode::TooManyWarnings,
    ];
    let is_it = |code: &WarningCode, message: &str| codes.contains(code) || replaces(*code, message);
    deltas.iter().any(|delta| matches!(delta, Delta::Warning { code, message } if is_it(code, message)))
}

#[test]
fn catching_up_and_reading_on_lead_to_the_same_state() {
    let mut compared = 0;
    for (nth, Input { name, bytes }) in all_bytes().iter().enumerate() {
        let mut numbers = Numbers::for_name(name);
        let mut cuts: Vec<usize> = (0..12).map(|_| numbers.below(bytes.len())).collect();
        cuts.sort_unstable();
        let mut stream = StreamAccumulator::new(ways()[nth % 4].clone()).unwrap();
        let mut emitted = Vec::new();
        let mut snapshots = Vec::new();
        for piece in pieces(bytes, &cuts) {
            snapshots.push((emitted.len(), stream.catch_up()));
            emitted.extend(stream.push_bytes(piece).unwrap());
        }
        let before = emitted.len();
        stream.finish();
        emitted.extend(stream.take_deltas());
        if is_out_of_order(&emitted) {
            continue;
        }
        let all = Client::of(&emitted);
        for (at, there) in snapshots {
            let mut late = Client::of(there.iter().chain(&emitted[at..]));
            if all.phase.is_empty() && !late.phases.keys().all(|(_, phase)| phase.is_none()) {
                // A phase that arrives after its text has no delta, nor has the structured output in it.
                (late.phase, late.phases) = (BTreeMap::new(), all.phases.clone());
                late.values.clone_from(&all.values);
            }
            assert_eq!(late, all, "{name}, after {at} of {before}: {there:?}");
            compared += 1;
        }
    }
    assert!(compared > 3000, "{compared}");
}

#[test]
fn a_text_is_one_delta() {
    let mut stream = StreamAccumulator::default();
    for text in ["The ", "ferry ", "leaves."] {
        for (name, text) in [("reasoning_content", "Hm. "), ("content", text)] {
            let event = format!("data: {{\"choices\":[{{\"delta\":{{\"{name}\":\"{text}\"}}}}]}}\n\n");
            stream.push_bytes(event.as_bytes()).unwrap();
        }
    }
    let call = r#"{"index":0,"id":"a","function":{"name":"tide","arguments":"{\"port\":"}}"#;
    let event = format!("data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{call}]}}}}]}}\n\n");
    stream.push_bytes(event.as_bytes()).unwrap();
    stream.push_bytes(event.replace(r#"{\"port\":"#, "7").as_bytes()).unwrap();
    let choice = 0;
    assert_eq!(
        stream.catch_up(),
        [
            Delta::Reasoning { text: "Hm. Hm. Hm. ".into(), choice },
            Delta::Text { text: "The ferry leaves.".into(), choice },
            Delta::ToolCallStart { index: 0, id: "a".into(), name: "tide".into(), choice },
            Delta::ToolCallDelta { index: 0, id: "a".into(), arguments: "{\"port\":7".into(), choice },
        ]
    );
}

#[test]
fn withdrawn_calls_are_left_out() {
    let item = r#""id":"fc_1","type":"function_call","call_id":"call_1","name":"tide","arguments":"{}""#;
    let output = r#"{"id":"fco_1","type":"function_call_output","call_id":"call_1","output":"12:00"}"#;
    let mut stream = StreamAccumulator::default();
    for (at, item) in [(0, format!("{{{item}}}")), (1, output.to_owned())] {
        let event = format!(
            "data: {{\"type\":\"response.output_item.done\",\"output_index\":{at},\"item\":{item}}}\n\n"
        );
        let deltas = stream.push_bytes(event.as_bytes()).unwrap();
        assert_eq!(at == 0, deltas.iter().any(|delta| matches!(delta, Delta::ToolCallEnd { .. })));
    }
    let there = stream.catch_up();
    assert!(
        there
            .iter()
            .any(|delta| matches!(delta, Delta::Warning { code: WarningCode::WithdrawnToolCall, .. }))
    );
    assert!(
        !there.iter().any(|delta| matches!(delta, Delta::ToolCallStart { .. } | Delta::ToolCallEnd { .. }))
    );
}

#[test]
fn an_answer_that_continues_keeps_its_finish_reason() {
    let mut stream = StreamAccumulator::default();
    let mut emitted = Vec::new();
    for (text, done) in [("The ferry ", true), ("leaves.", false)] {
        let reason = if done { r#","done_reason":"stop""# } else { "" };
        let event = format!(
            "{{\"model\":\"m\",\"message\":{{\"role\":\"assistant\",\"content\":\"{text}\"}},\"done\":{done}{reason}}}\n"
        );
        emitted.extend(stream.push_bytes(event.as_bytes()).unwrap());
    }
    let is_finish = |delta: &&Delta| matches!(delta, Delta::Finish { .. });
    assert_eq!(stream.catch_up().iter().filter(is_finish).count(), emitted.iter().filter(is_finish).count());
}
