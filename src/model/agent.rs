//! The request that a response answers.

use super::Api;
use crate::save::state;

/// What the caller knows about the request, in the terms of Prompty's agents.
///
/// It selects an interface when a response matches several, and says whether the text should be JSON. It never changes
/// how a response of a known interface is read.
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
        match (self.api_type.as_deref()?, self.provider.as_deref()) {
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
