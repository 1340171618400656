//! Commands for the driver.

use super::calls::PlannedCall;
use crate::json::{ObjectWriter, ToJson};

/// What the driver of a [`Machine`](super::Machine) has to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Request a response to the current conversation.
    Ask,
    /// Wait before the next attempt. The value is the number of the retry, from 1.
    Wait(u32),
    /// Run these calls and append their results in order. A call with an error isn't run: its error is the result.
    /// After a paused turn the list is empty, and only the response is appended.
    RunTools(Vec<PlannedCall>),
    /// Report the end of the turn, with its tools.
    FinishStep,
    /// Stop: the request has reached a terminal state.
    Stop,
    /// Do nothing: the event doesn't apply in the current state.
    Ignore,
}

impl ToJson for Command {
    fn write_json(&self, out: &mut String) {
        let (name, attempt, calls): (&str, u32, &[PlannedCall]) = match self {
            Self::Ask => ("ask", 0, &[]),
            Self::Wait(attempt) => ("wait", *attempt, &[]),
            Self::RunTools(calls) => ("run-tools", 0, calls),
            Self::FinishStep => ("finish-step", 0, &[]),
            Self::Stop => ("stop", 0, &[]),
            Self::Ignore => ("ignore", 0, &[]),
        };
        let mut object = ObjectWriter::new(out);
        object.member("command", &name).member("attempt", &attempt).member("calls", &calls).end();
    }
}
