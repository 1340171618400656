/**
 * The values that the module is reading, by number. Numbers cross the boundary several times faster than objects. A
 * document is a range of the list: it is opened, read and closed before the enclosing one. No function throws: a value
 * that can't be read is treated as absent, and the module asks for the reason later.
 */

import { withoutAccessors } from "./classes.js";
import { messageOf } from "./errors.js";
import { onRecovery } from "./guard.js";
import { sizeOf } from "./input.js";
import { nameAt, nameSetAt } from "./names.js";
import { plainJson } from "./plain_json.js";
import { base64In, writeJson, writeReadableJson } from "./write_json.js";

/** @type {unknown[]} */
const nodes = [];
/**
 * The index of an array item, or the name of a member that {@link otherMembers} added.
 *
 * @type {(number | string)[]}
 */
const positions = [];
/**
 * Why a value couldn't be read.
 *
 * @type {string | undefined}
 */
let readError;

/**
 * @param {unknown} value
 * @param {number | string} position
 */
function add(value, position) {
  positions.push(position);
  return nodes.push(value) - 1;
}

/** @param {unknown} error */
function recordError(error) {
  readError ??= messageOf(error);
}

/** @param {unknown} value */
export function openDocument(value) {
  if (nodes.length === 0) readError = undefined;
  try {
    return add(typeof value === "object" && value !== null ? withoutAccessors(value) : value, 0);
  } catch {
    return add(value, 0); // a revoked proxy
  }
}

/** @param {number} root */
export function closeDocument(root) {
  nodes.length = root;
  positions.length = root;
}

// Documents that were open when the module failed are never closed by the module.
onRecovery(() => closeDocument(0));

export function takeTrouble() {
  const taken = readError;
  readError = undefined;
  return taken;
}

/** Returns the number of values in the list. */
export function nodeCount() {
  return nodes.length;
}

/**
 * Returns the module's number of a value's kind.
 *
 * @param {number} node
 */
export function kind(node) {
  const value = nodes[node];
  switch (typeof value) {
    case "boolean":
      return 1;
    case "number":
    case "bigint":
      return 2;
    case "string":
      return 3;
    case "object":
      if (value === null) return 0;
      return sizeOf(value) !== undefined ? 3 : isList(value) ? 4 : 5;
    default:
      return 0;
  }
}

/**
 * Whether an object is an array or a typed array. A revoked proxy throws on every access.
 *
 * @param {object} object
 */
function isList(object) {
  try {
    return Array.isArray(object) || (ArrayBuffer.isView(object) && !(object instanceof DataView));
  } catch {
    return false;
  }
}

/**
 * Whether a value is present: JSON other than null.
 *
 * @param {unknown} value
 */
function isPresent(value) {
  return value !== undefined && value !== null && typeof value !== "function" && typeof value !== "symbol";
}

/**
 * Returns the number of a member; 0, which no member has, if it is absent.
 *
 * @param {number} node
 * @param {number} address address of the member's name
 * @param {number} length
 */
export function member(node, address, length) {
  const object = nodes[node];
  if (typeof object !== "object" || object === null) return 0;
  try {
    const value = /** @type {Record<string, unknown>} */ (object)[nameAt(address, length)];
    return isPresent(value) ? add(value, 0) : 0;
  } catch (error) {
    recordError(error);
    return 0;
  }
}

/**
 * Returns the number of the next item; 0 at the end.
 *
 * @param {number} node
 * @param {number} previous 0 for the first item
 * @param {number} limit
 */
export function nextItem(node, previous, limit) {
  const position = previous === 0 ? 0 : Number(positions[previous]) + 1;
  try {
    const array = /** @type {unknown[]} */ (nodes[node]);
    if (!(position < array.length)) return 0; // the length of a proxy may be anything
    if (position < limit) return add(array[position] ?? null, position);
    throw new Error(`an array of ${array.length} items, more than the limit of ${limit}`);
  } catch (error) {
    recordError(error);
    return 0;
  }
}

/**
 * Adds the members whose names aren't in a list. The module derives their numbers from the node count before and after.
 *
 * @param {number} node
 * @param {number} address address of the list of names
 * @param {number} count
 */
export function otherMembers(node, address, count) {
  if (kind(node) !== 5) return;
  const object = /** @type {Record<string, unknown>} */ (nodes[node]);
  const known = nameSetAt(address, count);
  try {
    for (const name of Object.keys(object)) {
      if (known.has(name)) continue;
      const value = object[name];
      if (value !== undefined) add(value, name);
    }
  } catch (error) {
    recordError(error);
  }
}

/**
 * Returns the name of a member that {@link otherMembers} added.
 *
 * @param {number} node
 */
export function nameOf(node) {
  return positions[node];
}

/** @param {number} node */
export function textOf(node) {
  const value = nodes[node];
  return typeof value === "string" ? value : base64In(value);
}

/** Returns the length of a string in code units; -1 for anything else. @param {number} node */
export function lengthOf(node) {
  const value = nodes[node];
  return typeof value === "string" ? value.length : -1;
}

/**
 * Returns the lone surrogates at the ends of a string: the first code unit in the high 16 bits, the last one in the low
 * 16 bits; 0 for none.
 *
 * @param {number} node
 */
export function halvesOf(node) {
  const text = /** @type {string} */ (nodes[node]);
  const [first, last] = [text.charCodeAt(0), text.charCodeAt(text.length - 1)];
  const lead = first >= 0xdc00 && first < 0xe000 ? first : 0;
  const trail = last >= 0xd800 && last < 0xdc00 ? last : 0;
  return lead * 0x10000 + trail;
}

/**
 * Returns the value of a number; NaN for anything else.
 *
 * @param {number} node
 */
export function numberOf(node) {
  const value = nodes[node];
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : Number.NaN;
}

/**
 * Whether a value is an array of numbers.
 *
 * @param {number} node
 */
export function isVector(node) {
  const array = nodes[node];
  if (typeof array !== "object" || array === null || !isList(array)) return false;
  try {
    const items = /** @type {unknown[]} */ (array);
    for (let at = 0; at < items.length; at++) if (typeof items[at] !== "number") return false;
    return true;
  } catch (error) {
    recordError(error);
    return false;
  }
}

/** The classes of vectors, by the module's numbers. */
const VECTORS = /** @type {const} */ ([Array, Float32Array, Float64Array]);

/**
 * Returns an array of numbers in one of the forms, without copying if it already has that form.
 *
 * @param {number} node
 * @param {0 | 1 | 2} form
 */
export function vectorOf(node, form) {
  const array = /** @type {ArrayLike<number>} */ (nodes[node]);
  return array instanceof VECTORS[form] ? array : vectorFrom(array, form);
}

/**
 * Copies numbers into one of the forms.
 *
 * @param {ArrayLike<number>} numbers
 * @param {0 | 1 | 2} form
 */
export function vectorFrom(numbers, form) {
  return form === 0 ? Array.from(numbers) : new VECTORS[form](numbers);
}

/** @param {number} node */
export function booleanOf(node) {
  const value = nodes[node];
  return typeof value === "boolean" ? value : undefined;
}

/** @param {number} node */
export function stringify(node) {
  const value = nodes[node];
  try {
    return plainJson(value) ?? writeJson(value);
  } catch (error) {
    recordError(error);
  }
  try {
    return writeReadableJson(value);
  } catch {
    return undefined;
  }
}
