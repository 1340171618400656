//! One choice of a response in progress: its parts and its tool calls.

use super::builder::Finish;
use super::call_list::CallList;
use super::channel::Channel;
use super::place::Slot;
use super::tool_call::Call;
use crate::json::{List, Object, RawJson};
use crate::model::{ContentPart, Delta, FinishReason};
use crate::save::state;

/// First slot number of calls found in the text: after all calls that the provider sends as such.
pub(super) const FIRST_FOUND_CALL: u64 = u64::MAX;

/// Kind of a part. Parts of different kinds can share a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PartKind {
    Reasoning,
    Text,
    Refusal,
    Audio,
    Whole,
}

state! { enum PartKind { 0 Reasoning, 1 Text, 2 Refusal, 3 Audio, 4 Whole } }

impl PartKind {
    /// Returns the name for messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Reasoning => "reasoning",
            Self::Text => "text",
            Self::Refusal => "refusal",
            Self::Audio => "audio transcript",
            Self::Whole => "content part",
        }
    }
}

/// A part in progress.
#[derive(Debug)]
pub(super) enum Part {
    Reasoning {
        text: Channel,
        signature: Option<String>,
        encrypted: Option<String>,
        id: Option<String>,
        /// Whose signature it is, if not the provider's.
        format: Option<String>,
    },
    Text {
        text: Channel,
        annotations: Vec<RawJson>,
        logprobs: List,
        signature: Option<String>,
    },
    Refusal {
        text: Channel,
    },
    Audio(Object),
    Whole(ContentPart),
}

state! { enum Part {
    0 Reasoning { text, signature, encrypted, id, format },
    1 Text { text, annotations, logprobs, signature },
    2 Refusal { text },
    3 Audio(members),
    4 Whole(part),
} }

impl Part {
    fn new(kind: PartKind) -> Self {
        match kind {
            PartKind::Reasoning => Self::Reasoning {
                text: Channel::default(),
                signature: None,
                encrypted: None,
                id: None,
                format: None,
            },
            PartKind::Text => Self::Text {
                text: Channel::default(),
                annotations: Vec::new(),
                logprobs: List::default(),
                signature: None,
            },
            PartKind::Refusal => Self::Refusal { text: Channel::default() },
            PartKind::Audio => Self::Audio(Object::default()),
            PartKind::Whole => Self::Whole(ContentPart::Other { raw: RawJson::null() }),
        }
    }

    /// Returns the text that grows in this part, if it has any.
    pub(super) fn channel(&mut self) -> Option<&mut Channel> {
        match self {
            Self::Reasoning { text, .. } | Self::Text { text, .. } | Self::Refusal { text } => Some(text),
            Self::Audio(_) | Self::Whole(_) => None,
        }
    }
}

/// A choice in progress.
#[derive(Debug)]
pub(super) struct ChoiceState {
    pub(super) index: u32,
    /// Sorted by slot and kind.
    parts: Vec<(Slot, PartKind, Part)>,
    /// Index of the part that was used last; the next piece usually belongs to it.
    last_part: usize,
    /// The parts whose texts may hold something back, sorted: those used since the texts were last ended, and always
    /// the part that was used last.
    open_parts: Vec<(Slot, PartKind)>,
    pub(super) calls: CallList,
    pub(super) finish: Option<Finish>,
    /// The finish reason in the latest finish delta.
    pub(super) emitted_finish: Option<Finish>,
    /// For each kind of text, the highest slot that has some.
    last_texts: [Option<Slot>; 3],
    /// The phases of the messages, by the first number of their slots.
    phases: Vec<(u64, String)>,
    /// The phase in the latest phase delta.
    emitted_phase: Option<String>,
}

state! {
    struct ChoiceState { index, parts, last_part, open_parts, calls, finish, emitted_finish, last_texts, phases, emitted_phase }
}

impl ChoiceState {
    pub(super) fn new(index: u32) -> Self {
        Self {
            index,
            parts: Vec::new(),
            last_part: 0,
            open_parts: Vec::new(),
            calls: CallList::default(),
            finish: None,
            emitted_finish: None,
            last_texts: [None; 3],
            phases: Vec::new(),
            emitted_phase: None,
        }
    }

    /// Returns the last byte of the text that was appended to last.
    #[inline]
    pub(super) fn last_byte(&self) -> Option<u8> {
        match self.parts.get(self.last_part) {
            Some((_, _, Part::Text { text, .. } | Part::Reasoning { text, .. })) => {
                text.as_str().as_bytes().last().copied()
            }
            _ => None,
        }
    }

    /// Returns the part at this slot, and creates it if there is none.
    pub(super) fn part(&mut self, slot: Slot, kind: PartKind) -> Option<&mut Part> {
        let is_last = self.parts.get(self.last_part).is_some_and(|(s, k, _)| (*s, *k) == (slot, kind));
        if !is_last {
            if let Err(at) = self.open_parts.binary_search(&(slot, kind)) {
                self.open_parts.insert(at, (slot, kind));
            }
            self.last_part = match self.parts.binary_search_by_key(&(slot, kind), |(s, k, _)| (*s, *k)) {
                Ok(at) => at,
                Err(at) => {
                    if self.parts.is_empty() {
                        self.parts.reserve_exact(1); // usually there is only one
                    }
                    self.parts.insert(at, (slot, kind, Part::new(kind)));
                    at
                }
            };
        }
        self.parts.get_mut(self.last_part).map(|(_, _, part)| part)
    }

    /// Returns the text that was appended to last, if it has this kind and slot and no text of the kind is at a later
    /// slot.
    pub(super) fn latest_text(&mut self, slot: Slot, kind: PartKind) -> Option<&mut Channel> {
        match (self.parts.get_mut(self.last_part), self.last_texts.get(kind as usize)) {
            (Some((at, of, part)), Some(Some(last))) if *at == slot && *of == kind && *last == slot => {
                part.channel()
            }
            _ => None,
        }
    }

    /// Returns the last text of a kind, if this slot comes after it.
    pub(super) fn text_before(&mut self, slot: Slot, kind: PartKind) -> Option<(Slot, &mut Channel)> {
        let last = (*self.last_texts.get(kind as usize)?)?;
        let at = self.parts.binary_search_by_key(&(last, kind), |(s, k, _)| (*s, *k)).ok()?;
        let (_, _, part) = self.parts.get_mut(at).filter(|_| last < slot)?;
        Some((last, part.channel()?))
    }

    /// Records that text of a kind arrives for a slot. Returns whether a later slot already has some.
    pub(super) fn is_out_of_order(&mut self, slot: Slot, kind: PartKind) -> bool {
        let Some(last) = self.last_texts.get_mut(kind as usize) else { return false };
        let is_before = last.is_some_and(|last| slot < last);
        *last = (*last).max(Some(slot));
        is_before
    }

    /// Returns the parts with their slots, in order.
    pub(super) fn parts(&self) -> impl Iterator<Item = (Slot, &Part)> {
        self.parts.iter().map(|(slot, _, part)| (*slot, part))
    }

    /// Returns the slots and kinds of the parts, in order.
    pub(super) fn part_keys(&self) -> impl Iterator<Item = (Slot, PartKind)> {
        self.parts.iter().map(|(slot, kind, _)| (*slot, *kind))
    }

    /// Ends the texts that may hold something back, in order.
    pub(super) fn end_texts(&mut self, mut end: impl FnMut(Slot, PartKind, &mut Channel)) {
        let last = self.parts.get(self.last_part).map(|(slot, kind, _)| (*slot, *kind));
        let parts = &mut self.parts;
        self.open_parts.retain(|key| {
            let found = parts.binary_search_by_key(key, |(slot, kind, _)| (*slot, *kind));
            let Some((slot, kind, part)) = found.ok().and_then(|at| parts.get_mut(at)) else { return false };
            let Some(channel) = part.channel() else { return Some(*key) == last };
            end(*slot, *kind, channel);
            channel.is_open() || Some(*key) == last
        });
    }

    /// Returns the number of parts.
    pub(super) fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// Returns the part at this slot, if there is one.
    pub(super) fn find_part(&self, slot: Slot, kind: PartKind) -> Option<&Part> {
        let at = self.parts.binary_search_by_key(&(slot, kind), |(s, k, _)| (*s, *k)).ok()?;
        self.parts.get(at).map(|(_, _, part)| part)
    }

    /// Returns the text at this slot so far.
    pub(super) fn text_at(&self, slot: Slot, kind: PartKind) -> Option<&str> {
        match self.find_part(slot, kind)? {
            Part::Reasoning { text, .. } | Part::Text { text, .. } | Part::Refusal { text } => {
                Some(text.text_or_placeholder())
            }
            Part::Audio(_) | Part::Whole(_) => None,
        }
    }

    /// Sets the phase of the message at this slot. The first phase stays.
    pub(super) fn set_phase(&mut self, slot: Slot, phase: &str) {
        if self.phase(slot).is_none() {
            self.phases.push((slot.0, phase.to_owned()));
        }
    }

    /// Returns the phase of the message at this slot.
    pub(super) fn phase(&self, slot: Slot) -> Option<&str> {
        let mut phases = self.phases.iter().rev();
        phases.find(|(major, _)| *major == slot.0).map(|(_, phase)| phase.as_str())
    }

    /// Returns a delta with the phase of the text at this slot, unless it was the last one emitted.
    pub(super) fn emit_phase(&mut self, slot: Slot) -> Option<Delta> {
        let phase = self.phase(slot);
        if phase == self.emitted_phase.as_deref() {
            return None;
        }
        let phase = phase.map(str::to_owned);
        self.emitted_phase.clone_from(&phase);
        Some(Delta::Phase { phase, choice: self.index })
    }

    /// Whether fragments of the text and of the reasoning at this slot may be merged before they are pushed.
    pub(super) fn is_settled(&self, slot: Slot) -> bool {
        let from = self.parts.partition_point(|(at, ..)| *at < slot);
        let here = self.parts.iter().skip(from).take_while(|(at, ..)| *at == slot);
        here.map(|(_, _, part)| part).all(|part| match part {
            Part::Reasoning { text, .. } | Part::Text { text, .. } => text.is_settled(),
            _ => true,
        })
    }

    /// Decides which calls are repeats, and generates ids for the calls that have none.
    pub(super) fn name_calls(&mut self, answer: Option<&str>) {
        for slot in self.calls.undecided_repeats() {
            self.calls.decide_repeat(slot);
        }
        for slot in self.calls.unnamed() {
            let id = self.calls.unique_id(None, answer);
            self.calls.set_call_id(slot, id, Call::set_generated_id);
        }
    }

    /// Returns why the model stopped. `complete` becomes `tool_use` if there are calls and the provider doesn't
    /// distinguish the two.
    pub(super) fn finish_reason(&self) -> Option<FinishReason> {
        let finish = self.finish.as_ref()?;
        let has_calls = || self.calls.iter().any(|call| !call.is_superseded());
        if finish.or_tool_use && finish.reason == FinishReason::Complete && has_calls() {
            return Some(FinishReason::ToolUse);
        }
        Some(finish.reason.clone())
    }

    /// Whether the model stopped to call a tool, but has called none, not even one that the provider runs.
    pub(super) fn lacks_call(&self) -> bool {
        let is_tool = |part: &Part| matches!(part, Part::Whole(ContentPart::ServerTool { .. }));
        self.finish.as_ref().is_some_and(|finish| finish.reason == FinishReason::ToolUse)
            && self.calls.is_empty()
            && !self.parts.iter().any(|(_, _, part)| is_tool(part))
    }
}

/// Makes an audio part from the fields received so far.
pub(super) fn audio_part(members: &Object) -> ContentPart {
    let text = |name| members.text(name);
    ContentPart::Audio {
        id: text("id"),
        base64: text("data"),
        transcript: text("transcript"),
        raw: RawJson::of(members),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accumulator::channel::Novelty;
    use crate::json::Fragment;

    #[test]
    fn only_recently_used_texts_are_ended() {
        let mut choice = ChoiceState::new(0);
        let push = |choice: &mut ChoiceState, slot: u64| {
            let part = choice.part(Slot(slot, 0), PartKind::Text).unwrap();
            part.channel().unwrap().add(&Fragment::from("word"), Novelty::AllNew);
        };
        let ended = |choice: &mut ChoiceState| {
            let mut slots = Vec::new();
            choice.end_texts(|Slot(slot, _), _, channel| {
                channel.close();
                slots.push(slot);
            });
            slots
        };
        for slot in [0, 2, 1, 3] {
            push(&mut choice, slot);
        }
        assert_eq!(ended(&mut choice), [0, 1, 2, 3]);
        assert_eq!(ended(&mut choice), [3], "the next piece mostly goes there");
        push(&mut choice, 1);
        assert_eq!(ended(&mut choice), [1, 3]);
        assert_eq!(ended(&mut choice), [1]);
    }
}
