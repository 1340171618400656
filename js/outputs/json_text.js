/** JSON text that a model wrote. */

import { repairText } from "../../pkg/wasm/respool.js";
import { checked } from "../checked.js";
import { LimitError, OutputParseError } from "../errors.js";
import { describe } from "../input.js";
import { readSwitch, refuse } from "../options.js";

/** The text, which has to be a string. */
export function requireText(text, of) {
  if (typeof text === "string") return text;
  return refuse(`${of} takes a string, not ${describe(text)}`);
}

/** Whether text that is nearly JSON is to be repaired. */
export const readRepair = checked((options) => readSwitch(options ?? {}, "repair", false), "the options");

/** JSON.parse: names of members are plain data, and of those that come twice the last one counts. */
export function parse(json) {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // no JSON text has this value
    throw new LimitError("limit-exceeded", "the JSON is too large or nested too deeply for this engine", { cause: error });
  }
}

/**
 * The value of a text, and with `repairs` also of one that is nearly JSON: `repair` tells what it took, `status` whether
 * it is all.
 *
 * @throws OutputParseError `invalid-json`; `what` begins its message
 */
export function readJson(text, repairs, what, details) {
  const value = parse(text);
  if (value !== undefined) return { value, json: text, repair: "direct", status: "complete" };
  const [repair, isWhole, json] = JSON.parse(repairText(text, !repairs));
  // Alone it is what is wrong.
  if (json === undefined) throw new OutputParseError("invalid-json", `${what}: ${repair}`, { ...details, text });
  return { value: parse(json), json, repair, status: isWhole ? "complete" : "truncated" };
}

export function repairJson(text) {
  return readJson(requireText(text, "repairJson"), true, "Invalid JSON, and nothing to be made of it");
}
