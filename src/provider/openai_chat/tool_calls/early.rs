//! Arguments that arrive before their call.

use super::{Call, Entry, ToolCallReader};
use crate::accumulator::{Builder, Place, Slot};
use crate::json::{Document, Fragment, Object, Progress, RawJson, Value};
use crate::provider::call_entry::warn_unmatched_arguments;
use crate::save::state;

/// Maximum number of indices at which arguments are kept that arrive before their call.
const MAX_EARLY: usize = 32;

/// The beginning of arguments at an index at which no call has begun.
pub(super) struct EarlyArguments {
    pub(super) index: u64,
    text: String,
}

state! { struct EarlyArguments { index, text } }

impl EarlyArguments {
    /// Returns the name and the arguments of a call that is written in its arguments, perhaps before a special token, as
    /// `{"function": {"_name": "tide", "port": "Husum"}}`: the first releases of TGI with tools stream calls like that.
    /// <https://github.com/huggingface/text-generation-inference/issues/2794>
    fn read_call(&self) -> Option<(String, RawJson)> {
        let end = Progress::default().push_until_end(self.text.as_bytes())?;
        let document = Document::parse(self.text.get(..end)?, usize::MAX).ok()?;
        let function = document.root().get("function")?;
        let name = function.get_non_empty("_name")?.to_owned();
        let mut arguments = Object::default();
        for (name, value) in function.others(&["_name"]) {
            arguments.put(&name, value);
        }
        Some((name, RawJson::of(&arguments)))
    }
}

impl ToolCallReader {
    /// Keeps arguments that arrive before the name of their call, or more of them. Returns whether the entry has such
    /// arguments.
    pub(super) fn keep_early(&mut self, entry: &Entry<'_>) -> bool {
        let (Some(index), Some(text)) = (entry.index, entry.arguments.and_then(Value::non_empty)) else {
            return false;
        };
        if let Some(early) = self.early_arguments.iter_mut().find(|early| early.index == index) {
            early.text.push_str(text);
        } else if text.trim_ascii_start().starts_with('{') && self.early_arguments.len() < MAX_EARLY {
            self.early_arguments.push(EarlyArguments { index, text: text.to_owned() });
        } else {
            return false;
        }
        true
    }

    /// Adds early arguments to a call that begins, unless they are complete and the call's first entry has different
    /// ones.
    pub(super) fn append_early(&mut self, at: usize, entry: &Entry<'_>, out: &mut Builder) {
        let known = self.early_arguments.iter().position(|early| Some(early.index) == entry.index);
        let (Some(known), Some(call)) = (known, self.calls.get(at)) else { return };
        let early = self.early_arguments.swap_remove(known).text;
        let is_other = entry.has_visible_text()
            && !entry.arguments.is_some_and(|arguments| arguments.is(&early))
            && RawJson::parse(&*early).is_some();
        if is_other {
            warn_unmatched_arguments(&early, out);
        } else {
            out.push_arguments(call.place, &Fragment::from(&*early));
        }
    }

    /// Reads the calls that are written in early arguments. Other early arguments are a warning.
    pub(in super::super) fn close_early(&mut self, out: &mut Builder) {
        for early in std::mem::take(&mut self.early_arguments) {
            let Some((name, arguments)) = early.read_call() else {
                warn_unmatched_arguments(&early.text, out);
                continue;
            };
            let place = Place { choice: self.choice, slot: Slot(early.index, self.calls.len() as u64) };
            self.calls.push(Call::new(place, Some(early.index)));
            out.open_call(place, None, Some(&name));
            out.push_arguments(place, &Fragment::from(arguments.get()));
        }
    }
}
