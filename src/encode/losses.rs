//! Warnings about content that couldn't be written.

use super::options::WireApi;
use super::writer::{Context, Output};
use crate::accumulator::{Note, Place};
use crate::json::{Document, Object, RawJson, Value, find};
use crate::model::{Api, ContentPart, Warning, WarningCode};
use crate::save::state;

/// Warnings about content that couldn't be written, one per kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LossWarnings(Vec<Warning>);

state! { struct LossWarnings(list) }

impl LossWarnings {
    pub(super) fn add(&mut self, code: WarningCode, message: &str) {
        if self.0.iter().all(|known| known.code != code) {
            self.0.push(Warning { code, message: message.to_owned() });
        }
    }

    /// Reports reasoning that an option leaves out.
    pub(super) fn add_reasoning(&mut self) {
        self.add(WarningCode::LostReasoning, "Reasoning was left out, as `reasoning` asks for");
    }

    /// Reports members that the interface has no place for.
    pub(super) fn add_fields(&mut self) {
        self.add(WarningCode::LostFields, "Provider-specific members of the response were dropped");
    }

    pub(super) fn list(&self) -> &[Warning] {
        &self.0
    }

    pub(super) fn into_list(self) -> Vec<Warning> {
        self.0
    }
}

/// Reports the content of a note that the interface has no place for.
pub(super) fn report_lost_note(note: Note, context: &Context<'_>, out: &mut Output) {
    let (code, message) = match note {
        Note::Logprobs { .. } => (WarningCode::LostLogprobs, "Log probabilities of the text were dropped"),
        Note::Audio { .. } => (WarningCode::LostAudio, "Audio was dropped"),
        Note::LateSignature { .. } => {
            (WarningCode::LostSignature, "A signature that came after the end of its call was dropped")
        }
        Note::Part { place } => match context.answer.whole_part(place) {
            Some(part) => {
                report_lost_signature(part, out);
                name_part(part)
            }
            None => return,
        },
        _ => return,
    };
    out.lost.add(code, message);
}

/// Reports arguments that came after the end of their call. After complete ones only white space can come, which isn't
/// reported.
pub(super) fn report_late_arguments(place: Place, end: usize, context: &Context<'_>, out: &mut Output) {
    let text = context.answer.arguments_at(place).get(..end).unwrap_or_default();
    if text.trim_ascii_end().len() == text.len() {
        out.lost.add(WarningCode::LostText, "Arguments that came after the end of their call were dropped");
    }
}

/// Reports content that came after the end of the response was written.
pub(super) fn report_late(note: Note, out: &mut Output) {
    if matches!(note, Note::Text { .. } | Note::CallStart { .. } | Note::CallArguments { .. }) {
        let message = "Content after the end of the response was dropped";
        out.lost.add(WarningCode::LostText, message);
    }
}

/// Reports the signature of a part that isn't text, for which no interface has a place.
pub(super) fn report_lost_signature(part: &ContentPart, out: &mut Output) {
    let json = part.raw().map(RawJson::get).unwrap_or_default();
    // Parsing is avoided because images are long and few are signed.
    if find(json, "thoughtSignature", 0).or_else(|| find(json, "thought_signature", 0)).is_none() {
        return;
    }
    let Ok(document) = Document::parse(json, usize::MAX) else { return };
    let root = document.root();
    if root.get_non_empty("thoughtSignature").or_else(|| root.get_non_empty("thought_signature")).is_some() {
        let message =
            "The signature of a part that isn't text was dropped: the interface doesn't sign such parts";
        out.lost.add(WarningCode::LostSignature, message);
    }
}

fn name_part(part: &ContentPart) -> (WarningCode, &'static str) {
    match part {
        ContentPart::Image { .. } => (WarningCode::LostImage, "An image was dropped"),
        ContentPart::Audio { .. } => (WarningCode::LostAudio, "Audio was dropped"),
        ContentPart::ServerTool { .. } => {
            (WarningCode::LostServerTool, "The use of a tool that the provider runs was dropped")
        }
        _ => (WarningCode::LostContent, "Provider-specific content was dropped"),
    }
}

/// Members of a body that aren't reported as lost: nearly every body has them and the target writes its own, or they
/// repeat settings of the request.
const IGNORED_MEMBERS: &[&str] = &[
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

/// Provider-specific fields that aren't reported here: they are written somewhere, say how the request was served, or
/// have a warning of their own.
const WRITTEN_FIELDS: &[&str] = &[
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

/// Members of a choice or a candidate that are written or have a warning of their own.
const WRITTEN_CHOICE_MEMBERS: &[&str] = &[
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

/// Members of messages and calls whose content is written.
const WRITTEN_MESSAGE_MEMBERS: &[&str] = &[
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
const PROVIDER_ITEM_MEMBERS: [&str; 5] = ["async", "caller", "namespace", "phase", "toolset_name"];

/// Types of items that call a built-in tool, which other interfaces can write only as a function call.
const BUILT_IN_CALLS: [&str; 6] = [
    "apply_patch_call",
    "computer_call",
    "local_shell_call",
    "openrouter:apply_patch",
    "shell_call",
    "tool_search_call",
];

/// Type of items that can have a full text beside their summary, or neither.
const REASONING: &str = "reasoning";

/// Member of Anthropic's citations, which it requires back.
const ENCRYPTED_INDEX: &str = "encrypted_index";

/// Whether an item or block may have content that no other interface has.
pub(super) fn may_have_provider_members(item: &RawJson) -> bool {
    let mut names = PROVIDER_ITEM_MEMBERS.iter().chain(&BUILT_IN_CALLS).chain([&REASONING, &ENCRYPTED_INDEX]);
    names.any(|name| find(item.get(), name, 0).is_some())
}

fn item_has_provider_members(item: Value<'_>, target: WireApi) -> bool {
    let kind = item.get_non_empty("type").unwrap_or_default();
    let is_filled = |name| item.get_items(name).next().is_some();
    // Reasoning that has only an id has nothing that could be written.
    let has_text = is_filled("content");
    let is_partly_written =
        is_filled("summary") == has_text && (has_text || item.get_non_empty("encrypted_content").is_none());
    let has_index = |citation: Value<'_>| citation.get(ENCRYPTED_INDEX).is_some();
    if BUILT_IN_CALLS.contains(&kind)
        || kind == REASONING && is_partly_written
        || item.get_items("citations").any(has_index)
    {
        return true;
    }
    let is_written = |name| name == "phase" && target == WireApi::OpenaiResponses;
    let mut own =
        PROVIDER_ITEM_MEMBERS.into_iter().filter(|name| !is_written(*name)).filter_map(|name| item.get(name));
    // Calls that the model makes directly have a `caller` too, of the type `direct`.
    let has_content = |value: Value<'_>| match value.boolean() {
        Some(is_set) => is_set,
        None => {
            value.non_empty().or_else(|| value.get_non_empty("type")).is_some_and(|word| word != "direct")
        }
    };
    own.any(has_content)
}

/// Whether the provider-specific fields have content that the target has no place for.
fn has_provider_members(specific: Value<'_>, target: WireApi) -> bool {
    let in_messages = |of: Value<'_>| !of.has_only(WRITTEN_MESSAGE_MEMBERS);
    specific.others(WRITTEN_FIELDS).any(|(name, value)| match &*name {
        "contentBlocks" | "outputItems" => value.items().any(|item| item_has_provider_members(item, target)),
        "candidate" => !value.has_only(WRITTEN_CHOICE_MEMBERS),
        "message" => in_messages(value),
        "promptFeedback" => !value.has_only(&["blockReason"]),
        "toolCalls" => value.others(&[]).any(|(_, call)| in_messages(call)),
        "choices" => value.items().any(|choice| {
            let member = |name: &'static str| choice.get(name);
            member("choice").is_some_and(|choice| !choice.has_only(WRITTEN_CHOICE_MEMBERS))
                || member("message").is_some_and(in_messages)
                || member("toolCalls")
                    .is_some_and(|calls| calls.others(&[]).any(|(_, call)| in_messages(call)))
        }),
        _ => value.items().next().is_some() || value.is_object() || value.non_empty().is_some(),
    })
}

/// Reports members and fields that only the provider has.
pub(super) fn report_lost_fields(
    source: Option<Api>,
    extra: &Object,
    specific: Option<Value<'_>>,
    target: WireApi,
    out: &mut Output,
) {
    let is_usual = |name: &str| IGNORED_MEMBERS.contains(&name);
    let has_own = specific.is_some_and(|specific| has_provider_members(specific, target));
    // Anthropic sends a `container` that isn't null only if code ran in it.
    let has_container = extra.get("container").is_some_and(|container| container.get() != "null");
    if source.is_some() && (has_own || has_container || extra.names().any(|name| !is_usual(name))) {
        out.lost.add_fields();
    }
}
