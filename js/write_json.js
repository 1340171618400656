/** JSON of what a caller passes, which may have more than JSON can say. */

import { base64Of } from "./base64.js";
import { bytesOf, sizeOf } from "./input.js";

/** More items than any body in text form can have. A sparse array may claim to have four billion. */
const MAX_ITEMS = 2 ** 26;

/** @param {unknown} value @throws what `JSON.stringify` throws */
export const writeJson = (value) => JSON.stringify(value, toJson);

/** What can be written of a value that `JSON.stringify` refuses: without members that throw or lead back. @param {unknown} value */
export const writeReadableJson = (value) => stringifyReadable(value, new Set());

/**
 * Bytes in base64, as in the JSON of the services whose SDKs give them; undefined for anything else.
 *
 * @param {unknown} value
 */
export function base64In(value) {
  const bytes = sizeOf(value) === undefined ? undefined : bytesOf(value);
  return bytes && base64Of(bytes);
}

/**
 * JSON has no BigInt: it becomes a string, so that no digit is lost. Bytes become base64.
 *
 * @this {Record<string, unknown>}
 * @param {string} name
 * @param {unknown} value
 */
function toJson(name, value) {
  if (Array.isArray(value) && value.length > MAX_ITEMS) throw new Error(`an array of ${value.length} items`);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object") return value;
  return base64In(this[name]) ?? value; // a Buffer has written itself in another way
}

/**
 * @param {unknown} value
 * @param {Set<unknown>} seen each object is written once, so that the time doesn't explode
 * @returns {string | undefined}
 */
function stringifyReadable(value, seen) {
  try {
    return writeJson(value);
  } catch {
    // Others, such as sockets, are no data.
    const isData = seen.size === 0 || Array.isArray(value) || isPlainObject(value);
    if (!isData || seen.has(value)) return undefined;
  }
  seen.add(value);
  if (Array.isArray(value)) {
    if (value.length > MAX_ITEMS) return undefined;
    return `[${Array.from(value, (item) => stringifyReadable(item, seen) ?? "null").join()}]`;
  }
  const object = /** @type {Record<string, unknown>} */ (value);
  const members = Object.keys(object).map((name) => {
    const json = stringifyReadable(readMember(object, name), seen);
    return json === undefined ? [] : `${JSON.stringify(name)}:${json}`;
  });
  return `{${members.flat().join()}}`;
}

/** @param {unknown} value */
function isPlainObject(value) {
  const prototype = typeof value === "object" && value !== null && Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/**
 * @param {Record<string, unknown>} object
 * @param {string} name
 */
function readMember(object, name) {
  try {
    return object[name];
  } catch {
    return undefined;
  }
}
