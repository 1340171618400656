/** Bytes in messages of Converse: AWS's SDK requires byte arrays, and JSON requires base64. */

/** @import { Json } from "./response.js" */

import { bytesOf } from "../../base64.js";
import { isObject } from "./response.js";

/** Names of fields that contain bytes. */
const BYTES = ["bytes", "redactedContent"];

/** Names of fields that contain the tools' own values. */
const VALUES = ["input", "json"];

/**
 * Decodes base64 to bytes that `JSON.stringify` writes in base64. Text that isn't base64 is returned unchanged.
 *
 * @param {string} base64
 */
export function bytesFrom(base64) {
  try {
    const bytes = new Uint8Array(bytesOf(base64));
    return Object.defineProperty(bytes, "toJSON", { value: () => base64 });
  } catch {
    return base64;
  }
}

/**
 * Returns a block with its base64 fields decoded to bytes.
 *
 * @param {Json} block
 * @returns {Json}
 */
export const withBytes = (block) =>
  Object.fromEntries(
    Object.entries(block).map(([name, value]) => [name, VALUES.includes(name) ? value : converted(name, value)]),
  );

/** @type {(name: string, value: unknown) => unknown} */
function converted(name, value) {
  if (typeof value === "string") return BYTES.includes(name) ? bytesFrom(value) : value;
  if (Array.isArray(value)) return value.map((item) => converted("", item));
  return isObject(value) ? withBytes(value) : value;
}
