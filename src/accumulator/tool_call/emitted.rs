//! How much of a call has been emitted, as deltas and to the journal.

use super::{Call, End, IdOrigin};
use crate::accumulator::arguments::{Arguments, Cut, is_null, may_be_placeholder};
use crate::accumulator::choice::FIRST_FOUND_CALL;
use crate::accumulator::delta_log::DeltaLog;
use crate::accumulator::journal::Note;
use crate::json::{Fragment, ProgressState};
use crate::model::Delta;
use crate::save::state;

/// How far a call has been emitted as deltas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Emitted {
    Nothing,
    Start,
    End,
}

state! { enum Emitted { 0 Nothing, 1 Start, 2 End } }

impl Call {
    /// Whether the call is noted while it arrives. For a call found in the text, only its end shows whether it counts.
    pub(super) fn is_in_journal(&self) -> bool {
        self.slot.0 != FIRST_FOUND_CALL
    }

    /// Emits everything that has become known.
    pub(in crate::accumulator) fn emit(&mut self, log: &mut DeltaLog) {
        self.emit_up_to(Emitted::Start, log);
    }

    /// Whether the call has a name but hasn't ended.
    pub(in crate::accumulator) fn is_under_way(&self) -> bool {
        self.is_in_journal() && !self.is_over() && self.name().is_some()
    }

    /// Whether its start has been emitted.
    pub(in crate::accumulator) fn has_started(&self) -> bool {
        self.emitted != Emitted::Nothing
    }

    /// Whether its start can be emitted now, and has not been.
    pub(in crate::accumulator) fn may_start(&self) -> bool {
        let is_known = self.id.is_some() && self.name.is_some() && self.id_origin != IdOrigin::Provisional;
        !self.has_started() && is_known && !self.is_name_open() && !self.may_be_repeat()
    }

    fn emit_up_to(&mut self, up_to: Emitted, log: &mut DeltaLog) {
        if self.is_repeat() || self.is_superseded && self.is_over() {
            return;
        }
        if up_to == Emitted::End && self.emitted_bytes == 0 && is_null(self.known_arguments()) {
            self.arguments = Arguments::None;
        }
        let (Some(id), Some(name)) = (&self.id, &self.name) else { return };
        let (index, choice) = (self.index, self.choice);
        if self.emitted == Emitted::Nothing {
            if up_to == Emitted::Start && !self.may_start() {
                return;
            }
            self.emitted = Emitted::Start;
            log.add(|| Delta::ToolCallStart { index, id: id.clone(), name: name.clone(), choice });
            if self.is_in_journal() {
                log.note(Note::CallStart { place: self.place() });
            }
        }
        // White space alone doesn't count as arguments.
        if let Arguments::Text { text, progress } = &self.arguments
            && progress.state() != ProgressState::Empty
        {
            let end = text.as_str().len();
            let may_change = self.emitted_bytes == 0 && may_be_placeholder(text.as_str());
            if may_change && up_to == Emitted::Start && self.is_in_journal() {
                return;
            }
            // Placeholders may still be replaced, so they are noted with the end.
            if self.is_in_journal() && end > self.emitted_bytes && !may_change {
                log.note(Note::CallArguments { place: self.place(), end });
            }
            log.add_arguments(choice, index, id, text.as_str().get(self.emitted_bytes..).unwrap_or_default());
            self.emitted_bytes = end;
        }
    }

    /// Whether there are arguments that no note has reported.
    pub(in crate::accumulator) fn has_unnoted_arguments(&self) -> bool {
        let arguments = self.arguments();
        self.state() != ProgressState::Empty
            && (arguments.len() > self.emitted_bytes || may_be_placeholder(arguments))
    }

    /// Emits arguments that were held back, because nothing more arrives, not even the end. The call has an id by now.
    pub(in crate::accumulator) fn emit_rest(&mut self, log: &mut DeltaLog) {
        if self.emitted == Emitted::End || self.is_superseded {
            return;
        }
        self.name.get_or_insert_default();
        if let Some(json) = self.take_object() {
            self.push_text(&Fragment::from(&*json));
        }
        self.emit_up_to(Emitted::End, log);
    }

    /// Marks the call as cut off, unless it has already ended.
    pub(in crate::accumulator) fn mark_truncated(&mut self, cut: Cut) {
        if self.emitted != Emitted::End {
            self.truncation = self.truncation.max(cut);
        }
    }

    /// Ends the call, at most once. It has an id by now.
    pub(in crate::accumulator) fn end(&mut self, end: End, log: &mut DeltaLog) {
        if self.emitted == Emitted::End {
            return;
        }
        if let Arguments::Text { text, progress } = &mut self.arguments {
            progress.push(text.close());
        }
        self.name.get_or_insert_default();
        self.emit_up_to(Emitted::End, log);
        let (index, choice) = (self.index, self.choice);
        if let Arguments::Object(objects) = &self.arguments {
            log.add_arguments(choice, index, self.id.as_deref().unwrap_or_default(), objects.text());
        }
        self.emitted = Emitted::End;
        self.signed = self.signature.as_ref().map_or(0, String::len);
        if !self.is_in_journal() && !self.is_superseded {
            log.note(Note::CallStart { place: self.place() });
        }
        if !self.is_superseded && (end == End::Certain || self.state() == ProgressState::Complete) {
            let is_empty = self.state() == ProgressState::Empty;
            let end = if is_empty { 0 } else { self.known_arguments().len() };
            log.note(Note::CallEnd { place: self.place(), end });
        }
        log.add(|| self.end_delta());
    }

    /// Emits everything emitted so far again, in one go. A call that has ended and doesn't count is skipped.
    pub(in crate::accumulator) fn catch_up(&self, log: &mut DeltaLog) {
        if self.emitted == Emitted::Nothing || (self.is_superseded && self.emitted == Emitted::End) {
            return;
        }
        let (index, choice) = (self.index, self.choice);
        let (id, name) = (self.id.clone().unwrap_or_default(), self.name.clone().unwrap_or_default());
        let arguments = match &self.arguments {
            Arguments::Text { text, .. } => text.as_str().get(..self.emitted_bytes).unwrap_or_default(),
            Arguments::Object(objects) if self.emitted == Emitted::End => objects.text(),
            Arguments::None | Arguments::Object(_) => "",
        };
        log.add(|| Delta::ToolCallStart { index, id: id.clone(), name, choice });
        log.add_arguments(choice, index, &id, arguments);
        if self.emitted == Emitted::End {
            log.add(|| self.end_delta());
        }
    }

    fn end_delta(&self) -> Delta {
        let (index, choice) = (self.index, self.choice);
        Delta::ToolCallEnd { index, tool_call: self.to_tool_call(), status: self.status(), choice }
    }

    /// Marks the call as not to be run: other calls replace it, or the provider has run it.
    pub(in crate::accumulator) fn supersede(&mut self) {
        self.is_superseded = true;
    }

    /// Marks the call as not the client's. Unless its start has been emitted, nothing of it will be.
    pub(in crate::accumulator) fn withdraw(&mut self) {
        if self.emitted == Emitted::Nothing {
            self.emitted = Emitted::End;
        }
        self.supersede();
    }

    /// Whether the call must not be run.
    pub(in crate::accumulator) fn is_superseded(&self) -> bool {
        self.is_superseded
    }

    /// Continues a call that has ended, if its arguments can still become complete; it then ends again. Returns whether
    /// it had ended.
    pub(in crate::accumulator) fn reopen(&mut self) -> bool {
        let had_ended = self.emitted == Emitted::End;
        if had_ended && !self.is_whole() && !self.is_superseded {
            self.emitted = Emitted::Start;
        }
        had_ended
    }

    /// Whether nothing can be added any more: the arguments are complete, or the call is a repeat.
    pub(in crate::accumulator) fn is_whole(&self) -> bool {
        self.is_repeat() || self.state() == ProgressState::Complete
    }

    /// Whether there are arguments that no delta contains yet.
    pub(in crate::accumulator) fn is_unemitted(&self) -> bool {
        self.emitted != Emitted::End
            && match &self.arguments {
                Arguments::Object(_) => true,
                Arguments::Text { .. } if self.id_origin == IdOrigin::Provisional => true,
                Arguments::Text { text, .. } => {
                    self.emitted_bytes == 0 && text.as_str().trim_ascii() == "null"
                }
                Arguments::None => false,
            }
    }
}
