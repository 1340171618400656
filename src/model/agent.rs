//! What the caller asked for.

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
