//! The supported provider interfaces.

use serde::Serialize;

use crate::save::state;

/// A provider interface whose responses respool reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Api {
    /// OpenAI chat completions and compatible servers.
    /// <https://platform.openai.com/docs/api-reference/chat>
    OpenaiChat,
    /// OpenAI Responses. <https://platform.openai.com/docs/api-reference/responses>
    OpenaiResponses,
    /// Anthropic Messages. <https://docs.anthropic.com/en/api/messages>
    AnthropicMessages,
    /// Google Gemini: `generateContent` and `streamGenerateContent`. <https://ai.google.dev/api/generate-content>
    Gemini,
    /// Google's Interactions API for Gemini models and agents. <https://ai.google.dev/api/interactions-api>
    GeminiInteractions,
    /// AWS Bedrock's Converse.
    /// <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html>
    BedrockConverse,
    /// Ollama's own `/api/chat` and `/api/generate`. <https://docs.ollama.com/api/chat>
    OllamaChat,
    /// Cohere's chat, version 2. <https://docs.cohere.com/v2/reference/chat>
    CohereChat,
    /// Cloudflare Workers AI in its native format. <https://developers.cloudflare.com/workers-ai/models/>
    WorkersAi,
    /// OpenAI embeddings. <https://platform.openai.com/docs/api-reference/embeddings>
    OpenaiEmbeddings,
    /// OpenAI images. <https://platform.openai.com/docs/api-reference/images>
    OpenaiImages,
}

state! {
    enum Api {
        0 OpenaiChat, 1 OpenaiResponses, 2 AnthropicMessages, 3 Gemini, 4 GeminiInteractions, 5 BedrockConverse,
        6 OllamaChat, 7 CohereChat, 8 WorkersAi, 9 OpenaiEmbeddings, 10 OpenaiImages,
    }
}

impl Api {
    /// The name used in options and results, for example `"openai-chat"`.
    ///
    /// ```
    /// assert_eq!(respool::model::Api::OpenaiChat.as_str(), "openai-chat");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenaiChat => "openai-chat",
            Self::OpenaiResponses => "openai-responses",
            Self::AnthropicMessages => "anthropic-messages",
            Self::Gemini => "gemini",
            Self::GeminiInteractions => "gemini-interactions",
            Self::BedrockConverse => "bedrock-converse",
            Self::OllamaChat => "ollama-chat",
            Self::CohereChat => "cohere-chat",
            Self::WorkersAi => "workers-ai",
            Self::OpenaiEmbeddings => "openai-embeddings",
            Self::OpenaiImages => "openai-images",
        }
    }
}
