//! What could not be written.

use super::options::WireApi;
use super::writer::{Context, Output};
use crate::accumulator::{Note, Place};
use crate::json::{Document, Object, RawJson, Value};
use crate::model::{Api, ContentPart, Warning, WarningCode};
use crate::save::state;

/// What could not be written, once for each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Lost(Vec<Warning>);

state! { struct Lost(list) }

impl Lost {
    pub(super) fn add(&mut self, code: WarningCode, message: &str) {
        if self.0.iter().all(|known| known.code != code) {
            self.0.push(Warning { code, message: message.to_owned() });
        }
    }

    /// Reasoning that isn't to be written.
    pub(super) fn add_reasoning(&mut self) {
        self.add(WarningCode::LostReasoning, "Reasoning was left out, as `reasoning` asks for");
    }

    /// Members that have no place.
    pub(super) fn add_fields(&mut self) {
        self.add(WarningCode::LostFields, "Members of the response that only its provider has were dropped");
    }

    pub(super) fn list(&self) -> &[Warning] {
        &self.0
    }

    pub(super) fn into_list(self) -> Vec<Warning> {
        self.0
    }
}

/// Notes what is lost where an interface has no place for what a note is about.
pub(super) fn lose_note(note: Note, context: &Context<'_>, out: &mut Output) {
    let (code, message) = match note {
        Note::Logprobs { .. } => (WarningCode::LostLogprobs, "Log probabilities of the text were dropped"),
        Note::Audio { .. } => (WarningCode::LostAudio, "Audio was dropped"),
        Note::LateSignature { .. } => {
            (WarningCode::LostSignature, "A signature that came after the end of its call was dropped")
        }
        Note::Part { place } => match context.answer.whole_part(place) {
            Some(part) => {
                lose_signature_of(part, out);
                name_part(part)
            }
            None => return,
        },
        _ => return,
    };
    out.lost.add(code, message);
}

/// Arguments of a call came after its end. Behind whole ones only white space can come, which means nothing.
pub(super) fn lose_late_arguments(place: Place, end: usize, context: &Context<'_>, out: &mut Output) {
    let text = context.answer.arguments_at(place).get(..end).unwrap_or_default();
    if !text.ends_with(char::is_whitespace) {
        out.lost.add(WarningCode::LostText, "Arguments that came after the end of their call were dropped");
    }
}

/// Something came after the end, which was written already.
pub(super) fn lose_late(note: Note, out: &mut Output) {
    if matches!(note, Note::Text { .. } | Note::CallStart { .. } | Note::CallArguments { .. }) {
        let message = "What came after the end of the response was dropped";
        out.lost.add(WarningCode::LostText, message);
    }
}

/// No interface has a place for a signature on a part that isn't text.
pub(super) fn lose_signature_of(part: &ContentPart, out: &mut Output) {
    let json = part.raw().map(RawJson::get).unwrap_or_default();
    // Images are long, and few are signed.
    if !json.contains("thoughtSignature") && !json.contains("thought_signature") {
        return;
    }
    let Ok(document) = Document::parse(json, usize::MAX) else { return };
    let root = document.root();
    if root.get_non_empty("thoughtSignature").or_else(|| root.get_non_empty("thought_signature")).is_some() {
        let message = "A signature of a part that isn't text was dropped: the interface has none for it";
        out.lost.add(WarningCode::LostSignature, message);
    }
}

fn name_part(part: &ContentPart) -> (WarningCode, &'static str) {
    match part {
        ContentPart::Image { .. } => (WarningCode::LostImage, "An image was dropped"),
        ContentPart::Audio { .. } => (WarningCode::LostAudio, "Audio was dropped"),
        ContentPart::ServerTool { .. } => {
            (WarningCode::LostServerTool, "What a tool of the provider did was dropped")
        }
        _ => (WarningCode::LostContent, "Content of a kind that only its provider has was dropped"),
    }
}

/// Members that nearly every body has, and that the target has its own of, and settings of the request.
const USUAL: &[&str] = &[
    "object",
    "createTime",
    "created",
    "created_at",
    "type",
    "role",
    "obfuscation",
    "background",
    "billing",
    "completed_at",
    "conversation",
    "error",
    "frequency_penalty",
    "instructions",
    "max_output_tokens",
    "max_tool_calls",
    "metadata",
    "output",
    "parallel_tool_calls",
    "presence_penalty",
    "previous_response_id",
    "prompt",
    "prompt_cache_key",
    "prompt_cache_retention",
    "reasoning",
    "safety_identifier",
    "store",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "truncation",
    "updated",
    "user",
    "content",
    "container",
];

/// What of the fields of a provider is written somewhere, says how the request was served, or is named otherwise.
const WRITTEN: &[&str] = &[
    "api",
    "billedUnits",
    "citations",
    "evalDuration",
    "groundingMetadata",
    "incompleteDetails",
    "lastEventId",
    "loadDuration",
    "logprobs",
    "metrics",
    "otherCandidates",
    "parts",
    "previousInteractionId",
    "promptEvalDuration",
    "response",
    "serviceTier",
    "status",
    "steps",
    "toolPlan",
    "totalDuration",
];

/// Members of a choice or a candidate that are written or named otherwise.
const WRITTEN_INSIDE: &[&str] = &[
    "citationMetadata",
    "content",
    "index",
    "logprobs",
    "logprobsResult",
    "logprobs_result",
    "usage",
    "urlContextMetadata",
    "url_context_metadata",
];

/// Members of messages and calls whose content is written, with what belongs to it.
const WRITTEN_IN_MESSAGES: &[&str] = &[
    "content",
    "extra_content",
    "reasoning",
    "reasoning_content",
    "reasoning_details",
    "reasoning_items",
    "thinking_blocks",
    "type",
];

/// Members of items and blocks that no other interface has.
const OWN_INSIDE: [&str; 5] = ["async", "caller", "namespace", "phase", "toolset_name"];

/// The types of items that ask for a built-in tool, which others can only call as a function.
const BUILT_IN: [&str; 6] = [
    "apply_patch_call",
    "computer_call",
    "local_shell_call",
    "openrouter:apply_patch",
    "shell_call",
    "tool_search_call",
];

/// What a thought has beside its summary.
const WHOLE_THOUGHT: &str = "reasoning_text";

/// Whether an item or block may have something of its own.
pub(super) fn may_have_own_members(item: &RawJson) -> bool {
    let mut names = OWN_INSIDE.iter().chain(&BUILT_IN).chain([&WHOLE_THOUGHT]);
    names.any(|name| item.get().contains(name))
}

fn has_own_members_inside(item: Value<'_>, target: WireApi) -> bool {
    let kind = item.get_non_empty("type").unwrap_or_default();
    let is_filled = |name| item.get_items(name).next().is_some();
    if BUILT_IN.contains(&kind) || kind == "reasoning" && is_filled("summary") && is_filled("content") {
        return true;
    }
    let is_written = |name| name == "phase" && target == WireApi::OpenaiResponses;
    let mut own = OWN_INSIDE.into_iter().filter(|name| !is_written(*name)).filter_map(|name| item.get(name));
    // Calls that no program makes have a caller, too.
    let says_more = |value: Value<'_>| match value.boolean() {
        Some(is_set) => is_set,
        None => {
            value.non_empty().or_else(|| value.get_non_empty("type")).is_some_and(|word| word != "direct")
        }
    };
    own.any(says_more)
}

/// Whether a provider has something that the interface which is written hasn't.
fn has_own_members(specific: Value<'_>, target: WireApi) -> bool {
    let in_messages = |of: Value<'_>| !of.has_only(WRITTEN_IN_MESSAGES);
    specific.others(WRITTEN).any(|(name, value)| match &*name {
        "contentBlocks" | "outputItems" => value.items().any(|item| has_own_members_inside(item, target)),
        "candidate" => !value.has_only(WRITTEN_INSIDE),
        "message" => in_messages(value),
        "promptFeedback" => !value.has_only(&["blockReason"]),
        "toolCalls" => value.others(&[]).any(|(_, call)| in_messages(call)),
        "choices" => value.items().any(|choice| {
            let member = |name: &'static str| choice.get(name);
            member("choice").is_some_and(|choice| !choice.has_only(WRITTEN_INSIDE))
                || member("message").is_some_and(in_messages)
                || member("toolCalls")
                    .is_some_and(|calls| calls.others(&[]).any(|(_, call)| in_messages(call)))
        }),
        _ => value.items().next().is_some() || value.is_object() || value.non_empty().is_some(),
    })
}

/// Notes what is lost of what only the provider has.
pub(super) fn lose_fields(
    source: Option<Api>,
    extra: &Object,
    specific: Option<Value<'_>>,
    target: WireApi,
    out: &mut Output,
) {
    let is_usual = |name: &str| USUAL.contains(&name);
    let has_own = specific.is_some_and(|specific| has_own_members(specific, target));
    // Anthropic names one only if code was run in it.
    let has_container = extra.get("container").is_some_and(|container| container.get() != "null");
    if source.is_some() && (has_own || has_container || extra.names().any(|name| !is_usual(name))) {
        out.lost.add_fields();
    }
}
