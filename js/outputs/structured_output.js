/** Text that is JSON of a certain shape. */

import { arrived, orAbort } from "../abort.js";
import { checked } from "../checked.js";
import { OutputParseError } from "../errors.js";
import { readSignal, refuse } from "../options.js";
import { RAW_JSON } from "../raw_json.js";
import { readJson, readRepair, requireText } from "./json_text.js";
import { isLater, validate } from "./validate.js";

const WHAT = "Invalid JSON in the output";

export function parseStructuredOutput(text, schema, options) {
  return atOnce(validate(schema, readOutput(text, options)), "parseStructuredOutputAsync");
}

export async function parseStructuredOutputAsync(text, schema, options) {
  const signal = readSignal(options);
  signal?.throwIfAborted();
  const value = readOutput(await arrived(text, signal), options);
  return orAbort(validate(schema, value), signal);
}

export function cast(result, validator) {
  return atOnce(castWith(result, validator), "castAsync");
}

export async function castAsync(result, validator, options) {
  const signal = readSignal(options);
  signal?.throwIfAborted();
  return orAbort(castWith(await arrived(result, signal), validator), signal);
}

const jsonOf = checked((result) => (typeof result === "string" ? result : result?.[RAW_JSON]), "the result");

function castWith(result, validator) {
  const json = jsonOf(result);
  // Tool calls, vectors and scalars are what they are.
  if (json === undefined) return validate(validator, result);
  return validate(validator, readJson(json, false, WHAT).value, json);
}

function readOutput(text, options) {
  const { value, status } = readJson(requireText(text, "parseStructuredOutput"), readRepair(options), WHAT);
  if (status === "complete") return value;
  throw new OutputParseError("truncated-json", "The output ends before its JSON does; repairJson gives what is known of it", {
    text,
  });
}

function atOnce(value, instead) {
  if (!isLater(value)) return value;
  Promise.resolve(value).catch(() => {}); // nobody will see what becomes of it
  return refuse(`the validator gives a promise; use ${instead}`);
}
