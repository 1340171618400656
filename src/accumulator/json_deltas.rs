//! What becomes known of JSON values, emitted beside the deltas that bring their text.

use super::result::COMMENTARY;
use crate::json::{PartialEvent, PartialParser, PathStep, ProgressState, RawJson};
use crate::model::{Delta, JsonIndex, ToolCall, ToolCallStatus, WarningCode};
use crate::save::state;

/// What a text belongs to: the choice, and the call or the text in it.
type Key = (u32, JsonIndex);

/// Adds a [`Delta::Json`] to the deltas of a stream wherever they bring JSON text.
#[derive(Debug)]
pub(crate) struct JsonDeltas {
    /// Whether the text of the answer is expected to be JSON.
    with_text: bool,
    /// Sorted. A call that has ended, whole, is not here any more.
    parsers: Vec<(Key, PartialParser)>,
    /// The choices whose text is commentary now, which isn't the JSON.
    commenting: Vec<u32>,
}

state! { struct JsonDeltas { with_text, parsers, commenting } }

impl JsonDeltas {
    pub(crate) fn new(with_text: bool) -> Self {
        Self { with_text, parsers: Vec::new(), commenting: Vec::new() }
    }

    /// These deltas with what they make known, for a client that has seen none before.
    pub(crate) fn join_from_start(&self, deltas: Vec<Delta>) -> Vec<Delta> {
        Self::new(self.with_text).join(deltas)
    }

    /// The deltas of a read, each followed by what it made known; the end of a call or choice comes after that.
    pub(crate) fn join(&mut self, deltas: Vec<Delta>) -> Vec<Delta> {
        let mut joined = Vec::with_capacity(deltas.len() * 2);
        let mut emitted = Vec::new();
        let mut deltas = deltas.into_iter().peekable();
        while let Some(delta) = deltas.next() {
            match &delta {
                Delta::Phase { phase, choice } => {
                    self.commenting.retain(|commenting| commenting != choice);
                    if phase.as_deref() == Some(COMMENTARY) {
                        self.commenting.push(*choice);
                    }
                }
                Delta::Text { text, choice } if self.with_text && !self.commenting.contains(choice) => {
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

    /// Takes in more of a text.
    fn push(&mut self, key: Key, text: &str, out: &mut Vec<Delta>) {
        let at = self.find(key).unwrap_or_else(|at| {
            self.parsers.insert(at, (key, PartialParser::default()));
            at
        });
        let Some((_, parser)) = self.parsers.get_mut(at) else { return };
        let is_wrong = |parser: &PartialParser| matches!(parser.state(), ProgressState::Invalid { .. });
        let was_wrong = is_wrong(parser);
        parser.push(text, &mut |path, event| out.push(to_delta(key, path, event)));
        // Of a call its status says so.
        if is_wrong(parser) && !was_wrong && parser.has_emitted() && key.1 == JsonIndex::Text {
            let message =
                "The text began as JSON but isn't valid JSON; the deltas already emitted for it stand"
                    .to_owned();
            out.push(Delta::Warning { code: WarningCode::InvalidJson, message });
        }
    }

    /// A text is over.
    fn end(&mut self, key: Key, out: &mut Vec<Delta>) {
        if let Ok(at) = self.find(key)
            && let Some((_, parser)) = self.parsers.get_mut(at)
        {
            parser.finish(&mut |path, event| out.push(to_delta(key, path, event)));
        }
    }

    /// A call is over, though one that is not whole may go on. Arguments of which nothing was emitted are one value.
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

/// Whether a delta is the end of this call, and its arguments are JSON.
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
