//! Search for tool calls and reasoning in text, before the text becomes part of the response.

use super::Builder;
use super::removed_spans::RemovedSpans;
use super::repeated_reasoning::RepeatedReasoning;
use crate::accumulator::channel::{Channel, Novelty};
use crate::accumulator::choice::{FIRST_FOUND_CALL, PartKind};
use crate::accumulator::place::{Place, Slot};
use crate::json::{Document, Fragment, ProgressState, RawJson};
use crate::model::{RejectedToolCall, WarningCode};
use crate::save::{Coder, State, state};
use crate::text::{Event, Extractor, Shared, Sink, TextOptions, Unfit};

/// Maximum number of rejected tool calls that are kept.
const MAX_REJECTED: usize = 1000;

/// State of the search for tool calls and reasoning in the text.
#[derive(Debug)]
pub(super) struct TextSearch {
    options: Shared<TextOptions>,
    /// Sorted by place.
    pub(super) texts: Vec<SearchedText>,
    /// Index of the text that was searched last.
    latest: usize,
    /// Places of the texts that aren't over: usually one per choice.
    open: Vec<Place>,
    found: FoundCalls,
}

/// Tool calls found in the texts.
#[derive(Debug, Default)]
struct FoundCalls {
    count: u64,
    /// Complete calls that may still be superseded by structured calls from the provider.
    ended: Vec<Place>,
    rejected: Vec<RejectedToolCall>,
}

state! { struct FoundCalls { count, ended, rejected } }

impl State for TextSearch {
    fn blank() -> Self {
        Self::new(State::blank())
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        let Self { options, texts, latest, open, found } = self;
        options.code(coder);
        texts.code(coder);
        latest.code(coder);
        open.code(coder);
        found.code(coder);
        for extractor in texts.iter_mut().filter_map(|text| text.extractor.as_mut()) {
            extractor.share_options(options);
        }
    }
}

impl TextSearch {
    fn new(options: Shared<TextOptions>) -> Self {
        Self { options, texts: Vec::new(), latest: 0, open: Vec::new(), found: FoundCalls::default() }
    }

    /// Returns the index of the text at a place, or the index to insert it at.
    fn index_of(&self, place: Place) -> Result<usize, usize> {
        self.texts.binary_search_by_key(&place, |text| text.place)
    }

    fn find(&self, place: Place) -> Option<&SearchedText> {
        self.texts.get(self.index_of(place).ok()?)
    }
}

/// The text of one place.
#[derive(Debug)]
pub(super) struct SearchedText {
    pub(super) place: Place,
    /// The text as the provider sent it.
    raw: Channel,
    /// `None` once the search is over: the text has ended, or the provider has sent structured calls.
    extractor: Option<Extractor>,
    /// How far the reasoning in the text repeats the provider's own reasoning field; `None` once the two differ.
    pub(super) repeated_reasoning: Option<RepeatedReasoning>,
    /// Number of bytes of the reasoning in the text that the provider's own field has repeated, if the field came
    /// later.
    pub(super) repeated_bytes: usize,
    /// Number of the call found last in this text. Calls of other choices may be found in between.
    latest_call: u64,
    removed: RemovedSpans,
}

state! { struct SearchedText { place, raw, extractor, repeated_reasoning, repeated_bytes, latest_call, removed } }

impl Builder {
    /// Searches all further text for tool calls and reasoning.
    pub fn search_text(&mut self, options: Shared<TextOptions>) {
        self.search = Some(Box::new(TextSearch::new(options)));
    }

    /// Takes the rejected tool calls: text that looked like a call but isn't one.
    pub fn take_rejected(&mut self) -> Vec<RejectedToolCall> {
        self.search.as_mut().map(|search| std::mem::take(&mut search.found.rejected)).unwrap_or_default()
    }

    /// Whether no text is held back, so that more text in which no marker can begin would be emitted unchanged.
    #[cfg(target_family = "wasm")]
    pub(crate) fn has_no_held_back_text(&self) -> bool {
        let Some(search) = &self.search else { return true };
        let latest = search.texts.get(search.latest).and_then(|text| text.extractor.as_ref());
        latest.is_none_or(Extractor::is_idle)
    }

    /// Whether pieces of the text at a place, and of its reasoning, may be joined before they are pushed.
    pub(crate) fn is_text_settled(&self, place: Place) -> bool {
        let searched = self.search.as_ref().and_then(|search| search.find(place));
        searched.is_none_or(|text| text.raw.is_settled())
            && !self.may_be_repeated_reasoning(place)
            && self.find_choice(place.choice).is_none_or(|choice| choice.is_settled(place.slot))
    }

    /// Returns the options of the text search, if it is enabled.
    pub(crate) fn search_options(&self) -> Option<Shared<TextOptions>> {
        self.search.as_ref().map(|search| Shared::clone(&search.options))
    }

    pub(super) fn is_searched(&self) -> bool {
        cfg!(feature = "text") && self.search.is_some()
    }

    /// Returns an annotation with its indices adjusted to the remaining text, which lacks the calls and reasoning found
    /// in it.
    pub(crate) fn adjusted_annotation(&self, place: Place, annotation: RawJson) -> RawJson {
        let searched = self.search.as_ref().and_then(|search| search.find(place));
        match searched {
            Some(text) => text.removed.adjust(annotation),
            None => annotation,
        }
    }

    /// Returns the searched text at a place, as the provider sent it.
    pub(super) fn searched_text(&self, place: Place) -> &str {
        let searched = self.search.as_ref().and_then(|search| search.find(place));
        searched.map(|text| text.raw.as_str()).unwrap_or_default()
    }

    /// Appends text, and searches it for tool calls and reasoning.
    pub(super) fn search(&mut self, place: Place, fragment: &Fragment<'_>, news: Novelty) {
        let Some(mut search) = self.search.take() else { return };
        let at = search.index_of(place).unwrap_or_else(|at| {
            // The previous text of this choice is over.
            self.finish_texts(&mut search, Some(place.choice), false);
            let text = SearchedText {
                place,
                raw: Channel::default(),
                extractor: Some(Extractor::new(Shared::clone(&search.options))),
                repeated_reasoning: Some(RepeatedReasoning::default()),
                repeated_bytes: 0,
                latest_call: 0,
                removed: RemovedSpans::default(),
            };
            search.texts.insert(at, text);
            at
        });
        if !search.open.contains(&place) {
            search.open.push(place);
        }
        let has_structured = self.has_structured_calls(place.choice);
        search.latest = at;
        self.extract(&mut search, at, |raw, extractor, sink| {
            let before = raw.as_str().len();
            raw.add(fragment, news);
            let added = raw.text_after(before);
            if has_structured && let Some(mut extractor) = extractor.take() {
                extractor.give_up(sink);
            }
            match extractor {
                Some(extractor) => extractor.push(added, sink),
                None => sink(Event::Text(added)),
            }
        });
        self.search = Some(search);
    }

    fn has_structured_calls(&self, choice: u32) -> bool {
        self.find_choice(choice).is_some_and(|choice| choice.calls.has_structured())
    }

    /// Runs the extractor of the text at this index, and adds its events to the response.
    fn extract(
        &mut self,
        search: &mut TextSearch,
        at: usize,
        run: impl FnOnce(&mut Channel, &mut Option<Extractor>, &mut Sink<'_>),
    ) {
        let TextSearch { texts, options, found, .. } = search;
        let Some(SearchedText { place, raw, extractor, repeated_reasoning, latest_call, removed, .. }) =
            texts.get_mut(at)
        else {
            return;
        };
        run(raw, extractor, &mut |event| {
            removed.record_event(&event);
            match event {
                Event::Reasoning(text) => self.push_text_reasoning(*place, text, repeated_reasoning),
                event => self.add_event(*place, event, options, latest_call, found),
            }
        });
    }

    /// Ends the search of the texts of one choice, or of all. `is_cut`: a limit or a lost connection has ended them.
    pub(in crate::accumulator) fn finish_search(&mut self, choice: Option<u32>, is_cut: bool) {
        if !self.is_searched() {
            return;
        }
        let Some(mut search) = self.search.take() else { return };
        self.finish_texts(&mut search, choice, is_cut);
        let ends = |call: &mut Place| choice.is_none_or(|choice| choice == call.choice);
        for call in search.found.ended.extract_if(.., ends) {
            self.end_found_call(call);
        }
        self.search = Some(search);
    }

    /// Ends a call found in the text. Only now is it known whether the call counts: servers that also find it send it
    /// again as a structured call.
    fn end_found_call(&mut self, place: Place) {
        let choice = self.choice_at(place.choice).and_then(|at| self.choices.get_mut(at));
        let Some(choice) = choice else { return };
        let has_structured = choice.calls.has_structured();
        if let Some(call) = choice.calls.get_mut(place.slot).filter(|_| has_structured) {
            call.supersede();
            let name = call.name().unwrap_or_default();
            let message = format!(
                "Dropped the call of tool '{name}' found in the text: the provider sent structured tool calls"
            );
            self.warn(WarningCode::SupersededToolCall, message);
        }
        self.end_call(place);
    }

    fn finish_texts(&mut self, search: &mut TextSearch, choice: Option<u32>, is_cut: bool) {
        let mut next = 0;
        while let Some(place) = search.open.get(next).copied() {
            if choice.is_some_and(|choice| choice != place.choice) {
                next += 1;
                continue;
            }
            search.open.remove(next);
            let Ok(at) = search.index_of(place) else { continue };
            let has_structured = self.has_structured_calls(place.choice);
            self.extract(search, at, |raw, extractor, sink| {
                let Some(mut extractor) = extractor.take() else {
                    return sink(Event::Text(raw.close()));
                };
                extractor.push(raw.close(), sink);
                if has_structured {
                    extractor.give_up(sink);
                } else if is_cut {
                    extractor.cut_off(sink);
                } else {
                    extractor.finish(sink);
                }
            });
        }
    }

    /// Adds an event of the extractor to the response. `last` is the number of the call found last in the text at this
    /// place.
    fn add_event(
        &mut self,
        place: Place,
        event: Event<'_>,
        options: &TextOptions,
        last: &mut u64,
        found: &mut FoundCalls,
    ) {
        if let Event::Start { .. } = event {
            found.count += 1;
            *last = found.count;
        }
        let call = Place { slot: Slot(FIRST_FOUND_CALL, *last), ..place };
        match event {
            Event::Text(text) => self.push(PartKind::Text, place, &Fragment::from(text)),
            Event::Reasoning(_) | Event::Markup(_) => {}
            Event::Start { id, name } => {
                let made_up = self.choice_at(place.choice).filter(|_| id.is_none()).and_then(|at| {
                    let calls = &mut self.choices.get_mut(at)?.calls;
                    Some(calls.unique_id(None, self.id.as_deref().or(self.seed.as_deref())))
                });
                self.open_call(call, id.or(made_up.as_deref()), Some(name));
            }
            Event::Arguments(json) => self.push_arguments(call, &Fragment::from(json)),
            Event::Unfit { argument, why } => {
                let what = match why {
                    Unfit::Type => "doesn't match the tool's schema; it is kept as a string",
                    Unfit::Repeated => "is given more than once; the last value is kept",
                };
                let message = format!("The argument '{argument}' of a tool call in the text {what}");
                self.warn(WarningCode::UnfitArgument, message);
            }
            Event::End => {
                if self.arguments_state(call) == ProgressState::Empty {
                    self.push_arguments(call, &Fragment::from("{}"));
                }
                found.ended.push(call);
                self.warn_unknown_arguments(call, options);
            }
            Event::Rejected(rejected) => {
                let RejectedToolCall { format, name, reason, offset, .. } = &rejected;
                let name = name.as_deref().unwrap_or_default();
                let message = format!(
                    "Rejected a call of tool '{name}' at byte {offset} of the text ({}, format {format}); it stays text",
                    reason.as_str()
                );
                self.warn(WarningCode::RejectedToolCall, message);
                if found.rejected.len() < MAX_REJECTED {
                    found.rejected.push(rejected);
                }
            }
        }
    }

    /// Warns of arguments that the tool's schema does not name.
    fn warn_unknown_arguments(&mut self, call: Place, options: &TextOptions) {
        let Some(tool) = self.call_name(call).and_then(|name| options.tools().find(name)) else { return };
        let arguments = Document::parse(self.arguments_at(call), self.limits().max_depth);
        let unknown = arguments.map(|arguments| tool.unknown(arguments.root())).unwrap_or_default();
        for name in unknown {
            let message = format!("Unknown argument '{name}' of tool '{}'; it is kept", tool.name);
            self.warn(WarningCode::UnfitArgument, message);
        }
    }
}
