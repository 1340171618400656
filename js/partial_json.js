/** JSON that is still incomplete. */

/** @import { Delta, JsonIndex, PartialJsonResult } from "./types/api.js" */

import { closePartial } from "../pkg/wasm/respool.js";
import { checked } from "./checked.js";
import { quote } from "./input.js";
import { refuse } from "./options.js";
import { setOwn } from "./own_property.js";

/** @typedef {{ value: unknown, done: boolean }} Root holds a value, so that the outermost value is a member like any other */

/** @typedef {Extract<Delta, { type: "json" }>} JsonDelta */

/**
 * The value that a delta starts with. It will grow, which must not change the delta.
 *
 * @param {JsonDelta} delta
 */
function initialValue({ value, done }) {
  if (done || typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? [] : {};
}

const keyOf = checked((/** @type {JsonIndex} */ index, /** @type {number} */ choice) => `${choice}/${index}`, "the index");

const applyDelta = checked((/** @type {Map<string, Root>} */ roots, /** @type {Delta} */ delta) => {
  if (delta?.type !== "json") return false;
  const { index, choice = 0, path, value, append, done } = delta;
  const rootKey = keyOf(index, choice);
  let root = roots.get(rootKey);
  if (root === undefined) {
    root = { value: undefined, done: false };
    roots.set(rootKey, root);
  }
  if (done && path.length === 0) root.done = true;
  let parent = /** @type {Record<string | number, unknown>} */ (/** @type {unknown} */ (root));
  /** @type {string | number} */
  let key = "value";
  for (const step of path) {
    const child = Object.hasOwn(parent, key) ? parent[key] : undefined;
    if (typeof child !== "object" || child === null) return false;
    parent = /** @type {Record<string | number, unknown>} */ (child);
    key = step;
  }
  if (value !== undefined) setOwn(parent, key, initialValue(delta));
  else if (append !== undefined && Object.hasOwn(parent, key)) setOwn(parent, key, parent[key] + append);
  return true;
}, "the delta");

export class PartialJson {
  static get name() {
    return "PartialJson";
  }

  /** @type {Map<string, Root>} */
  #roots = new Map();

  /**
   * @param {Delta} delta
   * @returns {boolean}
   */
  apply(delta) {
    return applyDelta(this.#roots, delta);
  }

  /**
   * @param {JsonIndex} index
   * @param {number} [choice]
   * @returns {unknown}
   */
  get(index, choice = 0) {
    return this.#roots.get(keyOf(index, choice))?.value;
  }

  /**
   * @param {JsonIndex} index
   * @param {number} [choice]
   * @returns {boolean}
   */
  isDone(index, choice = 0) {
    return this.#roots.get(keyOf(index, choice))?.done ?? false;
  }
}

/**
 * @param {string} text
 * @returns {PartialJsonResult}
 */
export function parsePartialJson(text) {
  if (typeof text !== "string") refuse(`parsePartialJson expects a string, not ${quote(text)}`);
  const [state, length, closing] = JSON.parse(closePartial(text));
  return { value: length === 0 ? undefined : JSON.parse(text.slice(0, length) + closing), state };
}
