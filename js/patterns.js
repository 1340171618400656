/** Patterns of chunk objects. A later chunk matches a pattern if it differs only in one text. */

import { shapeOf } from "../pkg/wasm/respool.js";
import { onFailure } from "./guard.js";

/** @typedef {string | number} Key */

/**
 * A value that the values of later chunks are compared with.
 *
 * @typedef {object} Pattern
 * @property {Key} key the name of the member, or the index of the item
 * @property {number} kind
 * @property {unknown} value
 * @property {string} string
 * @property {number} number
 * @property {Pattern[] | undefined} nodes
 */

/**
 * The shapes by the module's numbers: the path to the text, and the ignored members.
 *
 * @type {[path: Key[], ignored: Key[]][]}
 */
const shapes = [];

onFailure(() => {
  shapes.length = 0;
});

/** Maximum number of values in a pattern. The module reads larger chunks each time. */
const MAX_NODES = 100;

/** The kinds of patterns. Engines compare two values of the same known kind several times faster than any two values. */
const OBJECT = 0;
const LIST = 1;
const TEXT = 2;
const IGNORED = 3;
const STRING = 4;
const NUMBER = 5;
const NULL = 6;
const OTHER = 7;

/** The text of the chunk being compared. */
let found = "";

/**
 * Returns the pattern for later chunks; undefined if there is none.
 *
 * @param {object} chunk
 * @param {number} shapeNumber
 */
export function patternOf(chunk, shapeNumber) {
  shapes[shapeNumber] ??= JSON.parse(shapeOf(shapeNumber));
  const [path, ignored] = /** @type {[Key[], Key[]]} */ (shapes[shapeNumber]);
  const state = { left: MAX_NODES, hasText: false };
  try {
    const pattern = nodeOf(chunk, path, ignored, state);
    return state.hasText && state.left >= 0 ? pattern : undefined;
  } catch {
    return undefined; // a getter that throws
  }
}

/**
 * Returns the pattern of a value.
 *
 * @param {unknown} value
 * @param {Key[] | undefined} path path from the value to the text, if the value contains it
 * @param {Key[]} ignored
 * @param {{ left: number, hasText: boolean }} state
 * @param {Key} [key]
 * @returns {Pattern}
 */
function nodeOf(value, path, ignored, state, key = "") {
  /** @type {Pattern} */
  const node = { key, kind: OTHER, value, string: "", number: 0, nodes: undefined };
  if (path?.length === 0) {
    state.hasText = typeof value === "string";
    node.kind = TEXT;
  } else if (value === null) {
    node.kind = NULL;
  } else if (typeof value === "string") {
    node.kind = STRING;
    node.string = value;
  } else if (typeof value === "number") {
    node.kind = NUMBER;
    node.number = value;
  } else if (typeof value === "object") {
    const isList = Array.isArray(value);
    const isPlain = isList || Object.getPrototypeOf(Object.getPrototypeOf(value) ?? {}) === null;
    if (!isPlain) state.left = -1; // it may have members that can't be enumerated
    node.kind = isList ? LIST : OBJECT;
    node.value = value.constructor;
    node.nodes = [];
    const members = /** @type {Record<Key, unknown>} */ (value);
    for (const key of isList ? value.keys() : enumerable(value)) {
      state.left -= 1;
      if (state.left < 0) break;
      const isOnPath = path !== undefined && (path[0] === "" ? key === 0 : path[0] === key);
      const type = typeof members[key];
      const isIgnored = ignored.includes(key) && (type === "string" || type === "number");
      const pathOfMember = isOnPath ? path?.slice(1) : undefined;
      const member = nodeOf(isIgnored ? type : members[key], pathOfMember, [], state, key);
      if (isIgnored) member.kind = IGNORED;
      node.nodes.push(member);
    }
  }
  return node;
}

/**
 * Returns the names that `for in` finds in an object.
 *
 * @param {object} object
 */
function enumerable(object) {
  /** @type {string[]} */
  const keys = [];
  // biome-ignore lint/suspicious/useGuardForIn: inherited members of a chunk count too
  for (const key in object) keys.push(key);
  return keys;
}

/** Maximum length in code units for which checking each one is faster than a call. */
const SHORT = 32;

/**
 * Whether a text has no lone surrogates, which only the module can handle.
 *
 * @param {string} text
 */
function isWhole(text) {
  let at = text.length <= SHORT ? 0 : text.length + 1;
  while (at < text.length && text.charCodeAt(at) < 0xd800) at++;
  return at === text.length || isWellFormed(text);
}

/** @type {(text: string) => boolean} */
const isWellFormed =
  "isWellFormed" in String.prototype
    ? (text) => /** @type {{ isWellFormed(): boolean }} */ (/** @type {unknown} */ (text)).isWellFormed()
    : (text) => !/\p{Surrogate}/u.test(text);

/**
 * Returns the text of a chunk that matches a pattern; undefined for any other chunk.
 *
 * @param {Pattern} pattern
 * @param {unknown} chunk
 */
export function textOf(pattern, chunk) {
  const before = found; // a getter may push to another accumulator meanwhile
  try {
    return fitsObject(pattern, chunk) && isWhole(found) ? found : undefined;
  } catch {
    return undefined;
  } finally {
    found = before;
  }
}

/**
 * Whether a value matches a pattern of one of the less frequent kinds.
 *
 * @param {Pattern} node
 * @param {unknown} value
 */
function fits(node, value) {
  switch (node.kind) {
    case OBJECT:
      return fitsObject(node, value);
    case LIST:
      return fitsList(node, value);
    case TEXT:
      found = /** @type {string} */ (value);
      return typeof value === "string" && value !== "";
    case IGNORED:
      return typeof value === node.value;
    default:
      return value === node.value;
  }
}

/**
 * Whether an object has the same members as the pattern, in the same order, with matching values.
 *
 * @param {Pattern} pattern
 * @param {unknown} object
 */
function fitsObject({ value: parentClass, nodes = [] }, object) {
  if (typeof object !== "object" || object === null || object.constructor !== parentClass) return false;
  let at = 0;
  // biome-ignore lint/suspicious/useGuardForIn: inherited members of a chunk count too
  for (const key in object) {
    if (at === nodes.length) return false;
    const node = /** @type {Pattern} */ (nodes[at]);
    at += 1;
    if (key !== node.key) return false;
    // Engines read a member that `for in` has just enumerated without a lookup.
    const value = /** @type {Record<string, unknown>} */ (object)[key];
    const { kind } = node;
    if (kind === NULL) {
      if (value !== null) return false;
    } else if (kind === STRING) {
      if (typeof value !== "string" || value !== node.string) return false;
    } else if (kind === NUMBER) {
      if (value !== node.number) return false;
    } else if (!fits(node, value)) return false;
  }
  return at === nodes.length;
}

/**
 * @param {Pattern} pattern
 * @param {unknown} list
 */
function fitsList({ nodes = [] }, list) {
  if (!Array.isArray(list) || list.length !== nodes.length) return false;
  for (let at = 0; at < nodes.length; at++) if (!fits(/** @type {Pattern} */ (nodes[at]), list[at])) return false;
  return true;
}
