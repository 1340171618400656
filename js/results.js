/**
 * The results of a stream. A long text appears in several places of a result, and only grows from one result to the
 * next. So the module returns only what was appended since the last result, and the rest of the text is kept here. See
 * `snapshot_changes` in src/stream.rs.
 */

/** @import { StreamResult } from "./types/api.js" */
/** @import { Accumulator } from "../pkg/wasm/respool.js" */

import { setOwn } from "./own_property.js";

/** Texts shorter than this are returned each time. In bytes. */
const LONG = 256;

/** The start of the placeholders of texts. No model can guess it. */
const NONCE = `respool:${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}:`;

export class Results {
  /** @type {string[]} */
  #texts = [];
  /**
   * The parsed arguments of complete tool calls, by the number of their text.
   *
   * @type {({ value: unknown } | undefined)[]}
   */
  #values = [];
  #isLast = false;

  /**
   * The result so far. The last one shares nothing with other results, or within itself.
   *
   * @param {Accumulator} accumulator
   * @param {boolean} isLast
   * @returns {StreamResult}
   */
  take(accumulator, isLast) {
    const [result, ...tails] = accumulator.result(NONCE, LONG);
    for (let at = 0; at < tails.length; at += 2) {
      const number = tails[at];
      this.#texts[number] = (this.#texts[number] ?? "") + tails[at + 1];
      this.#values[number] = undefined;
    }
    this.#isLast = isLast;
    if (this.#texts.length > 0) this.#restore(result);
    return result;
  }

  /**
   * Replaces the placeholders by their texts.
   *
   * @param {Record<string, unknown>} object
   */
  #restore(object) {
    for (const key of Object.keys(object)) {
      const member = object[key];
      if (typeof member === "string") {
        if (member.length < NONCE.length || !member.includes(NONCE)) continue;
        setOwn(object, key, this.#restoreText(member));
      } else if (typeof member === "object" && member !== null) {
        this.#restore(/** @type {Record<string, unknown>} */ (member));
      }
    }
  }

  /** @param {string} text */
  #restoreText(text) {
    const [before, ...placeholders] = text.split(NONCE);
    const [first] = placeholders;
    if (first?.startsWith("!")) return this.#valueOf(Number.parseInt(first.slice(1), 10));
    let whole = before;
    for (const placeholder of placeholders) {
      const end = placeholder.indexOf(";");
      whole += this.#texts[Number(placeholder.slice(0, end))] + placeholder.slice(end + 1);
    }
    return whole;
  }

  /**
   * @param {number} number
   * @returns {unknown}
   */
  #valueOf(number) {
    const text = /** @type {string} */ (this.#texts[number]);
    if (this.#isLast) return JSON.parse(text);
    const known = this.#values[number] ?? { value: JSON.parse(text) };
    this.#values[number] = known;
    return known.value;
  }
}
