/** Validates the encode options, and encodes them for the module. */

/** @import { EncodeOptions, WireApi } from "../types/encode.js" */

import { checked } from "../checked.js";
import { quote } from "../input.js";
import { unknownName } from "../near_match.js";
import { STREAM_OPTIONS } from "../options.js";
import { copyOptions, isSet, openOptions, readCount, readSwitch, readWord, refuse, refuseValue } from "../read_option.js";
import { TARGETS } from "./targets.js";

/**
 * Reads the name of a target interface.
 *
 * @param {unknown} api
 * @param {string} what names the value in messages
 */
export function readTarget(api, what) {
  const names = TARGETS.join(", ");
  if (typeof api !== "string") refuse(`${what} must be the interface to write (${names}), not ${quote(api)}`);
  if (!TARGETS.includes(api)) refuse(unknownName("interface", api, TARGETS));
  return /** @type {WireApi} */ (api);
}

/** Names of the encode options, in the order in which the module numbers them: see src/wasm/encoder.rs. */
const ENCODE_OPTIONS = ["includeUsage", "model", "id", "inputTokens", "reasoning", "unsignedThinking", "customTools"];

/**
 * Copies the options of a translation. `others` are names besides those of reading and encoding.
 *
 * @template {object} Options
 * @param {Options} options
 * @param {readonly string[]} others
 */
export const openTranslation = (options, others) =>
  /** @type {Options} */ (openOptions(copyOptions(options), "options", [...others, ...ENCODE_OPTIONS, ...STREAM_OPTIONS]));

/** The first is the default. */
const KEEP_OR_DROP = /** @type {const} */ (["keep", "drop"]);

/** Reads the encode options as JSON. `others` are the names of options that are read elsewhere. */
export const readEncodeOptions = checked(
  (/** @type {EncodeOptions | null | undefined} */ value, /** @type {readonly string[]} */ others) => {
    const options = openOptions(value, "options", [...ENCODE_OPTIONS, ...others]);
    const { inputTokens } = options;
    return JSON.stringify({
      includeUsage: readSwitch(options.includeUsage, "options.includeUsage", false),
      model: readText(options.model, "options.model"),
      id: readText(options.id, "options.id"),
      inputTokens: isSet(inputTokens) ? readCount(inputTokens, "options.inputTokens", 0) : undefined,
      reasoning: KEEP_OR_DROP[readWord(options.reasoning, "options.reasoning", KEEP_OR_DROP)],
      unsignedThinking: KEEP_OR_DROP[readWord(options.unsignedThinking, "options.unsignedThinking", KEEP_OR_DROP)],
      customTools: readNames(options.customTools, "options.customTools"),
    });
  },
  "The options",
);

/**
 * Returns the encode options that are set, each with the number by which the module compares it.
 *
 * @param {EncodeOptions} options
 */
export function setEncodeOptions(options) {
  const named = ENCODE_OPTIONS.map((name, number) => ({ name, number }));
  return named.filter(({ name }) => isSet(Reflect.get(options, name)));
}

/**
 * @param {unknown} value
 * @param {string} path
 */
function readText(value, path) {
  if (!isSet(value)) return undefined;
  return typeof value === "string" && value !== "" ? value : refuseValue(path, "a text that isn't empty", value);
}

/**
 * @param {unknown} value
 * @param {string} path
 */
function readNames(value, path) {
  if (!isSet(value)) return undefined;
  const isList = Array.isArray(value) && value.every((name) => typeof name === "string");
  return isList ? value : refuseValue(path, "a list of names", value);
}

/**
 * Returns the options of reading, without the encode options.
 *
 * @template {object} Options
 * @param {Options} options
 * @returns {Partial<Options>}
 */
export function withoutEncodeOptions(options) {
  return /** @type {Partial<Options>} */ (
    Object.fromEntries(Object.entries(options).filter(([name]) => !ENCODE_OPTIONS.includes(name)))
  );
}
