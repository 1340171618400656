//! Options of users, as js/options.js passes them on.

use std::borrow::Cow;

use tsify::Tsify;

use crate::collect::Collect;
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Document, Items, Value};
use crate::model::{Agent, Api, Limits};
use crate::provider::PROVIDERS;
use crate::text::{LoopOptions, Shared, TextOptions};
use crate::{StreamOptions, TextBlocks};

/// Options of `StreamAccumulator`.
#[derive(Tsify)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "the shape of what users write; it is read by js/options.js")]
struct StreamAccumulatorOptions {
    /// The interface that the stream comes from, or the name of a registered codec; `"auto"`, the default,
    /// detects it from the first event.
    #[tsify(optional, type = "import(\"../../js/types/codecs.js\").ApiName | \"auto\"")]
    api: Option<Api>,
    /// The provider and interface of the request. They decide if an event matches several interfaces.
    #[tsify(optional, type = "import(\"../../js/types/api.js\").Agent")]
    agent: Agent,
    /// Limits on the memory that a provider can make the accumulator use.
    #[tsify(optional)]
    limits: Limits,
    /// Whether adjacent text within one read becomes one delta. Default true.
    #[tsify(optional)]
    coalesce: bool,
    /// Whether to parse only the text of an event that otherwise repeats the one before. The result is the same, but
    /// `false` is slower. Default true.
    #[tsify(optional)]
    templates: bool,
    /// Whether `json` deltas report partial values of tool arguments while they arrive, and of the text if
    /// `agent.outputs` says that it is JSON. Default false.
    #[tsify(optional)]
    partial_json: bool,
    /// Whether to emit a warning, `repeated-line-loop`, once the text or the reasoning repeats itself; or the
    /// thresholds for that. Default false.
    #[tsify(optional, type = "boolean | LoopDetectorOptions")]
    loop_detector: LoopOptions,
    /// Finds tool calls in the text and removes them from it. `tools` are the definitions that you send to the
    /// provider, or `"any"`; `formats` is `"auto"`, the default, a format, or a list.
    #[tsify(optional, type = "import(\"../../js/types/text.js\").TextToolCalls")]
    text_tool_calls: u32,
    /// Finds reasoning between tags in the text and removes it from the text: `true` for all known tags, or a list of
    /// tags. `open` says that the prompt already opened the tag, so the text begins inside it. Default false.
    #[tsify(optional, type = "import(\"../../js/types/text.js\").ReasoningTags")]
    reasoning_tags: u32,
}

/// The thresholds of the loop detector.
#[derive(Tsify)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "the shape of what users write; it is read by js/options.js")]
struct LoopDetectorOptions {
    /// Up to 8 tiers: text of at least `length` characters is a loop after `repeats` repetitions in a row. The tier
    /// with the greatest length that fits decides; shorter text is never a loop. Default: 6 repetitions from 80
    /// characters on, 10 from 30, 25 from 8, and 60 below.
    #[tsify(
        optional,
        type = "readonly {\n/** The least length in characters. */\nlength: number;\n/** How many repetitions in a row are a loop. */\nrepeats: number;\n}[]"
    )]
    tiers: u32,
    /// The maximum number of lines in a repeated block: 1 to 8; 1 for single lines only. Default 8.
    #[tsify(optional)]
    block_lines: u32,
    /// Whether phrases that are repeated within a line count. Default true.
    #[tsify(optional)]
    phrases: bool,
}

/// Options of `process`.
#[derive(Tsify)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "the shape of what users write; it is read by js/options.js")]
struct ProcessOptions {
    /// Which text blocks of an Anthropic answer count: `"all"`, the default, joins them; `"first"` takes the
    /// first one.
    #[tsify(optional, type = "\"all\" | \"first\"")]
    text_blocks: TextBlocks,
    /// The form of embeddings: `"array"`, the default, or a typed array, `"float32"` or `"float64"`. An array of this
    /// form in a response that is an object is returned unchanged.
    #[tsify(optional, type = "\"array\" | \"float32\" | \"float64\"")]
    vectors: u32,
}

/// Maximum depth of the options, which contain the schemas of tools.
const MAX_DEPTH: usize = 512;

/// Reads the options of a stream from the JSON of `readStreamOptions` in js/options.js. Returns the defaults if it is
/// empty.
pub(super) fn stream_options(json: &str) -> Result<StreamOptions> {
    let mut options = StreamOptions::default();
    if json.is_empty() {
        return Ok(options);
    }
    let document = parse(json)?;
    let root = document.root();
    if let Some(name) = root.get_text("api") {
        options.api = PROVIDERS.iter().map(|entry| entry.api).find(|api| api.as_str() == name);
        // Any other name is a codec's; the accumulator reports an unknown one.
        options.codec = options.api.is_none().then(|| name.into_owned());
    }
    let is_on = |name| root.get(name).and_then(Value::boolean) == Some(true);
    options.coalesce = is_on("coalesce");
    options.templates = is_on("templates");
    options.partial_json = is_on("partialJson");
    options.agent = root.get("agent").map(read_agent).unwrap_or_default();
    options.limits = limits_of(root.get_items("limits"));
    options.loop_detector = root.get("loopDetector").map(|numbers| {
        let numbers = numbers.items().filter_map(Value::unsigned).map(|n| n as u32).collect_vec();
        loop_options(&numbers)
    });
    options.text = root.get("text").map(|text| TextOptions::new(text).map(Shared::new)).transpose()?;
    Ok(options)
}

/// Reads the agent from the JSON of `readAgent` in js/options.js. Returns the default if it is empty.
pub(super) fn agent(json: &str) -> Result<Agent> {
    if json.is_empty() { Ok(Agent::default()) } else { Ok(read_agent(parse(json)?.root())) }
}

fn read_agent(object: Value<'_>) -> Agent {
    let text = |name| object.get_text(name).map(Cow::into_owned);
    Agent {
        provider: text("provider"),
        api_type: text("apiType"),
        expects_json: object.get("expectsJson").and_then(Value::boolean) == Some(true),
    }
}

/// Reads the options of the loop detector: the number of lines, whether phrases count, and pairs of a length and a
/// number of repetitions, the longest first. Without pairs, the default tiers apply.
pub(super) fn loop_options(numbers: &[u32]) -> LoopOptions {
    let [block_lines, phrases, tiers @ ..] = numbers else { return LoopOptions::default() };
    let options = if tiers.is_empty() { LoopOptions::default() } else { LoopOptions::new(tiers) };
    LoopOptions { block_lines: *block_lines as usize, phrases: *phrases != 0, ..options }
}

/// Reads the options for calls and reasoning in texts from JSON.
pub(super) fn text_options(json: &str) -> Result<TextOptions> {
    TextOptions::new(parse(json)?.root())
}

fn parse(json: &str) -> Result<Document<'_>> {
    // Only the tools come from users, so nothing else can be invalid.
    Document::parse(json, MAX_DEPTH).map_err(|error| {
        Error::new(ErrorCode::InvalidOption, format!("The tools aren't valid JSON: {error}"))
    })
}

/// Reads limits in the order of [`Limits`]. 0 stands for the default.
fn limits_of(given: Items<'_>) -> Limits {
    let mut limits = Limits::default();
    let all = [
        &mut limits.max_event_bytes,
        &mut limits.max_total_bytes,
        &mut limits.max_tool_calls,
        &mut limits.max_choices,
        &mut limits.max_depth,
    ];
    for (limit, given) in all.into_iter().zip(given.filter_map(Value::unsigned)) {
        if given != 0 {
            *limit = given as usize;
        }
    }
    limits
}

/// Whether an option has the same value in both. Options are numbered in the order of js/options.js, with the limits
/// last.
pub(super) fn has_same(number: u32, one: &StreamOptions, other: &StreamOptions) -> bool {
    let text = |nth: usize| match (&one.text, &other.text) {
        (Some(one), Some(other)) => one.is_like(other).get(nth) == Some(&true),
        (one, other) => one.is_none() && other.is_none(),
    };
    match number {
        0 => (one.api, &one.codec) == (other.api, &other.codec),
        1 => one.agent == other.agent,
        2 => one.coalesce == other.coalesce,
        3 => one.templates == other.templates,
        4 => one.partial_json == other.partial_json,
        5 => one.loop_detector == other.loop_detector,
        6 => text(0),
        7 => text(1),
        8 => one.limits.max_event_bytes == other.limits.max_event_bytes,
        9 => one.limits.max_total_bytes == other.limits.max_total_bytes,
        10 => one.limits.max_tool_calls == other.limits.max_tool_calls,
        11 => one.limits.max_choices == other.limits.max_choices,
        _ => one.limits.max_depth == other.limits.max_depth,
    }
}
