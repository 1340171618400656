//! Token counts of OpenAI's interfaces, which differ only in some names.

use super::cost::read_cost;
use crate::json::{Field, Value, fields};
use crate::model::Usage;

/// The names that an interface uses for its counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Convention {
    /// `prompt_tokens`, `completion_tokens`
    Chat,
    /// `input_tokens`, `output_tokens`
    Responses,
}

fields! {
    struct Counts {
        prompt_tokens,
        completion_tokens,
        prompt_tokens_details,
        completion_tokens_details,
        input_tokens,
        output_tokens,
        input_tokens_details,
        output_tokens_details,
        total_tokens,
        // Perplexity, SGLang
        reasoning_tokens,
        // DeepSeek, Moonshot
        prompt_cache_hit_tokens,
        cached_tokens,
        // Gateways in front of Anthropic's models.
        cache_read_input_tokens,
        cache_creation_input_tokens,
    }
}

fields! {
    struct Details {
        reasoning_tokens,
        cached_tokens,
        cache_write_tokens,
        cache_creation_tokens,
        // Alibaba, Perplexity
        cache_creation_input_tokens,
        audio_tokens,
        image_tokens,
        // Ignored, but too common to count as unread.
        accepted_prediction_tokens,
        rejected_prediction_tokens,
    }
}

/// Reads a usage object. Alibaba's applications and Volcano Engine's bots list the counts of each model that was
/// called.
/// <https://www.alibabacloud.com/help/en/model-studio/developer-reference/call-application-through-api>
pub(super) fn read_usage(usage: Value<'_>, convention: Convention) -> Usage {
    let counted = read_counts(usage, convention);
    if counted.has_counts() {
        return counted;
    }
    let models = usage.first(&["models", "model_usage"]);
    let mut sum: Option<Usage> = None;
    for model in models.items() {
        let mut counts = read_counts(model, convention);
        if let Some(sum) = &sum {
            counts.add_earlier(sum);
        }
        counts.raw.clone_from(&counted.raw);
        sum = Some(counts);
    }
    sum.unwrap_or(counted)
}

fn read_counts(usage: Value<'_>, convention: Convention) -> Usage {
    let reported = Reported::of(usage, convention);
    let counted = Usage {
        prompt_tokens: reported.input.unsigned(),
        completion_tokens: reported.output.unsigned(),
        total_tokens: reported.counts.total_tokens().or_else(|| reported.other("totalTokens")).unsigned(),
        reasoning_tokens: reported.reasoning(),
        cache_read_tokens: reported.cache_read(),
        cache_write_tokens: reported.cache_write(),
        cache_write_1h_tokens: reported.cache_write_1h(),
        // Mistral's conversations
        tool_use_tokens: reported.other("connector_tokens").unsigned(),
        audio_tokens: reported.sum(|details| details.audio_tokens().unsigned()),
        image_tokens: reported.sum(|details| details.image_tokens().unsigned()),
        reported_cost: reported.others.and_then(read_cost),
        // Mistral
        service_tier: reported.others.and_then(|others| others.get_string("service_tier")),
        raw: usage.raw(),
        ..Usage::default()
    };
    // The counts may follow Anthropic's convention: <https://github.com/earendil-works/pi/issues/2048>
    let is_beside = reported.precached_tokens().is_some()
        || counted.cached_exceeds_input()
        // new-api
        || reported.other("usage_semantic").equals("anthropic");
    let mut counted = if is_beside { counted.with_cache_beside() } else { counted.with_cache_inside() };
    // Perplexity counts reasoning separately from the completion, and leaves it out of the total.
    if reported.other("num_search_queries").is_some()
        && let (Some(completion), Some(reasoning)) =
            (counted.completion_tokens, reported.counts.reasoning_tokens().unsigned())
    {
        counted.output_tokens = Some(completion.saturating_add(reasoning));
    }
    counted
}

/// A usage object, with the names of either interface.
struct Reported<'a> {
    counts: Counts<'a>,
    /// The object, if it has rare members; most servers have none.
    others: Option<Value<'a>>,
    input: Option<Value<'a>>,
    output: Option<Value<'a>>,
    /// Details of the input.
    input_details: Option<Details<'a>>,
    /// Details of the output.
    output_details: Option<Details<'a>>,
}

impl<'a> Reported<'a> {
    fn of(usage: Value<'a>, convention: Convention) -> Self {
        let counts = Counts::of(usage);
        let others = Some(usage).filter(|_| counts.has_unread());
        let other = |name| others?.get(name);
        // Mistral has used both spellings; the Realtime API uses the singular.
        let prompt_details = counts.prompt_tokens_details().or_else(|| other("prompt_token_details"));
        let input_details = counts.input_tokens_details().or_else(|| other("input_token_details"));
        let output_details = counts.output_tokens_details().or_else(|| other("output_token_details"));
        let prompt = (counts.prompt_tokens(), prompt_details);
        let input = (counts.input_tokens(), input_details);
        let completion = (counts.completion_tokens(), counts.completion_tokens_details());
        let output = (counts.output_tokens(), output_details);
        // Some servers use the names of the other interface.
        let (input, output) = match convention {
            Convention::Chat => (first_present(prompt, input), first_present(completion, output)),
            Convention::Responses => (first_present(input, prompt), first_present(output, completion)),
        };
        // Camel case, which some gateways and OpenRouter's SDK use for all names.
        let camel = |name, or| other(name).or_else(|| other(or));
        let before = input.1.or_else(|| camel("promptTokensDetails", "inputTokensDetails"));
        let after = output.1.or_else(|| camel("completionTokensDetails", "outputTokensDetails"));
        let all_output =
            || camel("completionTokens", "outputTokens").or_else(|| other("total_output_tokens"));
        Self {
            input: input.0.or_else(|| camel("promptTokens", "inputTokens")),
            output: output.0.or_else(all_output),
            input_details: before.map(Details::of),
            output_details: after.map(Details::of),
            counts,
            others,
        }
    }

    /// Returns a rare member.
    fn other(&self, name: &'static str) -> Option<Value<'a>> {
        self.others?.get(name)
    }

    fn reasoning(&self) -> Option<u64> {
        let after = self.output_details.as_ref();
        after
            .and_then(|details| {
                details.reasoning_tokens().or_else(|| details.other(&["reasoningTokens"])).unsigned()
            })
            .or_else(|| self.counts.reasoning_tokens().unsigned())
            // LM Studio
            .or_else(|| self.other("reasoning_output_tokens").unsigned())
    }

    fn cache_read(&self) -> Option<u64> {
        let before = self.input_details.as_ref();
        before
            .and_then(|details| {
                // Perplexity uses Anthropic's name, and Bifrost one of its own.
                let names = &["cache_read_input_tokens", "cachedTokens", "cached_read_tokens"];
                let other = || details.other(names);
                details.cached_tokens().or_else(other).unsigned()
            })
            .or_else(|| self.counts.prompt_cache_hit_tokens().unsigned())
            .or_else(|| self.counts.cached_tokens().unsigned())
            .or_else(|| self.counts.cache_read_input_tokens().unsigned())
            // Mistral
            .or_else(|| self.other("num_cached_tokens").unsigned())
            // TensorZero
            .or_else(|| self.other("provider_cache_read_input_tokens").unsigned())
            .or_else(|| self.precached_tokens())
    }

    /// Returns the cached tokens that `GigaChat` counts in addition to the prompt.
    /// <https://developers.sber.ru/docs/ru/gigachat/guides/keeping-context>
    fn precached_tokens(&self) -> Option<u64> {
        self.other("precached_prompt_tokens").unsigned()
    }

    fn cache_write(&self) -> Option<u64> {
        let before = self.input_details.as_ref();
        before
            .and_then(|details| {
                let written = details.cache_write_tokens().or(details.cache_creation_tokens());
                // Bifrost, new-api and vLLM use names of their own.
                let names = &[
                    "cached_write_tokens",
                    "cached_creation_tokens",
                    "created_cache_tokens",
                    "cacheWriteTokens",
                ];
                let other = || details.other(names);
                written.or(details.cache_creation_input_tokens()).or_else(other).unsigned()
            })
            .or_else(|| self.counts.cache_creation_input_tokens().unsigned())
            .or_else(|| self.other("provider_cache_write_input_tokens").unsigned())
    }

    /// Returns the tokens written to Anthropic's one-hour cache; `LiteLLM`, Helicone and Bifrost have them among the
    /// details.
    fn cache_write_1h(&self) -> Option<u64> {
        let names = &["cache_creation_token_details", "cache_write_details", "cached_write_token_details"];
        let kept = self.input_details.as_ref().and_then(|details| details.other(names));
        let names = ["ephemeral_1h_input_tokens", "write_1h_tokens", "cached_write_tokens_1h"];
        kept.and_then(|kept| names.iter().find_map(|name| kept.get_unsigned(name)))
            .or_else(|| new_api_count(self.others?, "claude_cache_creation_1_h_tokens"))
    }

    /// Returns the sum of a count in the details of the input and of the output, or `None` if neither has it.
    fn sum(&self, count: fn(&Details<'_>) -> Option<u64>) -> Option<u64> {
        let (before, after) =
            (self.input_details.as_ref().and_then(count), self.output_details.as_ref().and_then(count));
        Some(before.or(after)?.saturating_add(before.and(after).unwrap_or_default()))
    }
}

/// A count and its details.
type Side<'a> = (Option<Value<'a>>, Option<Value<'a>>);

fn first_present<'a>(side: Side<'a>, other: Side<'a>) -> Side<'a> {
    (side.0.or(other.0), side.1.or(other.1))
}

/// Returns a count with a name that only new-api uses; 0 means unknown.
pub(super) fn new_api_count(usage: Value<'_>, name: &'static str) -> Option<u64> {
    usage.get_unsigned(name).filter(|count| *count > 0)
}

/// Reads the counts that Bedrock adds to the response of any model; cached tokens are counted in addition to the
/// others. `raw` stays empty, as the JSON isn't a usage object of the interface.
pub(super) fn read_bedrock_metrics(metrics: Value<'_>) -> Usage {
    let read = |name| metrics.get(name).unsigned();
    let counted = Usage {
        prompt_tokens: read("inputTokenCount"),
        completion_tokens: read("outputTokenCount"),
        cache_read_tokens: read("cacheReadInputTokenCount"),
        cache_write_tokens: read("cacheWriteInputTokenCount"),
        ..Usage::default()
    };
    counted.with_cache_beside()
}
