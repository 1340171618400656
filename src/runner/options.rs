//! How a request is run.

use crate::json::Value;

/// What the tool budget counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BudgetUnit {
    /// Each call.
    Call,
    /// Each turn that calls tools, however many.
    Iteration,
}

/// What becomes of a call that cannot be run, or whose tool fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnToolError {
    /// The request fails.
    Fail,
    /// The model is told, and goes on.
    Feedback,
}

/// How a request is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerOptions {
    /// The names of the tools that are run.
    pub tools: Vec<String>,
    /// The names of the tools that are not run: a call of one is a signal to the caller.
    pub exit_tools: Vec<String>,
    /// How much may be run; see [`budget_unit`](Self::budget_unit).
    pub tool_budget: u32,
    /// What the budget counts.
    pub budget_unit: BudgetUnit,
    /// What becomes of a call that cannot be run, or whose tool fails.
    pub on_tool_error: OnToolError,
    /// How often a turn is tried again whose answer broke off.
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
    /// Reads options that were checked already: `tools`, `exitTools`, `toolBudget`, `maxRetries`, and the booleans
    /// `perIteration` and `feedback`.
    pub fn read(value: Value<'_>) -> Self {
        let names = |name| value.get_items(name).filter_map(Value::text).map(Into::into).collect();
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
