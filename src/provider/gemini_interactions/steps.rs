//! The steps of an interaction.

use super::server_tool::is_server_tool;
use super::step::{Delta, Step};
use super::step_kind::StepKind;
use crate::accumulator::{Builder, Place};
use crate::collect::Collect;
use crate::error::quote;
use crate::json::{Field, RawJson, Value};
use crate::keyed::Keyed;
use crate::model::WarningCode;
use crate::save::state;

/// The steps, sorted by index; steps with the same index are in the order in which they began.
#[derive(Default)]
pub(super) struct Steps {
    list: Vec<Step>,
    /// Index of the first step of the current interaction. The steps of an interaction that it continues come before
    /// it.
    first_index: u64,
}

state! { struct Steps { list, first_index } }

impl Steps {
    /// Whether no step has begun.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Begins another interaction in the same stream, which counts its steps from 0 again.
    pub(super) fn begin_next_interaction(&mut self) {
        self.first_index = self.next_index();
    }

    /// Reads the start of a step. Some servers send index 0 for all steps, so the index doesn't identify the step.
    pub(super) fn start(&mut self, index: Option<u64>, step: Value<'_>, out: &mut Builder) {
        let index = self.global_index(index);
        let known = self.find(index).and_then(|at| self.list.get_mut(at));
        if let Some(known) = known.filter(|known| known.is_repeat(step, out)) {
            return known.complete(step, out);
        }
        let index = index.unwrap_or_else(|| self.next_index());
        let name = step.get_non_empty("type").unwrap_or_default();
        let at = self.open(index, name, StepKind::of(name));
        if let Some(opened) = self.list.get_mut(at) {
            opened.start(step, out);
        }
    }

    /// Reads a delta. It belongs to the latest step with this index, or, without an index, to the latest of all.
    /// Returns whether it was recognised.
    pub(super) fn add(&mut self, index: Option<u64>, delta: &Delta<'_>, out: &mut Builder) -> bool {
        let kind = match delta.kind().non_empty().unwrap_or_default() {
            // Names from Google's guide to the schema of May 2026.
            "arguments" => "arguments_delta",
            "thought" => "thought_summary",
            kind => kind,
        };
        let index = self.global_index(index);
        let found = self.find(index).or_else(|| self.list.len().checked_sub(1).filter(|_| index.is_none()));
        let step = found.and_then(|at| self.list.get_mut(at));
        if let Some(step) = step {
            if step.accepts_delta(kind) {
                step.add(kind, delta, out);
                return true;
            }
            if step.is_unknown() {
                return false;
            }
        }
        // The start of the step is missing.
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

    /// Ends a step. `all`: the complete step, which some servers send only now.
    pub(super) fn stop(&mut self, index: Option<u64>, all: Option<Value<'_>>, out: &mut Builder) {
        match (self.find(self.global_index(index)).and_then(|at| self.list.get_mut(at)), all) {
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

    /// Ends all steps.
    pub(super) fn stop_all(&mut self, out: &mut Builder) {
        for step in &mut self.list {
            step.stop(out);
        }
    }

    /// Reads the steps of a complete interaction: all of them, or those that are missing.
    pub(super) fn read_whole(&mut self, steps: Value<'_>, out: &mut Builder) {
        let answered = answered_calls(steps);
        let request_steps = count_request_steps(steps);
        let known = self.known_places(steps, request_steps);
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
                _ if at < request_steps => StepKind::Input,
                StepKind::Call if step.get_non_empty("id").is_some_and(|id| answered.get(id).is_some()) => {
                    StepKind::Input
                }
                kind => kind,
            };
            let index = self.first_index.saturating_add(at as u64);
            let index = last.map_or(index, |last| index.max(last));
            let at = self.open(index, name, kind);
            if let Some(opened) = self.list.get_mut(at) {
                opened.read_whole(step, out);
            }
        }
    }

    /// Returns the places of those steps that are already known. Steps are matched by index, or else by order: some
    /// servers count from 1, skip numbers, or send index 0 for all. The first `request_steps` steps aren't part of the
    /// response.
    fn known_places(&self, steps: Value<'_>, request_steps: usize) -> Vec<Option<Place>> {
        let is_own = |step: &&Step| step.index() >= self.first_index;
        let place = |step: &Step| step.place(0);
        let by_index = (self.first_index..).zip(steps.items()).map(|(index, step)| {
            let known = self.find(Some(index)).and_then(|at| self.list.get(at));
            known.filter(|known| known.is_same_step(step)).map(place)
        });
        let by_index = by_index.collect_vec();
        if by_index.iter().flatten().count() == self.list.iter().filter(is_own).count() {
            return by_index;
        }
        let known = self.list.iter().filter(is_own).collect_vec();
        // Position of the last step of each type and id, so that steps that don't follow any more aren't searched for.
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
            let at = from + known.get(from..)?.iter().position(|known| known.is_same_step(step))?;
            from = at + 1;
            known.get(at).map(|known| known.place(0))
        };
        let answer = steps.items().skip(request_steps).map(next);
        std::iter::repeat_n(None, request_steps).chain(answer).collect_vec()
    }

    /// Returns the place that a delta of this type would be appended to, if it would do nothing else.
    pub(super) fn append_place(&self, index: Option<u64>, kind: &str) -> Option<Place> {
        self.list.get(self.find(self.global_index(index))?)?.append_place(kind)
    }

    /// Returns the steps in the provider's format.
    pub(super) fn to_raw(&self, out: &Builder) -> Vec<RawJson> {
        let counts = |step: &&Step| !out.is_repeat(step.place(0));
        self.list.iter().filter(counts).map(|step| step.to_raw(out)).collect_vec()
    }

    fn next_index(&self) -> u64 {
        self.list.last().map_or(0, |last| last.index().saturating_add(1))
    }

    /// Converts an index of the current interaction to one among all steps.
    fn global_index(&self, index: Option<u64>) -> Option<u64> {
        index.map(|index| index.saturating_add(self.first_index))
    }

    /// Returns the position of the latest step with this index.
    fn find(&self, index: Option<u64>) -> Option<usize> {
        let index = index?;
        let at = self.list.partition_point(|step| step.index() <= index).checked_sub(1)?;
        self.list.get(at).filter(|step| step.index() == index).map(|_| at)
    }

    /// Opens a step after all others with its index, and returns its position.
    fn open(&mut self, index: u64, name: &str, kind: StepKind) -> usize {
        let nth = self.find(Some(index)).and_then(|at| self.list.get(at)).map_or(0, Step::next_nth);
        let at = self.list.partition_point(|step| step.index() <= index);
        self.list.insert(at, Step::new(index, nth, name, kind));
        at
    }
}

/// Returns the key for a type with this id, without an id (`""`), or with any id (`None`).
fn key_of(name: &str, id: Option<&str>) -> String {
    id.map_or_else(|| name.to_owned(), |id| [name, " ", id].concat())
}

/// Returns the number of steps before the last user input. They are part of the request; the response follows.
fn count_request_steps(steps: Value<'_>) -> usize {
    let request_steps = steps.items().enumerate().filter(|(_, step)| step.get("type").equals("user_input"));
    request_steps.last().map_or(0, |(at, _)| at)
}

/// Returns the ids of calls whose results are in the same interaction: both are part of the request, so nobody has to
/// run them.
fn answered_calls(steps: Value<'_>) -> Keyed<String, bool> {
    let mut answered = Keyed::new();
    for step in steps.items().filter(|step| step.get("type").equals("function_result")) {
        if let Some(id) = step.get_non_empty("call_id") {
            answered.insert(id.to_owned(), true);
        }
    }
    answered
}
