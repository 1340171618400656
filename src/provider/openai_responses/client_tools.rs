//! Items that are tool calls for the client: functions, custom tools, and built-in tools that the client runs.
//! <https://platform.openai.com/docs/guides/function-calling>

use crate::accumulator::{Builder, Cut, Place};
use crate::json::{Object, ProgressState, RawJson, Value, compact, is_same_text};
use crate::provider::call_entry::{arguments_of, is_blank};
use crate::save::{Coder, State};

/// A kind of tool that the client runs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ClientTool {
    /// The type of the item.
    pub(super) item: &'static str,
    /// Name of the tool; empty if it is in the item.
    name: &'static str,
    /// Name of the item's member with the arguments: JSON text, plain text (`input`), or any other value.
    member: &'static str,
}

/// The first one is a function that the client defines.
static TOOLS: [ClientTool; 8] = [
    ClientTool { item: "function_call", name: "", member: "arguments" },
    ClientTool { item: "custom_tool_call", name: "", member: "input" },
    ClientTool { item: "local_shell_call", name: "local_shell", member: "action" },
    ClientTool { item: "shell_call", name: "shell", member: "action" },
    ClientTool { item: "apply_patch_call", name: "apply_patch", member: "operation" },
    ClientTool { item: "openrouter:apply_patch", name: "apply_patch", member: "operation" },
    ClientTool { item: "computer_call", name: "computer", member: "action" },
    ClientTool { item: "tool_search_call", name: "tool_search", member: "arguments" },
];

/// Names of the tools for searches on X, which xAI runs itself. <https://docs.x.ai/docs/guides/tools/search-tools>
const SEARCHES_ON_X: &[&str] =
    &["x_keyword_search", "x_semantic_search", "x_user_search", "x_thread_fetch", "view_x_video"];

impl ClientTool {
    /// Returns the tool that an item of this type asks the client to run; `None` if the provider runs it. `item` is
    /// absent if only some of its content is known.
    pub(super) fn of(kind: &str, item: Option<Value<'_>>) -> Option<&'static Self> {
        let tool = TOOLS.iter().find(|tool| tool.item == kind)?;
        let has = |name| item.is_some_and(|item| item.get_non_empty(name).is_some());
        let text = |name| item.and_then(|item| item.get_text(name)).unwrap_or_default();
        let is_client = match kind {
            "custom_tool_call" => !SEARCHES_ON_X.contains(&&*text("name")),
            "shell_call" => item.is_some_and(|item| {
                let kind = item.get("environment").and_then(|environment| environment.get_text("type"));
                !kind.is_some_and(|kind| kind.starts_with("container"))
            }),
            // With neither a call id nor an action, there is nothing to run and no call to answer.
            "computer_call" => {
                let has_action =
                    |item: Value<'_>| item.get("action").is_some() || item.get("actions").is_some();
                has("call_id") || item.is_some_and(has_action)
            }
            "tool_search_call" if has("execution") => text("execution") == "client",
            // OpenRouter announces a patch without its call id, and checks the operation before the client applies it.
            "tool_search_call" | "openrouter:apply_patch" => has("call_id"),
            "local_shell_call" => item.is_some(),
            _ => true,
        };
        is_client.then_some(tool)
    }

    /// Opens the call of an item.
    pub(super) fn open(&self, place: Place, id: Option<&str>, item: Value<'_>, out: &mut Builder) {
        if self.item == "custom_tool_call" {
            out.mark_custom(place);
        }
        out.open_call(place, id, self.name(item));
    }

    pub(super) fn name<'a>(&self, item: Value<'a>) -> Option<&'a str> {
        let own = || item.get_non_empty("name").or_else(|| function_in(item)?.get_non_empty("name"));
        if self.name.is_empty() { own() } else { Some(self.name) }
    }

    /// Returns the complete arguments as JSON text: empty if they can't be serialised, `None` if the item has none.
    pub(super) fn arguments(&self, item: Value<'_>) -> Option<String> {
        let inner = || arguments_of(function_in(item)?, self.member);
        let own = arguments_of(item, self.member);
        let member = own.filter(|own| !is_blank(*own)).or_else(inner).or(own);
        if self.item == "computer_call" && item.get("actions").is_some() {
            let mut arguments = Object::default();
            for name in ["action", "actions"] {
                if let Some(raw) = item.get(name).and_then(Value::compact).and_then(RawJson::parse) {
                    arguments.set(name, raw);
                }
            }
            return Some(arguments.to_json());
        }
        match member?.text() {
            Some(text) if self.member == "input" => Some(RawJson::string(&text).get().to_owned()),
            Some(text) => (!text.is_empty()).then(|| text.into_owned()),
            None => Some(member?.compact().unwrap_or_default()),
        }
    }

    /// Whether an item is the call at this place: the same tool with the same arguments.
    pub(super) fn is_same(&self, place: Place, item: Value<'_>, out: &Builder) -> bool {
        let known = arguments_at(place, out);
        out.call_name(place) == self.name(item)
            && (known.is_empty() || compact(known) == compact(&self.arguments(item).unwrap_or_default()))
    }

    /// Adds the missing parts of the call from its item, or from the last event of its arguments.
    pub(super) fn complete(&self, place: Place, id: Option<&str>, item: Value<'_>, out: &mut Builder) {
        self.open(place, id, item, out);
        // The call was emitted with the id of its item, which the client can't answer by.
        let known = out.call_id(place).filter(|known| Some(*known) != id);
        if let (Some(late), true) = (id, known.is_some() && known == item.get_non_empty("id")) {
            out.warn_late_id(late);
        }
        let Some(whole) = self.arguments(item) else { return };
        if whole.is_empty() {
            return out.cut_call(place, Cut::Surely);
        }
        // The same JSON in another layout adds nothing.
        let known = arguments_at(place, out);
        if is_same_text(known.as_bytes(), whole.as_bytes())
            || known.is_empty()
            || compact(known) != compact(&whole)
        {
            out.complete_arguments(place, &whole);
        }
    }
}

/// Returns the function of a call in the form of chat completions, which some proxies don't convert.
fn function_in(item: Value<'_>) -> Option<Value<'_>> {
    item.first(&["function", "custom"]).filter(|function| function.is_object())
}

/// Returns the arguments so far.
pub(super) fn arguments_at(place: Place, out: &Builder) -> &str {
    if out.arguments_state(place) == ProgressState::Empty { "" } else { out.arguments_at(place) }
}

/// Returns the id that the client answers by: `call_id`, else the item's own id.
pub(super) fn call_id(item: Value<'_>) -> Option<&str> {
    own_call_id(item).or_else(|| item.get_non_empty("id"))
}

/// Returns the `call_id`, which OpenRouter's SDK names `callId`.
pub(super) fn own_call_id(item: Value<'_>) -> Option<&str> {
    item.first_non_empty(&["call_id", "callId"])
}

/// Saved as the type of the item.
impl State for &'static ClientTool {
    fn blank() -> Self {
        let [function, ..] = &TOOLS;
        function
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        let mut item = self.item.to_owned();
        item.code(coder);
        match TOOLS.iter().find(|tool| tool.item == item) {
            Some(tool) => *self = tool,
            None => coder.fail(),
        }
    }
}
