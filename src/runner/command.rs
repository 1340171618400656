//! What is to be done.

use super::calls::PlannedCall;
use crate::json::{ObjectWriter, ToJson};

/// What is to be done next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Ask the model with the conversation as it is now.
    Ask,
    /// Wait before the next attempt, of which this is the number, from 1 on.
    Wait(u32),
    /// Answer these calls, in their order: run the tools, but for those that have an error already.
    RunTools(Vec<PlannedCall>),
    /// Nothing: the request is over.
    Stop,
    /// Nothing: what happened has no meaning any more.
    Ignore,
}

impl ToJson for Command {
    fn write_json(&self, out: &mut String) {
        let (name, attempt, calls): (&str, u32, &[PlannedCall]) = match self {
            Self::Ask => ("ask", 0, &[]),
            Self::Wait(attempt) => ("wait", *attempt, &[]),
            Self::RunTools(calls) => ("run-tools", 0, calls),
            Self::Stop => ("stop", 0, &[]),
            Self::Ignore => ("ignore", 0, &[]),
        };
        let mut object = ObjectWriter::new(out);
        object.member("command", &name).member("attempt", &attempt).member("calls", &calls).end();
    }
}
