/** What users set, checked, and in the numbers and words in which the module takes it. */

import { RespoolError } from "./errors.js";
import { describe } from "./input.js";

function refuse(message) {
  throw new RespoolError("invalid-option", message);
}

const wrong = (path, expected) => refuse(`${path} must be ${expected}`);

const isSet = (value) => value !== undefined && value !== null;

/** An object with options; an empty one where there is none. A name that is misspelt would be ignored: it is an error. */
function open(options, path, names) {
  if (!isSet(options)) return {};
  if (typeof options !== "object" || Array.isArray(options)) wrong(path, `an object, not ${describe(options)}`);
  for (const name of Object.keys(options)) {
    if (options[name] !== undefined && !names.includes(name)) refuse(`${path} has no ${name}; there are ${names.join(", ")}`);
  }
  return options;
}

/** Whether a switch is on. */
function readSwitch(options, name, otherwise) {
  const value = options[name] ?? otherwise;
  return typeof value === "boolean" ? value : wrong(`options.${name}`, "true or false");
}

/** Which one of several words it is; the first one where there is none. */
function readWord(options, name, words) {
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
    const isRight = limit > 0 && (Number.isInteger(limit) || limit === Infinity);
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

const STREAM_OPTIONS = ["api", "agent", "limits", "coalesce", "templates", "partialJson"];

/** For the constructor of Accumulator. */
export function readStreamOptions(options) {
  const given = open(options, "options", STREAM_OPTIONS);
  const switches = [readSwitch(given, "coalesce", true), readSwitch(given, "templates", true), readSwitch(given, "partialJson", false)];
  const api = readApi(given);
  const [provider, apiType, expectsJson] = readAgent(given.agent);
  const bits = [expectsJson, ...switches].reduce((sum, isOn, bit) => sum | (Number(isOn) << bit), 0);
  return [api, provider, apiType, bits, readLimits(given.limits)];
}

/** For process: whether only the first block of text counts, and the form of vectors. */
export function readProcessOptions(options) {
  const given = open(options, "options", ["textBlocks", "vectors"]);
  return [readWord(given, "textBlocks", ["all", "first"]) === 1, readWord(given, "vectors", ["array", "float32", "float64"])];
}

/** For the constructor of LineReader. */
export function readBatchOptions(options) {
  const given = open(options, "options", ["api", "agent", "whole"]);
  return [readApi(given), ...readAgent(given.agent), readSwitch(given, "whole", false)];
}
