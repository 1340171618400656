/** What users hand over. */

import { textEncoder } from "./encoding.js";

const length = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "length").get;

/** How many bytes a Uint8Array has, whatever a class made of it says; undefined of all else, also of a proxy of one. */
export function sizeOf(value) {
  try {
    return value instanceof Uint8Array ? length.call(value) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The bytes of an ArrayBuffer or of a view of one, and of a string where that will do too. It does not throw: a proxy
 * may at each question, and what was detached has no bytes.
 */
export function bytesOf(value, orText) {
  try {
    const size = sizeOf(value);
    if (size !== undefined) return size === 0 ? new Uint8Array() : new Uint8Array(value.buffer, value.byteOffset, size);
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
  } catch {
    return undefined;
  }
  return orText && typeof value === "string" ? textEncoder().encode(value) : undefined;
}

/** What a value is, for messages. */
export function describe(value) {
  if (value === null || value === undefined) return String(value);
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
