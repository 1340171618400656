//! Finish reasons of choices.

use super::choice::Choice;
use crate::accumulator::{Builder, Finish};
use crate::json::{Kind, Object};
use crate::model::{FinishReason, WarningCode, meaning_of};
use crate::provider::stop_word::{finish_of, finish_word, is_error};

impl<'a> Choice<'a> {
    /// Returns the finish reason. Models on Bedrock send it as `stop_reason`; other servers put a token or a stop
    /// string of the request there, beside the finish reason.
    pub(super) fn reason(&self) -> Option<&'a str> {
        // SGLang's engine sends an object.
        let named = || self.finish_reason()?.first_non_empty(&["reason", "type"]);
        finish_word(self.finish_reason())
            .or_else(named)
            .or_else(|| finish_word(self.finish_reason_in_camel()))
            .or_else(|| {
                let word = finish_word(self.stop_reason())?;
                let is_known = !matches!(finish_of(word).reason, FinishReason::Unknown(_));
                (is_known && self.whole.others(&[]).all(|(name, _)| name != "finish_reason")).then_some(word)
            })
            // Langchain-Chatchat
            .or_else(|| finish_word(self.message()?.get("finish_reason")))
    }

    /// Returns the choice's end, if it has a finish reason.
    pub(super) fn finish(&self) -> Option<Finish> {
        let Finish { reason, raw, or_tool_use } = finish_of(self.reason()?);
        let reason = self.native_end().map_or(reason, |word| finish_of(word).reason);
        Some(Finish { reason, raw, or_tool_use })
    }

    /// Returns the native finish reason, if a gateway sends `stop` although the provider behind it reports a limit, a filter
    /// or a failure.
    /// <https://docs.litellm.ai/docs/completion/output>
    pub(super) fn native_end(&self) -> Option<&'a str> {
        let is_stop = finish_of(self.reason()?).reason == FinishReason::Complete;
        self.native_reason().filter(|word| match finish_of(word).reason {
            _ if !is_stop => false,
            FinishReason::Unknown(word) => !is_error(&word) && meaning_of(&word).is_some(),
            reason => reason.may_truncate(),
        })
    }

    /// Returns the native finish reason if it is an error.
    pub(super) fn native_error(&self) -> Option<&'a str> {
        self.native_reason().filter(|word| is_error(word))
    }

    /// Returns the finish reason of the provider behind OpenRouter or `LiteLLM`.
    fn native_reason(&self) -> Option<&'a str> {
        [Some(self.whole), self.whole.get("provider_specific_fields")]
            .iter()
            .flatten()
            .find_map(|of| of.get_non_empty("native_finish_reason"))
    }

    /// Keeps a finish reason that isn't a string, with a warning.
    pub(super) fn keep_invalid_reason(&self, members: &mut Object, out: &mut Builder) {
        let Some(invalid) = self.finish_reason().filter(|reason| reason.kind() != Kind::String) else {
            return;
        };
        members.put("finish_reason", invalid);
        let message = "The finish reason isn't a word; it is kept as it came";
        out.warn_once(WarningCode::InvalidEvent, message.to_owned());
    }
}
