/** The buffer for plain JSON, and functions that write names and scalars to it. */

import { textEncoder } from "./encoding.js";

/**
 * Maximum length in bytes for writing by hand, which is faster than `JSON.stringify`: that also requires checking first
 * that an object is plain.
 */
export const MAX_BYTES = 8192;

/** Returned instead of a length or an end offset. */
export const NOT_PLAIN = -1;
export const TOO_LONG = -2;

/** The buffer. The last value may end beyond the limit: up to six bytes per character, if all are escaped. */
export const text = new Uint8Array(8 * MAX_BYTES);

/** @param {string} ascii */
const bytesOf = (ascii) => Uint8Array.from(ascii, (character) => character.charCodeAt(0));

const [NULL, TRUE, FALSE] = /** @type {[Uint8Array, Uint8Array, Uint8Array]} */ (["null", "true", "false"].map(bytesOf));
const QUOTE = 0x22;
export const COMMA = 0x2c;
const ZERO = 0x30;
const BACKSLASH = 0x5c;

/**
 * Estimates the number of bytes that a value takes.
 *
 * @param {unknown} value
 */
export function lengthOf(value) {
  if (typeof value === "string") return value.length + 2;
  return typeof value === "number" ? digitsOf(value) : 4;
}

/** Returns the number of digits of a whole number. @param {number} number */
function digitsOf(number) {
  let count = 1;
  for (let rest = number; rest > 9 && count < 10; rest = (rest / 10) | 0) count += 1;
  return count;
}

/**
 * Writes a value that is neither an object nor an array, and returns its end offset.
 *
 * @param {unknown} value
 * @param {number} at
 */
export function writeScalar(value, at) {
  if (typeof value === "string") return writeString(value, at);
  if (at > MAX_BYTES) return TOO_LONG;
  if (typeof value === "number") return writeNumber(value, at);
  if (value === null) return copy(NULL, at);
  return typeof value === "boolean" ? copy(value ? TRUE : FALSE, at) : NOT_PLAIN;
}

/** Maximum length in characters for which writing ASCII by hand is faster than the encoder. */
const SHORT = 100;

/** Characters that must be escaped in a string, or that are valid only in pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them
const SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * @param {string} string
 * @param {number} at
 */
function writeString(string, at) {
  const { length } = string;
  if (at + length > MAX_BYTES) return TOO_LONG;
  if (length <= SHORT) {
    let to = at;
    text[to++] = QUOTE;
    let nth = 0;
    for (; nth < length; nth++) {
      const unit = string.charCodeAt(nth);
      if (unit < 0x20 || unit > 0x7f || unit === QUOTE || unit === BACKSLASH) break;
      text[to++] = unit;
    }
    if (nth === length) {
      text[to] = QUOTE;
      return to + 1;
    }
  }
  const json = SPECIAL.test(string) ? JSON.stringify(string) : `"${string}"`;
  return at + textEncoder().encodeInto(json, text.subarray(at)).written;
}

/**
 * @param {number} number
 * @param {number} at
 */
function writeNumber(number, at) {
  if (number - number !== 0) return NOT_PLAIN;
  // The number has more than 31 bits, a fraction or a sign.
  if ((number | 0) !== number || number < 0) return copy(bytesOf(`${number}`), at);
  const digits = digitsOf(number);
  let rest = number;
  for (let to = at + digits - 1; to >= at; to--) {
    const tenth = (rest / 10) | 0;
    text[to] = ZERO + rest - 10 * tenth;
    rest = tenth;
  }
  return at + digits;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} at
 */
export function copy(bytes, at) {
  for (let nth = 0; nth < bytes.length; nth++) text[at + nth] = /** @type {number} */ (bytes[nth]);
  return at + bytes.length;
}

/** Maximum number of cached names, and maximum length of one: tools choose the names of their arguments freely. */
const MAX_NAMES = 1000;
const MAX_NAME = 40;

/** Names as JSON with a colon. @type {Map<string, Uint8Array>} */
const names = new Map();

/** @param {string} key */
export function nameOf(key) {
  const known = names.get(key);
  if (known !== undefined) return known;
  const name = textEncoder().encode(`${JSON.stringify(key)}:`);
  if (names.size < MAX_NAMES && key.length <= MAX_NAME) names.set(key, name);
  return name;
}
