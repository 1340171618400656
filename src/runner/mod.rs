//! The request loop of a model that calls tools: ask the model, run the tools it calls, and repeat until it responds.
//!
//! [`Machine`] is a state machine without input or output. Its driver passes it an [`Event`] and carries out the
//! [`Command`] that it returns: request a response, wait, run tools, or report the end of a turn. Every path through
//! the loop can therefore be tested without a network, a clock or tools; see `tests/runner/`.
//!
//! ```
//! use respool::model::ToolCall;
//! use respool::runner::{Call, Command, Event, Machine, RunnerOptions, State, Turn};
//!
//! let mut machine = Machine::new(RunnerOptions { tools: vec!["tide".into()], ..RunnerOptions::default() });
//!
//! // The model responds with a tool call.
//! let tide = ToolCall { id: "a".into(), name: "tide".into(), arguments: r#"{"port":"Bodø"}"#.into() };
//! let turn = Turn { text: "One moment. ".into(), calls: vec![Call::from(tide)], ..Turn::default() };
//! let Command::RunTools(calls) = machine.handle(Event::TurnEnded(turn)) else { panic!() };
//! assert_eq!(calls[0].call.name, "tide");
//!
//! // The tool has run. Ask the model again, with the result.
//! assert_eq!(machine.handle(Event::ToolsDone), Command::FinishStep);
//! assert_eq!(machine.handle(Event::StepFinished), Command::Ask);
//! let turn = Turn { text: "High at 9:35.".into(), ..Turn::default() };
//! assert_eq!(machine.handle(Event::TurnEnded(turn)), Command::FinishStep);
//! assert_eq!(machine.handle(Event::StepFinished), Command::Stop);
//! let result = machine.result();
//! assert_eq!((result.state, result.text.as_str()), (State::Completed, "One moment. High at 9:35."));
//! ```

mod calls;
mod command;
mod event;
mod machine;
mod options;
mod result;
mod state;

pub use calls::{Call, PlannedCall};
pub use command::Command;
pub use event::{Event, Turn, TurnEnd};
pub use machine::{Machine, Position};
pub use options::{BudgetUnit, OnToolError, RunnerOptions};
pub use result::{RequestFailure, RequestFailureCode, RequestResult};
pub use state::{AfterStep, State};
