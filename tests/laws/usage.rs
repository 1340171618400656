//! Usage adds up, whatever a provider reports. The fixtures are checked in `corpus/expected.rs`.

use proptest::option;
use proptest::prelude::*;
use respool::StreamOptions;
use respool::model::Usage;
use serde_json::{Value as Json, json};

use crate::corpus::streams::read_events;
use crate::corpus::usage::check_laws;

/// A count of one of three sizes, or none.
fn count() -> impl Strategy<Value = Option<u64>> {
    option::of(prop_oneof![0..10_u64, 0..2000_u64, 0..1_000_000_000_u64])
}

fn usage_of(body: &Json) -> Usage {
    read_events(StreamOptions::default(), &[body.to_string()]).result.usage.unwrap()
}

fn chat(usage: &Json) -> Usage {
    usage_of(&json!({"choices": [], "usage": usage}))
}

fn responses(usage: &Json) -> Usage {
    usage_of(&json!({"object": "response", "output": [], "status": "completed", "usage": usage}))
}

fn anthropic(usage: &Json) -> Usage {
    usage_of(&json!({"type": "message", "content": [], "stop_reason": "end_turn", "usage": usage}))
}

proptest! {
    #[test]
    fn the_parts_are_the_sum(counts in prop::array::uniform6(count())) {
        let [input, output, total, read, written, reasoning] = counts;
        let before = json!({"cached_tokens": read, "cache_write_tokens": written});
        let after = json!({"reasoning_tokens": reasoning});
        check_laws("chat", &chat(&json!({
            "prompt_tokens": input, "completion_tokens": output, "total_tokens": total,
            "prompt_tokens_details": before, "completion_tokens_details": after,
        })));
        check_laws("Responses", &responses(&json!({
            "input_tokens": input, "output_tokens": output, "total_tokens": total,
            "input_tokens_details": before, "output_tokens_details": after,
        })));
        check_laws("Anthropic", &anthropic(&json!({
            "input_tokens": input, "output_tokens": output,
            "cache_read_input_tokens": read, "cache_creation_input_tokens": written,
        })));
    }

    #[test]
    fn the_same_call_costs_the_same_everywhere(uncached in 0..9999_u64, read in 0..9999_u64, written in 0..9999_u64, output in 0..9999_u64) {
        let all = uncached + read + written;
        let before = json!({"cached_tokens": read, "cache_write_tokens": written});
        let usages = [
            chat(&json!({"prompt_tokens": all, "completion_tokens": output, "prompt_tokens_details": before})),
            responses(&json!({"input_tokens": all, "output_tokens": output, "input_tokens_details": before})),
            anthropic(&json!({
                "input_tokens": uncached, "output_tokens": output,
                "cache_read_input_tokens": read, "cache_creation_input_tokens": written,
            })),
        ];
        for usage in usages {
            let found = (usage.input_tokens, usage.uncached_input_tokens, usage.output_tokens);
            prop_assert_eq!(found, (Some(all), Some(uncached), Some(output)));
            prop_assert_eq!((usage.cache_read_tokens, usage.cache_write_tokens), (Some(read), Some(written)));
        }
    }
}

#[test]
fn reasoning_is_output_wherever_it_is_counted() {
    let grok = |reasoning: u64, total: u64| {
        let details = json!({"reasoning_tokens": reasoning});
        chat(
            &json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": total, "completion_tokens_details": details}),
        )
        .output_tokens
    };
    assert_eq!(grok(3, 15), Some(5), "among the completion tokens");
    assert_eq!(grok(3, 18), Some(8), "beside them");
    assert_eq!(grok(7, 22), Some(12), "beside them, and more of them");
    assert_eq!(grok(7, 15), None, "ambiguous counts");
}

#[test]
fn unknown_counts_are_missing() {
    let details = json!({"cached_tokens": 9});
    let cached = chat(&json!({"prompt_tokens_details": details}));
    assert_eq!((cached.input_tokens, cached.uncached_input_tokens), (None, None));
    let only_cached = anthropic(&json!({"cache_read_input_tokens": 9}));
    assert_eq!((only_cached.input_tokens, only_cached.output_tokens), (None, None));
}

#[test]
fn cached_tokens_beyond_those_of_the_prompt_are_added_to_it() {
    let details = json!({"cached_tokens": 9});
    let usage = chat(&json!({"prompt_tokens": 5, "prompt_tokens_details": details}));
    assert_eq!((usage.input_tokens, usage.uncached_input_tokens), (Some(14), Some(5)));
}

#[test]
fn the_tier_the_cost_and_the_age_of_the_cache_are_kept() {
    let cost = |cost: Json| {
        chat(&json!({"prompt_tokens": 1, "cost": cost})).reported_cost.map(|cost| cost.get().to_owned())
    };
    assert_eq!(cost(json!(0.25)), Some("0.25".into()));
    assert_eq!(cost(json!({"input_cost": 1, "total_cost": 0.5})), Some("0.5".into()));
    assert_eq!(cost(json!("free")), None);
    let body = json!({"choices": [], "service_tier": "flex", "usage": {"prompt_tokens": 1}});
    assert_eq!(usage_of(&body).service_tier.as_deref(), Some("flex"));
    let written = json!({"ephemeral_5m_input_tokens": 2, "ephemeral_1h_input_tokens": 3});
    let usage = anthropic(&json!({
        "input_tokens": 1, "cache_creation_input_tokens": 5, "cache_creation": written, "service_tier": "priority",
        "cost": 0.0123,
    }));
    assert_eq!(usage.reported_cost.map(|cost| cost.get().to_owned()).as_deref(), Some("0.0123"));
    assert_eq!((usage.cache_write_tokens, usage.cache_write_1h_tokens), (Some(5), Some(3)));
    assert_eq!((usage.input_tokens, usage.service_tier.as_deref()), (Some(6), Some("priority")));
}

#[test]
fn compactions_count_as_usage() {
    let entry = |kind: &str, input: u64, read: u64, output: u64| {
        json!({
            "type": kind, "input_tokens": input, "cache_read_input_tokens": read, "cache_creation_input_tokens": 0,
            "output_tokens": output,
        })
    };
    let usage = anthropic(&json!({
        "input_tokens": 181, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 8,
        "iterations": [entry("compaction", 100, 55_096, 83), entry("message", 181, 0, 8)],
    }));
    check_laws("compaction", &usage);
    assert_eq!((usage.input_tokens, usage.uncached_input_tokens), (Some(281), Some(281)));
    assert_eq!((usage.cache_read_tokens, usage.output_tokens), (Some(0), Some(91)));
    assert_eq!(
        (usage.prompt_tokens, usage.completion_tokens),
        (Some(181), Some(8)),
        "the counts of the provider are unchanged"
    );
}

#[test]
fn a_second_answer_may_cost_the_same() {
    let chat = |id| {
        let usage = json!({"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11});
        let delta = json!({"role": "assistant", "content": "Hi"});
        [
            json!({"id": id, "choices": [{"index": 0, "delta": delta}]}),
            json!({"id": id, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": usage}),
        ]
    };
    let gemini = |id| {
        let usage = json!({"promptTokenCount": 9, "candidatesTokenCount": 2, "totalTokenCount": 11});
        let candidate = json!({"content": {"parts": [{"text": "Hi"}]}, "finishReason": "STOP", "index": 0});
        [json!({"candidates": [candidate], "usageMetadata": usage, "responseId": id})]
    };
    for events in [["a", "b"].map(chat).concat(), ["a", "b"].map(gemini).concat()] {
        let events: Vec<String> = events.iter().map(Json::to_string).collect();
        let usage = read_events(StreamOptions::default(), &events).result.usage.unwrap();
        assert_eq!((usage.input_tokens, usage.output_tokens), (Some(18), Some(4)), "{events:?}");
    }
}
