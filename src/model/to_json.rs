//! Writes the types as JSON text, with the names and omissions of their serde attributes.

use super::{
    AnnotatedLlmResponse, Choice, ContentPart, Delta, Ending, Extraction, Failure, FailureCode, FinishReason,
    JsonIndex, MessageContent, RejectReason, RejectedToolCall, ResponseToolCall, StreamResult, ToolCall,
    ToolCallStatus, Usage, Warning, WarningCode,
};
use crate::json::{ObjectWriter, ToJson};

/// Writes a struct: required members, optional ones, and lists that are omitted when empty.
macro_rules! write_object {
    ($out:expr, $($kind:ident $name:literal $value:expr),* $(,)?) => {{
        let mut object = ObjectWriter::new($out);
        $( write_object!(@ object $kind $name $value); )*
        object.end();
    }};
    (@ $object:ident member $name:literal $value:expr) => { $object.member($name, $value); };
    (@ $object:ident optional $name:literal $value:expr) => { $object.optional($name, $value.as_ref()); };
    (@ $object:ident non_empty $name:literal $value:expr) => { $object.non_empty($name, $value); };
    (@ $object:ident members $name:literal $value:expr) => {
        if !$crate::json::Object::is_empty($value) {
            $object.member($name, $value);
        }
    };
    (@ $object:ident nonzero $name:literal $value:expr) => {
        if *$value != 0 {
            $object.member($name, $value);
        }
    };
}

/// Declared after the macro, because it uses it.
mod api_specific;

impl ToJson for Delta {
    fn write_json(&self, out: &mut String) {
        match self {
            Self::Text { text, choice } => {
                write_object!(out, member "type" &"text", member "text" text, nonzero "choice" choice);
            }
            Self::Reasoning { text, choice } => {
                write_object!(out, member "type" &"reasoning", member "text" text, nonzero "choice" choice);
            }
            Self::Refusal { text, choice } => {
                write_object!(out, member "type" &"refusal", member "text" text, nonzero "choice" choice);
            }
            Self::Phase { phase, choice } => {
                write_object!(out, member "type" &"phase", optional "phase" phase, nonzero "choice" choice);
            }
            Self::ToolCallStart { index, id, name, choice } => write_object!(out,
                member "type" &"tool-call-start", member "index" index, member "id" id, member "name" name,
                nonzero "choice" choice),
            Self::ToolCallDelta { index, id, arguments, choice } => write_object!(out,
                member "type" &"tool-call-delta", member "index" index, member "id" id,
                member "arguments" arguments, nonzero "choice" choice),
            Self::ToolCallEnd { index, tool_call, status, choice } => write_object!(out,
                member "type" &"tool-call-end", member "index" index, member "toolCall" tool_call,
                member "status" status, nonzero "choice" choice),
            Self::Json { index, path, value, append, done, choice } => write_object!(out,
                member "type" &"json", member "index" index, member "path" path, optional "value" value,
                optional "append" append, member "done" done, nonzero "choice" choice),
            Self::Annotation { annotation, choice } => write_object!(out,
                member "type" &"annotation", member "annotation" annotation, nonzero "choice" choice),
            Self::ServerTool { part, choice } => {
                write_object!(out, member "type" &"server-tool", member "part" part, nonzero "choice" choice);
            }
            Self::Image { part, choice } => {
                write_object!(out, member "type" &"image", member "part" part, nonzero "choice" choice);
            }
            Self::Audio { part, choice } => {
                write_object!(out, member "type" &"audio", member "part" part, nonzero "choice" choice);
            }
            Self::Usage { usage } => write_object!(out, member "type" &"usage", member "usage" usage),
            Self::Finish { finish_reason, raw_finish_reason, choice } => write_object!(out,
                member "type" &"finish", member "finishReason" finish_reason,
                optional "rawFinishReason" raw_finish_reason, nonzero "choice" choice),
            Self::Error { error } => write_object!(out, member "type" &"error", member "error" error),
            Self::Warning { code, message } => {
                write_object!(out, member "type" &"warning", member "code" code, member "message" message);
            }
        }
    }
}

impl ToJson for JsonIndex {
    fn write_json(&self, out: &mut String) {
        match self {
            Self::Call(index) => index.write_json(out),
            Self::Text => "text".write_json(out),
        }
    }
}

impl ToJson for ContentPart {
    fn write_json(&self, out: &mut String) {
        match self {
            Self::Text { text, annotations, logprobs, signature, phase } => write_object!(out,
                member "type" &"text", member "text" text, non_empty "annotations" annotations,
                non_empty "logprobs" logprobs, optional "signature" signature, optional "phase" phase),
            Self::Reasoning { text, signature, encrypted, id } => write_object!(out,
                member "type" &"reasoning", member "text" text, optional "signature" signature,
                optional "encrypted" encrypted, optional "id" id),
            Self::Refusal { text } => write_object!(out, member "type" &"refusal", member "text" text),
            Self::Image { url, base64, raw } => write_object!(out,
                member "type" &"image", optional "url" url, optional "base64" base64, member "raw" raw),
            Self::Audio { id, base64, transcript, raw } => write_object!(out,
                member "type" &"audio", optional "id" id, optional "base64" base64,
                optional "transcript" transcript, member "raw" raw),
            Self::ServerTool { id, name, call, result, raw } => write_object!(out,
                member "type" &"server-tool", optional "id" id, member "name" name, optional "call" call,
                optional "result" result, member "raw" raw),
            Self::Other { raw } => write_object!(out, member "type" &"other", member "raw" raw),
        }
    }
}

impl ToJson for AnnotatedLlmResponse {
    fn write_json(&self, out: &mut String) {
        let Self {
            api,
            id,
            model,
            message,
            refusal,
            tool_calls,
            finish_reason,
            raw_finish_reason,
            usage,
            api_specific,
            choices,
            extra,
        } = self;
        write_object!(out,
            optional "api" api, optional "id" id, optional "model" model, optional "message" message,
            optional "refusal" refusal, non_empty "toolCalls" tool_calls, optional "finishReason" finish_reason,
            optional "rawFinishReason" raw_finish_reason, optional "usage" usage,
            optional "apiSpecific" api_specific, non_empty "choices" choices, member "extra" extra);
    }
}

impl ToJson for Choice {
    fn write_json(&self, out: &mut String) {
        let Self { index, message, refusal, tool_calls, finish_reason, raw_finish_reason } = self;
        write_object!(out,
            member "index" index, optional "message" message, optional "refusal" refusal,
            non_empty "toolCalls" tool_calls, optional "finishReason" finish_reason,
            optional "rawFinishReason" raw_finish_reason);
    }
}

impl ToJson for StreamResult {
    fn write_json(&self, out: &mut String) {
        self.write_without(false, false, out);
    }
}

impl StreamResult {
    /// Writes the result. The text or the usage is `null` if the receiver already has it.
    pub(crate) fn write_without(&self, has_text: bool, has_usage: bool, out: &mut String) {
        let Self {
            text,
            reasoning,
            refusal,
            tool_calls,
            tool_call_status,
            finish_reason,
            raw_finish_reason,
            usage,
            ending,
            error,
            warnings,
            response,
        } = self;
        let text = (!has_text).then_some(text);
        let usage = usage.as_ref().map(|usage| (!has_usage).then_some(usage));
        write_object!(out,
            member "text" &text, member "reasoning" reasoning, optional "refusal" refusal,
            member "toolCalls" tool_calls, member "toolCallStatus" tool_call_status,
            optional "finishReason" finish_reason, optional "rawFinishReason" raw_finish_reason,
            optional "usage" usage, member "ending" ending, optional "error" error,
            member "warnings" warnings, member "response" response);
    }
}

impl ToJson for Usage {
    fn write_json(&self, out: &mut String) {
        let mut object = ObjectWriter::new(out);
        for (name, count) in Self::COUNTS.iter().zip(&self.counts()) {
            object.optional(name, count.as_ref());
        }
        object.optional("raw", self.raw.as_ref());
        object.optional("reportedCost", self.reported_cost.as_ref());
        object.optional("serviceTier", self.service_tier.as_ref());
        object.end();
    }
}

impl ToJson for Failure {
    fn write_json(&self, out: &mut String) {
        let Self { code, message, provider_type, provider_code, raw } = self;
        write_object!(out,
            member "code" code, member "message" message, optional "providerType" provider_type,
            optional "providerCode" provider_code, optional "raw" raw);
    }
}

impl ToJson for Warning {
    fn write_json(&self, out: &mut String) {
        let Self { code, message } = self;
        write_object!(out, member "code" code, member "message" message);
    }
}

impl ToJson for Extraction {
    fn write_json(&self, out: &mut String) {
        let Self { text, reasoning, tool_calls, tool_call_status, rejected, warnings } = self;
        write_object!(out,
            member "text" text, member "reasoning" reasoning, member "toolCalls" tool_calls,
            member "toolCallStatus" tool_call_status, member "rejected" rejected, member "warnings" warnings);
    }
}

impl ToJson for RejectedToolCall {
    fn write_json(&self, out: &mut String) {
        let Self { format, name, reason, text, offset } = self;
        write_object!(out,
            member "format" format, optional "name" name, member "reason" reason, member "text" text,
            member "offset" &(*offset as u64));
    }
}

impl ToJson for RejectReason {
    fn write_json(&self, out: &mut String) {
        self.as_str().write_json(out);
    }
}

impl ToJson for ToolCall {
    fn write_json(&self, out: &mut String) {
        let Self { id, name, arguments } = self;
        write_object!(out, member "id" id, member "name" name, member "arguments" arguments);
    }
}

impl ToJson for ResponseToolCall {
    fn write_json(&self, out: &mut String) {
        let Self { id, name, arguments, signature } = self;
        write_object!(out, member "id" id, member "name" name, member "arguments" arguments,
            optional "signature" signature);
    }
}

impl ToJson for MessageContent {
    fn write_json(&self, out: &mut String) {
        match self {
            Self::Text(text) => text.write_json(out),
            Self::Parts(parts) => parts.write_json(out),
        }
    }
}

impl ToJson for FinishReason {
    fn write_json(&self, out: &mut String) {
        let word = match self {
            Self::Complete => "complete",
            Self::Length => "length",
            Self::ToolUse => "tool_use",
            Self::ContentFilter => "content_filter",
            Self::Unknown(word) => return write_object!(out, member "unknown" word),
        };
        word.write_json(out);
    }
}

/// Writes enums whose variants are strings.
macro_rules! write_words {
    ($($type:ident { $($variant:ident $word:literal),* $(,)? })*) => { $(
        impl ToJson for $type {
            fn write_json(&self, out: &mut String) {
                match self {
                    $( Self::$variant => $word.write_json(out), )*
                }
            }
        }
    )* };
}

write_words! {
    Ending {
        Open "open", Complete "complete", Truncated "truncated", Failed "failed", Aborted "aborted",
    }
    ToolCallStatus { Complete "complete", Truncated "truncated", Invalid "invalid" }
    FailureCode {
        ProviderError "provider-error", UnknownResponse "unknown-response", StreamBroken "stream-broken", LimitExceeded "limit-exceeded",
        Aborted "aborted", CodecError "codec-error",
    }
    WarningCode {
        InvalidEvent "invalid-event", UnknownEvent "unknown-event", StrayFragment "stray-fragment",
        LateId "late-id", Mismatch "mismatch", OutOfOrder "out-of-order", SecondAnswer "second-answer",
        ResumedStream "resumed-stream", InvalidJson "invalid-json", RepeatedLineLoop "repeated-line-loop",
        RejectedToolCall "rejected-tool-call", SupersededToolCall "superseded-tool-call",
        RepeatedMessage "repeated-message",
        WithdrawnToolCall "withdrawn-tool-call", MissingToolCall "missing-tool-call",
        UnfitArgument "unfit-argument", LostAnnotations "lost-annotations", LostLogprobs "lost-logprobs", LostImage "lost-image", LostAudio "lost-audio", LostServerTool "lost-server-tool", LostContent "lost-content", LostRefusal "lost-refusal", LostReasoning "lost-reasoning", LostSignature "lost-signature", LostChoices "lost-choices", LostText "lost-text", LostUsage "lost-usage", LostFields "lost-fields", TooManyWarnings "too-many-warnings",
    }
}
