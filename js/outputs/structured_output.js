/** Parses and validates text that is JSON. */

/** @import { StandardSchema, StructuredOutputAsyncOptions, StructuredOutputOptions } from "../types/api.js" */
/** @import { Validator } from "./validate.js" */

import { awaitInput, orAbort, settling } from "../abort.js";
import { checked } from "../checked.js";
import { OutputParseError } from "../errors.js";
import { copyOptions, openOptions, readSignal, refusePromise } from "../read_option.js";
import { RAW_JSON } from "../raw_json.js";
import { readJson, readRepair, requireText } from "./json_text.js";
import { validate } from "./validate.js";

const PROBLEM = "Invalid JSON in the output";

/**
 * @template {StandardSchema<unknown, unknown>} Schema
 * @overload
 * @param {string} text
 * @param {Schema} schema
 * @param {StructuredOutputOptions} [options]
 * @returns {import("../types/api.js").SchemaOutput<Schema>}
 */
/**
 * @template T
 * @overload
 * @param {string} text
 * @param {(value: unknown) => T} validator
 * @param {StructuredOutputOptions} [options]
 * @returns {T}
 */
/**
 * @overload
 * @param {string} text
 * @param {undefined} [schema]
 * @param {StructuredOutputOptions} [options]
 * @returns {unknown}
 */
/**
 * @param {string} text
 * @param {Validator} [schema]
 * @param {StructuredOutputOptions} [options]
 * @returns {unknown}
 */
export function parseStructuredOutput(text, schema, options) {
  return requireSync(validate(schema, readOutput(text, readRepair(options))), "parseStructuredOutputAsync");
}

/**
 * @template {StandardSchema<unknown, unknown>} Schema
 * @overload
 * @param {string | PromiseLike<string>} text
 * @param {Schema} schema
 * @param {StructuredOutputAsyncOptions} [options]
 * @returns {Promise<import("../types/api.js").SchemaOutput<Schema>>}
 */
/**
 * @template T
 * @overload
 * @param {string | PromiseLike<string>} text
 * @param {(value: unknown) => T | PromiseLike<T>} validator
 * @param {StructuredOutputAsyncOptions} [options]
 * @returns {Promise<T>}
 */
/**
 * @overload
 * @param {string | PromiseLike<string>} text
 * @param {undefined} [schema]
 * @param {StructuredOutputAsyncOptions} [options]
 * @returns {Promise<unknown>}
 */
/**
 * @param {string | PromiseLike<string>} text
 * @param {Validator} [schema]
 * @param {StructuredOutputAsyncOptions} [options]
 * @returns {Promise<unknown>}
 */
export async function parseStructuredOutputAsync(text, schema, options) {
  const pending = settling(text);
  const signal = readSignal(options);
  const repairs = readRepair(options, ["signal"]);
  signal?.throwIfAborted();
  const value = readOutput(await awaitInput(pending, signal), repairs);
  return orAbort(validate(schema, value), signal);
}

/**
 * @template {StandardSchema<unknown, unknown>} Schema
 * @overload
 * @param {unknown} result
 * @param {Schema} schema
 * @returns {import("../types/api.js").SchemaOutput<Schema>}
 */
/**
 * @template T
 * @overload
 * @param {unknown} result
 * @param {(value: unknown, json?: string) => T} validator
 * @returns {T}
 */
/**
 * @overload
 * @param {unknown} result
 * @param {undefined} [validator]
 * @returns {unknown}
 */
/**
 * @param {unknown} result
 * @param {Validator} [validator]
 * @returns {unknown}
 */
export function cast(result, validator) {
  return requireSync(castWith(result, validator), "castAsync");
}

/**
 * @template {StandardSchema<unknown, unknown>} Schema
 * @overload
 * @param {unknown} result
 * @param {Schema} schema
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<import("../types/api.js").SchemaOutput<Schema>>}
 */
/**
 * @template T
 * @overload
 * @param {unknown} result
 * @param {(value: unknown, json?: string) => T | PromiseLike<T>} validator
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<T>}
 */
/**
 * @overload
 * @param {unknown} result
 * @param {undefined} [validator]
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<unknown>}
 */
/**
 * @param {unknown} result
 * @param {Validator} [validator]
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<unknown>}
 */
export async function castAsync(result, validator, options) {
  const pending = settling(result);
  const signal = readSignal(openOptions(copyOptions(options), "options", ["signal"]));
  signal?.throwIfAborted();
  return orAbort(castWith(await awaitInput(pending, signal), validator), signal);
}

/**
 * Returns the JSON text of an object or array that process returned, or of a string that contains either. Any other
 * string is a value itself.
 */
const jsonOf = checked((/** @type {unknown} */ result) => {
  if (typeof result === "string") return /^\s*[[{]/.test(result) ? result : undefined;
  return /** @type {{ [RAW_JSON]?: string } | null | undefined} */ (result)?.[RAW_JSON];
}, "The result");

/**
 * @param {unknown} result
 * @param {Validator | undefined} validator
 */
function castWith(result, validator) {
  const json = jsonOf(result);
  // Tool calls, vectors and scalars are validated unchanged.
  if (json === undefined) return validate(validator, result);
  return validate(validator, readJson(json, false, PROBLEM).value, json);
}

/**
 * @param {unknown} text
 * @param {boolean} repairs
 */
function readOutput(text, repairs) {
  const json = requireText(text, "parseStructuredOutput");
  const { value, status } = readJson(json, repairs, PROBLEM);
  if (status === "complete") return value;
  const message = "The output ends before its JSON does; repairJson returns the value so far";
  throw new OutputParseError("truncated-json", message, { text });
}

/**
 * @param {unknown} value
 * @param {string} alternative the function that accepts promises
 */
const requireSync = (value, alternative) => refusePromise(value, `The validator returned a promise; use ${alternative}`);
