//! Puts an answer together from what providers say, piece by piece.

mod calls;
mod catch_up;
mod choices;
mod content;
mod mirror;
mod removed;
mod search;
mod view;
mod warnings;

use super::channel::Channel;
use super::choice::ChoiceState;
#[cfg(target_family = "wasm")]
use super::delta_log::Deltas;
use super::delta_log::{DeltaLog, Recording};
use super::journal::Note;
use search::TextSearch;
pub(crate) use view::ReasoningView;

use crate::json::{RawJson, Value, is_same_text};
use crate::model::{Delta, Failure, FailureCode, FinishReason, Limits, Usage, Warning, WarningCode};
use crate::save::state;

/// Why a choice ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Finish {
    /// In common words.
    pub reason: FinishReason,
    /// In the provider's word.
    pub raw: Option<String>,
    /// Whether [`FinishReason::Complete`] means [`FinishReason::ToolUse`] where there are tool calls.
    pub or_tool_use: bool,
}

state! { struct Finish { reason, raw, or_tool_use } }

impl Finish {
    fn to_delta(&self, choice: u32) -> Delta {
        let Self { reason, raw, .. } = self.clone();
        Delta::Finish { finish_reason: reason, raw_finish_reason: raw, choice }
    }
}

/// How much of an answer is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Its text, tool calls and refusal, and what went wrong.
    Answer,
    /// And its model and usage.
    Summary,
    /// Nothing of it may be lost.
    Everything,
}

state! { enum Depth { 0 Answer, 1 Summary, 2 Everything } }

/// An answer that is under way. Providers call it with what an event says.
///
/// Using a [`Place`](super::Place) creates the part. The first id, model and finish reason count, and the last usage.
/// Once a limit is exceeded, everything is ignored.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct Builder {
    pub(super) id: Option<String>,
    pub(super) model: Option<String>,
    /// Sorted by index.
    pub(super) choices: Vec<ChoiceState>,
    pub(super) usage: Option<Usage>,
    /// The usage of the answers before the one that is being read.
    spent: Option<Usage>,
    pub(super) error: Option<Failure>,
    pub(super) warnings: Vec<Warning>,
    depth: Depth,
    is_body: bool,
    is_done: bool,
    is_halted: bool,
    /// Whether what comes are several pieces of a text, joined.
    is_joined: bool,
    begins_late: bool,
    /// Whether the finish reason is that of an answer before the one that is being read.
    has_second: bool,
    limits: Limits,
    log: DeltaLog,
    /// What looks for tool calls and reasoning in the text.
    search: Option<Box<TextSearch>>,
    /// What may be an error.
    suspect: Option<String>,
    /// A failure that says nothing, until it is known whether another one comes.
    unexplained: Option<Failure>,
    /// What ids of calls are made of if the answer has none.
    pub(super) seed: Option<String>,
}

state! { struct Builder {
    id, model, choices, usage, spent, error, warnings, depth, is_done, is_halted, begins_late, has_second, limits, log, search, suspect,
    unexplained,
} anew { seed, is_body, is_joined } }

impl Builder {
    /// An empty answer.
    pub fn new(limits: Limits, recording: Recording) -> Self {
        Self {
            id: None,
            model: None,
            choices: Vec::new(),
            usage: None,
            spent: None,
            error: None,
            warnings: Vec::new(),
            depth: Depth::Everything,
            is_body: false,
            is_done: false,
            is_halted: false,
            is_joined: false,
            begins_late: false,
            has_second: false,
            limits,
            log: DeltaLog::new(recording),
            search: None,
            suspect: None,
            unexplained: None,
            seed: None,
        }
    }

    /// Makes ids of calls of this, if the answer has no id: else those of two answers are the same.
    pub(crate) fn set_seed(&mut self, seed: String) {
        self.seed = Some(seed);
    }

    /// The same, where not everything is asked for. A body is read; there are no deltas.
    pub fn of_body(limits: Limits, depth: Depth) -> Self {
        Self { depth, is_body: true, ..Self::new(limits, Recording::Off) }
    }

    /// Whether members that nobody knows, and details like log probabilities, may stay unread.
    pub fn is_brief(&self) -> bool {
        self.depth != Depth::Everything
    }

    /// Whether the model and the usage are asked for.
    pub fn has_summary(&self) -> bool {
        self.depth != Depth::Answer
    }

    /// The bounds that hold.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Takes the deltas since the last time.
    pub fn take_deltas(&mut self) -> Vec<Delta> {
        self.log.take(self.usage.as_ref())
    }

    /// Shows the deltas since the last time, if there are any, and forgets them, but not their memory.
    #[cfg(target_family = "wasm")]
    pub(crate) fn show_deltas<T: Default>(&mut self, show: impl FnOnce(&mut Deltas) -> T) -> T {
        self.log.show(self.usage.as_ref(), show)
    }

    /// Reads the end of the text that grows, so that the processor fetches it while the next event is compared. With
    /// 40,000 open streams that takes an eighth off the time of an event.
    #[inline]
    pub(crate) fn prefetch(&self) {
        std::hint::black_box(self.choices.first().and_then(ChoiceState::latest_byte));
    }

    /// Whether neighbouring pieces of text become one delta, so that they may as well be emitted at once.
    pub fn is_joining(&self) -> bool {
        self.log.recording() != Recording::EachEvent
    }

    /// From now on, texts are several pieces, joined: then one that is all before it says something new. Only where the
    /// text [is settled](Self::is_settled).
    pub(crate) fn set_joined(&mut self, is_joined: bool) {
        self.is_joined = is_joined;
    }

    /// The id of the answer, once it is known.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The model that answers, once it is known.
    pub fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// The id of the answer.
    pub fn set_id(&mut self, id: &str) {
        if self.id.is_none() && !id.is_empty() {
            self.id = Some(id.to_owned());
        }
    }

    /// The model that answers.
    pub fn set_model(&mut self, model: &str) {
        if self.model.is_none() && !model.is_empty() {
            self.model = Some(model.to_owned());
        }
    }

    /// Another model goes on with the answer.
    pub fn replace_model(&mut self, model: &str) {
        self.model = Some(model.to_owned());
    }

    /// Whether this is the usage that was set last, to the letter. A second answer may cost the same as the first.
    pub fn has_usage(&self, usage: Value<'_>) -> bool {
        usage.json_text().is_some_and(|usage| self.has_usage_in(usage.as_bytes()))
    }

    /// The same for its JSON.
    pub(crate) fn has_usage_in(&self, usage: &[u8]) -> bool {
        let known = self.spent.as_ref().or(self.usage.as_ref());
        let known = known.and_then(|usage| usage.raw.as_ref());
        known.is_some_and(|raw| is_same_text(usage, raw.get().as_bytes()))
    }

    /// What the answer has cost so far; replaces what was said before of this answer.
    pub fn set_usage(&mut self, usage: Usage) {
        let is_other_json = self.spent.as_ref().is_some_and(|spent| spent.raw != usage.raw);
        let usage = self.with_spent(usage);
        if self.is_halted || !is_other_json && self.usage.as_ref() == Some(&usage) {
            return;
        }
        self.log.usage(&usage);
        self.usage = Some(usage);
    }

    /// Usage was reported here that is given by `update_usage` before the deltas are taken, unless more usage comes
    /// before that. Only where pieces of text [are joined](Self::is_joining).
    pub(crate) fn mark_usage(&mut self) {
        self.log.mark_usage();
    }

    /// The usage that was reported at the place that was marked last.
    pub(crate) fn update_usage(&mut self, usage: Usage) {
        self.usage = Some(self.with_spent(usage));
    }

    /// The cost is reported beside the usage, which is known.
    pub(crate) fn set_cost(&mut self, cost: RawJson) {
        let known = self.usage.as_mut().filter(|_| !self.is_halted);
        if let Some(usage) = known.filter(|usage| usage.reported_cost.as_ref() != Some(&cost)) {
            usage.reported_cost = Some(cost);
            self.log.usage(usage);
        }
    }

    /// The usage with that of the answers before this one.
    fn with_spent(&mut self, mut usage: Usage) -> Usage {
        if let Some(spent) = &mut self.spent {
            spent.raw.clone_from(&usage.raw);
            usage.add_earlier(spent);
        }
        usage
    }

    /// The provider reports an error. What came before stays, what comes after is read.
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
        self.unexplained = None;
    }

    /// The provider reports an error without a word. If it explains it in another event, that one counts.
    pub(crate) fn fail_unexplained(&mut self, failure: Failure) {
        self.unexplained = Some(failure).filter(|_| self.error.is_none());
    }

    /// There are more of these than `count`, the value of an option that whole bodies don't have.
    #[cold]
    pub(super) fn exceed_count(&mut self, count: usize, of: &str, option: &str) {
        let mut message = ["The response has more than ", &count.to_string(), " ", of].concat();
        if !self.is_body {
            message.extend([". Raise `limits.", option, "` to read them."]);
        }
        self.exceed(message);
    }

    /// A limit is exceeded: nothing more is read.
    pub fn exceed(&mut self, message: impl Into<String>) {
        self.fail(Failure::new(FailureCode::LimitExceeded, message));
        self.is_halted = true;
    }

    /// The provider says that the stream is over.
    pub fn finish_stream(&mut self) {
        self.confirm();
        for choice in 0..self.choices.len() {
            self.close(choice, true);
            self.emit_finish(choice);
        }
        if !self.is_done {
            self.log.note(Note::Done);
        }
        self.is_done = true;
    }

    /// Whether the provider said that the stream is over, or that every choice is.
    pub fn is_finished(&self) -> bool {
        self.is_done
            || (!self.has_second
                && !self.choices.is_empty()
                && self.choices.iter().all(|choice| choice.finish.is_some()))
    }

    /// Text that is no event seems to be an error: it is one if the answer doesn't become whole.
    pub(crate) fn suspect(&mut self, error: Option<String>) {
        if !self.is_finished() && self.suspect.is_none() {
            self.suspect = error;
        }
    }

    /// The stream is over: what seemed to be an error is one, unless the provider said why a choice ended.
    pub(crate) fn confirm(&mut self) {
        let is_whole = self.error.is_some() || self.choices.iter().any(|choice| choice.finish.is_some());
        if let Some(error) = self.suspect.take().filter(|_| !is_whole) {
            self.fail(Failure::new(FailureCode::ProviderError, error));
        }
        self.leave_unexplained();
    }

    /// Nothing explains a failure any more that says nothing.
    pub(crate) fn leave_unexplained(&mut self) {
        if let Some(failure) = self.unexplained.take() {
            self.fail(failure);
        }
    }

    /// Whether a limit was exceeded, so that nothing more is read.
    pub fn is_halted(&self) -> bool {
        self.is_halted
    }

    /// What went wrong.
    pub fn error(&self) -> Option<&Failure> {
        self.error.as_ref()
    }

    /// The stream begins in the middle of the answer: an earlier part that comes at the end was missing.
    pub fn begin_late(&mut self) {
        self.begins_late = true;
    }

    /// The answer goes on under another id, although it may have ended.
    pub fn continue_answer(&mut self) {
        self.id = None;
        self.is_done = false;
        self.reopen(0);
    }

    /// A second answer begins in the same stream.
    pub fn begin_second_answer(&mut self) {
        let message =
            "A second response began in the same stream; the result has the text and the calls of both";
        self.warn_once(WarningCode::SecondAnswer, message.to_owned());
        self.is_done = false;
        self.has_second = true;
        self.spent = self.usage.clone().map(|usage| Usage { raw: None, ..usage });
    }
}
