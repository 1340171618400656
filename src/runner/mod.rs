//! The loop around a model that calls tools: ask, run the tools that it calls, ask again, until it has answered.
//!
//! There is no input or output here. A [`Machine`] is told what happened, and answers what is to be done next; whoever
//! drives it asks the model, waits, and runs the tools. So every way through the loop can be tried without a network,
//! a clock or a tool, and is: see `tests/runner.rs`.
//!
//! ```
//! use respool::model::ToolCall;
//! use respool::runner::{Call, Command, Event, Machine, RunnerOptions, State, Turn};
//!
//! let mut machine = Machine::new(RunnerOptions { tools: vec!["tide".into()], ..RunnerOptions::default() });
//!
//! // The model was asked, and calls a tool.
//! let tide = ToolCall { id: "a".into(), name: "tide".into(), arguments: r#"{"port":"Bodø"}"#.into() };
//! let turn = Turn { text: "One moment. ".into(), calls: vec![Call::from(tide)], ..Turn::default() };
//! let Command::RunTools(calls) = machine.handle(Event::TurnEnded(turn)) else { panic!() };
//! assert_eq!(calls[0].call.name, "tide");
//!
//! // It has run. Ask again, with its result.
//! assert_eq!(machine.handle(Event::ToolsDone), Command::Ask);
//! let turn = Turn { text: "High at 9:35.".into(), ..Turn::default() };
//! assert_eq!(machine.handle(Event::TurnEnded(turn)), Command::Stop);
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
pub use state::State;
