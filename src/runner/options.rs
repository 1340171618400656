//! Options of the request loop.

use crate::collect::Collect;
use crate::json::Value;

/// The unit of the tool budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BudgetUnit {
    /// One tool call, or a turn that paused.
    Call,
    /// One turn that calls tools, whatever their number, or that paused.
    Iteration,
}

/// What happens when a call is invalid or its tool fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnToolError {
    /// The request fails.
    Fail,
    /// The model gets the error as the call's result, and the request continues.
    Feedback,
}

/// Options of a [`Machine`](super::Machine).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerOptions {
    /// The names of the tools that can run.
    pub tools: Vec<String>,
    /// The names of the exit tools. They don't run: a call to one is reported as a signal.
    pub exit_tools: Vec<String>,
    /// The tool budget of the request, in [`budget_unit`](Self::budget_unit)s.
    pub tool_budget: u32,
    /// The unit of the tool budget.
    pub budget_unit: BudgetUnit,
    /// What happens when a call is invalid or its tool fails.
    pub on_tool_error: OnToolError,
    /// Maximum number of retries of a turn whose attempt failed.
    pub max_retries: u32,
}

impl Default for RunnerOptions {
    fn default() -> Self {
        Self {
            tools: Vec::new(),
            exit_tools: Vec::new(),
            tool_budget: 10,
            budget_unit: BudgetUnit::Call,
            on_tool_error: OnToolError::Fail,
            max_retries: 0,
        }
    }
}

impl RunnerOptions {
    /// Reads validated options: `tools`, `exitTools`, `toolBudget`, `maxRetries`, and the booleans `perIteration` and
    /// `feedback`.
    pub fn read(value: Value<'_>) -> Self {
        let names = |name| value.get_items(name).filter_map(Value::text).map(Into::into).collect_vec();
        let number = |name| u32::try_from(value.get_unsigned(name).unwrap_or_default()).unwrap_or(u32::MAX);
        let is_on = |name| value.get(name).and_then(Value::boolean) == Some(true);
        Self {
            tools: names("tools"),
            exit_tools: names("exitTools"),
            tool_budget: number("toolBudget"),
            budget_unit: if is_on("perIteration") { BudgetUnit::Iteration } else { BudgetUnit::Call },
            on_tool_error: if is_on("feedback") { OnToolError::Feedback } else { OnToolError::Fail },
            max_retries: number("maxRetries"),
        }
    }
}
