//! The response as a whole, its end, and errors.

use serde_json::json;

use super::{read, result};
use crate::model::Delta;

#[test]
fn an_end_event_with_an_outdated_status_ends_the_answer() {
    let result = result(&[json!({"type": "response.completed", "response": {"status": "in_progress"}})]);
    assert_eq!(result.raw_finish_reason.as_deref(), Some("completed"));
}

#[test]
fn a_body_in_progress_has_not_finished() {
    let result = result(&[json!({"object": "response", "status": "queued", "output": []})]);
    assert_eq!((result.finish_reason, result.raw_finish_reason), (None, None));
}

#[test]
fn errors_are_reported_once() {
    let flat = json!({"type": "error", "code": "rate_limit", "message": "Too many"});
    let nested = json!({"type": "error", "error": {"code": "rate_limit", "message": "Too many"}});
    let failed = json!({"type": "response.failed", "response": {"status": "failed", "error": {"code": "rate_limit", "message": "Too many"}}});
    for first in [flat, nested, failed.clone()] {
        let (result, deltas) = read(&[first, failed.clone()]);
        let error = result.error.unwrap();
        assert_eq!(
            (error.message.as_str(), error.provider_code.as_deref()),
            ("Too many", Some("rate_limit"))
        );
        assert_eq!(deltas.iter().filter(|delta| matches!(delta, Delta::Error { .. })).count(), 1);
    }
    let silent =
        result(&[json!({"type": "response.failed", "response": {"status": "failed", "error": null}})]);
    assert!(silent.error.is_some());
}

#[test]
fn the_latest_response_object_is_used() {
    let created = json!({"type": "response.created", "response": {"id": "r", "model": "m", "status": "in_progress", "service_tier": "auto", "metadata": {"a": "1"}, "seed": 1}});
    let end = json!({"type": "response.completed", "response": {"id": "r", "status": "completed", "service_tier": "default", "metadata": {"b": "2"}}});
    let result = serde_json::to_value(result(&[created, end]).response).unwrap();
    assert_eq!(result["extra"], json!({"metadata": {"b": "2"}, "seed": 1}));
    assert_eq!(result["apiSpecific"]["serviceTier"], "default");
    assert_eq!((&result["id"], &result["model"]), (&json!("r"), &json!("m")));
}
