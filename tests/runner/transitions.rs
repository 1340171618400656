//! Every event in every reachable state.

use std::collections::{BTreeSet, VecDeque};

use respool::model::Usage;
use respool::runner::{
    BudgetUnit, Command, Event, Machine, OnToolError, RunnerOptions, State, Turn, TurnEnd,
};

use crate::{call, options, usage};

/// Returns one turn for each distinct outcome.
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
        TurnEnd::Paused,
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
                let is_paused = matches!(event, Event::TurnEnded(turn) if turn.end == TurnEnd::Paused);
                let count = calls.len().max(1) as u32;
                let cost = if options.budget_unit == BudgetUnit::Call { count } else { 1 };
                assert!(cost <= new.tool_budget_remaining && (is_paused || !calls.is_empty()), "{context}");
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
            let turn_text = match (event, before.state()) {
                (
                    Event::TurnEnded(turn) | Event::Canceled(turn) | Event::CallerFailed(turn, _),
                    State::Asking,
                ) => &turn.text,
                _ => "",
            };
            assert_eq!(after.result().text, before.result().text + turn_text);
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
