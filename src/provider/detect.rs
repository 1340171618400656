//! Which interface an answer comes from: decided where exactly one matches, never guessed.

use super::{Entry, Event, PROVIDERS, embeddings, images};
use crate::json::Value;
use crate::model::Api;

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

/// The interface whose stream has such an event; `None` where none or several have.
pub fn detect_event(event: &Event<'_>) -> Option<&'static Entry> {
    let mut found = PROVIDERS.iter().filter(|entry| (entry.is_event)(event));
    found.next().filter(|_| found.next().is_none())
}
