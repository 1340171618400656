/** The long texts and lists of a stream's results, for which the module writes placeholders: see js/results.js. */

import { setOwn } from "./own_property.js";

/** The start of placeholders. A model can't guess it. */
export const NONCE = `respool:${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}:`;

/** @typedef {{ whole: string, numbers: number[] }} Joined a text, and the numbers of the kept texts in it */

/**
 * Copies a JSON value deeply.
 *
 * @template Value
 * @param {Value} value
 * @returns {Value}
 */
export function copyOf(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return /** @type {Value} */ (value.map(copyOf));
  const copy = { ...value };
  for (const key of Object.keys(copy)) {
    const member = /** @type {Record<string, unknown>} */ (value)[key];
    if (typeof member === "object" && member !== null) setOwn(copy, key, copyOf(member));
  }
  return copy;
}

/** @param {unknown} item @returns {item is string} */
const isMarkOfList = (item) => typeof item === "string" && item.startsWith(`${NONCE}[`);

export class KeptTexts {
  /** @type {string[]} */
  #texts = [];
  /**
   * The parsed arguments of complete tool calls, by the number of their text.
   *
   * @type {({ value: unknown } | undefined)[]}
   */
  #values = [];
  /**
   * The lists, by number. Appended items are kept as a text until the list occurs in a result.
   *
   * @type {(unknown[] | undefined)[]}
   */
  #lists = [];
  #isLast = false;
  /**
   * The texts of this result, by their form with placeholders; below, those of the previous result. An unchanged text
   * stays the same string, so that comparing it takes no time.
   *
   * @type {Map<string, Joined>}
   */
  #joined = new Map();
  /** @type {Map<string, Joined>} */
  #joinedBefore = new Map();
  /** @type {Set<number>} numbers of the texts that have grown since the last result */
  #grown = new Set();

  /**
   * Replaces the placeholders of a result with their texts and lists.
   *
   * @param {Record<string, unknown>} result
   * @param {any[]} tails alternating numbers of texts and the text appended to each
   * @param {boolean} isLast
   */
  fillIn(result, tails, isLast) {
    this.#grown.clear();
    for (let at = 0; at < tails.length; at += 2) {
      const number = tails[at];
      this.#grown.add(number);
      this.#texts[number] = (this.#texts[number] ?? "") + tails[at + 1];
      this.#values[number] = undefined;
    }
    this.#isLast = isLast;
    if (isLast) this.#values = []; // earlier results contain these values
    this.#joinedBefore = this.#joined;
    this.#joined = new Map();
    this.#restore(result);
  }

  /**
   * Replaces the placeholders in an object.
   *
   * @param {Record<string, unknown>} object
   */
  #restore(object) {
    for (const key of Object.keys(object)) {
      const member = object[key];
      if (Array.isArray(member) && isMarkOfList(member[0])) {
        setOwn(object, key, this.#listOf(Number.parseInt(member[0].slice(NONCE.length + 1), 10)));
      } else if (typeof member === "string") {
        if (member.length < NONCE.length || !member.includes(NONCE)) continue;
        setOwn(object, key, this.#restoreText(member));
      } else if (typeof member === "object" && member !== null) {
        this.#restore(/** @type {Record<string, unknown>} */ (member));
      }
    }
  }

  /** @param {string} text */
  #restoreText(text) {
    const [start = "", ...placeholders] = text.split(NONCE);
    const [first] = placeholders;
    if (first?.startsWith("!")) return this.#valueOf(Number.parseInt(first.slice(1), 10));
    const before = this.#joinedBefore.get(text);
    const isUnchanged = before?.numbers.every((number) => !this.#grown.has(number));
    const joined = this.#joined.get(text) ?? (isUnchanged ? before : undefined) ?? this.#join(start, placeholders);
    this.#joined.set(text, joined);
    return joined.whole;
  }

  /**
   * @param {string} start
   * @param {string[]} placeholders each with the text that follows it
   * @returns {Joined}
   */
  #join(start, placeholders) {
    let whole = start;
    const numbers = [];
    for (const placeholder of placeholders) {
      const end = placeholder.indexOf(";");
      const number = Number(placeholder.slice(0, end));
      numbers.push(number);
      whole += this.#texts[number] + placeholder.slice(end + 1);
    }
    return { whole, numbers };
  }

  /** @param {number} number */
  #listOf(number) {
    const before = this.#lists[number] ?? [];
    const text = this.#texts[number];
    this.#texts[number] = "";
    const list = text ? [...before, ...JSON.parse(`[${text}]`)] : before;
    this.#lists[number] = list;
    return this.#isLast ? copyOf(list) : list;
  }

  /**
   * @param {number} number
   * @returns {unknown}
   */
  #valueOf(number) {
    const known = this.#values[number];
    if (known) return this.#isLast ? copyOf(known.value) : known.value;
    const value = JSON.parse(/** @type {string} */ (this.#texts[number]));
    this.#values[number] = { value };
    return value;
  }
}
