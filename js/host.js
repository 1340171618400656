/** Functions that the WebAssembly module imports. Nothing else calls them. */

import { causeOf } from "./codec_faults.js";
import { CLASSES, RespoolError } from "./errors.js";
import { openMemory, readUnits } from "./memory.js";
import { forgetNames } from "./names.js";
import { RAW_JSON } from "./raw_json.js";

export { process } from "../pkg/wasm/respool.js";
export { panicked } from "./guard.js";
export { bytesOf, describe } from "./input.js";
export { readUnits } from "./memory.js";
export * from "./nodes.js";
export { writePlainJson } from "./plain_json.js";

/**
 * @param {string} code
 * @param {string} message
 * @param {string} [providerType]
 * @param {string} [providerCode]
 * @param {number} [status]
 * @param {string} [requestId]
 * @param {string} [customId]
 * @param {string} [json] result before the error, as JSON
 */
export function createError(code, message, providerType, providerCode, status, requestId, customId, json) {
  const partial = json === undefined ? undefined : JSON.parse(json);
  const details = { providerType, providerCode, status, requestId, customId, partial, cause: causeOf(code, message) };
  return new (CLASSES[code] ?? RespoolError)(code, message, details);
}

/** @param {WebAssembly.Memory} memory */
export function setMemory(memory) {
  openMemory(memory);
  forgetNames();
}

/**
 * Parses JSON that the module wrote.
 *
 * @param {Parameters<typeof readUnits>} layout
 */
export function parse(...layout) {
  return JSON.parse(readUnits(...layout));
}

/**
 * Returns a single item by itself, several as a list.
 *
 * @template T
 * @param {T[]} list
 */
export function oneOrList(list) {
  return list.length === 1 ? list[0] : list;
}

/** @param {string} json */
export function structured(json) {
  const value = JSON.parse(json);
  if (typeof value === "object" && value !== null) Object.defineProperty(value, RAW_JSON, { value: json });
  return value;
}
