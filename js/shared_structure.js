/** Structural sharing between values of JSON. */

import { setOwn } from "./own_property.js";

/** Values nested more deeply aren't compared, so that no value exhausts the stack. */
const MAX_DEPTH = 200;

/** @typedef {Record<string, unknown>} Container an object or an array */

/**
 * Replaces everything in `next` that equals its counterpart in `before` by that counterpart, and returns `before` if that
 * is all of it. Takes time linear in the size of `next`.
 *
 * @template Value
 * @param {Value} next
 * @param {unknown} before
 * @param {number} [depth]
 * @returns {Value}
 */
export function shareStructure(next, before, depth = 0) {
  if (next === before || !isContainer(next) || !isContainer(before)) return next;
  if (depth > MAX_DEPTH || Array.isArray(next) !== Array.isArray(before)) return next;
  const keys = Object.keys(next);
  let isSame = keys.length === Object.keys(before).length;
  for (const key of keys) {
    const known = Object.hasOwn(before, key) ? before[key] : undefined;
    const member = shareStructure(next[key], known, depth + 1);
    if (member !== next[key]) setOwn(next, key, member);
    isSame &&= member === known && Object.hasOwn(before, key);
  }
  return /** @type {Value} */ (isSame ? before : next);
}

/** @param {unknown} value @returns {value is Container} */
const isContainer = (value) => typeof value === "object" && value !== null;
