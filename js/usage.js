/** Copies usage that differs from an earlier one only in its numbers: see src/wasm/usage.rs. */

/** @import { Delta } from "./types/api.js" */

import { knowUsage } from "../pkg/wasm/respool.js";

/** @typedef {Extract<Delta, { type: "usage" }>} UsageDelta */
/** @typedef {Record<string, unknown>} Members */

/**
 * The objects and arrays in usage that is copied, in the order of its JSON, and the places of its numbers. The first
 * node is the usage, the second the provider's own object.
 *
 * @typedef {{ nodes: { value: Members, parent: number, key: string }[], numbers: { node: number, key: string }[] }} Pattern
 */

/** The patterns, by the module's numbers. @type {Pattern[]} */
const patterns = [];

/**
 * Remembers usage as a pattern for later ones, if its numbers can be found by their positions.
 *
 * @param {number} at number of the pattern
 * @param {string} json JSON of the delta
 * @returns {UsageDelta}
 */
export function rememberUsage(at, json) {
  /** @type {UsageDelta} */
  const delta = JSON.parse(json);
  // Otherwise the positions differ: engines move numeric keys to the front and drop repeated keys, and 1.0 is written
  // as 1.
  if (JSON.stringify(delta) === json && !json.includes('"__proto__"')) {
    /** @type {Pattern} */
    const pattern = { nodes: [], numbers: [] };
    addNode(pattern, JSON.parse(json).usage, 0, "");
    patterns[at] = pattern;
    knowUsage(at);
  }
  return delta;
}

/** @type {(pattern: Pattern, value: Members, parent: number, key: string) => void} */
function addNode(pattern, value, parent, key) {
  const node = pattern.nodes.push({ value, parent, key }) - 1;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === "object" && member !== null) addNode(pattern, /** @type {Members} */ (member), node, name);
    else if (isWholeNumber(member) && !Array.isArray(value)) pattern.numbers.push({ node, key: name });
  }
}

/** @param {unknown} value */
const isWholeNumber = (value) => Number.isInteger(value) && /** @type {number} */ (value) >= 0;

/**
 * Returns a copy of remembered usage with other numbers.
 *
 * @param {number} pattern number of the pattern
 * @param {Uint32Array} memory
 * @param {number} at index in memory of the count, followed by the position and value of each number
 * @returns {UsageDelta}
 */
export function usageLike(pattern, memory, at) {
  const { nodes, numbers } = /** @type {Pattern} */ (patterns[pattern]);
  /** @type {Members[]} */
  const copies = new Array(nodes.length);
  for (let nth = 0; nth < nodes.length; nth++) {
    const { value, parent, key } = /** @type {{ value: Members, parent: number, key: string }} */ (nodes[nth]);
    // Engines copy several times faster at a place that sees few shapes of objects, so each level has its own place.
    const copy = nth === 0 ? { ...value } : nth === 1 ? { ...value } : copyInner(value);
    copies[nth] = copy;
    if (nth > 0) /** @type {Members} */ (copies[parent])[key] = copy;
  }
  const end = at + 1 + 2 * /** @type {number} */ (memory[at]);
  for (let next = at + 1; next < end; next += 2) {
    const { node, key } = /** @type {{ node: number, key: string }} */ (numbers[/** @type {number} */ (memory[next])]);
    /** @type {Members} */ (copies[node])[key] = memory[next + 1];
  }
  return { type: "usage", usage: /** @type {UsageDelta["usage"]} */ (copies[0]) };
}

/**
 * @param {Members} value
 * @returns {Members}
 */
function copyInner(value) {
  return Array.isArray(value) ? /** @type {Members} */ (/** @type {unknown} */ (value.slice())) : { ...value };
}
