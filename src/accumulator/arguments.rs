//! The arguments of a tool call that is under way.

use std::cell::OnceCell;

use super::channel::Channel;
use crate::json::{Document, Object, Progress, ProgressState};
use crate::save::{Coder, State, state};

/// The arguments, in the form in which they come.
#[derive(Debug, Default)]
pub(super) enum Arguments {
    /// Nothing yet.
    #[default]
    None,
    /// JSON text in pieces.
    Text { text: Channel, progress: Progress },
    /// A JSON object. More of it may come, so it is given out only at the end.
    Object(Objects),
}

state! { enum Arguments { 0 None, 1 Text { text, progress }, 2 Object(objects) } }

/// Whether a call was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cut {
    /// Nothing says so.
    No,
    /// Perhaps: JSON that is whole is complete, but no arguments aren't `{}`.
    Perhaps,
    /// The provider says so, whatever its arguments are.
    Surely,
}

state! { enum Cut { 0 No, 1 Perhaps, 2 Surely } }

/// Whether arguments are what some servers send until the real ones come.
pub(crate) fn is_placeholder(arguments: &str) -> bool {
    matches!(arguments.trim_ascii(), "{}" | "null")
}

/// Whether a piece of text is a whole object.
pub(super) fn is_whole_object(text: &str) -> bool {
    text.trim_ascii_start().starts_with('{') && {
        let mut progress = Progress::default();
        progress.push(text);
        progress.state() == ProgressState::Complete
    }
}

/// Arguments that come as one object, or as several that are merged.
#[derive(Debug)]
pub(super) struct Objects {
    /// The object as JSON text; of several, made when it is asked for.
    json: OnceCell<String>,
    /// Several, merged.
    merged: Option<Object>,
}

impl State for Objects {
    fn blank() -> Self {
        Self::new(String::new())
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        // Of several, the text is made again.
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

    /// The object as JSON text.
    pub(super) fn text(&self) -> &str {
        self.json.get_or_init(|| self.merged.as_ref().map(Object::to_json).unwrap_or_default())
    }

    /// Takes in one more.
    pub(super) fn merge(&mut self, later: &str) {
        let json = self.json.take();
        let object = self.merged.get_or_insert_with(|| {
            let mut object = Object::default();
            take_in(&mut object, &json.unwrap_or_default());
            object
        });
        take_in(object, later);
    }
}

/// Merges the members of an object that is written as JSON.
fn take_in(object: &mut Object, json: &str) {
    if let Ok(tape) = Document::parse(json, usize::MAX) {
        object.put_all(tape.root());
    }
}
