//! The steps of an interaction.

use super::server_tool::is_server_tool;
use super::step::{Delta, Step, StepKind};
use crate::accumulator::{Builder, Place};
use crate::error::quote;
use crate::json::{Field, Object, RawJson, Value};
use crate::keyed::Keyed;
use crate::model::WarningCode;
use crate::save::state;

/// The steps, sorted by index; those with the same one in the order in which they began.
#[derive(Default)]
pub(super) struct Steps {
    list: Vec<Step>,
    /// The index of the first step of the interaction that is read: one that is continued comes before it.
    first: u64,
}

state! { struct Steps { list, first } }

impl Steps {
    /// Whether none has begun.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Another interaction begins in the same stream. It counts its steps from 0 again.
    pub(super) fn begin_again(&mut self) {
        self.first = self.next_index();
    }

    /// Reads the start of a step. Some servers count all as the first, so an index doesn't say which step it is.
    pub(super) fn start(&mut self, index: Option<u64>, step: Value<'_>, out: &mut Builder) {
        let index = self.counted(index);
        let known = self.find(index).and_then(|at| self.list.get_mut(at));
        if let Some(known) = known.filter(|known| known.is_sent_again(step, out)) {
            return known.complete(step, out);
        }
        let index = index.unwrap_or_else(|| self.next_index());
        let name = step.get_non_empty("type").unwrap_or_default();
        let at = self.open(index, name, StepKind::of(name));
        if let Some(opened) = self.list.get_mut(at) {
            opened.start(step, out);
        }
    }

    /// Reads a delta: it belongs to the latest step with this index, else to the latest of all. Answers whether it was
    /// understood.
    pub(super) fn add(&mut self, index: Option<u64>, delta: &Delta<'_>, out: &mut Builder) -> bool {
        let kind = match delta.kind().non_empty().unwrap_or_default() {
            // The words of Google's guide to the schema of May 2026.
            "arguments" => "arguments_delta",
            "thought" => "thought_summary",
            kind => kind,
        };
        let index = self.counted(index);
        let found = self.find(index).or_else(|| self.list.len().checked_sub(1).filter(|_| index.is_none()));
        let step = found.and_then(|at| self.list.get_mut(at));
        if let Some(step) = step {
            if step.takes(kind) {
                step.add(kind, delta, out);
                return true;
            }
            if step.is_unknown() {
                return false;
            }
        }
        // Of a step whose start is missing.
        let missing = match kind {
            "text" | "image" | "audio" | "video" | "document" | "text_annotation_delta" => "model_output",
            "thought_summary" | "thought_signature" => "thought",
            "arguments_delta" => {
                let text = delta.whole.compact().unwrap_or_default();
                let message = ["Skipped a piece of arguments for a step that isn't a call: ", &quote(&text)];
                out.warn(WarningCode::StrayFragment, message.concat());
                return true;
            }
            kind if is_server_tool(kind) => kind,
            _ => return false,
        };
        let index = index.unwrap_or_else(|| self.next_index());
        let at = self.open(index, missing, StepKind::of(missing));
        if let Some(step) = self.list.get_mut(at) {
            step.add(kind, delta, out);
        }
        true
    }

    /// A step is over. `all`: the step as a whole, which some servers send only now.
    pub(super) fn stop(&mut self, index: Option<u64>, all: Option<Value<'_>>, out: &mut Builder) {
        match (self.find(self.counted(index)).and_then(|at| self.list.get_mut(at)), all) {
            (Some(known), all) => {
                if let Some(all) = all {
                    known.complete(all, out);
                }
                known.stop(out);
            }
            (None, Some(all)) => {
                self.start(index, all, out);
                self.stop(index, None, out);
            }
            (None, None) => {}
        }
    }

    /// All steps are over.
    pub(super) fn stop_all(&mut self, out: &mut Builder) {
        for step in &mut self.list {
            step.stop(out);
        }
    }

    /// Reads the steps of an interaction that came as a whole: all, or what has not come yet.
    pub(super) fn read_whole(&mut self, steps: Value<'_>, out: &mut Builder) {
        let answered = answered_calls(steps);
        let asked = asked_steps(steps);
        let known = self.known(steps, asked);
        let mut last = None;
        for ((at, step), known) in steps.items().enumerate().zip(known) {
            if out.is_halted() {
                return;
            }
            let known = known.and_then(|place| {
                let at = self.list.binary_search_by_key(&place, |step| step.place(0)).ok()?;
                self.list.get_mut(at)
            });
            if let Some(known) = known {
                last = Some(known.index());
                known.complete(step, out);
                continue;
            }
            let name = step.get_non_empty("type").unwrap_or_default();
            let kind = match StepKind::of(name) {
                _ if at < asked => StepKind::Input,
                StepKind::Call if step.get_non_empty("id").is_some_and(|id| answered.get(id).is_some()) => {
                    StepKind::Input
                }
                kind => kind,
            };
            let index = self.first.saturating_add(at as u64);
            let index = last.map_or(index, |last| index.max(last));
            let at = self.open(index, name, kind);
            if let Some(opened) = self.list.get_mut(at) {
                opened.read_whole(step, out);
            }
        }
    }

    /// Where those of these steps stand that have come: each where its index says, or, since some servers count from 1,
    /// leave numbers out, or count all as the first, in the same order. The first `asked` are none of the answer.
    fn known(&self, steps: Value<'_>, asked: usize) -> Vec<Option<Place>> {
        let is_own = |step: &&Step| step.index() >= self.first;
        let place = |step: &Step| step.place(0);
        let by_index = (self.first..).zip(steps.items()).map(|(index, step)| {
            let known = self.find(Some(index)).and_then(|at| self.list.get(at));
            known.filter(|known| known.is_like(step)).map(place)
        });
        let by_index: Vec<Option<Place>> = by_index.collect();
        if by_index.iter().flatten().count() == self.list.iter().filter(is_own).count() {
            return by_index;
        }
        let known: Vec<&Step> = self.list.iter().filter(is_own).collect();
        // Where the last step of each type and id is: what isn't there any more is not searched for.
        let mut last: Keyed<String, u64> = Keyed::new();
        for (at, step) in (0..).zip(&known) {
            last.insert(key_of(step.name(), None), at);
            last.insert(key_of(step.name(), Some(&step.id().unwrap_or_default())), at);
        }
        let mut from = 0;
        let next = |step: Value<'_>| {
            let name = step.get_non_empty("type").unwrap_or_default();
            let id = step.get_non_empty("id");
            let is_ahead = |id| last.get(&key_of(name, id)).is_some_and(|at| *at >= from as u64);
            if !(is_ahead(id) || id.is_some() && is_ahead(Some(""))) {
                return None;
            }
            let at = from + known.get(from..)?.iter().position(|known| known.is_like(step))?;
            from = at + 1;
            known.get(at).map(|known| known.place(0))
        };
        let answer = steps.items().skip(asked).map(next);
        std::iter::repeat_n(None, asked).chain(answer).collect()
    }

    /// Where the next piece of a step would go, if a delta of this type would just add it.
    pub(super) fn growing(&self, index: Option<u64>, kind: &str) -> Option<Place> {
        self.list.get(self.find(self.counted(index))?)?.growing(kind)
    }

    /// The steps in the provider's form.
    pub(super) fn write(&self, out: &Builder) -> Vec<RawJson> {
        let counts = |step: &&Step| !out.is_repeat(step.place(0));
        self.list.iter().filter(counts).map(|step| step.write(out)).collect()
    }

    fn next_index(&self) -> u64 {
        self.list.last().map_or(0, |last| last.index().saturating_add(1))
    }

    /// The index of a step among all.
    fn counted(&self, index: Option<u64>) -> Option<u64> {
        index.map(|index| index.saturating_add(self.first))
    }

    /// The latest step with this index.
    fn find(&self, index: Option<u64>) -> Option<usize> {
        let index = index?;
        let at = self.list.partition_point(|step| step.index() <= index).checked_sub(1)?;
        self.list.get(at).filter(|step| step.index() == index).map(|_| at)
    }

    /// Opens a step behind all others with its index; gives where it is.
    fn open(&mut self, index: u64, name: &str, kind: StepKind) -> usize {
        let nth = self.find(Some(index)).and_then(|at| self.list.get(at)).map_or(0, Step::next_nth);
        let at = self.list.partition_point(|step| step.index() <= index);
        self.list.insert(at, Step::new(index, nth, name, kind));
        at
    }
}

/// A type with an id, with none (`""`), or with any.
fn key_of(name: &str, id: Option<&str>) -> String {
    id.map_or_else(|| name.to_owned(), |id| [name, " ", id].concat())
}

/// How many steps are before the last that the user said: the request had them, and the answer is what follows.
fn asked_steps(steps: Value<'_>) -> usize {
    let asked = steps.items().enumerate().filter(|(_, step)| step.get("type").equals("user_input"));
    asked.last().map_or(0, |(at, _)| at)
}

/// The ids of calls that the same interaction has the results of: the request had both, and nobody has to run them.
fn answered_calls(steps: Value<'_>) -> Object {
    let mut answered = Object::default();
    for step in steps.items().filter(|step| step.get("type").equals("function_result")) {
        if let Some(id) = step.get_non_empty("call_id") {
            answered.set(id, RawJson::null());
        }
    }
    answered
}
