//! The state machine.

use super::calls::Partition;
use super::command::Command;
use super::event::{Event, Turn, TurnEnd};
use super::options::{BudgetUnit, OnToolError, RunnerOptions};
use super::result::{RequestFailure, RequestFailureCode, RequestResult};
use super::state::{AfterStep, State};
use crate::model::{FinishReason, ToolCall, Usage};

/// The part of a [`Machine`]'s state that determines the next command. Text, signals and usage only accumulate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The state of the request.
    pub state: State,
    /// The remaining tool budget, in [`BudgetUnit`]s.
    pub budget: u32,
    /// The cost of the tools that are running, deducted from the budget when they finish.
    pub cost: u32,
    /// The number of failed attempts at this turn.
    pub retries: u32,
}

/// One request, from the first attempt to a terminal state. It starts in [`State::Asking`], so the driver first
/// requests a response.
///
/// Text, signals and usage only accumulate. An event that doesn't apply in the current state, such as a tool result
/// after cancellation, changes nothing and returns [`Command::Ignore`].
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
    /// Creates a request with these options.
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

    /// The state of the request.
    pub fn state(&self) -> State {
        self.position.state
    }

    /// The state that determines the next command.
    pub fn position(&self) -> Position {
        self.position
    }

    /// The result so far.
    pub fn result(&self) -> RequestResult {
        RequestResult {
            state: self.position.state,
            text: self.text.clone(),
            signals: self.signals.clone(),
            finish_reason: self.finish_reason.clone(),
            usage: self.usage.clone(),
            failure: self.failure.clone().filter(|_| self.position.state == State::Failed),
            tool_budget_remaining: self.position.budget,
            iterations: self.iterations,
        }
    }

    /// Handles an event, and returns the next command for the driver.
    pub fn handle(&mut self, event: Event) -> Command {
        match (self.position.state, event) {
            (state, _) if state.is_terminal() => Command::Ignore,
            (_, Event::Canceled(turn)) => {
                self.record_interrupted(turn);
                self.stop(State::Canceled)
            }
            (_, Event::CallerFailed(turn, message)) => {
                self.record_interrupted(turn);
                self.failure = Some(RequestFailure { code: RequestFailureCode::UnknownError, message });
                self.stop(State::Failed)
            }
            (State::Asking, Event::TurnEnded(turn)) => self.end_turn(turn),
            (State::Waiting, Event::RetryDue)
            | (State::FinishingStep(AfterStep::Ask), Event::StepFinished) => self.ask(),
            (State::RunningTools, Event::ToolsDone) => {
                self.position.budget -= self.position.cost;
                self.position.retries = 0;
                self.finish_step(AfterStep::Ask)
            }
            (State::RunningTools, Event::ToolFailed(message)) => {
                self.fail(RequestFailureCode::ToolExecutionError, message)
            }
            (State::RunningTools, Event::ArgumentsRejected(message)) => {
                self.fail(RequestFailureCode::ToolParseError, message)
            }
            (State::FinishingStep(AfterStep::Complete), Event::StepFinished) => self.stop(State::Completed),
            (State::FinishingStep(AfterStep::Fail), Event::StepFinished) => self.stop(State::Failed),
            (
                _,
                Event::TurnEnded(_)
                | Event::RetryDue
                | Event::ToolsDone
                | Event::ToolFailed(_)
                | Event::ArgumentsRejected(_)
                | Event::StepFinished,
            ) => Command::Ignore,
        }
    }

    fn ask(&mut self) -> Command {
        self.position.state = State::Asking;
        Command::Ask
    }

    fn stop(&mut self, state: State) -> Command {
        self.position.state = state;
        Command::Stop
    }

    fn finish_step(&mut self, after: AfterStep) -> Command {
        self.position.state = State::FinishingStep(after);
        Command::FinishStep
    }

    fn fail(&mut self, code: RequestFailureCode, message: String) -> Command {
        self.failure = Some(RequestFailure { code, message });
        self.finish_step(AfterStep::Fail)
    }

    /// Records the text and the usage of a turn, whatever its outcome.
    fn record(&mut self, text: &str, usage: Option<Usage>) {
        self.text.push_str(text);
        if let Some(mut usage) = usage {
            match &self.usage {
                Some(known) => {
                    // Prices depend on the tier, so that of one turn mustn't pass for all.
                    let tier = usage.service_tier.take();
                    usage.add_earlier(known);
                    usage.service_tier =
                        usage.service_tier.take().filter(|known| Some(known) == tier.as_ref());
                }
                None => usage.raw = None,
            }
            self.usage = Some(usage);
        }
    }

    /// Records a turn that was interrupted. A turn that has ended is already recorded.
    fn record_interrupted(&mut self, turn: Turn) {
        if self.position.state == State::Asking {
            self.record(&turn.text, turn.usage);
        }
    }

    fn end_turn(&mut self, mut turn: Turn) -> Command {
        if let Some(message) = turn.failed_ending() {
            turn.end = TurnEnd::RetryableFailure(message);
            turn.is_provider_failure = true;
        }
        let Turn { text, calls, finish_reason, usage, end, is_provider_failure, .. } = turn;
        self.record(&text, usage);
        if matches!(end, TurnEnd::Stalled(_) | TurnEnd::RetryableFailure(_))
            && self.position.retries < self.options.max_retries
        {
            self.position.retries += 1;
            self.position.state = State::Waiting;
            return Command::Wait(self.position.retries);
        }
        self.iterations += 1;
        self.finish_reason = finish_reason;
        let is_paused = end == TurnEnd::Paused;
        let rejected = match end {
            TurnEnd::Complete | TurnEnd::Paused => None,
            TurnEnd::RejectedCall(message) => Some(message),
            TurnEnd::Refused(message) => return self.fail(RequestFailureCode::Refusal, message),
            TurnEnd::Looped(message) => return self.fail(RequestFailureCode::RepeatedLineLoop, message),
            TurnEnd::Stalled(message) => return self.fail(RequestFailureCode::StallTimeout, message),
            TurnEnd::RetryableFailure(message) | TurnEnd::PermanentFailure(message) => {
                let code = if is_provider_failure {
                    RequestFailureCode::ProviderError
                } else {
                    RequestFailureCode::UnknownError
                };
                return self.fail(code, message);
            }
        };
        let mut calls = Partition::new(calls, &self.options);
        let continues = is_paused && calls.signals.is_empty();
        self.signals.append(&mut calls.signals);
        if let Some(error) = calls.error()
            && self.options.on_tool_error == OnToolError::Fail
        {
            return self.fail(RequestFailureCode::ToolParseError, error.clone());
        }
        if continues || !calls.plan.is_empty() {
            return self.run_tools(calls);
        }
        match rejected {
            Some(message) => self.fail(RequestFailureCode::ToolParseError, message),
            None => self.finish_step(AfterStep::Complete),
        }
    }

    fn run_tools(&mut self, calls: Partition) -> Command {
        self.position.cost = match self.options.budget_unit {
            // A paused turn has no calls, but costs 1, so that it can't repeat for ever.
            BudgetUnit::Call => calls.plan.len().max(1) as u32,
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
