//! Options for writing responses.

use std::borrow::Cow;

use crate::collect::Collect;
use crate::json::Value;
use crate::save::state;

/// An interface that responses can be written in.
///
/// ```
/// use respool::encode::WireApi;
///
/// assert_eq!(WireApi::from_name("anthropic-messages"), Some(WireApi::AnthropicMessages));
/// assert_eq!(WireApi::OpenaiChat.as_str(), "openai-chat");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WireApi {
    /// OpenAI chat completions.
    OpenaiChat,
    /// OpenAI Responses.
    OpenaiResponses,
    /// Anthropic Messages.
    AnthropicMessages,
}

state! { enum WireApi { 0 OpenaiChat, 1 OpenaiResponses, 2 AnthropicMessages } }

impl WireApi {
    /// All interfaces that can be written.
    pub const ALL: [Self; 3] = [Self::OpenaiChat, Self::OpenaiResponses, Self::AnthropicMessages];

    /// Returns the name of the interface, for example `"openai-chat"`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenaiChat => "openai-chat",
            Self::OpenaiResponses => "openai-responses",
            Self::AnthropicMessages => "anthropic-messages",
        }
    }

    /// Returns the interface with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|api| api.as_str() == name)
    }
}

/// Whether to write something or leave it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Retention {
    /// Write it.
    #[default]
    Keep,
    /// Leave it out.
    Drop,
}

state! { enum Retention { 0 Keep, 1 Drop } }

/// Options for writing a response.
///
/// ```
/// use respool::encode::EncodeOptions;
///
/// let options = EncodeOptions { include_usage: true, ..EncodeOptions::default() };
/// assert_eq!(options.model, None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EncodeOptions {
    /// Whether a stream of chat completions ends with a chunk that has the usage, as a request asks for with
    /// `stream_options.include_usage`. The other interfaces always have it.
    pub include_usage: bool,
    /// The model name to write. Default: the one that the provider reports.
    pub model: Option<String>,
    /// The id of the response to write. Default: the provider's.
    pub id: Option<String>,
    /// The input tokens to report in `message_start` of Anthropic Messages, which comes before the provider's usage.
    pub input_tokens: Option<u64>,
    /// Whether to write reasoning.
    pub reasoning: Retention,
    /// Whether to write reasoning that lacks an Anthropic signature as a `thinking` block.
    pub unsigned_thinking: Retention,
    /// The names of the custom tools of a Responses request that was translated to a request with function tools. A
    /// call to one is written as a custom tool call, with the argument `input`, or the only argument, as its input. For
    /// Responses only.
    pub custom_tools: Vec<String>,
    /// When the response was created, in seconds since 1970. Default: the provider's value, or the current time.
    pub created: Option<u64>,
    /// A seed for ids that the provider doesn't send. Default: the current time.
    pub nonce: Option<u64>,
}

state! {
    struct EncodeOptions {
        include_usage, model, id, input_tokens, reasoning, unsigned_thinking, custom_tools, created, nonce,
    }
}

impl EncodeOptions {
    /// Whether all reasoning is written, so that content of the same interface can stay unchanged.
    pub(super) fn keeps_reasoning(&self, api: WireApi) -> bool {
        let drops_unsigned = self.unsigned_thinking == Retention::Drop && api == WireApi::AnthropicMessages;
        self.reasoning == Retention::Keep && !drops_unsigned
    }

    /// Reads options from an object whose members are in camel case: `includeUsage`, `model`, `id`, `inputTokens`,
    /// `reasoning`, `unsignedThinking`, `customTools`, `created`, `nonce`.
    ///
    /// ```
    /// use respool::encode::{EncodeOptions, Retention};
    /// use respool::json::Document;
    ///
    /// let json = Document::parse(r#"{"reasoning": "drop"}"#, 8).unwrap();
    /// assert_eq!(EncodeOptions::read(json.root()).reasoning, Retention::Drop);
    /// ```
    pub fn read(object: Value<'_>) -> Self {
        let text = |name| object.get_text(name).map(Cow::into_owned);
        let count = |name| object.get_unsigned(name);
        let retention = |name| {
            let is_dropped = object.get(name).is_some_and(|value| value.is("drop"));
            if is_dropped { Retention::Drop } else { Retention::Keep }
        };
        Self {
            include_usage: object.get("includeUsage").and_then(Value::boolean).unwrap_or_default(),
            model: text("model"),
            id: text("id"),
            input_tokens: count("inputTokens"),
            reasoning: retention("reasoning"),
            unsigned_thinking: retention("unsignedThinking"),
            custom_tools: object
                .get_items("customTools")
                .filter_map(Value::text)
                .map(Cow::into_owned)
                .collect_vec(),
            created: count("created"),
            nonce: count("nonce"),
        }
    }
}
