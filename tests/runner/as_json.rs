//! The machine's input and output as JSON.

use respool::json::{Document, to_json};
use respool::model::{FinishReason, ToolCall};
use respool::runner::{BudgetUnit, Call, Command, Event, OnToolError, RunnerOptions, Turn, TurnEnd};

use crate::{call, options, run, usage};

#[test]
fn events_and_options_are_read_from_json() {
    let read = |json: &str| Event::read(Document::parse(json, 8).unwrap().root());
    let turn = r#"{"type":"turn-ended","text":"Hi","calls":[{"id":"a","name":"run","arguments":"{}","isFreeForm":true,"isTruncated":true}],
        "finishReason":"tool_use","explanation":"why","usage":{"promptTokens":5,"raw":{}},"end":"stalled","message":"late"}"#;
    let expected = Turn {
        text: "Hi".into(),
        calls: vec![Call {
            call: ToolCall { id: "a".into(), name: "run".into(), arguments: "{}".into() },
            is_free_form: true,
            is_truncated: true,
        }],
        finish_reason: Some(FinishReason::ToolUse),
        explanation: Some("why".into()),
        usage: Some(usage(5)),
        end: TurnEnd::Stalled("late".into()),
        is_provider_failure: false,
    };
    assert_eq!(read(turn), Some(Event::TurnEnded(expected)));
    let unknown = r#"{"type":"turn-ended","finishReason":{"unknown":"pause_turn"},"end":"answered"}"#;
    let finish_reason = Some(FinishReason::Unknown("pause_turn".into()));
    assert_eq!(read(unknown), Some(Event::TurnEnded(Turn { finish_reason, ..Turn::default() })));
    let ends = [
        ("paused", TurnEnd::Paused),
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
