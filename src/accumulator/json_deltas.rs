//! Parsed JSON values, emitted next to the deltas that contain their text.

use super::result::COMMENTARY;
use crate::json::{PartialEvent, PartialParser, PathStep, ProgressState, RawJson};
use crate::model::{Delta, JsonIndex, ToolCall, ToolCallStatus, WarningCode};
use crate::save::state;

/// Key of a text: its choice, and the call or the text in it.
type Key = (u32, JsonIndex);

/// Adds [`Delta::Json`]s to the deltas of a stream wherever they contain JSON text.
#[derive(Debug)]
pub(crate) struct JsonDeltas {
    /// Whether the text of the response should be JSON.
    with_text: bool,
    /// Parsers, sorted by key. A parser is removed once its call has ended with complete arguments.
    parsers: Vec<(Key, PartialParser)>,
    /// The choices whose current text is commentary, which isn't part of the JSON.
    commentary_choices: Vec<u32>,
}

state! { struct JsonDeltas { with_text, parsers, commentary_choices } }

impl JsonDeltas {
    pub(crate) fn new(with_text: bool) -> Self {
        Self { with_text, parsers: Vec::new(), commentary_choices: Vec::new() }
    }

    /// Returns these deltas with their JSON deltas, for a client that has received none before.
    pub(crate) fn insert_json_deltas_from_start(&self, deltas: Vec<Delta>) -> Vec<Delta> {
        Self::new(self.with_text).insert_json_deltas(deltas)
    }

    /// Returns the deltas of a read, each followed by its JSON deltas. The end of a call or choice comes after them.
    pub(crate) fn insert_json_deltas(&mut self, deltas: Vec<Delta>) -> Vec<Delta> {
        let mut joined = Vec::with_capacity(deltas.len() * 2);
        let mut emitted = Vec::new();
        let mut deltas = deltas.into_iter().peekable();
        while let Some(delta) = deltas.next() {
            match &delta {
                Delta::Phase { phase, choice } => {
                    self.commentary_choices.retain(|commenting| commenting != choice);
                    if phase.as_deref() == Some(COMMENTARY) {
                        self.commentary_choices.push(*choice);
                    }
                }
                Delta::Text { text, choice }
                    if self.with_text && !self.commentary_choices.contains(choice) =>
                {
                    self.push((*choice, JsonIndex::Text), text, &mut emitted);
                }
                Delta::ToolCallDelta { index, arguments, choice, .. } => {
                    let key = (*choice, JsonIndex::Call(*index));
                    if self.is_known(key) || !deltas.peek().is_some_and(|next| completes(next, key)) {
                        self.push(key, arguments, &mut emitted);
                    }
                }
                Delta::ToolCallEnd { index, tool_call, status, choice } => {
                    self.end_call((*choice, JsonIndex::Call(*index)), tool_call, *status, &mut joined);
                }
                Delta::Finish { choice, .. } => self.end((*choice, JsonIndex::Text), &mut joined),
                _ => {}
            }
            joined.push(delta);
            joined.append(&mut emitted);
        }
        joined
    }

    fn find(&self, key: Key) -> Result<usize, usize> {
        self.parsers.binary_search_by_key(&key, |(key, _)| *key)
    }

    fn is_known(&self, key: Key) -> bool {
        self.find(key).is_ok()
    }

    /// Parses more of a text.
    fn push(&mut self, key: Key, text: &str, out: &mut Vec<Delta>) {
        let at = self.find(key).unwrap_or_else(|at| {
            self.parsers.insert(at, (key, PartialParser::default()));
            at
        });
        let Some((_, parser)) = self.parsers.get_mut(at) else { return };
        let is_wrong = |parser: &PartialParser| matches!(parser.state(), ProgressState::Invalid { .. });
        let was_wrong = is_wrong(parser);
        parser.push(text, &mut |path, event| out.push(to_delta(key, path, event)));
        // For a call, its status reports this.
        if is_wrong(parser) && !was_wrong && parser.has_emitted() && key.1 == JsonIndex::Text {
            let message =
                "The text began as JSON but isn't valid JSON; the deltas already emitted for it stand"
                    .to_owned();
            out.push(Delta::Warning { code: WarningCode::InvalidJson, message });
        }
    }

    /// Ends a text.
    fn end(&mut self, key: Key, out: &mut Vec<Delta>) {
        if let Ok(at) = self.find(key)
            && let Some((_, parser)) = self.parsers.get_mut(at)
        {
            parser.finish(&mut |path, event| out.push(to_delta(key, path, event)));
        }
    }

    /// Ends a call; one with incomplete arguments may go on. Arguments that weren't parsed yet are emitted as one
    /// value.
    fn end_call(&mut self, key: Key, call: &ToolCall, status: ToolCallStatus, out: &mut Vec<Delta>) {
        self.end(key, out);
        if status != ToolCallStatus::Complete {
            return;
        }
        match self.find(key) {
            Ok(at) => drop(self.parsers.remove(at)),
            Err(_) => out.push(to_delta(key, &[], PartialEvent::Whole { json: &call.arguments })),
        }
    }
}

/// Whether a delta ends this call with complete arguments.
fn completes(delta: &Delta, key: Key) -> bool {
    matches!(delta, Delta::ToolCallEnd { index, status: ToolCallStatus::Complete, choice, .. }
        if (*choice, JsonIndex::Call(*index)) == key)
}

fn to_delta((choice, index): Key, path: &[PathStep], event: PartialEvent<'_>) -> Delta {
    let path = path.to_vec();
    let (value, append, done) = match event {
        PartialEvent::Object => (Some(RawJson::valid("{}")), None, false),
        PartialEvent::Array => (Some(RawJson::valid("[]")), None, false),
        PartialEvent::String { text, is_first: true, done } => (Some(RawJson::string(text)), None, done),
        PartialEvent::String { text, done, .. } => {
            (None, Some(text.to_owned()).filter(|text| !text.is_empty()), done)
        }
        PartialEvent::Whole { json } => (Some(RawJson::valid(json)), None, true),
        PartialEvent::End => (None, None, true),
    };
    Delta::Json { index, path, value, append, done, choice }
}
