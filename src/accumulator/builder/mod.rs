//! Builds one response, piece by piece, from the content that providers read.

mod arguments;
mod calls;
mod catch_up;
mod choices;
mod content;
mod other_events;
mod removed_spans;
mod repeated_reasoning;
mod search;
mod view;
mod warnings;
mod whole;

use super::channel::Channel;
use super::choice::ChoiceState;
#[cfg(target_family = "wasm")]
use super::delta_log::Deltas;
use super::delta_log::{DeltaLog, Recording};
use super::journal::Note;
use super::tool_call::End;
use other_events::OtherEvents;
use search::TextSearch;
pub(crate) use view::ReasoningView;

use crate::json::{RawJson, Value, is_same_text};
use crate::model::{Delta, Failure, FailureCode, FinishReason, Limits, Usage, Warning, WarningCode};
use crate::save::state;

/// Why a choice ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Finish {
    /// Normalised reason.
    pub reason: FinishReason,
    /// The provider's own word, if it sent one.
    pub raw: Option<String>,
    /// Whether [`FinishReason::Complete`] becomes [`FinishReason::ToolUse`] if the choice has tool calls.
    pub or_tool_use: bool,
}

state! { struct Finish { reason, raw, or_tool_use } }

impl Finish {
    fn to_delta(&self, choice: u32) -> Delta {
        let Self { reason, raw, .. } = self.clone();
        Delta::Finish { finish_reason: reason, raw_finish_reason: raw, choice }
    }
}

/// How much of a response the caller needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Text, tool calls, refusal and error.
    Answer,
    /// These, and the model and usage.
    Summary,
    /// Everything, including unknown members and log probabilities.
    Everything,
}

state! { enum Depth { 0 Answer, 1 Summary, 2 Everything } }

/// A response that is being built. Providers call its methods with the content of each event.
///
/// Adding content at a [`Place`](super::Place) creates the part. The first id, model and finish reason win, and the
/// last usage. Once a limit is exceeded, further content is ignored.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "how the stream begins, goes on and ends, which servers combine in any way"
)]
pub struct Builder {
    pub(super) id: Option<String>,
    pub(super) model: Option<String>,
    /// Sorted by index.
    pub(super) choices: Vec<ChoiceState>,
    pub(super) usage: Option<Usage>,
    /// Total usage of the earlier responses in the stream. Its `raw` is the latest raw usage of the current response.
    earlier_usage: Option<Usage>,
    pub(super) error: Option<Failure>,
    pub(super) warnings: Vec<Warning>,
    other_events: OtherEvents,
    depth: Depth,
    is_body: bool,
    is_done: bool,
    is_halted: bool,
    /// Whether pushed fragments consist of several pieces, already joined.
    is_joined: bool,
    begins_late: bool,
    /// Whether a second response has begun. A finish reason may then be that of an earlier one, so only `is_done` says
    /// whether the current response is over.
    has_second_answer: bool,
    limits: Limits,
    log: DeltaLog,
    /// Search for tool calls and reasoning in the text, if enabled.
    search: Option<Box<TextSearch>>,
    /// Text that may be an error message. It is reported unless a choice gets a finish reason.
    suspected_error: Option<String>,
    /// Failure without an explanation, held back until an event explains it or the stream ends.
    unexplained_failure: Option<Failure>,
    /// Seed of generated tool call ids, used if the response has no id.
    pub(super) seed: Option<String>,
}

state! { struct Builder {
    id, model, choices, usage, earlier_usage, error, warnings, other_events, depth, is_done, is_halted, begins_late,
    has_second_answer, limits, log, search, suspected_error,
    unexplained_failure,
} anew { seed, is_body, is_joined } }

impl Builder {
    /// Creates an empty response.
    pub fn new(limits: Limits, recording: Recording) -> Self {
        Self {
            id: None,
            model: None,
            choices: Vec::new(),
            usage: None,
            earlier_usage: None,
            error: None,
            warnings: Vec::new(),
            other_events: OtherEvents::default(),
            depth: Depth::Everything,
            is_body: false,
            is_done: false,
            is_halted: false,
            is_joined: false,
            begins_late: false,
            has_second_answer: false,
            limits,
            log: DeltaLog::new(recording),
            search: None,
            suspected_error: None,
            unexplained_failure: None,
            seed: None,
        }
    }

    /// Sets the seed of generated tool call ids. It is used if the response has no id, so that the ids of two responses
    /// differ.
    pub(crate) fn set_seed(&mut self, seed: String) {
        self.seed = Some(seed);
    }

    /// Creates an empty response for a whole body, read to the given depth. Deltas aren't recorded.
    pub fn of_body(limits: Limits, depth: Depth) -> Self {
        Self { depth, is_body: true, ..Self::new(limits, Recording::Off) }
    }

    /// Whether unknown members, and details such as log probabilities, may be skipped.
    pub fn is_brief(&self) -> bool {
        self.depth != Depth::Everything
    }

    /// Whether the model and the usage are needed.
    pub fn has_summary(&self) -> bool {
        self.depth != Depth::Answer
    }

    /// Returns the limits that apply.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Takes the deltas recorded since the last call.
    pub fn take_deltas(&mut self) -> Vec<Delta> {
        self.log.take(self.usage.as_ref())
    }

    /// Passes the deltas recorded since the last call to `show`, if there are any, and clears them. Their memory isn't
    /// reused before the next delta is recorded.
    #[cfg(target_family = "wasm")]
    pub(crate) fn with_deltas<T: Default>(&mut self, show: impl FnOnce(&mut Deltas) -> T) -> T {
        self.log.with_deltas(self.usage.as_ref(), show)
    }

    /// Reads the last byte of the growing text, so that the processor fetches it while the next event is compared. With
    /// 40,000 open streams, this saves an eighth of the time per event.
    #[inline]
    pub(crate) fn prefetch(&self) {
        std::hint::black_box(self.choices.first().and_then(ChoiceState::last_byte));
    }

    /// Whether adjacent pieces of text may be joined before they are pushed, because they don't need separate deltas.
    pub fn is_joining(&self) -> bool {
        self.log.recording() != Recording::EachEvent
    }

    /// Sets whether pushed fragments consist of several pieces, already joined. Such a fragment is new even if it
    /// equals all text before it. Only allowed if the text [is settled](Self::is_settled).
    pub(crate) fn set_joined(&mut self, is_joined: bool) {
        self.is_joined = is_joined;
    }

    /// Returns the id of the response, once it is known.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Returns the model, once it is known.
    pub fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// Sets the id of the response. The first one wins.
    pub fn set_id(&mut self, id: &str) {
        if self.id.is_none() && !id.is_empty() {
            self.id = Some(id.to_owned());
        }
    }

    /// Sets the model. The first one wins.
    pub fn set_model(&mut self, model: &str) {
        if self.model.is_none() && !model.is_empty() {
            self.model = Some(model.to_owned());
        }
    }

    /// Replaces the model, because another one continues the response.
    pub fn replace_model(&mut self, model: &str) {
        self.model = Some(model.to_owned());
    }

    /// Whether this usage is identical, byte for byte, to the one set last for the current response. An earlier
    /// response in the stream may have cost the same.
    pub fn has_usage(&self, usage: Value<'_>) -> bool {
        usage.json_text().is_some_and(|usage| self.has_usage_in(usage.as_bytes()))
    }

    /// Variant of [`has_usage`](Self::has_usage) for JSON bytes.
    pub(crate) fn has_usage_in(&self, usage: &[u8]) -> bool {
        let known = self.earlier_usage.as_ref().or(self.usage.as_ref());
        let known = known.and_then(|usage| usage.raw.as_ref());
        known.is_some_and(|raw| is_same_text(usage, raw.get().as_bytes()))
    }

    /// Sets the usage of the response so far, replacing earlier values.
    pub fn set_usage(&mut self, usage: Usage) {
        let is_other_json = self.earlier_usage.as_ref().is_some_and(|spent| spent.raw != usage.raw);
        let usage = self.add_earlier_usage(usage);
        if self.is_halted || !is_other_json && self.usage.as_ref() == Some(&usage) {
            return;
        }
        self.log.record_usage(&usage);
        self.usage = Some(usage);
    }

    /// Marks the current position as that of a usage delta. The usage follows through `update_usage` before the deltas
    /// are taken, unless more usage is reported first. Only allowed if [`is_joining`](Self::is_joining).
    pub(crate) fn mark_usage_position(&mut self) {
        self.log.mark_usage_position();
    }

    /// Sets the usage for the position marked last.
    pub(crate) fn update_usage(&mut self, usage: Usage) {
        self.usage = Some(self.add_earlier_usage(usage));
    }

    /// Sets the cost that is reported beside the usage. No-op if the usage isn't known.
    pub(crate) fn set_cost(&mut self, cost: RawJson) {
        let known = self.usage.as_mut().filter(|_| !self.is_halted);
        if let Some(usage) = known.filter(|usage| usage.reported_cost.as_ref() != Some(&cost)) {
            usage.reported_cost = Some(cost);
            self.log.record_usage(usage);
        }
    }

    /// Returns the usage plus that of earlier responses in the stream.
    fn add_earlier_usage(&mut self, mut usage: Usage) -> Usage {
        if let Some(spent) = &mut self.earlier_usage {
            spent.raw.clone_from(&usage.raw);
            usage.add_earlier(spent);
        }
        usage
    }

    /// Emits an error, and keeps the first one. Earlier content stays, and later content is still read.
    pub fn fail(&mut self, failure: Failure) {
        if self.is_halted {
            return;
        }
        for at in 0..self.choices.len() {
            self.end_texts(at, Channel::settle);
        }
        self.log.add(|| Delta::Error { error: failure.clone() });
        if self.error.is_none() {
            self.log.note(Note::Failure);
        }
        self.error.get_or_insert(failure);
        self.unexplained_failure = None;
    }

    /// Records an error without an explanation. An error that follows in another event replaces it.
    pub(crate) fn fail_unexplained(&mut self, failure: Failure) {
        self.unexplained_failure = Some(failure).filter(|_| self.error.is_none());
    }

    /// Fails because the response has more than `count` items, named by `of`. `option` is the limit to raise; bodies
    /// don't have it.
    #[cold]
    pub(super) fn exceed_count(&mut self, count: usize, of: &str, option: &str) {
        let mut message = ["The response has more than ", &count.to_string(), " ", of].concat();
        if !self.is_body {
            message.extend([". Raise `limits.", option, "` to read them."]);
        }
        self.exceed(message);
    }

    /// Fails because a limit is exceeded. Nothing more is read.
    pub fn exceed(&mut self, message: impl Into<String>) {
        self.fail(Failure::new(FailureCode::LimitExceeded, message));
        self.is_halted = true;
    }

    /// Ends the stream and all choices, because the provider has marked the end.
    pub fn finish_stream(&mut self) {
        self.report_suspected_error();
        for choice in 0..self.choices.len() {
            self.close(choice, End::Certain);
            self.emit_finish(choice);
        }
        if !self.is_done {
            self.log.note(Note::Done);
        }
        self.is_done = true;
    }

    /// Whether the provider has marked the end of the stream.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Whether the provider has ended the stream, or every choice. An end without anything before it isn't one of an
    /// answer: gateways hide failures like this.
    pub fn is_finished(&self) -> bool {
        let is_begun =
            !self.choices.is_empty() || self.id.is_some() || self.model.is_some() || self.usage.is_some();
        self.is_done && is_begun
            || (!self.has_second_answer
                && !self.choices.is_empty()
                && self.choices.iter().all(|choice| choice.finish.is_some()))
    }

    /// Records text that isn't an event but may be an error message. It is reported if the response stays incomplete.
    pub(crate) fn suspect_error(&mut self, error: Option<String>) {
        if !self.is_finished() && self.suspected_error.is_none() {
            self.suspected_error = error;
        }
    }

    /// Reports a suspected error at the end of the stream, unless a choice has a finish reason or an error is known.
    /// Also reports an unexplained failure.
    pub(crate) fn report_suspected_error(&mut self) {
        let is_whole = self.error.is_some() || self.choices.iter().any(|choice| choice.finish.is_some());
        if let Some(error) = self.suspected_error.take().filter(|_| !is_whole) {
            self.fail(Failure::new(FailureCode::ProviderError, error));
        }
        self.report_unexplained_failure();
    }

    /// Reports the unexplained failure, because no explanation will follow.
    pub(crate) fn report_unexplained_failure(&mut self) {
        if let Some(failure) = self.unexplained_failure.take() {
            self.fail(failure);
        }
    }

    /// Whether a limit was exceeded, so that nothing more is read.
    pub fn is_halted(&self) -> bool {
        self.is_halted
    }

    /// Returns the first error.
    pub fn error(&self) -> Option<&Failure> {
        self.error.as_ref()
    }

    /// Notes that the stream began in the middle of the response, so an earlier part that arrives late was missed, not
    /// reordered.
    pub fn begin_late(&mut self) {
        self.begins_late = true;
    }

    /// Continues the response under another id, even if it had ended.
    pub fn continue_answer(&mut self) {
        self.id = None;
        self.is_done = false;
        self.reopen(0);
    }

    /// Begins a second response in the same stream, with a warning.
    pub fn begin_second_answer(&mut self) {
        let message =
            "A second response began in the same stream; the result has the text and the calls of both";
        self.warn_once(WarningCode::SecondAnswer, message.to_owned());
        self.begin_completion();
    }

    /// Begins another completion of the same response, whose usage is added.
    pub fn begin_completion(&mut self) {
        self.is_done = false;
        self.has_second_answer = true;
        self.earlier_usage = self.usage.clone().map(|usage| Usage { raw: None, ..usage });
    }
}
