/** Validates user options, and encodes them as JSON and numbers for the module. */

/** @import { Agent, Limits, LoopDetectorOptions, ProcessAsyncOptions, ReasoningTags, StreamAccumulatorOptions, TextToolCalls } from "respool" */

import { checked } from "./checked.js";
import { quote } from "./input.js";
import { MAX_BODY_BYTES, MAX_TOTAL_BYTES } from "./limits.js";
import { nearMatch, unknownName } from "./near_match.js";
import {
  MAX_COUNT,
  SWITCH_OR_OPTIONS,
  isSet,
  openOptions,
  readCount,
  readObject,
  readSwitch,
  readWord,
  refuse,
  refuseValue,
} from "./read_option.js";

/** The limits, in the order that the module expects. */
const LIMITS = /** @type {const} */ (["maxEventBytes", "maxTotalBytes", "maxToolCalls", "maxChoices", "maxDepth"]);

/**
 * Encodes the limits for the module; 0 means its default.
 *
 * @param {Limits | null | undefined} value
 */
function readLimits(value) {
  if (!isSet(value)) return undefined;
  const limits = openOptions(value, "options.limits", LIMITS);
  return LIMITS.map((name) => {
    const value = /** @type {unknown} */ (limits[name]);
    if (!isSet(value)) return 0;
    const limit = typeof value === "bigint" ? Number(value) : value;
    const isLimit = typeof limit === "number" && limit > 0 && (Number.isInteger(limit) || limit === Infinity);
    return isLimit ? Math.min(limit, MAX_COUNT) : refuseValue(`options.limits.${name}`, "a whole number above 0", value);
  });
}

/**
 * Reads the name of the interface; undefined if it is to be detected.
 *
 * @param {unknown} api
 */
function readApi(api) {
  if (!isSet(api) || api === "auto") return undefined;
  return typeof api === "string" && api !== "" ? api : refuseValue("options.api", 'the name of an interface, or "auto"', api);
}

/** @typedef {{ provider?: string | undefined, apiType?: string | undefined, expectsJson: boolean }} AgentSettings */

/** Reads an agent; undefined if nothing relevant is set. */
export const readAgent = checked(
  /**
   * @param {Agent | null | undefined} value
   * @param {string} [path]
   * @returns {AgentSettings | undefined}
   */
  (value, path = "agent") => {
    const { model, outputs } = openAgent(value, path, ["model", "outputs"]);
    const { provider, apiType } = typeof model === "object" ? openAgent(model, `${path}.model`, ["provider", "apiType"]) : {};
    const settings = { provider: nonEmptyText(provider), apiType: nonEmptyText(apiType), expectsJson: isFilled(outputs) };
    return settings.provider || settings.apiType || settings.expectsJson ? settings : undefined;
  },
  "The agent",
);

/**
 * Reads an agent, or its model. Programs add fields of their own, so only misspelled names are rejected.
 *
 * @template {object} T
 * @param {T | null | undefined} value
 * @param {string} path
 * @param {readonly string[]} names
 * @returns {Partial<T>}
 */
function openAgent(value, path, names) {
  const agent = /** @type {Record<string, unknown>} */ (readObject(value, path) ?? {});
  const missing = names.filter((name) => agent[name] === undefined);
  const wrong = Object.keys(missing.length > 0 ? agent : {}).find((name) => nearMatch(name, missing, 1) && isSet(agent[name]));
  return wrong === undefined ? /** @type {Partial<T>} */ (agent) : refuse(unknownName("member", wrong, names, `${path}.`));
}

/** Returns the maximum size in bytes of a body, which counts as one event. */
export const readMaxBodyBytes = checked((/** @type {Limits | null | undefined} */ value) => {
  const [event, total] = readLimits(value) ?? [];
  return Math.min(event || MAX_BODY_BYTES, total || MAX_TOTAL_BYTES);
}, "options.limits");

/**
 * Encodes settings for the module as JSON; "" if there are none.
 *
 * @param {object | undefined} settings
 */
export const toJson = (settings) => (settings ? JSON.stringify(settings) : "");

/** @param {unknown} value */
const nonEmptyText = (value) => (typeof value === "string" && value !== "" ? value : undefined);

/**
 * Whether a value carries any content, unlike `false`, `""`, `0`, `[]` and `{}`.
 *
 * @param {unknown} value
 */
function isFilled(value) {
  if (typeof value === "function" || typeof value === "symbol") return false;
  if (typeof value !== "object" || value === null) return Boolean(value) || Number.isNaN(value);
  if (Array.isArray(value)) return value.length > 0;
  return Object.values(value).some((member) => member !== undefined);
}

const MAX_TIERS = 8;
const MAX_BLOCK_LINES = 8;

/**
 * Encodes the thresholds of the loop detector: lines per block, whether phrases count, then pairs of tiers, longest
 * first.
 */
export const readLoopOptions = checked(
  (/** @type {LoopDetectorOptions | null | undefined} */ value, /** @type {string} */ path) => {
    const options = openOptions(value, path, ["tiers", "blockLines", "phrases"], SWITCH_OR_OPTIONS);
    const tiers = options.tiers ?? [];
    const expected = `a list of 1 to ${MAX_TIERS} { length, repeats }`;
    if (!Array.isArray(tiers)) refuseValue(`${path}.tiers`, expected, tiers);
    const isLength = tiers.length <= MAX_TIERS && (!options.tiers || tiers.length > 0);
    if (!isLength) refuse(`${path}.tiers must be ${expected}, not of ${tiers.length}`);
    const pairs = tiers.map((tier, index) => {
      const { length, repeats } = openOptions(tier, `${path}.tiers[${index}]`, ["length", "repeats"]);
      return /** @type {const} */ ([
        readCount(length, `${path}.tiers[${index}].length`, 0),
        readCount(repeats, `${path}.tiers[${index}].repeats`, 2),
      ]);
    });
    pairs.sort(([one], [other]) => other - one);
    const phrases = Number(readSwitch(options.phrases, `${path}.phrases`, true));
    const blockLines = readCount(options.blockLines ?? MAX_BLOCK_LINES, `${path}.blockLines`, 1, MAX_BLOCK_LINES);
    return [blockLines, phrases, ...pairs.flat()];
  },
  "The options",
);

/** @param {boolean | LoopDetectorOptions | null | undefined} value */
function readLoopDetector(value) {
  if (!isSet(value) || value === false) return undefined;
  return readLoopOptions(value === true ? undefined : value, "options.loopDetector");
}

const TEXT_TOOL_CALLS = ["tools", "formats"];

/** Names of the options for searching text. */
export const TEXT_SEARCH_OPTIONS = [...TEXT_TOOL_CALLS, "reasoningTags"];
// Far more than needed. Without a limit, a sparse array could claim to be longer than the memory.
const MAX_NAMES = 100;
const MAX_TOOLS = 10_000;

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {unknown[]}
 */
function readNames(value, path, others = "") {
  const names = Array.isArray(value) ? value : [value];
  const expected = `${path} must be a name, or a list of at most ${MAX_NAMES} names${others}`;
  if (names.length > MAX_NAMES) refuse(`${expected}, not a list of ${names.length}`);
  const wrong = Array.from(names).findIndex((name) => typeof name !== "string" || name === "");
  return wrong < 0 ? names : refuse(`${expected}, not ${names === value ? "a list with " : ""}${quote(names[wrong])}`);
}

/** @param {ReasoningTags | null | undefined} value */
function readReasoningTags(value) {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const given = isObject
    ? openOptions(/** @type {Extract<ReasoningTags, { open?: boolean }>} */ (value), "options.reasoningTags", ["tags", "open"])
    : { tags: value ?? false, open: undefined };
  const tags = given.tags ?? true;
  const open = readSwitch(given.open, "options.reasoningTags.open", false);
  if (typeof tags === "boolean") return { tags: tags ? ["*"] : [], open };
  return { tags: readNames(tags, "options.reasoningTags", ", or true, false or { tags, open }"), open };
}

/**
 * Reads what to search for in text; undefined if nothing.
 *
 * @param {Partial<TextToolCalls> | null | undefined} calls
 * @param {ReasoningTags | null | undefined} reasoningTags
 * @param {string} path
 */
function readTextSearch(calls, reasoningTags, path) {
  const { tools, formats } = openOptions(calls, path, TEXT_TOOL_CALLS);
  if (isSet(calls) && tools !== "any" && !Array.isArray(tools)) {
    refuseValue(`${path}.tools`, 'a list of tool definitions or "any"', tools);
  }
  if (tools && tools.length > MAX_TOOLS)
    refuse(`${path}.tools must be a list of at most ${MAX_TOOLS} tools, not ${tools.length}`);
  const search = {
    tools: tools ?? [],
    formats: isSet(calls) ? readNames(formats ?? "auto", `${path}.formats`) : [],
    ...readReasoningTags(reasoningTags),
  };
  return isSet(calls) || search.tags.length > 0 ? search : undefined;
}

/** Encodes the options of extractToolCalls for the module. */
export const readTextOptions = checked((/** @type {TextToolCalls & { reasoningTags?: ReasoningTags }} */ options) => {
  const { reasoningTags, ...calls } = openOptions(options, "options", TEXT_SEARCH_OPTIONS);
  return toJson(readTextSearch(calls, reasoningTags, "options"));
}, "The options");

/** The options of an accumulator, in the order in which the module numbers them: see src/wasm/accumulator.rs. */
const COMPARED = [
  ...["api", "agent", "coalesce", "templates", "partialJson", "loopDetector", "textToolCalls", "reasoningTags"],
  ...LIMITS.map((name) => `limits.${name}`),
];

/** Names of the options of an accumulator. */
export const STREAM_OPTIONS = [...COMPARED.slice(0, -LIMITS.length), "limits"];

/** Names of the options of a stream that is read from a source. */
export const SOURCE_OPTIONS = [...STREAM_OPTIONS, "signal", "throwOnError"];

/**
 * Returns the options that are set, each with the number by which the module compares it.
 *
 * @type {(options: StreamAccumulatorOptions | null | undefined) => { name: string, number: number }[]}
 */
export const setOptions = checked((options) => {
  const set = /** @type {Record<string, unknown>} */ ({ ...options });
  for (const [name, value] of Object.entries(options?.limits ?? {})) set[`limits.${name}`] = value;
  const named = COMPARED.map((name, number) => ({ name, number }));
  return named.filter(({ name }) => isSet(set[name]) && set[name] !== "auto");
}, "The options");

/**
 * Rejects options that differ from those of the saved stream.
 *
 * @param {readonly { name: string, number: number }[]} set
 * @param {(number: number) => boolean} isSame
 */
export function refuseOthers(set, isSame) {
  const { name } = set.find(({ number }) => !isSame(number)) ?? {};
  if (name) refuse(`options.${name} isn't what the stream was saved with: leave it out, or set it as it was`);
}

/** Encodes the options of a stream for the module. */
export const readStreamOptions = checked((/** @type {StreamAccumulatorOptions | null | undefined} */ value) => {
  const options = openOptions(value, "options", STREAM_OPTIONS);
  return isSet(value)
    ? toJson({
        coalesce: readSwitch(options.coalesce, "options.coalesce", true),
        templates: readSwitch(options.templates, "options.templates", true),
        partialJson: readSwitch(options.partialJson, "options.partialJson", false),
        api: readApi(options.api),
        agent: readAgent(options.agent, "options.agent"),
        limits: readLimits(options.limits),
        loopDetector: readLoopDetector(options.loopDetector),
        text: readTextSearch(options.textToolCalls, options.reasoningTags, "options.textToolCalls"),
      })
    : "";
}, "The options");

/**
 * Reads whether only the first text block counts, and the index of the vectors' form. `others` are the names of options
 * that are read elsewhere.
 */
export const readProcessOptions = checked(
  (/** @type {ProcessAsyncOptions | undefined} */ value, /** @type {readonly string[]} */ others) => {
    const options = openOptions(value, "options", ["textBlocks", "vectors", ...others]);
    const isFirstBlock = readWord(options.textBlocks, "options.textBlocks", ["all", "first"]) === 1;
    return /** @type {const} */ ([isFirstBlock, readWord(options.vectors, "options.vectors", ["array", "float32", "float64"])]);
  },
  "The options",
);
