//! Which interface an answer comes from: decided where exactly one matches, never guessed.

use super::{Entry, Event, PROVIDERS, embeddings, images};
use crate::json::Value;
use crate::model::{Agent, Api};

/// The interfaces whose bodies look like this one.
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

/// The interface whose stream has such an event; `None` where none has, or several have and the agent does not
/// say which.
pub fn detect_event(event: &Event<'_>, agent: &Agent) -> Option<&'static Entry> {
    let mut found = PROVIDERS.iter().filter(|entry| (entry.is_event)(event));
    let first = found.next()?;
    match found.next() {
        None => Some(first),
        Some(_) => PROVIDERS.iter().find(|entry| Some(entry.api) == agent.api() && (entry.is_event)(event)),
    }
}
