/** Validates user options and encodes them as the numbers and words that the module takes. */

/** @import { Agent, Limits, LoopDetectorOptions, ProcessAsyncOptions, ReasoningTags, StreamAccumulatorOptions, TextToolCalls } from "respool" */

import { checked } from "./checked.js";
import { RespoolError } from "./errors.js";
import { quote } from "./input.js";
import { unknownName } from "./near_match.js";

/**
 * @param {string} message
 * @returns {never}
 */
export function refuse(message) {
  throw new RespoolError("invalid-option", message);
}

/**
 * @param {string} path of the option, for example "options.limits.maxDepth"
 * @param {string} expected
 * @param {unknown} value the value that came instead
 * @returns {never}
 */
export const refuseValue = (path, expected, value) => refuse(`${path} must be ${expected}, not ${quote(value)}`);

/**
 * @template T
 * @param {T} value
 * @returns {value is NonNullable<T>}
 */
export const isSet = (value) => value !== undefined && value !== null;

/**
 * An object; undefined if it isn't set. Text and lists would be spread by their indices.
 *
 * @template {object} T
 * @param {T | null | undefined} value
 * @param {string} path
 * @param {string} [expected]
 */
export function readObject(value, path, expected = "an object") {
  if (!isSet(value)) return undefined;
  return typeof value === "object" && !Array.isArray(value) ? value : refuseValue(path, expected, value);
}

/** What an option takes that is on, off, or on with options. */
export const SWITCH_OR_OPTIONS = "true, false or an object";

/**
 * Checks an object of options; `{}` if there is none. A misspelled name would silently be ignored, so it is an error.
 *
 * @template {object} Options
 * @param {Options | null | undefined} options
 * @param {string} path
 * @param {readonly string[]} names
 * @param {string} [expected]
 * @returns {Partial<Options>}
 */
export function openOptions(options, path, names, expected) {
  if (readObject(options, path, expected) === undefined) return {};
  for (const [name, value] of Object.entries(/** @type {Options} */ (options))) {
    if (value !== undefined && !names.includes(name)) {
      refuse(unknownName("option", name, names, `${path}.`.replace(/^options\./, "")));
    }
  }
  return /** @type {Options} */ (options);
}

/**
 * A copy of options that are validated elsewhere.
 *
 * @type {<Options extends object>(options: Options | null | undefined) => Options | Partial<Options>}
 */
export const copyOptions = checked((options) => ({ ...readObject(options, "options") }), "the options");

/** The signal among the options, if there is one. */
export const readSignal = checked((/** @type {{ signal?: AbortSignal | undefined } | null | undefined} */ options) => {
  const signal = options?.signal ?? undefined;
  const isSignal = signal === undefined || (typeof signal.throwIfAborted === "function" && typeof signal.aborted === "boolean");
  return isSignal ? signal : refuseValue("options.signal", "an AbortSignal", signal);
}, "the options");

/**
 * @param {unknown} value
 * @param {string} path
 * @param {boolean} fallback
 */
export function readSwitch(value, path, fallback) {
  const isOn = value ?? fallback;
  return typeof isOn === "boolean" ? isOn : refuseValue(path, "true or false", isOn);
}

/**
 * The index of a word in a list; 0 if it isn't set.
 *
 * @param {unknown} value
 * @param {string} path
 * @param {readonly string[]} words
 */
export function readWord(value, path, words) {
  const index = words.findIndex((word) => word === (value ?? words[0]));
  return index < 0 ? refuseValue(path, `one of ${words.join(", ")}`, value) : index;
}

/**
 * @template {(...args: never[]) => unknown} F
 * @param {F | null | undefined} value
 * @param {string} path
 * @returns {F | undefined}
 */
export function readFunction(value, path) {
  if (!isSet(value)) return undefined;
  return typeof value === "function" ? value : refuseValue(path, "a function", value);
}

/** The largest number that the module takes: it counts with 32 bits. */
const MAX_COUNT = 0xffffffff;

/**
 * @param {unknown} value
 * @param {string} path
 * @param {number} least
 * @param {number} most
 */
export function readCount(value, path, least, most = MAX_COUNT) {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  return refuseValue(
    path,
    most === MAX_COUNT ? `a whole number, ${least} or more` : `a whole number from ${least} to ${most}`,
    value,
  );
}

/** In the order that the module expects. */
const LIMITS = /** @type {const} */ (["maxEventBytes", "maxTotalBytes", "maxToolCalls", "maxChoices", "maxDepth"]);

/**
 * The limits as the module takes them; 0 stands for its default.
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
 * The name of the interface; undefined if it is to be detected.
 *
 * @param {unknown} api
 */
function readApi(api) {
  if (!isSet(api) || api === "auto") return undefined;
  return typeof api === "string" && api !== "" ? api : refuseValue("options.api", 'the name of an interface, or "auto"', api);
}

/**
 * The provider and the kind of interface that were asked, and whether the text is expected to be JSON.
 *
 * @typedef {{ provider?: string | undefined, apiType?: string | undefined, expectsJson: boolean }} AgentSettings
 */

/**
 * What the agent says; undefined if nothing.
 *
 * @param {Agent | null | undefined} agent
 * @returns {AgentSettings | undefined}
 */
export function readAgent(agent) {
  try {
    const { provider, apiType } = agent?.model ?? {};
    const settings = { provider: nonEmptyText(provider), apiType: nonEmptyText(apiType), expectsJson: isFilled(agent?.outputs) };
    return settings.provider || settings.apiType || settings.expectsJson ? settings : undefined;
  } catch {
    return undefined; // the agent only breaks ties, so one that can't be read is ignored
  }
}

/**
 * Settings as the module takes them: JSON; empty if there are none.
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

/** The thresholds of the loop detector: lines in a block, whether phrases count, then the tiers in pairs, longest first. */
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
  "the options",
);

/** @param {boolean | LoopDetectorOptions | null | undefined} value */
function readLoopDetector(value) {
  if (!isSet(value) || value === false) return undefined;
  return readLoopOptions(value === true ? undefined : value, "options.loopDetector");
}

const TEXT_TOOL_CALLS = ["tools", "formats"];

/** The names of the options of a search in text. */
export const TEXT_SEARCH_OPTIONS = [...TEXT_TOOL_CALLS, "reasoningTags"];
// Far more than anybody has. Without a limit a sparse array could claim to be longer than memory.
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
  const { tags = true, open = false } = isObject
    ? openOptions(/** @type {Extract<ReasoningTags, { open?: boolean }>} */ (value), "options.reasoningTags", ["tags", "open"])
    : { tags: value ?? false };
  if (typeof open !== "boolean") refuseValue("options.reasoningTags.open", "true or false", open);
  if (typeof tags === "boolean") return { tags: tags ? ["*"] : [], open };
  return { tags: readNames(tags, "options.reasoningTags", ", or true, false or { tags, open }"), open };
}

/**
 * What to look for in text; undefined if nothing.
 *
 * @param {Partial<TextToolCalls> | null | undefined} calls
 * @param {ReasoningTags | null | undefined} reasoningTags
 * @param {string} path
 */
function readTextSearch(calls, reasoningTags, path) {
  const { tools, formats = "auto" } = openOptions(calls, path, TEXT_TOOL_CALLS);
  if (isSet(calls) && tools !== "any" && !Array.isArray(tools)) {
    refuseValue(`${path}.tools`, 'a list of tool definitions or "any"', tools);
  }
  if (tools && tools.length > MAX_TOOLS)
    refuse(`${path}.tools must be a list of at most ${MAX_TOOLS} tools, not ${tools.length}`);
  const search = {
    tools: tools ?? [],
    formats: isSet(calls) ? readNames(formats, `${path}.formats`) : [],
    ...readReasoningTags(reasoningTags),
  };
  return isSet(calls) || search.tags.length > 0 ? search : undefined;
}

/** The options of extractToolCalls as the module takes them. */
export const readTextOptions = checked((/** @type {TextToolCalls & { reasoningTags?: ReasoningTags }} */ options) => {
  const { reasoningTags, ...calls } = openOptions(options, "options", TEXT_SEARCH_OPTIONS);
  return toJson(readTextSearch(calls, reasoningTags, "options"));
}, "the options");

/** The options of an accumulator, in the order that the module compares them in: see src/wasm/accumulator.rs. */
const COMPARED = [
  ...["api", "agent", "coalesce", "templates", "partialJson", "loopDetector", "textToolCalls", "reasoningTags"],
  ...LIMITS.map((name) => `limits.${name}`),
];

/** The names of the options of an accumulator. */
export const STREAM_OPTIONS = [...COMPARED.slice(0, -LIMITS.length), "limits"];

/** The names of the options of a stream that is read from a source. */
export const SOURCE_OPTIONS = [...STREAM_OPTIONS, "signal", "throwOnError"];

/**
 * The options that are set, each with the number by which the module compares it.
 *
 * @type {(options: StreamAccumulatorOptions | null | undefined) => { name: string, number: number }[]}
 */
export const setOptions = checked((options) => {
  const set = /** @type {Record<string, unknown>} */ ({ ...options });
  for (const [name, value] of Object.entries(options?.limits ?? {})) set[`limits.${name}`] = value;
  const named = COMPARED.map((name, number) => ({ name, number }));
  return named.filter(({ name }) => isSet(set[name]) && set[name] !== "auto");
}, "the options");

/**
 * Refuses options that are set and aren't those of the stream that was saved.
 *
 * @param {readonly { name: string, number: number }[]} set
 * @param {(number: number) => boolean} isSame
 */
export function refuseOthers(set, isSame) {
  const { name } = set.find(({ number }) => !isSame(number)) ?? {};
  if (name) refuse(`options.${name} isn't what the stream was saved with: leave it out, or set it as it was`);
}

/** The options of a stream as the module takes them. */
export const readStreamOptions = checked((/** @type {StreamAccumulatorOptions | null | undefined} */ value) => {
  const options = openOptions(value, "options", STREAM_OPTIONS);
  return isSet(value)
    ? toJson({
        coalesce: readSwitch(options.coalesce, "options.coalesce", true),
        templates: readSwitch(options.templates, "options.templates", true),
        partialJson: readSwitch(options.partialJson, "options.partialJson", false),
        api: readApi(options.api),
        agent: readAgent(options.agent),
        limits: readLimits(options.limits),
        loopDetector: readLoopDetector(options.loopDetector),
        text: readTextSearch(options.textToolCalls, options.reasoningTags, "options.textToolCalls"),
      })
    : "";
}, "the options");

/**
 * Whether only the first block of text counts, and the index of the form of vectors. `others` are options that are read
 * elsewhere.
 */
export const readProcessOptions = checked(
  (/** @type {ProcessAsyncOptions | undefined} */ value, /** @type {readonly string[]} */ others) => {
    const options = openOptions(value, "options", ["textBlocks", "vectors", ...others]);
    const isFirstBlock = readWord(options.textBlocks, "options.textBlocks", ["all", "first"]) === 1;
    return /** @type {const} */ ([isFirstBlock, readWord(options.vectors, "options.vectors", ["array", "float32", "float64"])]);
  },
  "the options",
);
