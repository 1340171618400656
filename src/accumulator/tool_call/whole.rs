//! The complete arguments that are sent at the end of a call.

use super::emitted::Emitted;
use super::repeats::last_version;
use super::{Arguments, Call, ToolKind};
use crate::accumulator::arguments::is_null;
use crate::accumulator::delta_log::DeltaLog;
use crate::accumulator::journal::Note;
use crate::json::{Fragment, Progress, ProgressState, strip_long_prefix};

/// Error: the arguments at the end of a call contradict the streamed ones.
pub(in crate::accumulator) struct Mismatch;

impl Call {
    /// Appends the missing rest of the complete arguments, which are sent at the end.
    pub(in crate::accumulator) fn complete(&mut self, whole: &str) -> Result<(), Mismatch> {
        let known = self.known_arguments();
        if known.is_empty() && is_null(whole) {
            return Ok(());
        }
        if known.is_empty() || self.is_replaced_by(whole) {
            self.push_text(&Fragment::from(whole));
            return Ok(());
        }
        let missing = strip_long_prefix(whole, known).ok_or(Mismatch)?.to_owned();
        if self.state() == ProgressState::Complete
            && self.tool == ToolKind::Function
            && last_version(&missing) == Some(known)
        {
            return Ok(());
        }
        self.push_text(&Fragment::from(missing.as_str()));
        Ok(())
    }

    /// Sets the complete arguments if only their last part was streamed. Returns whether that was the case.
    pub(in crate::accumulator) fn complete_beginning(&mut self, whole: &str, log: &mut DeltaLog) -> bool {
        let start = whole.strip_suffix(self.known_arguments());
        if let Some(start) = start {
            let by = start.len();
            self.set_whole(whole);
            if self.emitted_bytes > 0 {
                log.note_moved_arguments(Note::CallMoved { place: self.place(), by, end: whole.len() });
            }
        }
        start.is_some()
    }

    /// Replaces streamed arguments that aren't complete JSON if the final ones are, or have more of them. Returns whether
    /// they were replaced.
    pub(in crate::accumulator) fn replace(&mut self, whole: &str, log: &mut DeltaLog) -> bool {
        let mut progress = Progress::default();
        progress.push(whole);
        // The input of a custom tool is text in any format.
        let is_better = self.tool == ToolKind::Function
            && progress.state() == ProgressState::Complete
            && (self.state() != ProgressState::Complete || self.may_grow_to(whole));
        if is_better {
            self.emitted = self.emitted.min(Emitted::Start);
            self.replace_by(whole, log);
        }
        is_better
    }

    /// Replaces the arguments by longer ones.
    pub(in crate::accumulator) fn replace_by(&mut self, whole: &str, log: &mut DeltaLog) {
        self.set_whole(whole);
        if self.emitted_bytes > 0 {
            log.note_moved_arguments(Note::CallReplaced { place: self.place(), end: whole.len() });
        }
    }

    fn set_whole(&mut self, whole: &str) {
        self.arguments = Arguments::None;
        self.push_text(&Fragment::from(whole));
        // Emitted text can't be taken back, so nothing more is emitted.
        self.emitted_bytes = if self.emitted_bytes > 0 { whole.len() } else { 0 };
    }
}
