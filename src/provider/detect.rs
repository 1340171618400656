//! Which interface an answer comes from: decided where exactly one matches, never guessed.

use super::{Entry, Event, PROVIDERS, embeddings, images};
use crate::json::Value;
use crate::model::Api;

/// The interfaces whose bodies look like this one.
pub fn candidates(body: Value<'_>) -> Vec<Api> {
    let messages = PROVIDERS.iter().filter(|entry| (entry.is_body)(body)).map(|entry| entry.api);
    let embeddings = embeddings::is_body(body).then_some(Api::OpenaiEmbeddings);
    let images = images::is_body(body).then_some(Api::OpenaiImages);
    messages.chain(embeddings).chain(images).collect()
}

/// The interface whose stream has such an event; `None` where none or several have.
pub fn detect_event(event: &Event<'_>) -> Option<&'static Entry> {
    let mut found = PROVIDERS.iter().filter(|entry| (entry.is_event)(event));
    found.next().filter(|_| found.next().is_none())
}
