//! The request that a response answers.

use super::Api;
use crate::save::state;

/// The caller's knowledge of the request, in the terms of Prompty's agents.
///
/// It selects an interface when a response matches several, and determines whether the text should be JSON. It never
/// changes how a response of a known interface is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agent {
    /// `model.provider`, for example `"openai"`, `"anthropic"` or `"google"`.
    pub provider: Option<String>,
    /// `model.apiType`: `"chat"`, `"responses"`, `"interactions"`, `"embedding"` or `"image"`.
    pub api_type: Option<String>,
    /// Whether `outputs` is present and not empty, so that the text is expected to be JSON.
    pub expects_json: bool,
}

state! { struct Agent { provider, api_type, expects_json } }

impl Agent {
    /// The interface that `provider` and `api_type` name, or `None` if they don't name one.
    ///
    /// ```
    /// use respool::model::{Agent, Api};
    ///
    /// let agent = Agent { api_type: Some("responses".into()), ..Agent::default() };
    /// assert_eq!(agent.api(), Some(Api::OpenaiResponses));
    /// ```
    pub fn api(&self) -> Option<Api> {
        let provider = self.provider.as_deref();
        // Some providers have only one interface for messages, or a default one.
        let is_sure =
            matches!(provider, Some("anthropic" | "gemini" | "google" | "bedrock" | "amazon-bedrock"));
        match (self.api_type.as_deref().or(is_sure.then_some("chat"))?, provider) {
            ("responses", _) => Some(Api::OpenaiResponses),
            ("interactions", _) => Some(Api::GeminiInteractions),
            ("embedding" | "embeddings", _) => Some(Api::OpenaiEmbeddings),
            ("image" | "images", _) => Some(Api::OpenaiImages),
            ("chat", Some("anthropic")) => Some(Api::AnthropicMessages),
            ("chat", Some("gemini" | "google")) => Some(Api::Gemini),
            ("chat", Some("bedrock" | "amazon-bedrock")) => Some(Api::BedrockConverse),
            ("chat", _) => Some(Api::OpenaiChat),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_with_one_interface_names_it() {
        let named = |provider: &str| Agent { provider: Some(provider.into()), ..Agent::default() }.api();
        assert_eq!(named("anthropic"), Some(Api::AnthropicMessages));
        assert_eq!(named("google"), Some(Api::Gemini));
        assert_eq!(named("bedrock"), Some(Api::BedrockConverse));
        assert_eq!(named("openai"), None);
        assert_eq!(named("azure"), None);
    }
}
