/** Parses and repairs JSON text that a model wrote. */

/** @import { RepairedJson } from "../types/api.js" */

import { repairText } from "../../pkg/wasm/respool.js";
import { checked } from "../checked.js";
import { LimitError, OutputParseError } from "../errors.js";
import { quote } from "../input.js";
import { openOptions, readSwitch, refuse } from "../read_option.js";

/**
 * @param {unknown} text
 * @param {string} caller the name of the public function, for the message
 */
export function requireText(text, caller) {
  return typeof text === "string" ? text : refuse(`${caller}() expects a string, not ${quote(text)}`);
}

/** Reads the option `repair`. `others` are the names of options that are read elsewhere. */
export const readRepair = checked(
  (/** @type {{ repair?: boolean } | null | undefined} */ options, /** @type {readonly string[]} */ others = []) =>
    readSwitch(openOptions(options, "options", ["repair", ...others]).repair, "options.repair", false),
  "The options",
);

/**
 * Parses JSON; undefined if it is invalid. `__proto__` is an ordinary key, and the last value of a duplicate key wins.
 *
 * @param {string} json
 * @returns {unknown}
 */
export function parse(json) {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // no JSON text has the value undefined
    throw new LimitError("limit-exceeded", "The JSON is too large or nested too deeply for this engine", { cause: error });
  }
}

/**
 * Parses JSON text, and with `repairs` also text that is nearly JSON.
 *
 * @param {string} text
 * @param {boolean} repairs
 * @param {string} problem the start of the error message
 * @param {object} [details] properties of the error
 * @returns {RepairedJson}
 */
export function readJson(text, repairs, problem, details) {
  const value = parse(text);
  if (value !== undefined) return { value, json: text, repair: "direct", status: "complete" };
  const [repair, isComplete, json] = JSON.parse(repairText(text, !repairs));
  // If there is no JSON, the first item is the error.
  if (json === undefined) throw new OutputParseError("invalid-json", `${problem}: ${repair}`, { ...details, text });
  return { value: parse(json), json, repair, status: isComplete ? "complete" : "truncated" };
}

/**
 * @param {string} text
 * @returns {RepairedJson}
 */
export function repairJson(text) {
  return readJson(requireText(text, "repairJson"), true, "The text contains no JSON that can be repaired");
}
