//! Formats of signatures and encrypted reasoning. Only the provider that issued them accepts them, so in another
//! interface they are written with the format's name.
//!
//! The names are those of OpenRouter's `reasoning_details`.
//! <https://openrouter.ai/docs/use-cases/reasoning-tokens#reasoning_details-array-structure>

use crate::model::Api;
pub(super) use crate::provider::{ANTHROPIC_FORMAT as ANTHROPIC, OPENAI_FORMAT as OPENAI};

pub(super) const GOOGLE: &str = "google-gemini-v1";

/// Returns the format of the signatures in an interface's responses.
pub(super) fn signature_format(source: Option<Api>) -> Option<&'static str> {
    match source? {
        Api::AnthropicMessages | Api::BedrockConverse => Some(ANTHROPIC),
        Api::OpenaiResponses => Some(OPENAI),
        Api::Gemini | Api::GeminiInteractions => Some(GOOGLE),
        _ => None,
    }
}
