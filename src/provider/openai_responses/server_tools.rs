//! Items of tools that the provider runs itself.
//! <https://platform.openai.com/docs/guides/tools>
//!
//! Web search, file search, code interpreter, MCP, image generation, and whatever other providers add
//! (`x_search_call` of xAI …). Their events only say how far they are; code and arguments also come in pieces.

use std::borrow::Cow;

use crate::json::{Fragment, Object, RawJson, Value};
use crate::keyed::Keyed;
use crate::model::ContentPart;

/// A call that is under way: what came in pieces, until the item comes as a whole.
#[derive(Debug, Default)]
pub(super) struct ServerTool {
    code: String,
    arguments: String,
    input: String,
    commands: Keyed<u64, String>,
    outputs: Keyed<u64, Output>,
}

/// What one command of a shell has written.
#[derive(Debug, Default)]
struct Output {
    stdout: String,
    stderr: String,
    /// The output as a whole, once the command is over.
    whole: Vec<RawJson>,
}

/// What comes in pieces.
#[derive(Debug, Clone, Copy)]
pub(super) enum Growing {
    /// The `code` of a `code_interpreter_call`.
    Code,
    /// The `arguments` of an `mcp_call`.
    Arguments,
    /// The `input` of a `custom_tool_call` that is none of the client's.
    Input,
    /// A command of a `shell_call` that runs in a container of the provider.
    Command(u64),
}

impl ServerTool {
    /// A piece.
    pub(super) fn push(&mut self, what: Growing, piece: Fragment<'_>) {
        self.text(what).push_str(&Cow::from(piece));
    }

    /// All of it, told at the end.
    pub(super) fn complete(&mut self, what: Growing, whole: &str) {
        whole.clone_into(self.text(what));
    }

    /// A piece of what a command has written: `{stdout?, stderr?}`.
    pub(super) fn push_output(&mut self, command: u64, delta: Value<'_>) {
        let output = self.outputs.entry(command, Output::default);
        for (name, text) in [("stdout", &mut output.stdout), ("stderr", &mut output.stderr)] {
            if let Some(piece) = delta.get_text(name) {
                text.push_str(&piece);
            }
        }
    }

    /// All that a command has written, with how it ended.
    pub(super) fn complete_output(&mut self, command: u64, whole: Value<'_>) {
        self.outputs.entry(command, Output::default).whole = whole.items().filter_map(Value::raw).collect();
    }

    /// Puts what was streamed where it is in the whole item.
    pub(super) fn rebuild(&self, item: &mut Object) {
        for (name, text) in [("code", &self.code), ("arguments", &self.arguments), ("input", &self.input)] {
            if !text.is_empty() {
                item.set(name, RawJson::string(text));
            }
        }
        if !self.commands.is_empty() {
            let mut action = Object::default();
            action.set(
                "commands",
                RawJson::of(&self.commands.sorted().map(|(_, command)| command).collect::<Vec<_>>()),
            );
            item.set("action", RawJson::of(&action));
        }
        if !self.outputs.is_empty() {
            let outputs: Vec<RawJson> =
                self.outputs.sorted().flat_map(|(_, output)| output.rebuild()).collect();
            item.set("output", RawJson::of(&outputs));
        }
    }

    fn text(&mut self, what: Growing) -> &mut String {
        match what {
            Growing::Code => &mut self.code,
            Growing::Arguments => &mut self.arguments,
            Growing::Input => &mut self.input,
            Growing::Command(index) => self.commands.entry(index, String::new),
        }
    }
}

impl Output {
    fn rebuild(&self) -> Vec<RawJson> {
        if !self.whole.is_empty() {
            return self.whole.clone();
        }
        let mut output = Object::default();
        output.set("stdout", RawJson::string(&self.stdout));
        output.set("stderr", RawJson::string(&self.stderr));
        vec![RawJson::of(&output)]
    }
}

/// The call, its result, or both. What is asked and what is answered have another name in each item.
pub(super) fn server_tool_part(item: Value<'_>, raw: RawJson) -> ContentPart {
    let kind = item.get_text("type").unwrap_or_default();
    let name = item.get_filled("name");
    let tool = kind.strip_suffix("_call").unwrap_or(&kind);
    let first = |names: &[&'static str]| names.iter().find_map(|name| item.get(name).filter(|v| !v.is("")));
    let call = first(&["arguments", "action", "operation", "input", "code", "queries", "query", "prompt"]);
    let result = first(&["output", "outputs", "results", "result", "tools", "error"]);
    ContentPart::ServerTool {
        id: ["call_id", "id"].into_iter().find_map(|name| item.get_filled(name)).map(Cow::into_owned),
        name: name.as_deref().unwrap_or(tool).to_owned(),
        call: call.and_then(parsed),
        result: result.and_then(Value::raw),
        raw,
    }
}

/// A generated image: `result` is its base64, with other servers also an address.
pub(super) fn image_part(item: Value<'_>, raw: RawJson) -> ContentPart {
    let result = item.get_filled("result").map(Cow::into_owned);
    let is_url = result
        .as_ref()
        .is_some_and(|result| ["http:", "https:", "data:"].iter().any(|s| result.starts_with(s)));
    let (url, base64) = if is_url { (result, None) } else { (None, result) };
    ContentPart::Image { url, base64, raw }
}

/// What a tool was asked; arguments, which come as JSON text, as that JSON.
fn parsed(call: Value<'_>) -> Option<RawJson> {
    let text = call.text().filter(|text| text.starts_with(['{', '[']));
    text.and_then(RawJson::parse).or_else(|| call.raw())
}
