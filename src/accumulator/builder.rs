//! What providers tell, one piece after the other.

use super::choice::{ChoiceState, Part, PartKind, audio_part};
use super::delta_log::{DeltaLog, Recording};
use super::place::{Place, Slot};
use super::tool_call::Call;
use crate::json::{Fragment, Object, ProgressState, RawJson, Value};
use crate::model::{
    ContentPart, Delta, Failure, FailureCode, FinishReason, Limits, Usage, Warning, WarningCode,
};

/// How many warnings are kept. A broken server breaks every event; the first ones tell enough.
const MAX_WARNINGS: usize = 100;

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

/// An answer that is under way. Providers tell it what an event says.
///
/// Places where something stands are made by being named. The first id, model and finish reason stay, the
/// last usage counts. After a limit is exceeded everything is ignored.
#[derive(Debug)]
pub struct Builder {
    pub(super) id: Option<String>,
    pub(super) model: Option<String>,
    /// Sorted by index.
    pub(super) choices: Vec<ChoiceState>,
    pub(super) usage: Option<Usage>,
    pub(super) error: Option<Failure>,
    pub(super) warnings: Vec<Warning>,
    is_done: bool,
    is_halted: bool,
    limits: Limits,
    log: DeltaLog,
}

impl Builder {
    /// An empty answer.
    pub fn new(limits: Limits, recording: Recording) -> Self {
        Self {
            id: None,
            model: None,
            choices: Vec::new(),
            usage: None,
            error: None,
            warnings: Vec::new(),
            is_done: false,
            is_halted: false,
            limits,
            log: DeltaLog::new(recording),
        }
    }

    /// The bounds that hold.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Takes the deltas since the last time.
    pub fn take_deltas(&mut self) -> Vec<Delta> {
        self.log.take()
    }

    // ── the answer as a whole ────────────────────────────────────────────────

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

    /// What the answer has cost so far; replaces what was said before.
    pub fn set_usage(&mut self, usage: Usage) {
        if self.is_halted || self.usage.as_ref() == Some(&usage) {
            return;
        }
        self.log.add(|| Delta::Usage { usage: usage.clone() });
        self.usage = Some(usage);
    }

    /// The provider reports an error. What came before stays, what comes after is read.
    pub fn fail(&mut self, failure: Failure) {
        if self.is_halted {
            return;
        }
        self.log.add(|| Delta::Error { error: failure.clone() });
        self.error.get_or_insert(failure);
    }

    /// A limit is exceeded: nothing more is read.
    pub fn exceed(&mut self, message: impl Into<String>) {
        self.fail(Failure::new(FailureCode::LimitExceeded, message));
        self.is_halted = true;
    }

    /// Something is not as it should be.
    pub fn warn(&mut self, code: WarningCode, message: impl Into<String>) {
        let warning = match self.warnings.len() {
            MAX_WARNINGS.. => return,
            n if n == MAX_WARNINGS - 1 => Warning {
                code: WarningCode::TooManyWarnings,
                message: format!("more than {MAX_WARNINGS} warnings; the rest is not kept"),
            },
            _ => Warning { code, message: message.into() },
        };
        self.log.add(|| Delta::Warning { code: warning.code, message: warning.message.clone() });
        self.warnings.push(warning);
    }

    /// The provider says that the stream is over.
    pub fn finish_stream(&mut self) {
        for choice in 0..self.choices.len() {
            self.close(choice);
        }
        self.is_done = true;
    }

    /// Whether the provider said that the stream is over, or that every choice is.
    pub fn is_finished(&self) -> bool {
        self.is_done
            || (!self.choices.is_empty() && self.choices.iter().all(|choice| choice.finish.is_some()))
    }

    /// Whether a limit was exceeded, so that nothing more is read.
    pub fn is_halted(&self) -> bool {
        self.is_halted
    }

    /// What went wrong.
    pub fn error(&self) -> Option<&Failure> {
        self.error.as_ref()
    }

    // ── content ──────────────────────────────────────────────────────────────

    /// More text for the user.
    pub fn push_text(&mut self, place: Place, fragment: &Fragment<'_>) {
        if let Some((part, log)) = self.part(place, PartKind::Text, fragment)
            && let Some(channel) = part.channel()
        {
            log.text(place.choice, channel.push(fragment));
        }
    }

    /// More of what the model thinks.
    pub fn push_reasoning(&mut self, place: Place, fragment: &Fragment<'_>) {
        if let Some((part, log)) = self.part(place, PartKind::Reasoning, fragment)
            && let Some(channel) = part.channel()
        {
            log.reasoning(place.choice, channel.push(fragment));
        }
    }

    /// More of why the model does not answer.
    pub fn push_refusal(&mut self, place: Place, fragment: &Fragment<'_>) {
        if let Some((part, log)) = self.part(place, PartKind::Refusal, fragment)
            && let Some(channel) = part.channel()
        {
            log.refusal(place.choice, channel.push(fragment));
        }
    }

    /// The whole text, told at the end: only what is missing is added. See [`text_at`](Self::text_at) for
    /// what is there.
    pub fn complete_text(&mut self, place: Place, whole: &str) {
        match self.missing(place, PartKind::Text, whole) {
            Some(rest) => self.push_text(place, &Fragment::from(rest)),
            None => self.warn_of_mismatch("text"),
        }
    }

    /// The whole reasoning, told at the end: only what is missing is added.
    pub fn complete_reasoning(&mut self, place: Place, whole: &str) {
        match self.missing(place, PartKind::Reasoning, whole) {
            Some(rest) => self.push_reasoning(place, &Fragment::from(rest)),
            None => self.warn_of_mismatch("reasoning"),
        }
    }

    /// The whole refusal, told at the end: only what is missing is added.
    pub fn complete_refusal(&mut self, place: Place, whole: &str) {
        match self.missing(place, PartKind::Refusal, whole) {
            Some(rest) => self.push_refusal(place, &Fragment::from(rest)),
            None => self.warn_of_mismatch("refusal"),
        }
    }

    /// A piece of the signature of a reasoning part.
    pub fn push_signature(&mut self, place: Place, piece: &str) {
        if let Some(Part::Reasoning { signature, .. }) = self.reasoning_part(place) {
            signature.get_or_insert_default().push_str(piece);
        }
    }

    /// The encrypted form of a reasoning part.
    pub fn set_encrypted(&mut self, place: Place, data: &str) {
        if let Some(Part::Reasoning { encrypted, .. }) = self.reasoning_part(place) {
            *encrypted = Some(data.to_owned());
        }
    }

    /// A piece of the encrypted form of a reasoning part.
    pub fn push_encrypted(&mut self, place: Place, piece: &str) {
        if let Some(Part::Reasoning { encrypted, .. }) = self.reasoning_part(place) {
            encrypted.get_or_insert_default().push_str(piece);
        }
    }

    /// The provider's id of a reasoning part.
    pub fn set_reasoning_id(&mut self, place: Place, text: &str) {
        if let Some(Part::Reasoning { id, .. }) = self.reasoning_part(place) {
            id.get_or_insert_with(|| text.to_owned());
        }
    }

    /// An annotation of the text, given out as a delta.
    pub fn push_annotation(&mut self, place: Place, annotation: RawJson) {
        let choice = place.choice;
        self.log.add(|| Delta::Annotation { annotation: annotation.clone(), choice });
        if let Some(Part::Text { annotations, .. }) = self.text_part(place) {
            annotations.push(annotation);
        }
    }

    /// Log probabilities of tokens of the text.
    pub fn push_logprobs(&mut self, place: Place, tokens: impl Iterator<Item = RawJson>) {
        let mut tokens = tokens.peekable();
        if tokens.peek().is_some()
            && let Some(Part::Text { logprobs, .. }) = self.text_part(place)
        {
            logprobs.extend(tokens);
        }
    }

    /// All annotations of the text, told at the end: they replace those that came, unless they are fewer. A
    /// delta is given out for each that is new.
    pub fn complete_annotations(&mut self, place: Place, whole: Vec<RawJson>) {
        let known = self.annotations_at(place).len();
        if self.is_halted || whole.is_empty() || whole.len() < known {
            return;
        }
        for annotation in whole.iter().skip(known) {
            self.log.add(|| Delta::Annotation { annotation: annotation.clone(), choice: place.choice });
        }
        if let Some(Part::Text { annotations, .. }) = self.text_part(place) {
            *annotations = whole;
        }
    }

    /// All log probabilities of the text, told at the end: they replace those that came, unless they are
    /// fewer.
    pub fn complete_logprobs(&mut self, place: Place, whole: Vec<RawJson>) {
        if whole.is_empty() || whole.len() < self.logprobs_at(place).len() {
            return;
        }
        if let Some(Part::Text { logprobs, .. }) = self.text_part(place) {
            *logprobs = whole;
        }
    }

    /// More speech: an object with any of `id`, `data` (base64), `transcript` and others, whose strings are
    /// pieces.
    pub fn push_audio(&mut self, place: Place, audio: Value<'_>) {
        let Some(choice) = self.choice(place.choice) else { return };
        let Some(Part::Audio(known)) = choice.part(place.slot, PartKind::Audio) else { return };
        let mut piece = Object::default();
        for (name, member) in audio.others(&[]) {
            piece.put(name.clone(), member);
            known.append(name, member);
        }
        self.log.add(|| Delta::Audio { part: audio_part(&piece), choice: place.choice });
    }

    /// A part that comes as a whole. It replaces the one at its place; a delta is given out for a server
    /// tool, image or audio, where it says something new.
    pub fn set_part(&mut self, place: Place, content: ContentPart) {
        let Some(choice) = self.choice(place.choice) else { return };
        let Some(Part::Whole(known)) = choice.part(place.slot, PartKind::Whole) else { return };
        if *known == content {
            return;
        }
        known.clone_from(&content);
        self.tell_part(place.choice, content);
    }

    /// Tells a piece of a part as a delta, without keeping it: the provider keeps the pieces and
    /// [sets](Self::keep_part) the part when it is whole.
    pub fn tell_part(&mut self, choice: u32, part: ContentPart) {
        match part {
            ContentPart::ServerTool { .. } => self.log.add(|| Delta::ServerTool { part, choice }),
            ContentPart::Image { .. } => self.log.add(|| Delta::Image { part, choice }),
            ContentPart::Audio { .. } => self.log.add(|| Delta::Audio { part, choice }),
            _ => {}
        }
    }

    /// A part that comes as a whole and has been told as deltas before.
    pub fn keep_part(&mut self, place: Place, content: ContentPart) {
        if let Some(choice) = self.choice(place.choice)
            && let Some(Part::Whole(known)) = choice.part(place.slot, PartKind::Whole)
        {
            *known = content;
        }
    }

    /// The text at a place, as far as it has come.
    pub fn text_at(&self, place: Place) -> &str {
        self.channel_text(place, PartKind::Text)
    }

    /// The reasoning at a place, as far as it has come.
    pub fn reasoning_at(&self, place: Place) -> &str {
        self.channel_text(place, PartKind::Reasoning)
    }

    /// The refusal at a place, as far as it has come.
    pub fn refusal_at(&self, place: Place) -> &str {
        self.channel_text(place, PartKind::Refusal)
    }

    /// The annotations of the text at a place, as far as they have come.
    pub fn annotations_at(&self, place: Place) -> &[RawJson] {
        match self.find_part(place, PartKind::Text) {
            Some(Part::Text { annotations, .. }) => annotations,
            _ => &[],
        }
    }

    /// The log probabilities of the text at a place, as far as they have come.
    pub fn logprobs_at(&self, place: Place) -> &[RawJson] {
        match self.find_part(place, PartKind::Text) {
            Some(Part::Text { logprobs, .. }) => logprobs,
            _ => &[],
        }
    }

    /// The signature of the reasoning at a place, as far as it has come.
    pub fn signature_at(&self, place: Place) -> Option<&str> {
        match self.find_part(place, PartKind::Reasoning)? {
            Part::Reasoning { signature, .. } => signature.as_deref(),
            _ => None,
        }
    }

    /// Whether anything of an answer has come for this choice.
    pub fn has_content(&self, choice: u32) -> bool {
        let found = self.choices.iter().find(|c| c.index == choice);
        found.is_some_and(|c| c.parts().next().is_some() || !c.calls.is_empty())
    }

    // ── tool calls ───────────────────────────────────────────────────────────

    /// A tool call, and what is known of its id and name. The first id and name stay.
    pub fn open_call(&mut self, place: Place, id: Option<&str>, name: Option<&str>) {
        let (limits, answer) = (self.limits, self.id.clone());
        let Some(choice) = self.choice(place.choice) else { return };
        if choice.call(place.slot).is_none() {
            let count = choice.calls.len();
            if count >= limits.max_tool_calls {
                return self.exceed(format!("more than {count} tool calls; see limits.maxToolCalls"));
            }
            let index = u32::try_from(count).unwrap_or(u32::MAX);
            choice.calls.push(Call::new(place.slot, place.choice, index));
        }
        let wished = id.filter(|id| !id.is_empty());
        let unique = wished.map(|id| choice.unique_id(Some(id), answer.as_deref()));
        let Some(call) = choice.call(place.slot) else { return };
        if let Some(name) = name.filter(|name| !name.is_empty() && call.name().is_none()) {
            call.set_name(name);
        }
        if let (None, Some(id)) = (call.id(), unique) {
            call.set_id(id);
        }
        self.tell_call(place);
    }

    /// A piece of the arguments of a call, as JSON text.
    pub fn push_arguments(&mut self, place: Place, fragment: &Fragment<'_>) {
        if self.is_halted || fragment.is_empty() {
            return;
        }
        self.with_call(place, |call| call.push_text(fragment));
    }

    /// Arguments that come as an object, written compactly. Several are merged.
    pub fn push_object_arguments(&mut self, place: Place, json: String) {
        self.with_call(place, |call| call.push_object(json));
    }

    /// Takes back arguments that came as an object and that no delta has told: they come again, as text.
    pub fn take_object_arguments(&mut self, place: Place) -> Option<String> {
        self.choice(place.choice)?.call(place.slot)?.take_object()
    }

    /// The whole arguments, told at the end: only what is missing is added.
    pub fn complete_arguments(&mut self, place: Place, whole: &str) {
        let mut mismatch = false;
        self.with_call(place, |call| mismatch = call.complete(whole).is_err());
        if mismatch {
            self.warn_of_mismatch("the arguments of a tool call");
        }
    }

    /// A call is over.
    pub fn end_call(&mut self, place: Place) {
        if self.is_halted {
            return;
        }
        let at = self.choices.iter().position(|choice| choice.index == place.choice);
        if let Some(at) = at {
            self.end_call_at(at, place.slot, false);
        }
    }

    /// Whether there is a call at this place.
    pub fn has_call(&self, place: Place) -> bool {
        self.find_call(place).is_some()
    }

    /// The id of the call at this place.
    pub fn call_id(&self, place: Place) -> Option<&str> {
        self.find_call(place)?.id()
    }

    /// The name of the call at this place.
    pub fn call_name(&self, place: Place) -> Option<&str> {
        self.find_call(place)?.name()
    }

    /// The arguments of the call at this place as far as they have come, as JSON text: `{}` where there are
    /// none.
    pub fn arguments_at(&self, place: Place) -> &str {
        self.find_call(place).map_or("{}", Call::arguments)
    }

    /// How far the arguments of the call at this place are from being whole.
    pub fn arguments_state(&self, place: Place) -> ProgressState {
        self.find_call(place).map_or(ProgressState::Empty, Call::state)
    }

    /// The calls' places of this choice, in the order in which the calls began.
    pub fn call_places(&self, choice: u32) -> impl Iterator<Item = Place> {
        let found = self.choices.iter().find(|c| c.index == choice);
        found.into_iter().flat_map(move |c| c.calls.iter().map(move |call| Place { choice, slot: call.slot }))
    }

    // ── the end of a choice ──────────────────────────────────────────────────

    /// A choice has ended; its calls end with it. The first reason stays.
    pub fn finish(&mut self, choice: u32, finish: Finish) {
        let Some(state) = self.choice(choice) else { return };
        let is_first = state.finish.is_none();
        if is_first {
            state.finish = Some(finish);
        }
        let Some(at) = self.choices.iter().position(|c| c.index == choice) else { return };
        self.close(at);
        let Some(state) = self.choices.get(at) else { return };
        if let (true, Some(finish_reason), Some(finish)) = (is_first, state.finish_reason(), &state.finish) {
            let raw_finish_reason = finish.raw.clone();
            self.log.add(|| Delta::Finish { finish_reason, raw_finish_reason, choice });
        }
    }

    // ── inside ───────────────────────────────────────────────────────────────

    /// The choice of this index, made where it is new; `None` where nothing is read any more.
    fn choice(&mut self, index: u32) -> Option<&mut ChoiceState> {
        if self.is_halted {
            return None;
        }
        let at = match self.choices.binary_search_by_key(&index, |choice| choice.index) {
            Ok(at) => at,
            Err(_) if self.choices.len() >= self.limits.max_choices => {
                self.exceed(format!("more than {} choices; see limits.maxChoices", self.choices.len()));
                return None;
            }
            Err(at) => {
                self.choices.insert(at, ChoiceState::new(index));
                at
            }
        };
        self.choices.get_mut(at)
    }

    /// The part that a fragment goes to, and where deltas go; nothing for an empty fragment.
    fn part(
        &mut self,
        place: Place,
        kind: PartKind,
        fragment: &Fragment<'_>,
    ) -> Option<(&mut Part, &mut DeltaLog)> {
        if fragment.is_empty() {
            return None;
        }
        self.choice(place.choice)?;
        let at = self.choices.binary_search_by_key(&place.choice, |choice| choice.index).ok()?;
        Some((self.choices.get_mut(at)?.part(place.slot, kind)?, &mut self.log))
    }

    fn text_part(&mut self, place: Place) -> Option<&mut Part> {
        self.choice(place.choice)?.part(place.slot, PartKind::Text)
    }

    fn reasoning_part(&mut self, place: Place) -> Option<&mut Part> {
        self.choice(place.choice)?.part(place.slot, PartKind::Reasoning)
    }

    fn find_part(&self, place: Place, kind: PartKind) -> Option<&Part> {
        let choice = self.choices.iter().find(|choice| choice.index == place.choice);
        choice.and_then(|choice| choice.find_part(place.slot, kind))
    }

    fn channel_text(&self, place: Place, kind: PartKind) -> &str {
        let choice = self.choices.iter().find(|choice| choice.index == place.choice);
        choice.and_then(|choice| choice.text_at(place.slot, kind)).unwrap_or_default()
    }

    /// What of the whole has not come yet; `None` where something else has.
    fn missing<'a>(&self, place: Place, kind: PartKind, whole: &'a str) -> Option<&'a str> {
        whole.strip_prefix(self.channel_text(place, kind))
    }

    fn warn_of_mismatch(&mut self, what: &str) {
        let message = format!(
            "{what} was streamed otherwise than the provider says at the end; the streamed form is kept"
        );
        self.warn(WarningCode::Mismatch, message);
    }

    fn find_call(&self, place: Place) -> Option<&Call> {
        let choice = self.choices.iter().find(|choice| choice.index == place.choice)?;
        choice.calls.iter().rev().find(|call| call.slot == place.slot)
    }

    /// Changes the call at a place, which is made where there is none, and tells what that brought.
    fn with_call(&mut self, place: Place, change: impl FnOnce(&mut Call)) {
        if !self.has_call(place) {
            self.open_call(place, None, None);
        }
        let Some(call) = self.choice(place.choice).and_then(|choice| choice.call(place.slot)) else { return };
        change(call);
        self.tell_call(place);
    }

    /// Tells what has become known of a call.
    fn tell_call(&mut self, place: Place) {
        let Some(at) = self.choices.iter().position(|choice| choice.index == place.choice) else { return };
        let Some(choice) = self.choices.get_mut(at) else { return };
        if choice.call(place.slot).is_some_and(|call| call.wants_id()) {
            let id = choice.unique_id(None, self.id.as_deref());
            if let Some(call) = choice.call(place.slot) {
                call.set_id(id);
            }
        }
        if let Some(call) = choice.call(place.slot) {
            call.tell(&mut self.log);
        }
    }

    fn end_call_at(&mut self, choice: usize, slot: Slot, cut_off: bool) {
        let Some(choice) = self.choices.get_mut(choice) else { return };
        if choice.call(slot).is_some_and(|call| call.id().is_none()) {
            let id = choice.unique_id(None, self.id.as_deref());
            if let Some(call) = choice.call(slot) {
                call.set_id(id);
            }
        }
        if let Some(call) = choice.call(slot) {
            call.end(&mut self.log, cut_off);
        }
    }

    /// Ends the calls and the text of a choice.
    fn close(&mut self, at: usize) {
        let Some(choice) = self.choices.get_mut(at) else { return };
        let index = choice.index;
        for part in choice.parts_mut() {
            match part {
                Part::Text { text, .. } => self.log.text(index, text.close()),
                Part::Reasoning { text, .. } => self.log.reasoning(index, text.close()),
                Part::Refusal { text } => self.log.refusal(index, text.close()),
                Part::Audio(_) | Part::Whole(_) => {}
            }
        }
        let last = choice.calls.last().map(|call| call.slot);
        let cut_off = choice.finish.as_ref().is_some_and(|finish| finish.reason == FinishReason::Length);
        let slots: Vec<Slot> = choice.calls.iter().map(|call| call.slot).collect();
        for slot in slots {
            self.end_call_at(at, slot, cut_off && Some(slot) == last);
        }
    }
}
