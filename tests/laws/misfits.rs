//! Values of another type than documented are kept, too: they appear in the response, or in a warning.

use std::collections::{BTreeMap, BTreeSet};

use respool::model::Api;
use serde_json::{Value as Json, json};

use crate::corpus::streams::{each_event, read_events};
use crate::corpus::{bodies, cases};

/// A text that no fixture has.
const MARK: &str = "Kept as received.";

/// Ends of paths whose value may be dropped, with the reason.
const DROPPED: &[(&str, &str)] =
    &[("role", "every answer is the assistant's"), ("index", "only the order of the items shows it")];

/// Ends of paths whose value may be dropped in a stream, with the reason.
const DROPPED_IN_STREAMS: &[(&str, &str)] = &[
    ("contentBlockIndex", "only the order of the blocks shows it"),
    ("created", "the first one is kept"),
    ("created_at", "the first one is kept"),
    ("p", "it is padding"),
    ("message.stop_reason", "a later event has it"),
    ("message.stop_sequence", "a later event has it"),
    ("message.stop_details", "a later event has it"),
    ("message.content", "the deltas have it"),
    ("content_block.content", "the deltas have it"),
    ("content_block.input", "the deltas have it"),
    ("content_block.input.on", "the deltas have it"),
    ("content_block.waves", "the deltas have it"),
    ("delta.content.text", "the other pieces of the text take its place"),
    ("delta.message.content.text", "the other pieces of the text take its place"),
    ("reasoning_details.#.text", "the other pieces of the text take its place"),
    ("reasoning_details.#.summary", "the other pieces of the text take its place"),
    ("contentBlockDelta.delta.image", "the other pieces of the image take its place"),
    ("contentBlockDelta.delta.toolResult", "the other pieces of the result take its place"),
    ("tool_calls.#.id", "the first id counts"),
    ("tool_calls.function", "text would be the name, and the first one counts"),
    ("type", "an event of an unknown type is skipped with a warning"),
    ("cache_creation_input_tokens", "a later event has it"),
    ("cache_read_input_tokens", "a later event has it"),
    ("output_tokens", "a later event has it"),
    ("metadata.usage", "a later event has it"),
    ("partialArgs.#.willContinue", "anything but `true` means that nothing follows"),
    ("partialArgs.#.nullValue", "the value is `null` whatever it says"),
];

/// One step of a path: a member, or an item.
#[derive(Debug, Clone)]
enum Step {
    Member(String),
    Item(usize),
}

/// Returns the paths of all values in a value.
fn paths(value: &Json) -> Vec<Vec<Step>> {
    let mut found = Vec::new();
    collect_paths(value, &mut Vec::new(), &mut found);
    found
}

fn collect_paths(value: &Json, path: &mut Vec<Step>, found: &mut Vec<Vec<Step>>) {
    let steps: Vec<(Step, &Json)> = match value {
        Json::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (Step::Item(index), item)).collect()
        }
        Json::Object(members) => {
            members.iter().map(|(name, member)| (Step::Member(name.clone()), member)).collect()
        }
        _ => return,
    };
    for (step, inner) in steps {
        path.push(step);
        found.push(path.clone());
        collect_paths(inner, path, found);
        path.pop();
    }
}

/// Returns the value with another value at this path.
fn replaced(value: &Json, path: &[Step], other: &Json) -> Json {
    let mut whole = value.clone();
    let mut place = &mut whole;
    for step in path {
        place = match step {
            Step::Member(name) => &mut place[name.as_str()],
            Step::Item(index) => &mut place[index],
        };
    }
    *place = other.clone();
    whole
}

fn at<'v>(value: &'v Json, path: &[Step]) -> &'v Json {
    path.iter().fold(value, |value, step| match step {
        Step::Member(name) => &value[name.as_str()],
        Step::Item(index) => &value[index],
    })
}

/// Writes a path without the positions of items.
fn pattern(path: &[Step]) -> String {
    let names = path.iter().map(|step| match step {
        Step::Member(name) => name,
        Step::Item(_) => "#",
    });
    names.collect::<Vec<_>>().join(".")
}

/// Values of other types than this one.
fn misfits(value: &Json) -> Vec<Json> {
    let others = [json!(MARK), json!([MARK]), json!({ "other": MARK })];
    let is_same = |other: &Json| match value {
        Json::Array(_) => other.is_array(),
        Json::Object(_) => other.is_object(),
        Json::String(_) => other.is_string(),
        _ => false,
    };
    others.into_iter().filter(|other| !is_same(other)).collect()
}

/// Whether the value at the end of a path may be dropped.
fn may_be_dropped(pattern: &str, dropped: &[(&str, &str)]) -> bool {
    let ends_with =
        |end: &str| pattern.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    dropped.iter().any(|(end, _)| ends_with(end))
}

/// The patterns of paths that were tried, each with the value of another type, and those whose value was lost.
#[derive(Default)]
struct Tries {
    all: BTreeSet<String>,
    lost: Vec<String>,
}

impl Tries {
    /// Tries each other type of a value. `read` returns what is read with another value in its place.
    fn add(&mut self, case: &str, pattern: &str, value: &Json, read: impl Fn(&Json) -> Option<String>) {
        for misfit in misfits(value) {
            if self.all.insert(format!("{pattern} {misfit}"))
                && read(&misfit).is_some_and(|read| !read.contains(MARK))
            {
                self.lost.push(format!("{case}: {pattern}: {misfit}"));
            }
        }
    }

    fn check(&self) {
        assert!(self.all.len() > 500, "the values were found");
        assert!(self.lost.is_empty(), "lost:\n{}", self.lost.join("\n"));
    }
}

#[test]
fn a_value_of_another_type_is_kept_in_a_body() {
    let mut tries = Tries::default();
    for case in cases::all() {
        let Some(body) = case.body else { continue };
        let body: Json = serde_json::from_str(&body).unwrap();
        for path in paths(&body) {
            let pattern = pattern(&path);
            if !may_be_dropped(&pattern, DROPPED) {
                tries.add(
                    &case.name,
                    &format!("{} {pattern}", case.api.as_str()),
                    at(&body, &path),
                    |misfit| {
                        let decoded = bodies::decode(&replaced(&body, &path, misfit).to_string());
                        Some(serde_json::to_string(&decoded.ok()?).unwrap())
                    },
                );
            }
        }
    }
    tries.check();
}

/// In a stream, only the last event with a member is changed: later events may replace earlier ones.
#[test]
fn a_value_of_another_type_is_kept_in_a_stream() {
    let mut tries = Tries::default();
    for case in cases::all() {
        // The Responses interface sends everything several times.
        let Some(texts) = case.events.filter(|_| case.api != Api::OpenaiResponses) else { continue };
        let events: Vec<Json> = texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
        let mut last = BTreeMap::new();
        for (index, event) in events.iter().enumerate() {
            last.extend(paths(event).into_iter().map(|path| (pattern(&path), (index, path))));
        }
        for (pattern, (index, path)) in last {
            if may_be_dropped(&pattern, DROPPED) || may_be_dropped(&pattern, DROPPED_IN_STREAMS) {
                continue;
            }
            let event = &events[index];
            tries.add(&case.name, &format!("{} {pattern}", case.api.as_str()), at(event, &path), |misfit| {
                let mut texts = texts.clone();
                texts[index] = replaced(event, &path, misfit).to_string();
                Some(serde_json::to_string(&read_events(each_event(), &texts).result).unwrap())
            });
        }
    }
    tries.check();
}
