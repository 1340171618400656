//! The whole arguments of a call, as the end of the call has them.

use super::{Arguments, Call, ToolKind};
use crate::accumulator::delta_log::DeltaLog;
use crate::accumulator::journal::Note;
use crate::json::{Fragment, Progress, ProgressState, rest_behind};

/// What does not fit: the end of a call says other arguments than were streamed.
pub(in crate::accumulator) struct Mismatch;

impl Call {
    /// Takes in the whole arguments, sent at the end: only what is missing is added.
    pub(in crate::accumulator) fn complete(&mut self, whole: &str) -> Result<(), Mismatch> {
        let known = self.known_arguments();
        if known.is_empty() || self.gives_way_to(whole) {
            self.push_text(&Fragment::from(whole));
            return Ok(());
        }
        let missing = rest_behind(whole, known).ok_or(Mismatch)?.to_owned();
        self.push_text(&Fragment::from(missing.as_str()));
        Ok(())
    }

    /// Takes in the whole arguments, of which only the end was streamed. Answers whether it was.
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

    /// Takes in the whole arguments where those that were streamed aren't JSON, and these are. Answers whether it did.
    pub(in crate::accumulator) fn replace(&mut self, whole: &str, log: &mut DeltaLog) -> bool {
        let mut progress = Progress::default();
        progress.push(whole);
        // The input of a custom tool is a text, of any form.
        let is_better = self.tool == ToolKind::Function
            && self.state() != ProgressState::Complete
            && progress.state() == ProgressState::Complete;
        if is_better {
            self.reopen();
            self.set_whole(whole);
            if self.emitted_bytes > 0 {
                log.note_moved_arguments(Note::CallReplaced { place: self.place(), end: whole.len() });
            }
        }
        is_better
    }

    fn set_whole(&mut self, whole: &str) {
        self.arguments = Arguments::None;
        self.push_text(&Fragment::from(whole));
        // What was emitted can't be emitted again.
        self.emitted_bytes = if self.emitted_bytes > 0 { whole.len() } else { 0 };
    }
}
