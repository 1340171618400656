/**
 * The results of a stream. A long text appears in several places of a result, and only grows from one result to the
 * next, as do lists. So the module returns only what was appended since the last result, and the rest is kept here. See
 * `snapshot_changes` in src/stream.rs.
 *
 * Snapshots share structure: whatever is the same in the next one is the same object.
 */

/** @import { StreamResult } from "./types/api.js" */
/** @import { Accumulator } from "../pkg/wasm/respool.js" */

import { setOwn } from "./own_property.js";
import { shareStructure } from "./shared_structure.js";

/** Texts shorter than this are returned each time. In bytes. */
const LONG = 256;

/** The same where nothing was returned before: to keep a text apart costs as much as to read it twice. */
const LONG_AT_ONCE = 1024;

/** The start of the placeholders of texts. No model can guess it. */
const NONCE = `respool:${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}:`;

/** @typedef {{ whole: string, numbers: number[] }} Joined a text, and the numbers of the texts in it */

/**
 * A copy of a value of JSON.
 *
 * @template Value
 * @param {Value} value
 * @returns {Value}
 */
function copyOf(value) {
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

export class Results {
  /** @type {string[]} */
  #texts = [];
  /**
   * The parsed arguments of complete tool calls, by the number of their text.
   *
   * @type {({ value: unknown } | undefined)[]}
   */
  #values = [];
  /**
   * The lists, by their number. What was appended to one is its text until the list is met in the result.
   *
   * @type {(unknown[] | undefined)[]}
   */
  #lists = [];
  #isLast = false;
  /**
   * The texts of this result and of the last one, by their form with placeholders. An unchanged text stays the same
   * string, so that comparing it takes no time.
   *
   * @type {Map<string, Joined>}
   */
  #joined = new Map();
  /** @type {Map<string, Joined>} */
  #joinedBefore = new Map();
  /** @type {Set<number>} the numbers of the texts that have grown since the last result */
  #grown = new Set();
  /** @type {StreamResult | undefined} */
  #snapshot;

  /**
   * The result so far. The last one shares nothing with other results, or within itself.
   *
   * @param {Pick<Accumulator, "result">} accumulator
   * @param {boolean} isLast
   * @returns {StreamResult}
   */
  take(accumulator, isLast) {
    const isOnly = isLast && this.#texts.length === 0;
    const answer = accumulator.result(NONCE, isOnly ? LONG_AT_ONCE : LONG);
    const [result, ...tails] = Array.isArray(answer) ? answer : [answer];
    // What is the same in the response is only there.
    const { response } = result;
    if (result.text === null) result.text = response.message;
    if (result.usage === null) result.usage = copyOf(response.usage);
    this.#grown.clear();
    for (let at = 0; at < tails.length; at += 2) {
      const number = tails[at];
      this.#grown.add(number);
      this.#texts[number] = (this.#texts[number] ?? "") + tails[at + 1];
      this.#values[number] = undefined;
    }
    this.#isLast = isLast;
    if (this.#texts.length > 0) {
      this.#joinedBefore = this.#joined;
      this.#joined = new Map();
      this.#restore(result);
    }
    if (isLast) return result;
    this.#snapshot = shareStructure(/** @type {StreamResult} */ (result), this.#snapshot);
    return this.#snapshot;
  }

  /**
   * Replaces the placeholders by their texts.
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
    const text = /** @type {string} */ (this.#texts[number]);
    if (this.#isLast) return JSON.parse(text);
    const known = this.#values[number] ?? { value: JSON.parse(text) };
    this.#values[number] = known;
    return known.value;
  }
}
