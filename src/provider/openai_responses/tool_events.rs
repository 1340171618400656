//! Events about tool calls, and about tools that the provider runs itself.

use super::client_tools::Call;
use super::item::ItemKind;
use super::items::Items;
use super::server_tools::Growing;
use super::told::{Told, piece};
use crate::accumulator::{Builder, Place};
use crate::json::Value;
use crate::model::ContentPart;

/// `function_call_arguments.delta`.
pub(super) fn read_arguments_delta(items: &mut Items, event: Value<'_>, out: &mut Builder) {
    if let (Some((call, place)), Some(piece)) = (call(items, event, "function_call"), piece(event)) {
        call.push_arguments(place, &piece, out);
    }
}

/// `function_call_arguments.done`: the call is not over yet.
pub(super) fn read_arguments_done(items: &mut Items, event: Value<'_>, out: &mut Builder) {
    if let Some((call, place)) = call(items, event, "function_call") {
        call.complete(place, event, out);
    }
}

/// `custom_tool_call_input.*`: of a tool to be run here, or run by the provider.
pub(super) fn read_input(items: &mut Items, told: Told, event: Value<'_>, out: &mut Builder) {
    let Some((call, place)) = call(items, event, "custom_tool_call") else {
        return read_server_tool(items, Growing::Input, told, event, out);
    };
    match (told, piece(event)) {
        (Told::Piece, Some(piece)) => call.push_input(place, &piece, out),
        (Told::Piece, None) => {}
        (Told::Whole, _) => call.complete(place, event, out),
    }
}

/// `apply_patch_call_operation_diff.*`.
pub(super) fn read_diff(items: &mut Items, told: Told, event: Value<'_>, out: &mut Builder) {
    read_string(items, ("apply_patch_call", "diff"), 0, told, event, out);
}

/// `shell_call_command.*`: a command, to be run here or run by the provider.
pub(super) fn read_command(items: &mut Items, told: Told, event: Value<'_>, out: &mut Builder) {
    let index = event.get_unsigned("command_index").unwrap_or_default();
    if call(items, event, "shell_call").is_some() {
        read_string(items, ("shell_call", "command"), index, told, event, out);
    } else {
        read_server_tool(items, Growing::Command(index), told, event, out);
    }
}

/// `code_interpreter_call_code.*`, `mcp_call_arguments.*`.
pub(super) fn read_server_tool(
    items: &mut Items,
    what: Growing,
    told: Told,
    event: Value<'_>,
    out: &mut Builder,
) {
    let (type_name, whole) = match what {
        Growing::Code => ("code_interpreter_call", "code"),
        Growing::Arguments => ("mcp_call", "arguments"),
        Growing::Input => ("custom_tool_call", "input"),
        Growing::Command(_) => ("shell_call", "command"),
    };
    let Some(item) = items.of_event(event, type_name) else { return };
    let ItemKind::ServerTool(tool) = &mut item.kind else { return };
    if told == Told::Piece {
        if let Some(piece) = piece(event) {
            tool.push(what, piece);
        }
    } else if let Some(text) = event.get(whole).and_then(Value::filled) {
        tool.complete(what, &text);
        item.show_progress(out);
    }
}

/// `shell_call_output_content.*`: what a command has written at the provider.
pub(super) fn read_shell_output(items: &mut Items, told: Told, event: Value<'_>) {
    let Some(item) = items.of_event(event, "shell_call_output") else { return };
    let ItemKind::ServerTool(tool) = &mut item.kind else { return };
    let command = event.get_unsigned("command_index").unwrap_or_default();
    match (told, event.get("delta"), event.get("output")) {
        (Told::Piece, Some(delta), _) => tool.push_output(command, delta),
        (Told::Whole, _, Some(output)) => tool.complete_output(command, output),
        _ => {}
    }
}

/// `image_generation_call.partial_image`: a preliminary version, kept until there is a better one.
pub(super) fn read_partial_image(items: &mut Items, event: Value<'_>, out: &mut Builder) {
    let Some(item) = items.of_event(event, "image_generation_call") else { return };
    let base64 = event.get_filled("partial_image_b64").map(Into::into);
    if let (Some(raw), true) = (event.raw(), item.is_open()) {
        out.set_part(item.place(), ContentPart::Image { url: None, base64, raw });
    }
}

/// A string in the arguments of a call; as a whole it is in `member` of the event.
fn read_string(
    items: &mut Items,
    (type_name, member): (&str, &'static str),
    index: u64,
    told: Told,
    event: Value<'_>,
    out: &mut Builder,
) {
    let Some(item) = items.of_event(event, type_name) else { return };
    let place = item.place();
    let Some((call, start)) = item.call_and_start() else { return };
    if told == Told::Piece {
        if let Some(piece) = piece(event) {
            call.push_string(place, index, start, &piece, out);
        }
    } else if let Some(text) = event.get_text(member) {
        call.complete_string(place, index, start, &text, out);
    }
}

/// The call that an event is about.
fn call<'a>(items: &'a mut Items, event: Value<'_>, type_name: &str) -> Option<(&'a mut Call, Place)> {
    let item = items.of_event(event, type_name)?;
    let place = item.place();
    match &mut item.kind {
        ItemKind::Call(call) => Some((call, place)),
        _ => None,
    }
}
