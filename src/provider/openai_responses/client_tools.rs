//! Items that are tool calls: functions, and the tools that the client has to run though they are built in.
//! <https://platform.openai.com/docs/guides/function-calling>
//!
//! | item | name | arguments |
//! |---|---|---|
//! | `function_call` | its `name` | its `arguments`, verbatim |
//! | `custom_tool_call` | its `name` | its `input`, free text, as a JSON string |
//! | `local_shell_call`, `shell_call` | `local_shell`, `shell` | its `action` |
//! | `apply_patch_call` | `apply_patch` | its `operation` |
//! | `computer_call` | `computer` | its `action`, or `{actions}` |
//! | `tool_search_call` | `tool_search` | its `arguments` |

use std::borrow::Cow;

use super::echo::Echo;
use crate::accumulator::{Builder, Place};
use crate::json::{Document, Fragment, Object, ProgressState, RawJson, Value, compact};

/// A kind of tool that the client runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClientTool {
    /// A function of the client's own.
    Function,
    /// A tool of the client's own whose input is free text.
    Custom,
    /// The older shell tool.
    LocalShell,
    /// The shell tool, run in the client's environment.
    Shell,
    /// Changes to files.
    ApplyPatch,
    /// Use of a computer.
    Computer,
    /// A search for tools that the client has not declared at once.
    ToolSearch,
}

impl ClientTool {
    /// The tool that an item of this type asks the client to run; `None` where the provider runs it.
    pub(super) fn of(kind: &str, item: Value<'_>) -> Option<Self> {
        let is_filled = |name| item.get_filled(name).is_some();
        match kind {
            "function_call" => Some(Self::Function),
            "custom_tool_call" => (!is_search_on_x(item)).then_some(Self::Custom),
            "local_shell_call" => Some(Self::LocalShell),
            "shell_call" => (!runs_in_container(item)).then_some(Self::Shell),
            "apply_patch_call" => Some(Self::ApplyPatch),
            // Without both there is nothing to do, and nothing to answer to.
            "computer_call" => {
                let has_action = item.get("action").or_else(|| item.get("actions")).is_some();
                (has_action || is_filled("call_id")).then_some(Self::Computer)
            }
            "tool_search_call" => {
                let execution = item.get_filled("execution");
                let is_client =
                    execution.map_or_else(|| is_filled("call_id"), |execution| execution == "client");
                is_client.then_some(Self::ToolSearch)
            }
            _ => None,
        }
    }

    /// The member of the item that the arguments are made of.
    fn member(self) -> &'static str {
        match self {
            Self::Function | Self::ToolSearch => "arguments",
            Self::Custom => "input",
            Self::LocalShell | Self::Shell | Self::Computer => "action",
            Self::ApplyPatch => "operation",
        }
    }

    fn name(self, item: Value<'_>) -> Option<Cow<'_, str>> {
        let name = match self {
            Self::Function | Self::Custom => return item.get_filled("name"),
            Self::LocalShell => "local_shell",
            Self::Shell => "shell",
            Self::ApplyPatch => "apply_patch",
            Self::Computer => "computer",
            Self::ToolSearch => "tool_search",
        };
        Some(Cow::Borrowed(name))
    }

    /// The whole arguments, as JSON text; `None` where the item has none.
    fn arguments(self, item: Value<'_>) -> Option<Cow<'_, str>> {
        if let (Self::Computer, Some(actions)) = (self, item.get("actions")) {
            let mut arguments = Object::default();
            if let Some(action) = item.get("action").and_then(Value::compact).and_then(RawJson::parse) {
                arguments.set("action", action);
            }
            arguments.set("actions", actions.compact().and_then(RawJson::parse)?);
            return Some(Cow::Owned(RawJson::of(&arguments).get().to_owned()));
        }
        let member = item.get(self.member())?;
        match (self, member.text()) {
            (Self::Custom, Some(text)) => Some(Cow::Owned(RawJson::string(&text).get().to_owned())),
            (_, Some(text)) => Some(text).filter(|text| !text.is_empty()),
            (_, None) => member.compact().map(Cow::Owned),
        }
    }
}

/// Whether a `shell_call` is run by the provider, in a container of its own.
fn runs_in_container(item: Value<'_>) -> bool {
    let environment = item.get("environment").and_then(|environment| environment.get_text("type"));
    environment.is_some_and(|environment| environment.starts_with("container"))
}

/// Whether a `custom_tool_call` is one of xAI's searches on X, which it runs itself.
/// <https://docs.x.ai/docs/guides/tools/search-tools>
fn is_search_on_x(item: Value<'_>) -> bool {
    let name = item.get_text("name").unwrap_or_default();
    matches!(&*name, "x_keyword_search" | "x_semantic_search" | "x_user_search" | "x_thread_fetch")
}

/// A tool call that is under way.
#[derive(Debug)]
pub(super) struct Call {
    tool: ClientTool,
    echo: Echo,
    frame: Frame,
}

/// Arguments that are made of what comes in pieces: the JSON around it.
#[derive(Debug)]
enum Frame {
    /// Nothing has come.
    Unopened,
    /// A string is open.
    Open {
        /// What would close the arguments as they are.
        closing: String,
        /// Where in the arguments the string begins.
        start: usize,
        /// The string's place in a list of strings.
        index: u64,
    },
    /// The item does not say what is around: the arguments come at the end.
    Unknown,
}

impl Call {
    pub(super) fn new(tool: ClientTool) -> Self {
        Self { tool, echo: Echo::default(), frame: Frame::Unopened }
    }

    /// The item begins.
    pub(super) fn start(&mut self, place: Place, item: Value<'_>, out: &mut Builder) {
        // The id of a tool search changes until it is whole.
        let id = if self.tool == ClientTool::ToolSearch { None } else { call_id(item) };
        out.open_call(place, id.as_deref(), self.tool.name(item).as_deref());
        let early = item.get(self.tool.member()).and_then(Value::filled);
        if let Some(text) = early.filter(|_| arguments_at(place, out).is_empty()) {
            match self.tool {
                ClientTool::Function => out.push_arguments(place, &Fragment::from(&*text)),
                ClientTool::Custom => self.push_input(place, &Fragment::from(&*text), out),
                _ => return,
            }
            self.echo = Echo::new(&text);
        }
    }

    /// A piece of the arguments of a function.
    pub(super) fn push_arguments(&mut self, place: Place, piece: &Fragment<'_>, out: &mut Builder) {
        if !self.echo.takes(piece) {
            out.push_arguments(place, piece);
        }
    }

    /// A piece of the input of a custom tool.
    pub(super) fn push_input(&mut self, place: Place, piece: &Fragment<'_>, out: &mut Builder) {
        if piece.is_empty() || self.echo.takes(piece) {
            return;
        }
        if matches!(self.frame, Frame::Unopened) {
            self.frame = Frame::Open { closing: "\"".to_owned(), start: 1, index: 0 };
            out.push_arguments(place, &Fragment::from("\""));
        }
        out.push_arguments(place, &escaped(piece));
    }

    /// A piece of a string in the arguments: of the `diff` of a patch, or of a command at this index.
    pub(super) fn push_string(
        &mut self,
        place: Place,
        index: u64,
        start: Option<&RawJson>,
        piece: &Fragment<'_>,
        out: &mut Builder,
    ) {
        if self.enter(place, index, start, out) {
            out.push_arguments(place, &escaped(piece));
        }
    }

    /// The whole of such a string.
    pub(super) fn complete_string(
        &mut self,
        place: Place,
        index: u64,
        start: Option<&RawJson>,
        whole: &str,
        out: &mut Builder,
    ) {
        if !self.enter(place, index, start, out) {
            return;
        }
        if let Frame::Open { start, .. } = self.frame {
            let whole = escaped(&Fragment::from(whole));
            let known = arguments_at(place, out).get(start..).unwrap_or_default();
            if let Some(rest) = whole.text.strip_prefix(known) {
                out.push_arguments(place, &Fragment::from(rest));
            }
        }
    }

    /// The whole arguments, in an event of their own.
    pub(super) fn complete(&mut self, place: Place, event: Value<'_>, out: &mut Builder) {
        let name = self.tool.name(event);
        out.open_call(place, None, name.as_deref());
        if let Some(arguments) = self.tool.arguments(event) {
            complete_arguments(place, &arguments, out);
        }
    }

    /// The whole item: brings what is missing. The call is over, unless the model was stopped in it.
    pub(super) fn finish(&mut self, place: Place, item: Value<'_>, out: &mut Builder) {
        out.open_call(place, call_id(item).as_deref(), self.tool.name(item).as_deref());
        if let Some(arguments) = self.tool.arguments(item) {
            complete_arguments(place, &arguments, out);
        }
        if item.get("status").is_none_or(|status| !status.is("incomplete")) {
            out.end_call(place);
        }
    }

    /// Whether an item is this call: the same tool with the same arguments.
    pub(super) fn is_same(&self, place: Place, item: Value<'_>, out: &Builder) -> bool {
        let (name, arguments) = (self.tool.name(item), self.tool.arguments(item).unwrap_or_default());
        let known = arguments_at(place, out);
        out.call_name(place) == name.as_deref() && (known.is_empty() || compact(known) == compact(&arguments))
    }

    /// Drops what was only kept to tell pieces apart.
    pub(super) fn forget(&mut self) {
        self.echo = Echo::default();
    }

    /// Whether this form of the item leaves out what was streamed.
    pub(super) fn is_less(&self, place: Place, item: Value<'_>, out: &Builder) -> bool {
        self.tool.arguments(item).is_none() && !arguments_at(place, out).is_empty()
    }

    /// Puts what was streamed where it is in the whole item.
    pub(super) fn rebuild(&self, place: Place, item: &mut Object, out: &Builder) {
        let told = arguments_at(place, out);
        if told.is_empty() {
            return;
        }
        let rebuilt = match (self.tool, &self.frame) {
            (ClientTool::Function, _) => Some(RawJson::string(told)),
            (_, Frame::Open { closing, .. }) => {
                RawJson::parse(told).or_else(|| RawJson::parse([told, closing].concat()))
            }
            _ => RawJson::parse(told),
        };
        if let Some(rebuilt) = rebuilt {
            item.set(self.tool.member(), rebuilt);
        }
    }

    /// Goes to the string at this index, which is opened where it is new. `start` is the item at its start:
    /// it says what is around the string.
    fn enter(&mut self, place: Place, wanted: u64, start: Option<&RawJson>, out: &mut Builder) -> bool {
        if let Frame::Unopened = self.frame {
            self.frame = Frame::Unknown;
            let around = start
                .and_then(|start| self.tool.around(start))
                .filter(|_| arguments_at(place, out).is_empty());
            if let Some((opening, closing)) = around {
                out.push_arguments(place, &Fragment::from(opening.as_str()));
                self.frame = Frame::Open { closing, start: opening.len(), index: wanted };
            }
        }
        match &mut self.frame {
            Frame::Open { index, start, .. } if *index < wanted => {
                out.push_arguments(place, &Fragment::from("\",\""));
                (*index, *start) = (wanted, arguments_at(place, out).len());
                true
            }
            Frame::Open { index, .. } => *index == wanted,
            _ => false,
        }
    }
}

impl ClientTool {
    /// The arguments before and after the string that will come in pieces; `None` where part of it is there.
    fn around(self, start: &RawJson) -> Option<(String, String)> {
        let (grows, empty, opening, closing) = match self {
            Self::ApplyPatch => ("diff", "\"\"", "\"", "\""),
            Self::Shell => ("commands", "[]", "[\"", "\"]"),
            _ => return None,
        };
        let tape = Document::parse(start.get(), usize::MAX).ok()?;
        let mut before = None;
        let mut text = String::from("{");
        for (name, value) in tape.root().get(self.member())?.others(&[]) {
            if text.len() > 1 || before.is_some() {
                text.push(',');
            }
            text.push_str(RawJson::string(&name).get());
            text.push(':');
            let value = value.compact()?;
            if name == grows && value == empty {
                before = Some(std::mem::take(&mut text) + opening);
                text.push_str(closing);
            } else {
                text.push_str(&value);
            }
        }
        text.push('}');
        Some((before?, text))
    }
}

/// The arguments as they came so far.
pub(super) fn arguments_at(place: Place, out: &Builder) -> &str {
    if out.arguments_state(place) == ProgressState::Empty { "" } else { out.arguments_at(place) }
}

/// The id by which the client answers: `call_id`, else the item's own.
fn call_id(item: Value<'_>) -> Option<Cow<'_, str>> {
    ["call_id", "id"].into_iter().find_map(|name| item.get_filled(name))
}

/// Brings what is missing of the arguments. The same JSON in another layout is not missing.
fn complete_arguments(place: Place, whole: &str, out: &mut Builder) {
    let known = arguments_at(place, out);
    if known != whole && !known.is_empty() && compact(known) == compact(whole) {
        return;
    }
    out.complete_arguments(place, whole);
}

/// Text as it stands in a JSON string.
fn escaped(piece: &Fragment<'_>) -> Fragment<'static> {
    let json = RawJson::string(&piece.text);
    let inner = json.get().get(1..json.get().len().saturating_sub(1)).unwrap_or_default();
    Fragment { lead: piece.lead, text: Cow::Owned(inner.to_owned()), trail: piece.trail }
}
