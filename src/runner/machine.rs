//! The state machine.

use super::calls::Partition;
use super::command::Command;
use super::event::{Event, Turn, TurnEnd, add_usage};
use super::options::{BudgetUnit, OnToolError, RunnerOptions};
use super::result::{RequestFailure, RequestFailureCode, RequestResult};
use super::state::State;
use crate::model::{FinishReason, ToolCall, Usage};

/// All that decides what follows. Everything else of a request only grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Where the request is.
    pub state: State,
    /// What is left of the tool budget.
    pub budget: u32,
    /// What the tools that run now will have cost of it.
    pub cost: u32,
    /// How many attempts at this turn have failed.
    pub retries: u32,
}

/// One request, from the first question to its end. It begins in [`State::Asking`]: the model is to be asked.
///
/// Text, signals and usage only ever grow. An event that has no meaning in a state, as the result of a tool after the
/// request was canceled, changes nothing and is answered with [`Command::Ignore`].
#[derive(Debug, Clone)]
pub struct Machine {
    options: RunnerOptions,
    position: Position,
    text: String,
    signals: Vec<ToolCall>,
    finish_reason: Option<FinishReason>,
    usage: Option<Usage>,
    failure: Option<RequestFailure>,
    iterations: u32,
}

impl Machine {
    /// A request that is to be run so.
    pub fn new(options: RunnerOptions) -> Self {
        Self {
            position: Position { state: State::Asking, budget: options.tool_budget, cost: 0, retries: 0 },
            text: String::new(),
            signals: Vec::new(),
            finish_reason: None,
            usage: None,
            failure: None,
            iterations: 0,
            options,
        }
    }

    /// Where the request is.
    pub fn state(&self) -> State {
        self.position.state
    }

    /// All that decides what follows.
    pub fn position(&self) -> Position {
        self.position
    }

    /// What the request has come to so far.
    pub fn result(&self) -> RequestResult {
        RequestResult {
            state: self.position.state,
            text: self.text.clone(),
            signals: self.signals.clone(),
            finish_reason: self.finish_reason.clone(),
            usage: self.usage.clone(),
            failure: self.failure.clone(),
            tool_budget_remaining: self.position.budget,
            iterations: self.iterations,
        }
    }

    /// Takes in what has happened, and answers what is to be done next.
    pub fn handle(&mut self, event: Event) -> Command {
        match (self.position.state, event) {
            (State::Completed | State::Failed | State::Canceled, _) => Command::Ignore,
            (_, Event::Canceled(turn)) => {
                self.keep_unfinished(turn);
                self.end(State::Canceled)
            }
            (_, Event::Broke(turn, message)) => {
                self.keep_unfinished(turn);
                self.fail(RequestFailureCode::UnknownError, message)
            }
            (State::Asking, Event::TurnEnded(turn)) => self.end_turn(turn),
            (State::Waiting, Event::RetryDue) => self.ask(),
            (State::RunningTools, Event::ToolsDone) => {
                self.position.budget -= self.position.cost;
                self.position.retries = 0;
                self.ask()
            }
            (State::RunningTools, Event::ToolFailed(message)) => {
                self.fail(RequestFailureCode::ToolExecutionError, message)
            }
            (_, Event::TurnEnded(_) | Event::RetryDue | Event::ToolsDone | Event::ToolFailed(_)) => {
                Command::Ignore
            }
        }
    }

    fn ask(&mut self) -> Command {
        self.position.state = State::Asking;
        Command::Ask
    }

    fn end(&mut self, state: State) -> Command {
        self.position.state = state;
        Command::Stop
    }

    fn fail(&mut self, code: RequestFailureCode, message: String) -> Command {
        self.failure = Some(RequestFailure { code, message });
        self.end(State::Failed)
    }

    /// What was said and paid for is kept, whatever comes of the turn.
    fn keep(&mut self, text: &str, usage: Option<Usage>) {
        self.text.push_str(text);
        if let Some(usage) = usage {
            add_usage(self.usage.get_or_insert_default(), usage);
        }
    }

    /// The same of a turn whose end was not told. After that there is nothing to add.
    fn keep_unfinished(&mut self, turn: Turn) {
        if self.position.state == State::Asking {
            self.keep(&turn.text, turn.usage);
        }
    }

    fn end_turn(&mut self, turn: Turn) -> Command {
        let Turn { text, calls, finish_reason, usage, end } = turn;
        self.keep(&text, usage);
        if matches!(end, TurnEnd::Stalled(_) | TurnEnd::BrokeOff(_))
            && self.position.retries < self.options.max_retries
        {
            self.position.retries += 1;
            self.position.state = State::Waiting;
            return Command::Wait(self.position.retries);
        }
        self.iterations += 1;
        self.finish_reason = finish_reason;
        let rejected = match end {
            TurnEnd::Answered => None,
            TurnEnd::AnsweredWithRejectedCall(message) => Some(message),
            TurnEnd::Refused(message) => return self.fail(RequestFailureCode::Refusal, message),
            TurnEnd::Looped(message) => return self.fail(RequestFailureCode::RepeatedLineLoop, message),
            TurnEnd::Stalled(message) => return self.fail(RequestFailureCode::StallTimeout, message),
            TurnEnd::BrokeOff(message) | TurnEnd::Impossible(message) => {
                return self.fail(RequestFailureCode::UnknownError, message);
            }
        };
        let mut calls = Partition::of(calls, &self.options);
        self.signals.append(&mut calls.signals);
        if let Some(error) = calls.error()
            && self.options.on_tool_error == OnToolError::Fail
        {
            return self.fail(RequestFailureCode::ToolParseError, error.clone());
        }
        if !calls.plan.is_empty() {
            return self.run_tools(calls);
        }
        match rejected {
            Some(message) => self.fail(RequestFailureCode::ToolParseError, message),
            None => self.end(State::Completed),
        }
    }

    fn run_tools(&mut self, calls: Partition) -> Command {
        self.position.cost = match self.options.budget_unit {
            BudgetUnit::Call => calls.plan.len() as u32,
            BudgetUnit::Iteration => 1,
        };
        if self.position.cost > self.position.budget {
            let Position { cost, budget, .. } = self.position;
            let message = format!(
                "Tool budget exhausted: this turn needs {cost}, but {budget} is left. Raise `options.toolBudget` to allow \
                 it."
            );
            return self.fail(RequestFailureCode::ToolExecutionError, message);
        }
        self.position.state = State::RunningTools;
        Command::RunTools(calls.plan)
    }
}
