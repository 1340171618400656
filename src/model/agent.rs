//! What the caller asked for.

use super::Api;

/// What is known about the request that an answer belongs to, in the terms of Prompty's agents.
///
/// It never changes how an answer is read; it only breaks a tie between shapes, and says whether the text
/// is meant to be JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agent {
    /// `model.provider`, for example `"openai"` or `"anthropic"`.
    pub provider: Option<String>,
    /// `model.apiType`: `"chat"`, `"responses"`, `"embedding"` or `"image"`.
    pub api_type: Option<String>,
    /// Whether `outputs` is there and not empty: the text is expected to be JSON.
    pub expects_json: bool,
}

impl Agent {
    /// The interface that was used, as far as it can be told.
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
            ("embedding" | "embeddings", _) => Some(Api::OpenaiEmbeddings),
            ("image" | "images", _) => Some(Api::OpenaiImages),
            ("chat", Some("anthropic")) => Some(Api::AnthropicMessages),
            ("chat", _) => Some(Api::OpenaiChat),
            _ => None,
        }
    }
}
