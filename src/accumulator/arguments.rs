//! The arguments of a tool call in progress.

use std::cell::OnceCell;

use super::channel::Channel;
use crate::json::{Document, Object, Progress, ProgressState};
use crate::save::{Coder, State, state};

/// The arguments, in the form in which the provider sends them.
#[derive(Debug, Default)]
pub(super) enum Arguments {
    /// None so far.
    #[default]
    None,
    /// Fragments of JSON text.
    Text { text: Channel, progress: Progress },
    /// A JSON object. Later objects may be merged into it, so it is emitted only at the end.
    Object(Objects),
}

state! { enum Arguments { 0 None, 1 Text { text, progress }, 2 Object(objects) } }

/// Whether a call was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cut {
    /// No sign that it was.
    No,
    /// Perhaps: complete JSON counts as complete, but missing arguments don't count as `{}`.
    Perhaps,
    /// The provider says that it was, even if the arguments look complete.
    Surely,
}

state! { enum Cut { 0 No, 1 Perhaps, 2 Surely } }

/// Whether arguments are a placeholder, which some servers send before the real arguments.
pub(crate) fn is_placeholder(arguments: &str) -> bool {
    matches!(arguments.trim_ascii(), "{}" | "null")
}

/// Whether arguments are the text `null`, which means that there are none.
pub(super) fn is_null(arguments: &str) -> bool {
    arguments.trim_ascii() == "null"
}

/// Whether arguments are the beginning of a placeholder, or all of it.
pub(super) fn may_be_placeholder(arguments: &str) -> bool {
    is_placeholder(arguments) || "null".starts_with(arguments.trim_ascii())
}

/// Whether a fragment is a complete JSON object.
pub(super) fn is_whole_object(text: &str) -> bool {
    text.trim_ascii_start().starts_with('{') && {
        let mut progress = Progress::default();
        progress.push(text);
        progress.state() == ProgressState::Complete
    }
}

/// Arguments that are sent as one object, or as several that are merged.
#[derive(Debug)]
pub(super) struct Objects {
    /// The object as JSON text. For merged objects it is generated on first use.
    json: OnceCell<String>,
    /// The merged object, if several were sent.
    merged: Option<Object>,
}

impl State for Objects {
    fn blank() -> Self {
        Self::new(String::new())
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        // The text of merged objects is generated again after loading.
        let Self { json, merged } = self;
        merged.code(coder);
        let mut text = json.take().filter(|_| merged.is_none());
        if merged.is_none() {
            text.get_or_insert_default().code(coder);
        }
        *json = text.map(OnceCell::from).unwrap_or_default();
    }
}

impl Objects {
    pub(super) fn new(json: String) -> Self {
        Self { json: OnceCell::from(json), merged: None }
    }

    /// Returns the object as JSON text.
    pub(super) fn text(&self) -> &str {
        self.json.get_or_init(|| self.merged.as_ref().map(Object::to_json).unwrap_or_default())
    }

    /// Merges a later object into this one.
    pub(super) fn merge(&mut self, later: &str) {
        let json = self.json.take();
        let object = self.merged.get_or_insert_with(|| {
            let mut object = Object::default();
            merge_json(&mut object, &json.unwrap_or_default());
            object
        });
        merge_json(object, later);
    }
}

/// Merges the members of an object, given as JSON text.
fn merge_json(object: &mut Object, json: &str) {
    if let Ok(tape) = Document::parse(json, usize::MAX) {
        object.put_all(tape.root());
    }
}
