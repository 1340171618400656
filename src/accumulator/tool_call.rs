//! A tool call that is under way.

mod again;
mod emitted;
mod whole;

use std::mem;

use super::arguments::{Arguments, Cut, Objects, is_placeholder, is_whole_object};
use super::channel::Channel;
use super::place::{Place, Slot};
use crate::json::handover::parsed;
use crate::json::{Fragment, Progress, ProgressState, RawJson, compact};
use crate::model::{ResponseToolCall, ToolCall, ToolCallStatus};
use crate::save::state;
use emitted::Emitted;

/// A tool call that is under way: its fields as far as they are known.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) slot: Slot,
    choice: u32,
    index: u32,
    id: Option<String>,
    id_is: IdIs,
    name: Option<String>,
    /// Whether the name may be the first piece of one, so that it isn't emitted before something follows.
    is_name_open: bool,
    /// What the provider signed it with.
    pub(super) signature: Option<String>,
    /// How much of that came before the end of the call, in bytes.
    pub(super) signed: usize,
    arguments: Arguments,
    emitted: Emitted,
    /// How many bytes of the arguments have been emitted.
    emitted_bytes: usize,
    /// Whether the model was stopped in the middle of the call.
    cut: Cut,
    /// Whether it does not count, whatever its arguments are.
    is_superseded: bool,
    again: Again,
    pub(super) tool: ToolKind,
}

state! { struct Call {
    slot, choice, index, id, id_is, name, is_name_open, signature, signed, arguments, emitted, emitted_bytes, cut, is_superseded,
    again, tool,
} }

/// Whose the id of a call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IdIs {
    /// The provider's.
    Given,
    /// Ours.
    MadeUp,
    /// The one that it has if no other comes before it ends: until then, it isn't emitted.
    Held,
}

state! { enum IdIs { 0 Given, 1 MadeUp, 2 Held } }

/// Whether a call is one before it, sent once more.
#[derive(Debug, PartialEq, Eq)]
enum Again {
    No,
    /// The provider gave it this id, which another call has. Until its end it isn't emitted.
    Perhaps(String),
    Yes,
}

state! { enum Again { 0 No, 1 Perhaps(id), 2 Yes } }

/// What kind of tool is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ToolKind {
    Function,
    /// One whose arguments are a text: a JSON string.
    Custom,
}

state! { enum ToolKind { 0 Function, 1 Custom } }

impl Call {
    pub(super) fn new(slot: Slot, choice: u32, index: u32) -> Self {
        Self {
            slot,
            choice,
            index,
            id: None,
            id_is: IdIs::Given,
            name: None,
            is_name_open: false,
            signature: None,
            signed: 0,
            arguments: Arguments::None,
            emitted: Emitted::Nothing,
            emitted_bytes: 0,
            cut: Cut::No,
            is_superseded: false,
            again: Again::No,
            tool: ToolKind::Function,
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.emitted == Emitted::End
    }

    pub(super) fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    pub(super) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub(super) fn set_id(&mut self, id: String) {
        self.id = Some(id);
    }

    /// Gives it an id, unless it gets another one before its end.
    pub(super) fn hold(&mut self, id: String) {
        (self.id, self.id_is) = (Some(id), IdIs::Held);
    }

    /// Takes such an id back.
    pub(super) fn release(&mut self) {
        if self.id_is == IdIs::Held && self.emitted == Emitted::Nothing {
            (self.id, self.id_is) = (None, IdIs::Given);
        }
    }

    /// The provider gave it an id that another call has: it may be that call once more.
    pub(super) fn suspect_repeat(&mut self, id: &str) {
        self.again = Again::Perhaps(id.to_owned());
    }

    /// Whether it isn't known yet if it is another call once more.
    pub(super) fn may_be_repeat(&self) -> bool {
        matches!(self.again, Again::Perhaps(_))
    }

    /// Whether it is another call once more.
    pub(super) fn is_repeat(&self) -> bool {
        self.again == Again::Yes
    }

    /// Nothing more comes of it that says whether it is another call once more. Gives the id by which it may be.
    pub(super) fn take_suspicion(&mut self) -> Option<String> {
        match mem::replace(&mut self.again, Again::No) {
            Again::Perhaps(id) => Some(id),
            known => {
                self.again = known;
                None
            }
        }
    }

    /// It is another call once more, and is never emitted.
    pub(super) fn drop_as_repeat(&mut self) {
        (self.again, self.emitted) = (Again::Yes, Emitted::End);
        self.supersede();
    }

    /// Whether another call has the same name and arguments.
    pub(super) fn says_the_same(&self, other: &Self) -> bool {
        let (own, others) = (self.arguments(), other.arguments());
        self.name == other.name
            && self.state() == other.state()
            && (own == others || self.state() == ProgressState::Complete && compact(own) == compact(others))
    }

    pub(super) fn make_up_id(&mut self, id: String) {
        self.id = Some(id);
        self.id_is = IdIs::MadeUp;
    }

    /// Whether this id, which the provider gives, comes too late; answers so once.
    pub(super) fn comes_late(&mut self, id: &str) -> bool {
        mem::replace(&mut self.id_is, IdIs::Given) != IdIs::Given && self.id() != Some(id)
    }

    pub(super) fn set_name(&mut self, name: &str) {
        self.name = Some(name.to_owned());
    }

    /// Whether the name may go on, as far as is known.
    pub(super) fn leave_name(&mut self, is_open: bool) {
        self.is_name_open = is_open;
    }

    /// Whether the name may go on.
    pub(super) fn is_name_open(&self) -> bool {
        self.is_name_open && self.emitted == Emitted::Nothing && matches!(self.arguments, Arguments::None)
    }

    /// Takes in a piece of the name, or all of it so far.
    pub(super) fn push_name(&mut self, piece: &str) {
        let name = self.name.get_or_insert_default();
        if piece.starts_with(name.as_str()) {
            name.clear();
        }
        name.push_str(piece);
    }

    /// Whether it is time to emit the start of the call though it has no id: nothing later will bring one.
    pub(super) fn wants_id(&self) -> bool {
        self.id.is_none() && self.name.is_some() && !matches!(self.arguments, Arguments::None)
    }

    /// The arguments so far, for a result: `{}` where there are none.
    pub(super) fn arguments(&self) -> &str {
        match &self.arguments {
            _ if self.state() == ProgressState::Empty => "{}",
            Arguments::Text { text, .. } => text.shown(),
            Arguments::None | Arguments::Object(_) => self.known_arguments(),
        }
    }

    /// The arguments as they came.
    fn known_arguments(&self) -> &str {
        match &self.arguments {
            Arguments::None => "",
            Arguments::Text { text, .. } => text.as_str(),
            Arguments::Object(objects) => objects.text(),
        }
    }

    /// How far the arguments are from being whole.
    pub(super) fn state(&self) -> ProgressState {
        match &self.arguments {
            Arguments::None => ProgressState::Empty,
            Arguments::Text { progress, .. } => progress.state(),
            Arguments::Object(_) => ProgressState::Complete,
        }
    }

    /// Whether it is over, or more text would change nothing: the arguments are whole, or can't become so.
    pub(super) fn is_settled(&self) -> bool {
        self.is_over() || matches!(self.state(), ProgressState::Complete | ProgressState::Invalid { .. })
    }

    /// Appends a piece of JSON text.
    pub(super) fn push_text(&mut self, fragment: &Fragment<'_>) {
        if fragment.is_empty() {
            return;
        }
        if self.gives_way_to(&fragment.text) {
            self.arguments = Arguments::None;
        }
        // Behind an object, another one in text is more of it.
        if let Arguments::Object(objects) = &mut self.arguments
            && is_whole_object(&fragment.text)
        {
            return objects.merge(&fragment.text);
        }
        if !matches!(self.arguments, Arguments::Text { .. }) {
            let (mut text, mut progress) = (Channel::default(), Progress::default());
            if let Arguments::Object(objects) = mem::take(&mut self.arguments) {
                progress.push(text.push(&Fragment::from(objects.text())));
            }
            self.arguments = Arguments::Text { text, progress };
        }
        if let Arguments::Text { text, progress } = &mut self.arguments {
            progress.push(text.push(fragment));
        }
    }

    /// Whether all that has come is a placeholder, and this text replaces it. A placeholder is emitted only at the end.
    fn gives_way_to(&self, text: &str) -> bool {
        self.emitted_bytes == 0
            && self.emitted != Emitted::End
            && text.trim_ascii_start().starts_with('{')
            && is_placeholder(self.known_arguments())
    }

    /// Whether more text of the arguments only adds to what has been emitted.
    pub(super) fn is_growing(&self) -> bool {
        self.emitted == Emitted::Start && matches!(self.arguments, Arguments::Text { .. })
    }

    /// Takes in a JSON object: the first as it is, later ones merged into it.
    pub(super) fn push_object(&mut self, json: String) {
        match &mut self.arguments {
            Arguments::Object(objects) => objects.merge(&json),
            Arguments::Text { progress, .. } if progress.state() != ProgressState::Empty => {
                if self.complete(&json).is_err() {
                    self.push_text(&Fragment::from(json.as_str()));
                }
            }
            Arguments::Text { .. } | Arguments::None => {
                self.arguments = Arguments::Object(Objects::new(json));
            }
        }
    }

    /// Takes back arguments that came as an object.
    pub(super) fn take_object(&mut self) -> Option<String> {
        match mem::take(&mut self.arguments) {
            Arguments::Object(objects) => Some(objects.text().to_owned()),
            other => {
                self.arguments = other;
                None
            }
        }
    }

    fn place(&self) -> Place {
        Place { choice: self.choice, slot: self.slot }
    }

    /// Whether the arguments can be used. That there are none is known only when the call is over.
    pub(super) fn status(&self) -> ToolCallStatus {
        match self.state() {
            _ if self.is_superseded || self.name.as_deref().is_none_or(str::is_empty) => {
                ToolCallStatus::Invalid
            }
            ProgressState::Invalid { .. } => ToolCallStatus::Invalid,
            ProgressState::Complete if self.cut != Cut::Surely => ToolCallStatus::Complete,
            ProgressState::Empty if self.emitted == Emitted::End && self.cut == Cut::No => {
                ToolCallStatus::Complete
            }
            _ => ToolCallStatus::Truncated,
        }
    }

    pub(super) fn to_tool_call(&self) -> ToolCall {
        ToolCall {
            id: self.id.clone().unwrap_or_default(),
            name: self.name.clone().unwrap_or_default(),
            arguments: self.arguments().to_owned(),
        }
    }

    /// Whether another call says the same.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.id == other.id && self.name == other.name && self.arguments() == other.arguments()
    }

    /// The arguments, parsed; malformed ones stay the string.
    pub(super) fn parsed_arguments(&self) -> RawJson {
        // A state of complete says that it is JSON, and so is what stands for none.
        match self.state() {
            ProgressState::Empty | ProgressState::Complete => parsed(self.arguments()),
            ProgressState::Partial | ProgressState::Invalid { .. } => RawJson::string(self.arguments()),
        }
    }

    /// The call with its arguments parsed.
    pub(super) fn to_response_tool_call(&self) -> ResponseToolCall {
        let ToolCall { id, name, .. } = self.to_tool_call();
        ResponseToolCall { id, name, arguments: self.parsed_arguments(), signature: self.signature.clone() }
    }
}
