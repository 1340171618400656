/** Reads the bytes of values that users pass, and describes the values in messages. */

import { textEncoder } from "./encoding.js";

const TypedArray = Object.getPrototypeOf(Uint8Array.prototype);
/** @type {(name: PropertyKey) => () => unknown} */
const getterOf = (name) => /** @type {{ get: () => unknown }} */ (Object.getOwnPropertyDescriptor(TypedArray, name)).get;
const lengthOf = /** @type {() => number} */ (getterOf("length"));
/**
 * Returns the class of a typed array of any realm; undefined for anything else. With Jest, `fetch` returns arrays of
 * another realm.
 */
const classOf = getterOf(Symbol.toStringTag);

/**
 * Returns the number of bytes in a Uint8Array, even if a subclass overrides `length`; undefined for anything else,
 * including a proxy of one.
 *
 * @param {unknown} value
 */
export function sizeOf(value) {
  return classOf.call(value) === "Uint8Array" ? lengthOf.call(value) : undefined;
}

/**
 * Whether a value is an ArrayBuffer or a SharedArrayBuffer, of any realm.
 *
 * @param {unknown} value
 * @returns {value is ArrayBuffer}
 */
const isBuffer = (value) =>
  value instanceof ArrayBuffer || /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));

/**
 * Returns the bytes of an ArrayBuffer or a view, and with `acceptText` of a string; undefined for anything else. Never
 * throws: a proxy may throw on any access, and a detached buffer has no bytes.
 *
 * @param {unknown} value
 * @param {boolean} [acceptText]
 * @returns {Uint8Array | undefined}
 */
export function bytesOf(value, acceptText) {
  try {
    const size = sizeOf(value);
    if (size !== undefined) {
      const { buffer, byteOffset } = /** @type {Uint8Array} */ (value);
      return size === 0 ? new Uint8Array() : new Uint8Array(buffer, byteOffset, size);
    }
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    if (isBuffer(value)) return new Uint8Array(value);
  } catch {
    return undefined;
  }
  return acceptText && typeof value === "string" ? textEncoder().encode(value) : undefined;
}

/**
 * @param {unknown} value
 * @returns {value is import("./types/api.js").Bytes}
 */
export function isBytes(value) {
  try {
    return ArrayBuffer.isView(value) || isBuffer(value);
  } catch {
    return false; // a proxy
  }
}

/**
 * Returns the kind of a value, for messages: `an object`, `a string`.
 *
 * @param {unknown} value
 */
export function describe(value) {
  if (value === null || value === undefined) return String(value);
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Maximum length of a quoted string, in code units. */
const MAX_QUOTED = 80;

/**
 * Quotes a value in a message: text and numbers literally, anything else by its kind.
 *
 * @param {unknown} value
 */
export function quote(value) {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return JSON.stringify(value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED)}…` : value);
  try {
    return Array.isArray(value) ? "an array" : describe(value);
  } catch {
    return describe(value); // a revoked proxy
  }
}
