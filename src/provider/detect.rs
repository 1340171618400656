//! Detects the interface of a response, if exactly one matches; it never guesses.

use super::{Entry, Event, PROVIDERS, embeddings, images};
use crate::json::Value;
use crate::model::{Agent, Api};

/// Returns the interfaces whose complete bodies look like this one.
pub fn candidates(body: Value<'_>) -> Vec<Api> {
    let mut found = Vec::new();
    for entry in PROVIDERS.iter().filter(|entry| (entry.is_body)(body)) {
        found.push(entry.api);
    }
    if embeddings::is_body(body) {
        found.push(Api::OpenaiEmbeddings);
    }
    if images::is_body(body) {
        found.push(Api::OpenaiImages);
    }
    found
}

/// Returns the interface whose stream contains this event, or `None` if none matches, or several match and the agent
/// names none of them. An event that is a complete body of only one interface belongs to that one, as in
/// [`candidates`].
pub fn detect_event(event: &Event<'_>, agent: &Agent) -> Option<&'static Entry> {
    let found = || PROVIDERS.iter().filter(|entry| (entry.is_event)(event));
    let bodies = || found().filter(|entry| (entry.is_body)(event.body));
    // Usage alone is an event of chat completions, but gateways add it to events of other interfaces.
    let others = || found().filter(|entry| entry.api != Api::OpenaiChat && bodies().next().is_none());
    only(found())
        .or_else(|| only(bodies()))
        .or_else(|| only(others()))
        .or_else(|| found().find(|entry| Some(entry.api) == agent.api()))
}

fn only(mut entries: impl Iterator<Item = &'static Entry>) -> Option<&'static Entry> {
    entries.next().filter(|_| entries.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    fn detected(event: &str) -> Option<&'static str> {
        let document = Document::parse(event, 16).unwrap();
        let event = Event::new(None, document.root());
        detect_event(&event, &Agent::default()).map(|entry| entry.api.as_str())
    }

    #[test]
    fn events_that_look_like_those_of_others() {
        for (event, api) in [
            (r#"{"response": "a"}"#, "workers-ai"),
            (r#"{"response": "a", "p": "xyz"}"#, "workers-ai"),
            (r#"{"response": {"place": "Brest"}}"#, "workers-ai"),
            (r#"{"result": {"response": "a"}}"#, "workers-ai"),
            (r#"{"response": null, "tool_calls": [], "usage": {}}"#, "workers-ai"),
            (r#"{"response": "", "usage": {"prompt_tokens": 1}}"#, "workers-ai"),
            (r#"{"result": {"response": "a"}, "success": true, "errors": []}"#, "workers-ai"),
            (r#"{"model": "m", "created_at": "t", "response": "a", "done": false}"#, "ollama-chat"),
            (r#"{"model": "m", "created_at": "t", "response": "a"}"#, "ollama-chat"),
            (r#"{"message": {"content": "a"}, "done": true}"#, "ollama-chat"),
            (r#"{"message": {"content": "a"}, "done_reason": "stop"}"#, "ollama-chat"),
            (r#"{"message": {"content": []}, "finish_reason": "COMPLETE", "usage": {}}"#, "cohere-chat"),
            (r#"{"type": "content-delta", "index": 0, "delta": {"message": {}}}"#, "cohere-chat"),
            (r#"{"usage": {"prompt_tokens": 1}}"#, "openai-chat"),
            (r#"{"choices": [], "usage": {"prompt_tokens": 1}}"#, "openai-chat"),
            (r#"{"response": {"candidates": []}, "usage": {}}"#, "gemini"),
            (r#"{"event_type": "step.start", "index": 0, "step": {"type": "text"}}"#, "gemini-interactions"),
            (r#"{"event_type": "step.stop", "index": 0}"#, "gemini-interactions"),
            (r#"{"event_type": "interaction.created", "interaction": {}}"#, "gemini-interactions"),
            (r#"{"event_type": "interaction.paused", "interaction_id": "1"}"#, "gemini-interactions"),
            (r#"{"object": "interaction", "usage": {"total_tokens": 1}}"#, "gemini-interactions"),
            (r#"{"steps": [], "status": "completed", "usage": {}}"#, "gemini-interactions"),
            (r#"{"candidates": [], "usage": {}}"#, "gemini"),
            (r#"{"candidates": [], "choices": [], "usage": {}}"#, "gemini"),
            (r#"{"candidates": [], "object": "chat.completion.chunk"}"#, "gemini"),
            (r#"{"usageMetadata": {}, "usage": {}}"#, "gemini"),
            (
                r#"{"event_type": "interaction.created", "interaction": {}, "usage": {}}"#,
                "gemini-interactions",
            ),
            (r#"{"messageStart": {"role": "assistant"}, "usage": {}}"#, "bedrock-converse"),
            (r#"{"created_at": "t", "done": true, "usage": {}}"#, "ollama-chat"),
            (
                r#"{"message": {"content": "a"}, "done": false, "object": "chat.completion.chunk"}"#,
                "ollama-chat",
            ),
            (r#"{"type": "message_start", "message": {}, "usage": {}}"#, "anthropic-messages"),
        ] {
            assert_eq!(detected(event), Some(api), "{event}");
        }
    }

    #[test]
    fn events_of_no_interface() {
        for event in [
            r#"{"message": "invalid api token"}"#,
            r#"{"id": "1", "message": "too many"}"#,
            r#"{"result": null, "success": false, "errors": [{"message": "no"}]}"#,
            r#"{"result": {}, "success": false, "errors": [{"message": "no"}]}"#,
            r#"{"response": {"status_code": 200, "body": {}}}"#,
            r#"{"response": {"type": "message", "role": "assistant", "content": []}}"#,
            r#"{"result": {"response": "a"}, "id": 1}"#,
            r#"{"message": {"role": "user", "content": "a"}}"#,
            r#"{"role": "assistant", "content": "a", "tool_calls": []}"#,
            r#"{"type": "tool-call-start", "index": 0, "id": "a", "name": "f"}"#,
            r#"{"type": "tool-call-delta", "index": 0, "id": "a", "arguments": "{"}"#,
            r#"{"error parsing tool call": "invalid character"}"#,
            r#"{"event_type": "text-generation", "text": "a"}"#,
            r#"{"event_type": "step.start"}"#,
            r#"{"steps": ["sift", "stir"], "title": "Bread"}"#,
            r#"{"id": "1", "output": ["Sift", ", then", " stir"], "status": "succeeded"}"#,
            r#"{"generated_text": "a", "details": {"finish_reason": "length"}}"#,
        ] {
            assert_eq!(detected(event), None, "{event}");
        }
    }
}
