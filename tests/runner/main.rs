//! The state machine of the request runner.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use respool::model::{FinishReason, ToolCall, Usage};
use respool::runner::{
    BudgetUnit, Call, Command, Event, Machine, OnToolError, RequestFailureCode, RunnerOptions, State, Turn,
    TurnEnd,
};

mod as_json;
mod transitions;

fn call(name: &str, arguments: &str) -> Call {
    Call::from(ToolCall { id: format!("id of {name}"), name: name.into(), arguments: arguments.into() })
}

fn usage(prompt: u64) -> Usage {
    Usage { prompt_tokens: Some(prompt), ..Usage::default() }
}

fn options() -> RunnerOptions {
    RunnerOptions {
        tools: vec!["run".into(), "walk".into()],
        exit_tools: vec!["done".into()],
        tool_budget: 3,
        max_retries: 2,
        ..RunnerOptions::default()
    }
}

fn run(options: RunnerOptions, turn: Turn) -> (Command, Machine) {
    let mut machine = Machine::new(options);
    (machine.handle(Event::TurnEnded(turn)), machine)
}

/// Returns the machine after a turn and the report of its end.
fn finished(options: RunnerOptions, turn: Turn) -> Machine {
    let (_, mut machine) = run(options, turn);
    machine.handle(Event::StepFinished);
    machine
}

/// Reports that the tools of a turn have run, and the end of the turn.
fn finish_tools(machine: &mut Machine) -> Command {
    assert_eq!(machine.handle(Event::ToolsDone), Command::FinishStep);
    machine.handle(Event::StepFinished)
}

fn failure_of(options: RunnerOptions, turn: Turn) -> Option<RequestFailureCode> {
    finished(options, turn).result().failure.map(|failure| failure.code)
}

#[test]
fn each_failure_has_its_code() {
    use RequestFailureCode as Code;
    let once = || RunnerOptions { max_retries: 0, ..options() };
    let end = |end| Turn { end, ..Turn::default() };
    let calls = |calls| Turn { calls, ..Turn::default() };
    let message = String::new;
    let table = [
        (end(TurnEnd::Refused(message())), Code::Refusal),
        (end(TurnEnd::Looped(message())), Code::RepeatedLineLoop),
        (end(TurnEnd::Stalled(message())), Code::StallTimeout),
        (end(TurnEnd::RetryableFailure(message())), Code::UnknownError),
        (end(TurnEnd::PermanentFailure(message())), Code::UnknownError),
        (end(TurnEnd::RejectedCall(message())), Code::ToolParseError),
        (calls(vec![call("unknown", "{}")]), Code::ToolParseError),
        (calls(vec![call("run", "")]), Code::ToolParseError),
        (calls(vec![call("run", "\"text\"")]), Code::ToolParseError),
        (calls(vec![call("run", "{\"a\":")]), Code::ToolParseError),
        (calls((0..4).map(|_| call("run", "{}")).collect()), Code::ToolExecutionError),
    ];
    for (turn, code) in table {
        assert_eq!(failure_of(once(), turn.clone()), Some(code), "{turn:?}");
    }
    assert_eq!(failure_of(once(), Turn::default()), None);
    let of_provider = Turn { is_provider_failure: true, ..end(TurnEnd::PermanentFailure(message())) };
    assert_eq!(failure_of(once(), of_provider), Some(Code::ProviderError));
    let ended =
        |word: &str| Turn { finish_reason: Some(FinishReason::Unknown(word.into())), ..Turn::default() };
    for word in ["MALFORMED_FUNCTION_CALL", "malformed_tool_use", "cancelled", "in_progress"] {
        assert_eq!(failure_of(once(), ended(word)), Some(Code::ProviderError), "{word}");
    }
    let explained = Turn { explanation: Some("because".into()), ..ended("MALFORMED_RESPONSE") };
    let failure = finished(once(), explained).result().failure.unwrap();
    assert_eq!(failure.message, "because");
    for word in ["budget_exceeded", "ERROR_TOXIC", "stop_sequence", "pause_turn"] {
        assert_eq!(failure_of(once(), ended(word)), None, "{word}");
    }
    let texts = [Code::RepeatedLineLoop, Code::ToolParseError, Code::ToolExecutionError, Code::UnknownError];
    for code in texts.into_iter().chain([Code::ProviderError, Code::StallTimeout, Code::Refusal]) {
        assert_eq!(serde_json::to_string(&code).unwrap(), format!("\"{}\"", code.as_str()));
    }
}

#[test]
fn signals_are_recorded_before_anything_fails() {
    let calls = vec![call("unknown", "{}"), call("done", r#"{"ok":true}"#)];
    let result = finished(options(), Turn { calls, ..Turn::default() }).result();
    assert_eq!(result.state, State::Failed);
    assert_eq!(result.signals, [call("done", r#"{"ok":true}"#).call]);
}

#[test]
fn a_signal_with_invalid_arguments_is_recorded_and_fails_the_request() {
    for arguments in ["[1]", "{'a': 1}", ""] {
        let result =
            finished(options(), Turn { calls: vec![call("done", arguments)], ..Turn::default() }).result();
        assert_eq!(result.failure.map(|failure| failure.code), Some(RequestFailureCode::ToolParseError));
        assert_eq!(result.signals, [call("done", arguments).call]);
    }
}

/// A caller that fails or cancels while the end of a turn is reported decides how the request ends.
#[test]
fn the_report_of_the_end_of_a_turn_can_fail() {
    let refused = || Turn { end: TurnEnd::Refused("no".into()), ..Turn::default() };
    let (command, mut machine) = run(options(), refused());
    assert_eq!((command, machine.result().failure), (Command::FinishStep, None));
    machine.handle(Event::CallerFailed(Turn::default(), "full".into()));
    let failure = machine.result().failure.unwrap();
    assert_eq!((failure.code, failure.message.as_str()), (RequestFailureCode::UnknownError, "full"));
    let (_, mut machine) = run(options(), refused());
    assert_eq!(machine.handle(Event::Canceled(Turn::default())), Command::Stop);
    assert_eq!((machine.state(), machine.result().failure), (State::Canceled, None));
}

#[test]
fn rejected_arguments_are_a_parse_error() {
    let (_, mut machine) = run(options(), Turn { calls: vec![call("run", "{}")], ..Turn::default() });
    machine.handle(Event::ArgumentsRejected("no city".into()));
    machine.handle(Event::StepFinished);
    assert_eq!(
        machine.result().failure.map(|failure| failure.code),
        Some(RequestFailureCode::ToolParseError)
    );
}

#[test]
fn a_free_form_call_needs_no_object() {
    let custom = Call { is_free_form: true, ..call("run", "\"SELECT 1\"") };
    let (command, _) = run(options(), Turn { calls: vec![custom], ..Turn::default() });
    assert!(matches!(command, Command::RunTools(calls) if calls[0].error.is_none()));
    let broken = Call { is_free_form: true, ..call("run", "\"SELECT") };
    assert_eq!(
        failure_of(options(), Turn { calls: vec![broken], ..Turn::default() }),
        Some(RequestFailureCode::ToolParseError)
    );
}

#[test]
fn with_feedback_the_error_is_the_result_of_an_invalid_call() {
    let feedback = || RunnerOptions { on_tool_error: OnToolError::Feedback, ..options() };
    let calls = vec![call("unknown", "{}"), call("run", "{}"), call("done", "nonsense")];
    let (command, machine) = run(feedback(), Turn { calls, ..Turn::default() });
    let Command::RunTools(planned) = command else { panic!("{machine:?}") };
    let errors: Vec<Option<&str>> = planned.iter().map(|planned| planned.error.as_deref()).collect();
    let wrong = "The arguments of tool 'done' must be a JSON object, got \"nonsense\"";
    assert_eq!(errors, [Some("Unknown tool 'unknown'. Tools: run, walk"), None, Some(wrong)]);
    assert!(machine.result().signals.is_empty());
}

#[test]
fn the_budget_counts_calls_or_turns() {
    let two = || Turn { calls: vec![call("run", "{}"), call("walk", "{}")], ..Turn::default() };
    for (budget_unit, left, second) in [(BudgetUnit::Call, 1, true), (BudgetUnit::Iteration, 2, false)] {
        let (_, mut machine) = run(RunnerOptions { budget_unit, ..options() }, two());
        assert_eq!(machine.result().tool_budget_remaining, 3, "no tool has finished yet");
        finish_tools(&mut machine);
        assert_eq!(machine.result().tool_budget_remaining, left);
        machine.handle(Event::TurnEnded(two()));
        machine.handle(Event::StepFinished);
        assert_eq!(machine.state() == State::Failed, second);
    }
}

#[test]
fn retries_are_counted_for_each_turn() {
    let broken = || {
        Event::TurnEnded(Turn {
            text: "x".into(),
            end: TurnEnd::RetryableFailure(String::new()),
            ..Turn::default()
        })
    };
    let mut machine = Machine::new(options());
    for round in 1..=2 {
        assert_eq!(machine.handle(broken()), Command::Wait(1));
        assert_eq!(machine.handle(Event::RetryDue), Command::Ask);
        assert_eq!(machine.handle(broken()), Command::Wait(2));
        machine.handle(Event::RetryDue);
        let calls = vec![call("run", "{}")];
        machine.handle(Event::TurnEnded(Turn { calls, ..Turn::default() }));
        finish_tools(&mut machine);
        assert_eq!((machine.result().iterations, machine.result().text.len()), (round, round as usize * 2));
    }
}

#[test]
fn usage_is_summed_and_unreported_counts_are_missing() {
    let turn_with_usage = |usage| Turn { usage, calls: vec![call("run", "{}")], ..Turn::default() };
    let (_, mut machine) = run(options(), turn_with_usage(Some(usage(5))));
    finish_tools(&mut machine);
    machine.handle(Event::TurnEnded(Turn { calls: vec![], ..turn_with_usage(Some(usage(7))) }));
    assert_eq!(machine.result().usage, Some(usage(12)));
    assert_eq!(run(options(), Turn::default()).1.result().usage, None);

    let total = |total_tokens| Usage { total_tokens: Some(total_tokens), ..Usage::default() };
    let cached = Usage { cache_read_tokens: Some(3), prompt_tokens: Some(4), ..total(5) };
    let (_, mut machine) = run(options(), turn_with_usage(Some(cached)));
    finish_tools(&mut machine);
    machine.handle(Event::TurnEnded(Turn { calls: vec![], ..turn_with_usage(Some(total(7))) }));
    // Cached tokens are missing if none are reported.
    assert_eq!(machine.result().usage, Some(Usage { cache_read_tokens: Some(3), ..total(12) }));
}

#[test]
fn messages_quote_the_beginning_of_long_arguments() {
    let calls = vec![call("run", &"é".repeat(500))];
    let machine = finished(options(), Turn { calls, ..Turn::default() });
    let message = machine.result().failure.unwrap().message;
    assert!(message.ends_with(&format!("got \"{}…\"", "é".repeat(40))), "{message}");
}
