//! Token counts of OpenAI's interfaces, which are the same but for some names.

use crate::json::{Field, RawJson, Value, fields};
use crate::model::Usage;

/// How an interface names its counts.
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
        // Read by nobody here, but common.
        accepted_prediction_tokens,
        rejected_prediction_tokens,
    }
}

impl<'a> Details<'a> {
    /// A count by one of the names that few servers use.
    fn other(&self, names: &'static [&'static str]) -> Option<Value<'a>> {
        let mut names = names.iter().filter(|_| self.has_unread());
        names.find_map(|name| self.whole.get(name))
    }
}

/// Reads a usage object.
pub(super) fn read_usage(usage: Value<'_>, convention: Convention) -> Usage {
    let counts = Counts::of(usage);
    // Most have nothing that few servers have.
    let others = Some(usage).filter(|_| counts.has_unread());
    let other = |name| others?.get(name);
    // Mistral has spelt it in both ways; Realtime has no plural.
    let prompt_details = counts.prompt_tokens_details().or_else(|| other("prompt_token_details"));
    let input_details = counts.input_tokens_details().or_else(|| other("input_token_details"));
    let output_details = counts.output_tokens_details().or_else(|| other("output_token_details"));
    let prompt = (counts.prompt_tokens(), prompt_details);
    let input = (counts.input_tokens(), input_details);
    let completion = (counts.completion_tokens(), counts.completion_tokens_details());
    let output = (counts.output_tokens(), output_details);
    // Some servers use the names of the other interface.
    let (input, output) = match convention {
        Convention::Chat => (either(prompt, input), either(completion, output)),
        Convention::Responses => (either(input, prompt), either(output, completion)),
    };
    // In camel case, as some gateways and OpenRouter's SDK write all names.
    let camel = |name, or| other(name).or_else(|| other(or));
    let (input, input_details) = (
        input.0.or_else(|| camel("promptTokens", "inputTokens")),
        input.1.or_else(|| camel("promptTokensDetails", "inputTokensDetails")),
    );
    let (output, output_details) = (
        output
            .0
            .or_else(|| camel("completionTokens", "outputTokens").or_else(|| other("total_output_tokens"))),
        output.1.or_else(|| camel("completionTokensDetails", "outputTokensDetails")),
    );
    let [before, after] = [input_details, output_details].map(|details| details.map(Details::of));
    // The sum of what is known; nothing where nothing is.
    let sum = |count: fn(&Details<'_>) -> Option<u64>| {
        let (a, b) = (before.as_ref().and_then(count), after.as_ref().and_then(count));
        Some(a.or(b)?.saturating_add(a.and(b).unwrap_or_default()))
    };
    // GigaChat counts these beside the prompt: <https://developers.sber.ru/docs/ru/gigachat/guides/keeping-context>
    let precached = other("precached_prompt_tokens").unsigned();
    let counted = Usage {
        prompt_tokens: input.unsigned(),
        completion_tokens: output.unsigned(),
        total_tokens: counts.total_tokens().or_else(|| other("totalTokens")).unsigned(),
        reasoning_tokens: after
            .as_ref()
            .and_then(|details| {
                details.reasoning_tokens().or_else(|| details.other(&["reasoningTokens"])).unsigned()
            })
            .or_else(|| counts.reasoning_tokens().unsigned())
            // LM Studio
            .or_else(|| other("reasoning_output_tokens").unsigned()),
        cache_read_tokens: before
            .as_ref()
            .and_then(|details| {
                // Perplexity has the name of Anthropic.
                let other = || details.other(&["cache_read_input_tokens", "cachedTokens"]);
                details.cached_tokens().or_else(other).unsigned()
            })
            .or_else(|| counts.prompt_cache_hit_tokens().unsigned())
            .or_else(|| counts.cached_tokens().unsigned())
            .or_else(|| counts.cache_read_input_tokens().unsigned())
            // Mistral
            .or_else(|| other("num_cached_tokens").unsigned())
            .or(precached),
        cache_write_tokens: before
            .as_ref()
            .and_then(|details| {
                let written = details.cache_write_tokens().or(details.cache_creation_tokens());
                // Bifrost, new-api and vLLM have names of their own.
                let names = &[
                    "cached_write_tokens",
                    "cached_creation_tokens",
                    "created_cache_tokens",
                    "cacheWriteTokens",
                ];
                let other = || details.other(names);
                written.or(details.cache_creation_input_tokens()).or_else(other).unsigned()
            })
            .or_else(|| counts.cache_creation_input_tokens().unsigned()),
        cache_write_1h_tokens: kept_an_hour(others, before.as_ref()),
        // Mistral's conversations
        tool_use_tokens: other("connector_tokens").unsigned(),
        audio_tokens: sum(|details| details.audio_tokens().unsigned()),
        image_tokens: sum(|details| details.image_tokens().unsigned()),
        reported_cost: others.and_then(read_cost),
        // Mistral
        service_tier: others.and_then(|others| others.get_string("service_tier")),
        raw: usage.raw(),
        ..Usage::default()
    };
    // The numbers may be Anthropic's: <https://github.com/earendil-works/pi/issues/2048>
    let is_beside = precached.is_some() || counted.has_more_cached();
    let mut counted = if is_beside { counted.with_cache_beside() } else { counted.with_cache_inside() };
    // Perplexity counts reasoning beside the completion, and leaves it out of the total.
    if other("num_search_queries").is_some()
        && let (Some(completion), Some(reasoning)) =
            (counted.completion_tokens, counts.reasoning_tokens().unsigned())
    {
        counted.output_tokens = Some(completion.saturating_add(reasoning));
    }
    counted
}

/// The tokens written to a cache that Anthropic keeps for an hour: `LiteLLM` has its counts among the details.
fn kept_an_hour(others: Option<Value<'_>>, details: Option<&Details<'_>>) -> Option<u64> {
    let kept = details.and_then(|details| details.other(&["cache_creation_token_details"]));
    kept.and_then(|kept| kept.get_unsigned("ephemeral_1h_input_tokens"))
        .or_else(|| count_of_new_api(others?, "claude_cache_creation_1_h_tokens"))
}

/// A count by a name that only new-api uses: 0 if it isn't known.
pub(super) fn count_of_new_api(usage: Value<'_>, name: &'static str) -> Option<u64> {
    usage.get_unsigned(name).filter(|count| *count > 0)
}

/// Reads what Bedrock counts for any model, cached tokens beside the others. As JSON it is no usage of the interface.
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

/// In how many parts xAI counts a dollar. <https://docs.x.ai/developers/cost-tracking>
const TICKS: u64 = 10_000_000_000;

/// What the provider says that the answer cost: a number, or the text of one, or an object with the total.
pub(super) fn read_cost(usage: Value<'_>) -> Option<RawJson> {
    if let Some(ticks) = usage.get("cost_in_usd_ticks").unsigned() {
        let dollars = format!("{}.{:010}", ticks / TICKS, ticks % TICKS);
        return RawJson::parse(dollars.trim_end_matches('0').trim_end_matches('.'));
    }
    // DeepInfra
    let cost = usage.get("cost").or_else(|| usage.get("estimated_cost"))?;
    let total = cost.get("total_cost").or_else(|| cost.get("usd")).unwrap_or(cost);
    let cost = total.text().and_then(|text| RawJson::parse(&*text)).or_else(|| total.raw())?;
    cost.get().starts_with(|first: char| first == '-' || first.is_ascii_digit()).then_some(cost)
}

/// What the answer cost, said beside its usage: by Venice (`{usd}`), and by Vercel's gateway.
pub(super) fn read_cost_beside(holder: Value<'_>) -> Option<RawJson> {
    read_cost(holder).or_else(|| read_gateway_cost(holder))
}

/// What Vercel's gateway says that the answer cost, in the metadata beside it.
pub(super) fn read_gateway_cost(holder: Value<'_>) -> Option<RawJson> {
    read_cost(holder.get("provider_metadata")?.get("gateway")?)
}

/// The same from metadata that was kept.
pub(super) fn cost_in_metadata(metadata: &RawJson) -> Option<RawJson> {
    let document = metadata.document()?;
    read_cost(document.root().get("gateway")?)
}

/// A count and its details.
type Side<'a> = (Option<Value<'a>>, Option<Value<'a>>);

fn either<'a>(side: Side<'a>, other: Side<'a>) -> Side<'a> {
    (side.0.or(other.0), side.1.or(other.1))
}
