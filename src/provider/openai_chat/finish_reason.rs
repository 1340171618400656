//! Why a choice ended.

use super::choice::Choice;
use crate::json::Field;
use crate::model::FinishReason;
use crate::provider::stop_word::finish_of;

impl<'a> Choice<'a> {
    /// Why the choice ended. Models on Bedrock say it in `stop_reason`; other servers have a token or a text of the request
    /// there, beside the finish reason.
    pub(super) fn reason(&self) -> Option<&'a str> {
        self.finish_reason().label().filter(|word| *word != "null").or_else(|| {
            let word = self.stop_reason().label()?;
            let is_known = !matches!(finish_of(word).reason, FinishReason::Unknown(_));
            (is_known && self.whole.others(&[]).all(|(name, _)| name != "finish_reason")).then_some(word)
        })
    }
}
