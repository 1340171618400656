/** What users set, checked, and in the numbers and words in which the module takes it. */

import { checked } from "./checked.js";
import { RespoolError } from "./errors.js";
import { describe } from "./input.js";

export function refuse(message) {
  throw new RespoolError("invalid-option", message);
}

export const wrong = (path, expected) => refuse(`${path} must be ${expected}`);

export const isSet = (value) => value !== undefined && value !== null;

/** An object with options; an empty one where there is none. A name that is misspelt would be ignored: it is an error. */
export function open(options, path, names) {
  if (!isSet(options)) return {};
  if (typeof options !== "object" || Array.isArray(options)) wrong(path, `an object, not ${describe(options)}`);
  for (const name of Object.keys(options)) {
    if (options[name] !== undefined && !names.includes(name)) refuse(`${path} has no ${name}; there are ${names.join(", ")}`);
  }
  return options;
}

/** A copy of options that others check. */
export const copyOptions = checked((options) => {
  if (isSet(options) && (typeof options !== "object" || Array.isArray(options)))
    wrong("options", `an object, not ${describe(options)}`);
  return { ...options };
}, "the options");

/** The signal of options; undefined where there is none. */
export const readSignal = checked((options) => {
  const signal = options?.signal ?? undefined;
  const isRight = signal === undefined || (typeof signal.throwIfAborted === "function" && typeof signal.aborted === "boolean");
  return isRight ? signal : wrong("options.signal", "an AbortSignal");
}, "the options");

/** Whether a switch is on. */
export function readSwitch(options, name, otherwise, path = "options") {
  const value = options[name] ?? otherwise;
  return typeof value === "boolean" ? value : wrong(`${path}.${name}`, "true or false");
}

/** Which one of several words it is; the first one where there is none. */
export function readWord(options, name, words) {
  const nth = words.indexOf(options[name] ?? words[0]);
  return nth < 0 ? wrong(`options.${name}`, `one of ${words.join(", ")}`) : nth;
}

/** The limits in the order of the module, which has addresses of 32 bits; 0 for its default. */
const LIMITS = ["maxEventBytes", "maxTotalBytes", "maxToolCalls", "maxChoices", "maxDepth"];

function readLimits(limits) {
  const given = open(limits, "options.limits", LIMITS);
  return Uint32Array.from(LIMITS, (name) => {
    if (!isSet(given[name])) return 0;
    const limit = typeof given[name] === "bigint" ? Number(given[name]) : given[name];
    const isRight = typeof limit === "number" && limit > 0 && (Number.isInteger(limit) || limit === Infinity);
    return isRight ? Math.min(limit, 0xffffffff) : wrong(`options.limits.${name}`, "a whole number above 0");
  });
}

/** The name of the interface; undefined where it is to be found out. */
function readApi({ api }) {
  if (isSet(api) && (typeof api !== "string" || api === "")) wrong("options.api", 'the name of an interface, or "auto"');
  return isSet(api) && api !== "auto" ? api : undefined;
}

/** What is known about the request: the provider, the kind of interface, and whether the text is to be JSON. */
export function readAgent(agent) {
  try {
    const { provider, apiType } = agent?.model ?? {};
    return [filledText(provider), filledText(apiType), isFilled(agent?.outputs)];
  } catch {
    // It only breaks ties: what cannot be read is not known.
    return [undefined, undefined, false];
  }
}

const filledText = (value) => (typeof value === "string" && value !== "" ? value : undefined);

/** Whether a value says anything: not `false`, `""`, `0`, `[]` or `{}`. */
function isFilled(value) {
  if (typeof value === "function" || typeof value === "symbol") return false;
  if (typeof value !== "object" || value === null) return Boolean(value) || Number.isNaN(value);
  if (Array.isArray(value)) return value.length > 0;
  return Object.values(value).some((member) => member !== undefined);
}

/** A whole number of a range. */
function readCount(value, name, least, most) {
  const isRight = Number.isInteger(value) && value >= least && value <= most;
  return isRight ? value : wrong(name, `a whole number from ${least} to ${most}`);
}

/** What counts as a loop: how many lines, whether phrases do, and the tiers in pairs, the longest first. */
export const readLoopOptions = checked((options, path) => {
  const given = open(options, path, ["tiers", "blockLines", "phrases"]);
  const tiers = given.tiers ?? [];
  const isList = Array.isArray(tiers) && tiers.length <= 8 && (!given.tiers || tiers.length > 0);
  if (!isList) wrong(`${path}.tiers`, "a list of 1 to 8 { length, repeats }");
  const pairs = tiers.map((tier, at) => {
    const { length, repeats } = open(tier, `${path}.tiers[${at}]`, ["length", "repeats"]);
    return [
      readCount(length, `${path}.tiers[${at}].length`, 0, 0xffffffff),
      readCount(repeats, `${path}.tiers[${at}].repeats`, 2, 0xffffffff),
    ];
  });
  pairs.sort(([one], [other]) => other - one);
  const phrases = Number(readSwitch(given, "phrases", true, path));
  return Uint32Array.from([readCount(given.blockLines ?? 8, `${path}.blockLines`, 1, 8), phrases, ...pairs.flat()]);
}, "the options");

function readLoopDetector({ loopDetector }) {
  if (!isSet(loopDetector) || loopDetector === false) return new Uint32Array();
  return readLoopOptions(loopDetector === true ? undefined : loopDetector, "options.loopDetector");
}

const TEXT_TOOL_CALLS = ["tools", "formats"];
// Nobody has so many; a list can say that it is longer than memory.
const MAX_NAMES = 100;
const MAX_TOOLS = 10_000;

/** What is looked for in text, as JSON; undefined where nothing is. */
function textOptions(calls, reasoningTags, path) {
  const { tools, formats = "auto" } = open(calls, path, TEXT_TOOL_CALLS);
  if (isSet(calls) && !Array.isArray(tools)) wrong(`${path}.tools`, `a list of tool definitions, not ${describe(tools)}`);
  const { tags = true, open: isOpen = false } =
    typeof reasoningTags === "object" && !Array.isArray(reasoningTags)
      ? open(reasoningTags, "options.reasoningTags", ["tags", "open"])
      : { tags: reasoningTags ?? false };
  const names = (list, path) => {
    const all = Array.isArray(list) ? list : [list];
    const areNames = all.length <= MAX_NAMES && Array.from(all).every((name) => typeof name === "string" && name !== "");
    return areNames ? all : wrong(path, `a name, or a list of at most ${MAX_NAMES} names`);
  };
  if (typeof isOpen !== "boolean") wrong("options.reasoningTags.open", "true or false");
  if (tools?.length > MAX_TOOLS) wrong(`${path}.tools`, `a list of at most ${MAX_TOOLS} tools`);
  const found = {
    tools: tools ?? [],
    formats: isSet(calls) ? names(formats, `${path}.formats`) : [],
    tags: typeof tags === "boolean" ? (tags ? ["*"] : []) : names(tags, "options.reasoningTags"),
    open: isOpen,
  };
  return isSet(calls) || found.tags.length > 0 ? JSON.stringify(found) : undefined;
}

/** For extractToolCalls. */
export const readTextOptions = checked((options) => {
  const { reasoningTags, ...calls } = open(options, "options", [...TEXT_TOOL_CALLS, "reasoningTags"]);
  return textOptions(calls, reasoningTags, "options");
}, "the options");

const STREAM_OPTIONS = [
  ...["api", "agent", "limits", "coalesce", "templates", "partialJson", "loopDetector"],
  ...["textToolCalls", "reasoningTags"],
];

/**
 * `given` is for the constructor of Accumulator. `mayWait`: what becomes known of partial JSON, and of loops, only the
 * module can tell, at once.
 */
export const readStreamOptions = checked((options) => {
  const given = open(options, "options", STREAM_OPTIONS);
  const switches = [
    readSwitch(given, "coalesce", true),
    readSwitch(given, "templates", true),
    readSwitch(given, "partialJson", false),
  ];
  const api = readApi(given);
  const [provider, apiType, expectsJson] = readAgent(given.agent);
  const bits = [expectsJson, ...switches].reduce((sum, isOn, bit) => sum | (Number(isOn) << bit), 0);
  const [, hasTemplates, isPartial] = switches;
  const loops = readLoopDetector(given);
  const text = textOptions(given.textToolCalls, given.reasoningTags, "options.textToolCalls");
  const mayWait = !isPartial && loops.length === 0;
  return { given: [api, provider, apiType, bits, readLimits(given.limits), loops, text], hasTemplates, mayWait };
}, "the options");

/** For process: whether only the first block of text counts, and the form of vectors. `others`: what others read. */
export const readProcessOptions = checked((options, others = []) => {
  const given = open(options, "options", ["textBlocks", "vectors", ...others]);
  return [readWord(given, "textBlocks", ["all", "first"]) === 1, readWord(given, "vectors", ["array", "float32", "float64"])];
}, "the options");
