/** What the WebAssembly module asks JavaScript to do. Called by the module only. */

import { CLASSES, RespoolError, messageOf } from "./errors.js";
import { onRecovery } from "./guard.js";
import { openMemory, readText, readUnits, words } from "./memory.js";
import { RAW_JSON } from "./raw_json.js";

export { process } from "../pkg/wasm/respool.js";
export { panicked } from "./guard.js";
export { bytesOf, describe } from "./input.js";
export { readUnits } from "./memory.js";

export function createError(code, message, providerType, providerCode) {
  return new (CLASSES[code] ?? RespoolError)(code, message, { providerType, providerCode });
}

/**
 * Names that the module asks for, by where they are in its memory. They are text of the program, and stay. Where
 * several begin at the same place, only the first one that was asked for is kept.
 */
const names = new Map();
const nameSets = new Map();

export function setMemory(memory) {
  openMemory(memory);
  names.clear();
  nameSets.clear();
}

const place = (address, length) => address + length * 2 ** 32;

/** All names are ASCII, so that they have as many characters as bytes. */
function nameAt(address, length) {
  const known = names.get(address);
  if (known !== undefined && known.length === length) return known;
  // The key of an object is looked up sooner than another string of the same characters.
  const [name] = Object.keys({ [readText(address, length)]: 0 });
  if (known === undefined) names.set(address, name);
  return name;
}

/** A list of names is pairs of address and length, 32 bits each. */
function nameSetAt(address, count) {
  const key = place(address, count);
  let set = nameSets.get(key);
  if (set === undefined) {
    const [pairs, first] = [words(), address / 4];
    set = new Set(Array.from({ length: count }, (_, at) => nameAt(pairs[first + at * 2], pairs[first + at * 2 + 1])));
    nameSets.set(key, set);
  }
  return set;
}

/**
 * The values that the module is reading, by number. It asks for them by numbers only, which costs a fraction of
 * handing objects over. A document is a stretch of the list: it is opened, read and closed before the one around it.
 * No question throws: what could not be read is as if it was not there, and the module asks for the reason later.
 */
const nodes = [];
/** For an item of an array: where in it the item is. For a member that was not asked for: its name. */
const positions = [];
let trouble;

function add(value, position) {
  positions.push(position);
  return nodes.push(value) - 1;
}

function note(error) {
  trouble ??= messageOf(error);
}

export function openDocument(value) {
  if (nodes.length === 0) trouble = undefined;
  return add(value, 0);
}

export function closeDocument(root) {
  nodes.length = root;
  positions.length = root;
}

// What was open when the module failed will not be closed any more.
onRecovery(() => closeDocument(0));

export function takeTrouble() {
  const taken = trouble;
  trouble = undefined;
  return taken;
}

/** How many values there are. */
export function nodeCount() {
  return nodes.length;
}

/** What a value is, in the numbers of the module. */
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
      return value === null ? 0 : isList(value) ? 4 : 5;
    default:
      return 0;
  }
}

/** A proxy that was revoked throws at every question. */
function isList(object) {
  try {
    return Array.isArray(object) || (ArrayBuffer.isView(object) && !(object instanceof DataView));
  } catch {
    return false;
  }
}

/** Whether a value is JSON, and not null. */
function isThere(value) {
  return value !== undefined && value !== null && typeof value !== "function" && typeof value !== "symbol";
}

/** The number of a member; 0, which is never a member's, where there is none. */
export function member(node, address, length) {
  const object = nodes[node];
  if (typeof object !== "object" || object === null) return 0;
  try {
    const value = object[nameAt(address, length)];
    return isThere(value) ? add(value, 0) : 0;
  } catch (error) {
    note(error);
    return 0;
  }
}

/** The number of the item after another one; 0 for the first one, and 0 where there is none. */
export function nextItem(node, previous, limit) {
  const position = previous === 0 ? 0 : positions[previous] + 1;
  try {
    const array = nodes[node];
    if (!(position < array.length)) return 0; // the length may be no number
    if (position < limit) return add(array[position] ?? null, position);
    throw new Error(`an array of ${array.length} items, which is more than ${limit}`);
  } catch (error) {
    note(error);
    return 0;
  }
}

/** Adds the members that are not known. How many values there are before and after tells which they are. */
export function otherMembers(node, address, count) {
  if (kind(node) !== 5) return;
  const object = nodes[node];
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

/** The name of a member that was added so. */
export function nameOf(node) {
  return positions[node];
}

export function textOf(node) {
  const value = nodes[node];
  return typeof value === "string" ? value : undefined;
}

/** The halves of characters at the ends of a string: the first code unit above the last one; 0 for none. */
export function halvesOf(node) {
  const text = nodes[node];
  const [first, last] = [text.charCodeAt(0), text.charCodeAt(text.length - 1)];
  const lead = first >= 0xdc00 && first < 0xe000 ? first : 0;
  const trail = last >= 0xd800 && last < 0xdc00 ? last : 0;
  return lead * 0x10000 + trail;
}

/** The value of a number; NaN for anything else. */
export function numberOf(node) {
  const value = nodes[node];
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : Number.NaN;
}

/** Whether a value is an array of numbers. */
export function isVector(node) {
  const array = nodes[node];
  if (typeof array !== "object" || array === null || !isList(array)) return false;
  try {
    for (let at = 0; at < array.length; at++) if (typeof array[at] !== "number") return false;
    return true;
  } catch (error) {
    note(error);
    return false;
  }
}

/** The forms of a vector, in the numbers of the module. */
const VECTORS = [Array, Float32Array, Float64Array];

/** An array of numbers in one of the forms: itself, where it has that form. */
export function vectorOf(node, form) {
  const array = nodes[node];
  return array instanceof VECTORS[form] ? array : vectorFrom(array, form);
}

/** A copy of numbers in one of the forms. */
export function vectorFrom(numbers, form) {
  return form === 0 ? Array.from(numbers) : new VECTORS[form](numbers);
}

export function booleanOf(node) {
  const value = nodes[node];
  return typeof value === "boolean" ? value : undefined;
}

/** More items than any body can have that comes as text: a sparse array may claim to have four thousand million. */
const MAX_ITEMS = 2 ** 26;

/** JSON has no big integers: they are written as strings, so that no digit is lost. */
function toJson(_, value) {
  if (Array.isArray(value) && value.length > MAX_ITEMS) throw new Error(`an array of ${value.length} items`);
  return typeof value === "bigint" ? String(value) : value;
}

export function stringify(node) {
  try {
    return JSON.stringify(nodes[node], toJson);
  } catch (error) {
    note(error);
    return undefined;
  }
}

/** What the module has written as JSON. */
export function parse(...layout) {
  return JSON.parse(readUnits(...layout));
}

/** A single item by itself, several as a list. */
export function oneOrList(list) {
  return list.length === 1 ? list[0] : list;
}

export function structured(json) {
  const value = JSON.parse(json);
  if (typeof value === "object" && value !== null) Object.defineProperty(value, RAW_JSON, { value: json });
  return value;
}
