//! The result of a builder.

use super::builder::Builder;
use super::channel::Channel;
use super::choice::{ChoiceState, Part, audio_part};
use super::place::Slot;
use super::tool_call::Call;
use crate::collect::Collect;
use crate::json::Object;
use crate::model::{
    AnnotatedLlmResponse, ApiSpecific, Choice, ContentPart, Ending, FinishReason, MessageContent,
    StreamResult, ToolCall, ToolCallStatus, Usage,
};

/// The phase of text that the model writes on the way to its answer.
pub(super) const COMMENTARY: &str = "commentary";

/// The phase of the final answer.
const FINAL_ANSWER: &str = "final_answer";

/// Provider-specific fields of the result.
#[derive(Debug, Default)]
pub struct ProviderFields {
    /// Fields that only this provider has.
    pub api_specific: Option<ApiSpecific>,
    /// Unrecognised members of the body.
    pub extra: Object,
}

impl Builder {
    /// Ends everything that is still open, so that nothing is held back.
    pub fn close_input(&mut self) {
        // Content that arrived or continued after the end of its choice ends as well.
        if self.is_finished() {
            self.finish_stream();
        } else {
            for at in 0..self.choices.len() {
                let index = self.choices.get(at).map(|choice| choice.index);
                self.emit_held_back(index.unwrap_or_default());
            }
        }
        // Nothing has marked the end of these texts.
        self.finish_search(None, true);
        for at in 0..self.choices.len() {
            self.end_texts(at, Channel::close);
        }
        self.generate_call_ids();
        self.emit_held_back_calls();
    }

    /// Returns the text of the first choice, concatenated without separators.
    pub fn text(&self) -> String {
        self.first().map(ChoiceState::text).unwrap_or_default()
    }

    /// Returns the text of the first choice without commentary, if it has both commentary and other text.
    pub(crate) fn final_answer(&self) -> Option<String> {
        let first = self.first()?;
        let is_commentary = |slot: Slot| first.phase(slot) == Some(COMMENTARY);
        let texts = |is_wanted: bool| {
            let texts = first.parts().filter(move |(slot, _)| is_commentary(*slot) != is_wanted);
            texts.filter_map(|(_, part)| part.text()).collect_string()
        };
        let has_commentary = !texts(false).is_empty();
        Some(texts(true)).filter(|text| has_commentary && !text.is_empty())
    }

    /// Returns the reasoning of the first choice.
    pub fn reasoning(&self) -> String {
        self.first().map(ChoiceState::reasoning).unwrap_or_default()
    }

    /// Returns why the first choice ended, as the common finish reason and in the provider's words.
    pub fn finish_reason(&self) -> (Option<FinishReason>, Option<&str>) {
        let Some(first) = self.first() else { return (None, None) };
        (first.finish_reason(), first.finish.as_ref().and_then(|finish| finish.raw.as_deref()))
    }

    /// Returns the token usage of the response.
    pub fn usage(&self) -> Option<&Usage> {
        self.usage.as_ref()
    }

    /// Returns the refusal of the first choice.
    pub fn refusal(&self) -> Option<String> {
        self.first()?.refusal()
    }

    /// Returns the tool calls of the first choice, sorted.
    pub fn tool_calls(&self) -> Vec<ToolCall> {
        self.first().map(ChoiceState::tool_calls).unwrap_or_default()
    }

    /// Returns the response in the common format.
    pub fn response(&self, fields: ProviderFields) -> AnnotatedLlmResponse {
        let first = self.first().map(ChoiceState::to_choice);
        let is_one_of_several = self.choices.len() > 1;
        let choices =
            self.choices.iter().filter(|_| is_one_of_several).map(ChoiceState::to_choice).collect_vec();
        let mut response = AnnotatedLlmResponse {
            api: fields.api_specific.as_ref().map(|specific| specific.api().to_owned()),
            id: self.id.clone(),
            model: self.model.clone(),
            usage: self.usage.clone(),
            api_specific: fields.api_specific,
            choices,
            extra: fields.extra,
            ..AnnotatedLlmResponse::default()
        };
        if let Some(first) = first {
            response.message = first.message;
            response.refusal = first.refusal;
            response.tool_calls = first.tool_calls;
            response.finish_reason = first.finish_reason;
            response.raw_finish_reason = first.raw_finish_reason;
        }
        response
    }

    /// Returns, for each call of a choice, the number of parts of its message that come before it.
    pub(crate) fn parts_before_calls(&self, choice: u32) -> Vec<usize> {
        self.find_choice(choice).map(ChoiceState::parts_before_calls).unwrap_or_default()
    }

    /// Returns the result of a stream.
    pub fn result(&self, ending: Ending, fields: ProviderFields) -> StreamResult {
        let response = self.response(fields);
        StreamResult {
            text: self.text(),
            reasoning: self.reasoning(),
            refusal: self.refusal(),
            tool_calls: self.tool_calls(),
            tool_call_status: self.tool_call_status(),
            finish_reason: response.finish_reason.clone(),
            raw_finish_reason: response.raw_finish_reason.clone(),
            usage: self.usage.clone(),
            ending,
            error: self.error.clone(),
            warnings: self.warnings.clone(),
            response,
        }
    }

    /// Returns the status of each tool call of the first choice.
    pub(crate) fn tool_call_status(&self) -> Vec<ToolCallStatus> {
        self.first().map(ChoiceState::tool_call_status).unwrap_or_default()
    }

    /// Returns the choice with the lowest index, which is the one that the result shows.
    fn first(&self) -> Option<&ChoiceState> {
        self.choices.first()
    }
}

impl ChoiceState {
    fn text(&self) -> String {
        self.texts().collect()
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        self.parts().filter_map(|(_, part)| part.text())
    }

    /// Whether the choice has neither text nor calls.
    pub(super) fn is_empty_answer(&self) -> bool {
        self.texts().all(str::is_empty) && self.calls.is_empty()
    }

    /// Whether another choice has the same text.
    pub(super) fn has_same_text(&self, other: &Self) -> bool {
        let text = other.text();
        let rest = self.texts().try_fold(&*text, |rest, part| rest.strip_prefix(part));
        rest.is_some_and(str::is_empty)
    }

    /// Whether another choice has the same calls.
    pub(super) fn has_same_calls(&self, other: &Self) -> bool {
        let (calls, others) = (self.calls.sorted(), other.calls.sorted());
        calls.len() == others.len() && calls.iter().zip(others).all(|(call, other)| call.is_same(other))
    }

    fn reasoning(&self) -> String {
        let parts = self.parts().filter_map(|(_, part)| match part {
            Part::Reasoning { text, .. } => Some(text.text_or_placeholder()),
            _ => None,
        });
        parts.collect_string()
    }

    fn refusal(&self) -> Option<String> {
        let mut refusal = None;
        for (_, part) in self.parts() {
            if let Part::Refusal { text } = part {
                refusal.get_or_insert_with(String::new).push_str(text.text_or_placeholder());
            }
        }
        refusal.filter(|text| !text.is_empty())
    }

    fn tool_calls(&self) -> Vec<ToolCall> {
        self.calls.sorted().into_iter().map(Call::to_tool_call).collect_vec()
    }

    fn tool_call_status(&self) -> Vec<ToolCallStatus> {
        self.calls.sorted().into_iter().map(Call::status).collect_vec()
    }

    fn to_choice(&self) -> Choice {
        Choice {
            index: self.index,
            message: self.message(),
            refusal: self.refusal(),
            tool_calls: self.calls.sorted().into_iter().map(Call::to_response_tool_call).collect_vec(),
            finish_reason: self.finish_reason(),
            raw_finish_reason: self.finish.as_ref().and_then(|finish| finish.raw.clone()),
        }
    }

    /// Returns, for each call, the number of parts of the message that come before it.
    fn parts_before_calls(&self) -> Vec<usize> {
        let shown = self.parts().filter(|(_, part)| !part.is_empty());
        let slots = shown.map(|(slot, _)| slot).collect_vec();
        let before = |call: &Call| slots.partition_point(|slot| *slot < call.slot);
        self.calls.sorted().into_iter().map(before).collect_vec()
    }

    /// Returns the message: a string if it is only plain text of the answer, else its parts.
    fn message(&self) -> Option<MessageContent> {
        let parts = self.parts().filter(|(_, part)| !part.is_empty());
        let parts = parts.map(|(slot, part)| part.to_content(self.phase(slot))).collect_vec();
        let is_plain = |part: &ContentPart| {
            matches!(part, ContentPart::Text { annotations, logprobs, signature: None, phase, .. }
            if annotations.is_empty() && logprobs.is_empty() && phase.as_deref().is_none_or(|phase| phase == FINAL_ANSWER))
        };
        match parts.as_slice() {
            [] => None,
            parts if parts.iter().all(is_plain) => Some(MessageContent::Text(self.text())),
            _ => Some(MessageContent::Parts(parts)),
        }
    }
}

impl Part {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Text { text, .. } => Some(text.text_or_placeholder()),
            _ => None,
        }
    }

    /// Whether nothing of the part has arrived.
    fn is_empty(&self) -> bool {
        match self {
            Self::Text { text, annotations, logprobs, signature } => {
                text.is_empty() && annotations.is_empty() && logprobs.is_empty() && signature.is_none()
            }
            Self::Reasoning { text, signature, encrypted, id, .. } => {
                text.is_empty() && signature.is_none() && encrypted.is_none() && id.is_none()
            }
            Self::Refusal { text } => text.is_empty(),
            Self::Audio(_) | Self::Whole(_) => false,
        }
    }

    /// Converts the part to its public form. `phase` is the phase of its message.
    fn to_content(&self, phase: Option<&str>) -> ContentPart {
        match self {
            Self::Text { text, annotations, logprobs, signature } => ContentPart::Text {
                text: text.text_or_placeholder().to_owned(),
                annotations: annotations.clone(),
                logprobs: logprobs.items_or_marker(),
                signature: signature.clone(),
                phase: phase.map(str::to_owned),
            },
            Self::Reasoning { text, signature, encrypted, id, .. } => ContentPart::Reasoning {
                text: text.text_or_placeholder().to_owned(),
                signature: signature.clone(),
                encrypted: encrypted.clone(),
                id: id.clone(),
            },
            Self::Refusal { text } => ContentPart::Refusal { text: text.text_or_placeholder().to_owned() },
            Self::Audio(members) => audio_part(members),
            Self::Whole(part) => part.clone(),
        }
    }
}
