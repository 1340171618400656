//! Members of a message or delta.

use std::borrow::Cow;

use super::tool_calls::is_empty_list;
use crate::collect::Collect;
use crate::json::{Kind, Value, fields};
use crate::provider::call_entry::is_blank;

fields! {
    /// A message or a delta.
    pub(super) struct Message {
        refusal: String,
        annotations: Array,
        images: Array,
        function_call: Object,
        audio: Object,
        details = "reasoning_details": Array | String,
        thinking_blocks: Array,
        role,
        content,
        tool_calls,
        reasoning_content,
        reasoning,
        reasoning_text,
        thinking,
    } also {
        text,
    }
}

impl<'a> Message<'a> {
    /// Returns the content. Some servers send it instead of the message, name it `text`, or send only a list of its
    /// parts.
    pub(super) fn any_content(&self) -> Option<Value<'a>> {
        let text = self.text().filter(|text| text.kind() == Kind::String);
        let listed = || self.camel_case_member("content_list");
        let string = || Some(self.whole).filter(|whole| whole.kind() == Kind::String);
        let content = self.content();
        content.filter(|content| !content.is("")).or(text).or_else(listed).or(content).or_else(string)
    }

    /// Returns the text of the content or of its parts.
    pub(super) fn content_text(&self) -> Option<Cow<'a, str>> {
        let content = self.any_content()?;
        content.text().or_else(|| {
            let texts = content.items().filter_map(|part| part.get_text("text")).collect_string();
            (!texts.is_empty()).then_some(Cow::Owned(texts))
        })
    }

    /// Whether there is reasoning text.
    pub(super) fn has_reasoning(&self) -> bool {
        let texts =
            [self.reasoning_content(), self.reasoning(), self.reasoning_details(), self.thinking_blocks()];
        texts.iter().flatten().any(|text| !is_blank(*text))
    }

    /// Whether it adds to the answer.
    pub(super) fn has_content(&self) -> bool {
        let has_value = |content: Value<'_>| !content.is("") && !is_empty_list(content);
        self.any_content().is_some_and(has_value)
            || self.has_reasoning()
            || self.calls().or(self.function_call()).is_some()
            || self.refusal().is_some_and(has_value)
    }

    /// Returns the text if it is an error instead of a piece of the answer, as Jina's `DeepSearch` sends it.
    pub(super) fn error(&self) -> Option<Cow<'a, str>> {
        let is_error = self.rare_members()?.get("type")?.is("error");
        self.content().filter(|_| is_error)?.non_empty_text()
    }

    /// Returns the tool calls, if there are any.
    pub(super) fn calls(&self) -> Option<Value<'a>> {
        let is_not_empty = |calls: &Value<'_>| !is_empty_list(*calls);
        self.tool_calls()
            .filter(is_not_empty)
            .or_else(|| self.camel_case_member("toolCalls").filter(is_not_empty))
            .or_else(|| self.camel_case_member("tool_call").filter(|call| call.is_object()))
    }

    /// Returns the parts of the reasoning, also in the format of OpenRouter's SDK.
    pub(super) fn reasoning_details(&self) -> Option<Value<'a>> {
        self.details().or_else(|| self.camel_case_member("reasoningDetails"))
    }

    /// Returns a member by its name in camel case, which some gateways use.
    pub(super) fn camel_case_member(&self, name: &'static str) -> Option<Value<'a>> {
        self.rare_members()?.get(name)
    }

    /// Whether the content is marked as a thought, as Google's OpenAI-compatible API does if thoughts are requested.
    /// <https://ai.google.dev/gemini-api/docs/openai#thinking>
    pub(super) fn is_thought(&self) -> bool {
        self.google().is_some_and(|google| google.get("thought").and_then(Value::boolean) == Some(true))
    }

    /// Whether the content has a signature of Google.
    pub(super) fn is_signed(&self) -> bool {
        self.google().is_some_and(|google| google.get_non_empty("thought_signature").is_some())
    }

    /// Returns what Google adds, under either name of its service.
    fn google(&self) -> Option<Value<'a>> {
        self.rare_members()?.get("extra_content")?.first(&["google", "vertex"])
    }

    /// Returns the whole object if it has rare members.
    pub(super) fn rare_members(&self) -> Option<Value<'a>> {
        Some(self.whole).filter(|_| self.has_unread())
    }
}
