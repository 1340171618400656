//! Decides whether events that already have the target's interface are passed on unchanged.

use std::ops::Range;

use super::options::{EncodeOptions, WireApi};
use crate::json::{Document, Value, to_json};
use crate::model::Api;
use crate::provider::{has_other_form, result_of};
use crate::save::{Coder, State, state};
use crate::stream::{EventCopies, StreamOptions};

/// Whether the events of a source are passed on.
#[derive(Debug)]
pub(super) enum Passthrough {
    /// The interface of the source isn't known yet.
    Undecided,
    /// They aren't: they have another interface, or something in them has to be changed.
    Closed,
    /// They are, until a failure is written.
    Open { last: Last, has_failed: bool },
}

/// The last event that was passed on, of which only the sequence number is needed.
#[derive(Debug)]
pub(super) enum Last {
    Event(String),
    /// Sequence number of the next event.
    Before(u64),
}

impl Default for Last {
    fn default() -> Self {
        Self::Before(0)
    }
}

impl Last {
    /// Returns the sequence number of the next event.
    pub(super) fn next_number(&self) -> u64 {
        match self {
            Self::Event(json) => {
                let document = Document::parse(json, usize::MAX).ok();
                let number = document.and_then(|document| document.root().get_unsigned("sequence_number"));
                number.map_or(0, |number| number.saturating_add(1))
            }
            Self::Before(number) => *number,
        }
    }

    /// Remembers an event.
    pub(super) fn set(&mut self, json: &str) {
        match self {
            Self::Event(known) => json.clone_into(known),
            Self::Before(_) => *self = Self::Event(json.to_owned()),
        }
    }
}

/// Saves only the number, as the event may contain a whole response.
impl State for Last {
    fn blank() -> Self {
        Self::default()
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        *self = Self::Before(coder.number(self.next_number()));
    }
}

state! { enum Passthrough { 0 Undecided, 1 Closed, 2 Open { last, has_failed } } }

/// Maximum number of bytes kept while the interface of the events is unknown.
const MAX_UNKNOWN: usize = 1 << 16;

impl Passthrough {
    /// Creates the state for these options, which may rule out passing on events.
    pub(super) fn new(api: WireApi, stream: &StreamOptions, options: &EncodeOptions) -> Self {
        let is_changed = stream.text.is_some() || !options.keeps_reasoning(api);
        if is_changed { Self::Closed } else { Self::Undecided }
    }

    /// Continues the numbering after this event, if events are passed on.
    pub(super) fn continue_after(&mut self, event: Option<&str>) {
        if let (Self::Open { last, .. }, Some(event)) = (self, event) {
            last.set(event);
        }
    }

    /// Stops passing on events, as the written stream ends with a failure.
    pub(super) fn fail(&mut self) {
        if let Self::Open { has_failed, .. } = self {
            *has_failed = true;
        }
    }

    /// Whether events were passed on until a failure.
    pub(super) fn has_failed(&self) -> bool {
        matches!(self, Self::Open { has_failed: true, .. })
    }

    /// Whether events are passed on, which they aren't after a failure.
    pub(super) fn is_open(&self) -> bool {
        matches!(self, Self::Open { has_failed: false, .. })
    }

    /// Decides once the interface of the source is known. Returns whether the first event is a complete body.
    pub(super) fn decide(
        &mut self,
        source: Option<Api>,
        target: Api,
        is_custom: bool,
        event_copies: &EventCopies,
    ) -> bool {
        if !matches!(self, Self::Undecided) {
            return false;
        }
        let first = event_copies.first_known();
        let is_body = first.is_some_and(|event| is_whole(event.data));
        *self = match source {
            // The first event decides, so that the result doesn't depend on which other events are in the same read.
            Some(api) if api == target => match first {
                Some(event) if is_body && (event.has_failed || !may_be_streamed(event.data)) => Self::Closed,
                Some(event) if has_incompatible_form(event.data) => Self::Closed,
                Some(_) => Self::Open { last: Last::default(), has_failed: false },
                None => Self::Undecided,
            },
            Some(_) => Self::Closed,
            None if is_custom || event_copies.len() > MAX_UNKNOWN => Self::Closed,
            None => Self::Undecided,
        };
        is_body
    }
}

/// Whether an event is a complete response, such as from a server that doesn't stream.
pub(super) fn is_whole(json: &str) -> bool {
    let Ok(document) = Document::parse(json, usize::MAX) else { return false };
    let root = document.root();
    let has_message = |choice: Value<'_>| {
        choice.get("message").is_some_and(Value::is_object) && choice.get("delta").is_none()
    };
    if let Some(kind) = root.get_text("type") {
        return kind == "message";
    }
    root.get("output").is_some_and(Value::is_array)
        || root.get("output").is_some_and(|output| output.get("text").is_some())
        || root.get("object").is_some_and(|object| object.is("response"))
        || root.get_items("choices").any(has_message)
        // Oracle's, each of whose events looks like a complete response.
        || root.get("message").is_some_and(Value::is_object)
        || root.get("apiFormat").is_some()
        // Responses in an envelope, where clients don't find them.
        || root.get("choices").is_none() && result_of(root).is_some()
}

/// Whether an event is read as the target's interface, but has another form.
fn has_incompatible_form(json: &str) -> bool {
    Document::parse(json, usize::MAX).is_ok_and(|document| has_other_form(document.root()))
}

/// Whether a complete body has the members that clients need in a stream, so that none has to be made up.
fn may_be_streamed(json: &str) -> bool {
    let Ok(document) = Document::parse(json, usize::MAX) else { return false };
    let root = document.root();
    let is_message = root.get("type").is_some();
    // A message without a finish reason is a piece of the answer, sent instead of a delta.
    let has_ended =
        |choice: Value<'_>| choice.get_non_empty("finish_reason").is_some_and(|why| why != "null");
    root.get("id").is_some()
        && (!is_message || root.get("usage").is_some())
        && root.get_items("choices").all(has_ended)
}

/// Returns an event with the id and the model from the options, or `None` without such options. They are members of
/// `envelope`, or of the root if it is an answer; an error has neither.
pub(super) fn with_id_and_model(
    json: &str,
    envelope: Option<&'static str>,
    options: &EncodeOptions,
) -> Option<String> {
    if options.model.is_none() && options.id.is_none() {
        return None;
    }
    let document = Document::parse(json, usize::MAX).ok()?;
    let root = document.root();
    let object = envelope.map_or(Some(root), |name| root.get(name))?;
    let may_add = object.is_object() && (envelope.is_some() || is_answer(root));
    let (mut places, mut added) = (Vec::<(Range<usize>, String)>::new(), String::new());
    for (name, value) in [("id", &options.id), ("model", &options.model)] {
        let Some(value) = value else { continue };
        if let Some(span) = member(object, name).and_then(Value::span) {
            let at = places.iter().filter(|(known, _)| known.start < span.start).count();
            places.insert(at, (span, to_json(value)));
        } else if may_add {
            let comma = if added.is_empty() { "" } else { "," };
            added = [&*added, comma, "\"", name, "\":", &to_json(value)].concat();
        }
    }
    if !added.is_empty() {
        if object.has_others(&[]) {
            added.push(',');
        }
        let after = object.span()?.start + "{".len();
        places.insert(0, (after..after, added));
    }
    let (mut out, mut at) = (String::with_capacity(json.len()), 0);
    for (span, value) in places {
        out.push_str(json.get(at..span.start)?);
        out.push_str(&value);
        at = span.end;
    }
    out.push_str(json.get(at..)?);
    Some(out)
}

/// Whether an object is a chunk of chat completions, or a complete body.
pub(super) fn is_answer(object: Value<'_>) -> bool {
    ["choices", "output", "content"].iter().any(|list| object.get(list).is_some_and(Value::is_array))
}

/// Returns a member, even if it is null.
fn member<'a>(object: Value<'a>, name: &'static str) -> Option<Value<'a>> {
    let is_match = |(known, _): &(_, _)| *known == name;
    object.get(name).or_else(|| object.others(&[]).find(is_match).map(|(_, value)| value))
}
