/** Parses JSON that is still incomplete. */

/** @import { JsonIndex, PartialJsonResult, RequestDelta } from "./types/api.js" */

import { closePartial } from "../pkg/wasm/respool.js";
import { checked } from "./checked.js";
import { GrowingValue } from "./growing_value.js";
import { quote } from "./input.js";
import { refuse } from "./read_option.js";

const keyOf = checked((/** @type {JsonIndex} */ index, /** @type {number} */ choice) => `${choice}/${index}`, "The index");

const applyDelta = checked((/** @type {Map<string, GrowingValue>} */ values, /** @type {RequestDelta} */ delta) => {
  if (delta?.type !== "json") return false;
  const key = keyOf(delta.index, delta.choice ?? 0);
  const known = values.get(key);
  const value = known ?? new GrowingValue();
  const fits = value.apply(delta);
  if (fits && known === undefined) values.set(key, value);
  return fits;
}, "The delta");

export class PartialJson {
  static get name() {
    return "PartialJson";
  }

  /** @type {Map<string, GrowingValue>} */
  #values = new Map();

  /**
   * @param {RequestDelta} delta
   * @returns {boolean}
   */
  apply(delta) {
    return applyDelta(this.#values, delta);
  }

  /**
   * @param {JsonIndex} index
   * @param {number} [choice]
   * @returns {unknown}
   */
  get(index, choice = 0) {
    return this.#values.get(keyOf(index, choice))?.get();
  }

  /**
   * @param {JsonIndex} index
   * @param {number} [choice]
   * @returns {unknown}
   */
  peek(index, choice = 0) {
    return this.#values.get(keyOf(index, choice))?.peek();
  }

  /**
   * @param {JsonIndex} index
   * @param {number} [choice]
   * @returns {boolean}
   */
  isDone(index, choice = 0) {
    return this.#values.get(keyOf(index, choice))?.isDone ?? false;
  }
}

/**
 * @param {string} text
 * @returns {PartialJsonResult}
 */
export function parsePartialJson(text) {
  if (typeof text !== "string") refuse(`parsePartialJson() expects a string, not ${quote(text)}`);
  const [state, length, closing] = JSON.parse(closePartial(text));
  return { value: length === 0 ? undefined : JSON.parse(text.slice(0, length) + closing), state };
}
