/** The functions that the WebAssembly module imports. Nothing else calls them. */

import { CLASSES, RespoolError, messageOf } from "./errors.js";
import { withoutAccessors } from "./classes.js";
import { onRecovery } from "./guard.js";
import { sizeOf } from "./input.js";
import { openMemory, readUnits } from "./memory.js";
import { forgetNames, nameAt, nameSetAt } from "./names.js";
import { base64In, writeJson, writeReadableJson } from "./write_json.js";
import { plainJson } from "./plain_json.js";
import { RAW_JSON } from "./raw_json.js";

export { panicked } from "./guard.js";
export { bytesOf, describe } from "./input.js";
export { readUnits } from "./memory.js";
export { writePlainJson } from "./plain_json.js";

/**
 * @param {string} code
 * @param {string} message
 * @param {string} [providerType]
 * @param {string} [providerCode]
 * @param {number} [status]
 * @param {string} [requestId]
 * @param {string} [json] what came before the error
 */
export function createError(code, message, providerType, providerCode, status, requestId, json) {
  const partial = json === undefined ? undefined : JSON.parse(json);
  return new (CLASSES[code] ?? RespoolError)(code, message, { providerType, providerCode, status, requestId, partial });
}

/** @param {WebAssembly.Memory} memory */
export function setMemory(memory) {
  openMemory(memory);
  forgetNames();
}

/**
 * The values that the module is reading, by number. Numbers cross the boundary several times faster than objects. A
 * document is a stretch of the list: it is opened, read and closed before the one around it. No function throws: a value
 * that can't be read is treated as absent, and the module asks for the reason later.
 *
 * @type {unknown[]}
 */
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
function note(error) {
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

// Documents that were open when the module failed are never closed.
onRecovery(() => closeDocument(0));

export function takeTrouble() {
  const taken = readError;
  readError = undefined;
  return taken;
}

/** The number of values in the list. */
export function nodeCount() {
  return nodes.length;
}

/**
 * The kind of a value, as a number of the module.
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
 * A revoked proxy throws at every access.
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
 * Whether a value is JSON other than null.
 *
 * @param {unknown} value
 */
function isThere(value) {
  return value !== undefined && value !== null && typeof value !== "function" && typeof value !== "symbol";
}

/**
 * The number of a member; 0, which no member has, if it is absent.
 *
 * @param {number} node
 * @param {number} address of its name
 * @param {number} length
 */
export function member(node, address, length) {
  const object = nodes[node];
  if (typeof object !== "object" || object === null) return 0;
  try {
    const value = /** @type {Record<string, unknown>} */ (object)[nameAt(address, length)];
    return isThere(value) ? add(value, 0) : 0;
  } catch (error) {
    note(error);
    return 0;
  }
}

/**
 * The number of the item after another one; 0 at the end.
 *
 * @param {number} node
 * @param {number} previous 0 for the first item
 * @param {number} limit
 */
export function nextItem(node, previous, limit) {
  const position = previous === 0 ? 0 : Number(positions[previous]) + 1;
  try {
    const array = /** @type {unknown[]} */ (nodes[node]);
    if (!(position < array.length)) return 0; // the length may be anything
    if (position < limit) return add(array[position] ?? null, position);
    throw new Error(`an array of ${array.length} items, more than the limit of ${limit}`);
  } catch (error) {
    note(error);
    return 0;
  }
}

/**
 * Adds the members that aren't in a list of names. Their numbers follow from the number of values before and after.
 *
 * @param {number} node
 * @param {number} address of the list
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
    note(error);
  }
}

/**
 * The name of a member that {@link otherMembers} added.
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

/** The length of a string in code units; -1 for anything else. @param {number} node */
export function lengthOf(node) {
  const value = nodes[node];
  return typeof value === "string" ? value.length : -1;
}

/**
 * The lone surrogates at the ends of a string: the first code unit in the high bits, the last one in the low bits; 0 for none.
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
 * The value of a number; NaN for anything else.
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
    note(error);
    return false;
  }
}

/** The forms of a vector, at the numbers of the module. */
const VECTORS = /** @type {const} */ ([Array, Float32Array, Float64Array]);

/**
 * An array of numbers in one of the forms: itself, if it has that form already.
 *
 * @param {number} node
 * @param {0 | 1 | 2} form
 */
export function vectorOf(node, form) {
  const array = /** @type {ArrayLike<number>} */ (nodes[node]);
  return array instanceof VECTORS[form] ? array : vectorFrom(array, form);
}

/**
 * A copy of numbers in one of the forms.
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
    note(error);
  }
  try {
    return writeReadableJson(value);
  } catch {
    return undefined;
  }
}

/**
 * Parses JSON that the module wrote.
 *
 * @param {Parameters<typeof readUnits>} layout
 */
export function parse(...layout) {
  return JSON.parse(readUnits(...layout));
}

/**
 * A single item by itself, several as a list.
 *
 * @template T
 * @param {T[]} list
 */
export function oneOrList(list) {
  return list.length === 1 ? list[0] : list;
}

/** @param {string} json */
export function structured(json) {
  const value = JSON.parse(json);
  if (typeof value === "object" && value !== null) Object.defineProperty(value, RAW_JSON, { value: json });
  return value;
}
