/** Structural sharing between JSON values. */

import { setOwn } from "./own_property.js";

/** Maximum depth of comparison, so that no value exhausts the stack. */
const MAX_DEPTH = 200;

/** @typedef {Record<string, unknown>} Container an object or an array */

/**
 * Replaces everything in `next` that equals its counterpart in `before` by that counterpart. Returns `before` itself if
 * all of it is equal. Takes time linear in the size of `next`.
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
  if (Array.isArray(next)) return shareItems(next, /** @type {unknown[]} */ (/** @type {unknown} */ (before)), depth);
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

/**
 * Shares the items of arrays. Listing their indices as keys would cost more than the rest.
 *
 * @template {unknown[]} Value
 * @param {Value} next
 * @param {unknown[]} before
 * @param {number} depth
 */
function shareItems(next, before, depth) {
  let isSame = next.length === before.length;
  for (let at = 0; at < next.length; at++) {
    const item = next[at];
    if (item === before[at]) continue;
    next[at] = shareStructure(item, before[at], depth + 1);
    isSame &&= next[at] === before[at];
  }
  return isSame ? /** @type {Value} */ (before) : next;
}

/** @param {unknown} value @returns {value is Container} */
const isContainer = (value) => typeof value === "object" && value !== null;
