//! The state machine of the request runner: every event in every reachable state.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use std::collections::{BTreeSet, VecDeque};

use respool::json::{Document, to_json};
use respool::model::{FinishReason, ToolCall, Usage};
use respool::runner::{
    BudgetUnit, Call, Command, Event, Machine, OnToolError, RequestFailureCode, RunnerOptions, State, Turn,
    TurnEnd,
};

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

/// One turn for each distinct outcome.
fn turns() -> Vec<Turn> {
    let calls = [
        vec![],
        vec![call("run", "{}")],
        vec![call("run", "{}"), call("walk", " {\"a\": 1} "), call("done", "{}")],
        vec![call("done", "{}")],
        vec![call("done", "{"), call("run", "{}")],
        vec![call("unknown", "{}"), call("done", "{}")],
        vec![call("run", "[]")],
    ];
    let message = || "why".to_owned();
    let ends = [
        TurnEnd::Complete,
        TurnEnd::RejectedCall(message()),
        TurnEnd::Refused(message()),
        TurnEnd::Looped(message()),
        TurnEnd::Stalled(message()),
        TurnEnd::RetryableFailure(message()),
        TurnEnd::PermanentFailure(message()),
    ];
    let mut turns = Vec::new();
    for calls in &calls {
        for end in &ends {
            let turn =
                Turn { text: "x".into(), calls: calls.clone(), usage: Some(usage(1)), ..Turn::default() };
            turns.push(Turn { end: end.clone(), ..turn });
        }
    }
    turns
}

fn events() -> Vec<Event> {
    let mut events: Vec<Event> = turns().into_iter().map(Event::TurnEnded).collect();
    events.extend([
        Event::RetryDue,
        Event::ToolsDone,
        Event::ToolFailed("why".into()),
        Event::ArgumentsRejected("why".into()),
        Event::StepFinished,
        Event::CallerFailed(
            Turn { text: "z".into(), usage: Some(usage(1)), ..Turn::default() },
            "why".into(),
        ),
        Event::Canceled(Turn { text: "y".into(), usage: Some(usage(1)), ..Turn::default() }),
    ]);
    events
}

/// Visits every transition: the machine before, the event, the command and the machine after.
fn explore(options: &RunnerOptions, check: &mut dyn FnMut(&Machine, &Event, &Command, &Machine)) -> usize {
    let first = Machine::new(options.clone());
    let mut seen = BTreeSet::from([first.position()]);
    let mut open = VecDeque::from([first]);
    while let Some(before) = open.pop_front() {
        for event in events() {
            let mut after = before.clone();
            let command = after.handle(event.clone());
            check(&before, &event, &command, &after);
            if seen.insert(after.position()) {
                open.push_back(after);
            }
        }
    }
    seen.len()
}

fn variants() -> Vec<RunnerOptions> {
    let mut variants = Vec::new();
    for budget_unit in [BudgetUnit::Call, BudgetUnit::Iteration] {
        for on_tool_error in [OnToolError::Fail, OnToolError::Feedback] {
            for (tool_budget, max_retries) in [(0, 0), (3, 2)] {
                variants.push(RunnerOptions {
                    budget_unit,
                    on_tool_error,
                    tool_budget,
                    max_retries,
                    ..options()
                });
            }
        }
    }
    variants
}

#[test]
fn every_transition_leads_to_a_valid_state() {
    for options in variants() {
        let mut states = BTreeSet::new();
        let found = explore(&options, &mut |before, event, command, after| {
            states.insert(after.state());
            let (old, new) = (before.result(), after.result());
            let context = format!("{before:?}\n{event:?}\n{command:?}\n{after:?}");
            // The command matches the state.
            let expected = match command {
                Command::Ask => State::Asking,
                Command::Wait(_) => State::Waiting,
                Command::RunTools(_) => State::RunningTools,
                Command::Ignore => old.state,
                Command::FinishStep => {
                    assert!(matches!(new.state, State::FinishingStep(_)), "{context}");
                    new.state
                }
                Command::Stop => {
                    assert!(new.state.is_terminal(), "{context}");
                    new.state
                }
            };
            assert_eq!(new.state, expected, "{context}");
            // A terminal state never changes.
            if old.state.is_terminal() {
                assert_eq!((command, &new), (&Command::Ignore, &old), "{context}");
            }
            if *command == Command::Ignore {
                assert_eq!(new, old, "{context}");
            }
            // Text, signals and usage only accumulate.
            assert!(new.text.starts_with(&old.text), "{context}");
            assert!(new.signals.starts_with(&old.signals), "{context}");
            assert!(new.iterations >= old.iterations, "{context}");
            let spent =
                |usage: Option<Usage>| usage.and_then(|usage| usage.prompt_tokens).unwrap_or_default();
            assert!(spent(new.usage.clone()) >= spent(old.usage.clone()), "{context}");
            // The budget only shrinks, and tools run only within it.
            assert!(new.tool_budget_remaining <= old.tool_budget_remaining, "{context}");
            if let Command::RunTools(calls) = command {
                let cost = if options.budget_unit == BudgetUnit::Call { calls.len() as u32 } else { 1 };
                assert!(cost <= new.tool_budget_remaining && !calls.is_empty(), "{context}");
                assert!(calls.iter().all(|planned| planned.call.name != "done" || planned.error.is_some()));
            }
            // Exactly the failed state has a failure.
            assert_eq!(new.failure.is_some(), new.state == State::Failed, "{context}");
        });
        assert!(found >= 4, "{found} for {options:?}");
        let ends = [State::Asking, State::Completed, State::Failed, State::Canceled];
        assert!(ends.iter().all(|state| states.contains(state)), "{states:?} for {options:?}");
        assert_eq!(states.contains(&State::Waiting), options.max_retries > 0);
        assert_eq!(states.contains(&State::RunningTools), options.tool_budget > 0);
    }
}

#[test]
fn every_turn_of_a_running_request_keeps_its_text() {
    for options in variants() {
        explore(&options, &mut |before, event, _, after| {
            let told = match (event, before.state()) {
                (
                    Event::TurnEnded(turn) | Event::Canceled(turn) | Event::CallerFailed(turn, _),
                    State::Asking,
                ) => &turn.text,
                _ => "",
            };
            assert_eq!(after.result().text, before.result().text + told);
        });
    }
}

/// Even if a model never stops calling tools, or a server always fails, the longest path from each state ends.
#[test]
fn every_path_terminates() {
    for options in variants() {
        for turn in turns() {
            let mut machine = Machine::new(options.clone());
            let mut command = Command::Ask;
            let mut steps = 0;
            while !machine.state().is_terminal() {
                steps += 1;
                assert!(steps < 30, "{turn:?}");
                command = machine.handle(match command {
                    Command::Ask => Event::TurnEnded(turn.clone()),
                    Command::Wait(_) => Event::RetryDue,
                    Command::RunTools(_) => Event::ToolsDone,
                    Command::FinishStep => Event::StepFinished,
                    Command::Stop | Command::Ignore => panic!("{command:?}"),
                });
            }
        }
    }
}

fn run(options: RunnerOptions, turn: Turn) -> (Command, Machine) {
    let mut machine = Machine::new(options);
    (machine.handle(Event::TurnEnded(turn)), machine)
}

/// The machine after a turn, and the report of its end.
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
    let told = |usage| Turn { usage, calls: vec![call("run", "{}")], ..Turn::default() };
    let (_, mut machine) = run(options(), told(Some(usage(5))));
    finish_tools(&mut machine);
    machine.handle(Event::TurnEnded(Turn { calls: vec![], ..told(Some(usage(7))) }));
    assert_eq!(machine.result().usage, Some(usage(12)));
    assert_eq!(run(options(), Turn::default()).1.result().usage, None);
}

#[test]
fn messages_quote_the_beginning_of_long_arguments() {
    let calls = vec![call("run", &"é".repeat(500))];
    let machine = finished(options(), Turn { calls, ..Turn::default() });
    let message = machine.result().failure.unwrap().message;
    assert!(message.ends_with(&format!("got \"{}…\"", "é".repeat(40))), "{message}");
}

#[test]
fn events_and_options_are_read_from_json() {
    let read = |json: &str| Event::read(Document::parse(json, 8).unwrap().root());
    let turn = r#"{"type":"turn-ended","text":"Hi","calls":[{"id":"a","name":"run","arguments":"{}","isFreeForm":true}],
        "finishReason":"tool_use","usage":{"promptTokens":5,"raw":{}},"end":"stalled","message":"late"}"#;
    let expected = Turn {
        text: "Hi".into(),
        calls: vec![Call {
            call: ToolCall { id: "a".into(), name: "run".into(), arguments: "{}".into() },
            is_free_form: true,
        }],
        finish_reason: Some(FinishReason::ToolUse),
        usage: Some(usage(5)),
        end: TurnEnd::Stalled("late".into()),
        is_provider_failure: false,
    };
    assert_eq!(read(turn), Some(Event::TurnEnded(expected)));
    let unknown = r#"{"type":"turn-ended","finishReason":{"unknown":"pause_turn"},"end":"answered"}"#;
    let finish_reason = Some(FinishReason::Unknown("pause_turn".into()));
    assert_eq!(read(unknown), Some(Event::TurnEnded(Turn { finish_reason, ..Turn::default() })));
    let ends = [
        ("rejected", TurnEnd::RejectedCall("m".into())),
        ("refused", TurnEnd::Refused("m".into())),
        ("looped", TurnEnd::Looped("m".into())),
        ("broke-off", TurnEnd::RetryableFailure("m".into())),
        ("impossible", TurnEnd::PermanentFailure("m".into())),
    ];
    for (name, end) in ends {
        let json = format!(r#"{{"type":"canceled","end":"{name}","message":"m"}}"#);
        assert_eq!(read(&json), Some(Event::Canceled(Turn { end, ..Turn::default() })));
    }
    let of_provider = read(r#"{"type":"turn-ended","end":"impossible","isProviderFailure":true}"#);
    assert!(matches!(of_provider, Some(Event::TurnEnded(Turn { is_provider_failure: true, .. }))));
    assert_eq!(read(r#"{"type":"retry-due"}"#), Some(Event::RetryDue));
    assert_eq!(read(r#"{"type":"tools-done"}"#), Some(Event::ToolsDone));
    assert_eq!(read(r#"{"type":"tool-failed","message":"m"}"#), Some(Event::ToolFailed("m".into())));
    let rejected = Event::ArgumentsRejected("m".into());
    assert_eq!(read(r#"{"type":"arguments-rejected","message":"m"}"#), Some(rejected));
    assert_eq!(read(r#"{"type":"step-finished"}"#), Some(Event::StepFinished));
    assert_eq!(
        read(r#"{"type":"broke","message":"m"}"#),
        Some(Event::CallerFailed(Turn::default(), "m".into()))
    );
    assert_eq!((read(r#"{"type":"odd"}"#), read("{}")), (None, None));

    let json = r#"{"tools":["run","walk"],"exitTools":["done"],"toolBudget":3,"perIteration":true,"feedback":true,"maxRetries":2}"#;
    let expected = RunnerOptions {
        budget_unit: BudgetUnit::Iteration,
        on_tool_error: OnToolError::Feedback,
        ..options()
    };
    assert_eq!(RunnerOptions::read(Document::parse(json, 8).unwrap().root()), expected);
}

#[test]
fn results_and_commands_are_written_as_json() {
    let feedback = RunnerOptions { on_tool_error: OnToolError::Feedback, ..options() };
    let calls = vec![call("run", "{}"), call("odd", "{}"), call("done", "{}")];
    let finish_reason = Some(FinishReason::ToolUse);
    let (command, mut machine) =
        run(feedback, Turn { calls, usage: Some(usage(5)), finish_reason, ..Turn::default() });
    assert_eq!(
        to_json(&command),
        r#"{"command":"run-tools","attempt":0,"calls":[{"id":"id of run","name":"run","arguments":"{}"},{"id":"id of odd","name":"odd","arguments":"{}","error":"Unknown tool 'odd'. Tools: run, walk"}]}"#
    );
    assert_eq!(to_json(&Command::Wait(2)), r#"{"command":"wait","attempt":2,"calls":[]}"#);
    assert_eq!(machine.handle(Event::ToolFailed("no".into())), Command::FinishStep);
    assert_eq!(to_json(&Command::FinishStep), r#"{"command":"finish-step","attempt":0,"calls":[]}"#);
    machine.handle(Event::StepFinished);
    let result = machine.result();
    let by_serde = serde_json::to_value(&result).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&to_json(&result)).unwrap(), by_serde);
    assert_eq!(by_serde["failure"]["code"], "tool_execution_error");
    assert_eq!(by_serde["signals"][0]["name"], "done");
}
