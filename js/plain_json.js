/**
 * Objects that are nothing but JSON, as those are that a parser has made. The module reads their text several times
 * faster than it asks for one value after the other.
 *
 * Chunks differ in little from the one before. So the text of the last object is kept, and of the next one only what
 * differs is written: what is behind it is moved at once.
 */

import { hasNoClass, withoutAccessors } from "./classes.js";
import { decodeText } from "./encoding.js";
import { writeBytes, writeText } from "./inbox.js";
import { COMMA, copy, lengthOf, MAX_BYTES, nameOf, NOT_PLAIN, text, TOO_LONG, writeScalar } from "./json_bytes.js";

/** Larger objects are read value by value: their text would take as much memory again. */
const MAX_LARGE = 1 << 18;

/** The module accepts twice as many levels, unless a limit says otherwise. */
const MAX_DEPTH = 32;

/**
 * A member in the text.
 *
 * @typedef {object} Member
 * @property {string} key
 * @property {Uint8Array} name as it stands before the value
 * @property {number} start where it begins
 * @property {unknown} value undefined if it is an object or a list
 * @property {number} end where its value ends
 */

/** The members in the text, in their order. @type {Member[]} */
const members = [];
/** So many of them are still in the text, from the first one on. */
let kept = 0;
/** Where the text ends. */
let end = 0;
/** How many members of the object that is being written were met. */
let met = 0;
/** By how much those that were not met yet have been moved. */
let moved = 0;
/** A getter may ask for the text of another object meanwhile. */
let isWriting = false;

/**
 * Writes the JSON text of an object that isn't huge, and has nothing that JSON doesn't have, into the inbox. Returns its
 * length, or -1 for any other value.
 *
 * @param {unknown} object
 */
export function writePlainJson(object) {
  const length = write(object);
  if (length >= 0) writeBytes(text.subarray(0, length), length);
  if (length !== TOO_LONG) return length;
  const json = longJson(/** @type {object} */ (object));
  return json === undefined ? NOT_PLAIN : writeText(json);
}

/**
 * The same text; undefined for any other value.
 *
 * @param {unknown} object
 */
export function plainJson(object) {
  const length = write(object);
  if (length >= 0) return decodeText(text.subarray(0, length));
  return length === TOO_LONG ? longJson(/** @type {object} */ (object)) : undefined;
}

let left = 0;

/**
 * The text of an object that is too long to be written by hand.
 *
 * @param {object} object
 */
function longJson(object) {
  left = MAX_LARGE;
  try {
    const members = withoutAccessors(object);
    return isPlain(members, MAX_DEPTH) ? JSON.stringify(members) : undefined;
  } catch {
    return undefined; // a getter that throws
  }
}

/**
 * Whether a value has nothing that JSON doesn't have.
 *
 * @param {unknown} value
 * @param {number} levels how many more there may be
 * @returns {boolean}
 */
function isPlain(value, levels) {
  left -= typeof value === "string" ? value.length : 1;
  if (left < 0) return false;
  if (typeof value === "number") return value - value === 0;
  if (typeof value !== "object") return typeof value === "string" || typeof value === "boolean";
  if (value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!isPlain(value[index] ?? null, levels - 1)) return false;
    return true;
  }
  if (!hasNoClass(value)) return false;
  // biome-ignore lint/suspicious/useGuardForIn: no class adds members
  for (const key in value) {
    const member = /** @type {Record<string, unknown>} */ (value)[key];
    if (member !== undefined && !isPlain(member, levels - 1)) return false;
  }
  return true;
}

/**
 * Writes the text of an object; how long it is.
 *
 * @param {unknown} object
 */
function write(object) {
  if (typeof object !== "object" || object === null || isWriting) return NOT_PLAIN;
  isWriting = true;
  met = 0;
  moved = 0;
  try {
    end = Symbol.asyncIterator in object ? NOT_PLAIN : writeValue(withoutAccessors(object), 0, MAX_DEPTH);
  } catch {
    end = NOT_PLAIN; // a getter that throws
  }
  isWriting = false;
  kept = end < 0 ? 0 : met;
  return end;
}

/**
 * Writes a value here; where it ends.
 *
 * @param {unknown} value
 * @param {number} at
 * @param {number} levels how many more there may be
 * @returns {number}
 */
function writeValue(value, at, levels) {
  if (typeof value !== "object" || value === null) return writeScalar(value, at);
  if (at > MAX_BYTES) return TOO_LONG;
  if (levels === 0) return NOT_PLAIN;
  return Array.isArray(value) ? writeList(value, at, levels - 1) : writeObject(value, at, levels - 1);
}

/**
 * @param {unknown[]} list
 * @param {number} at
 * @param {number} levels
 */
function writeList(list, at, levels) {
  let to = at;
  text[to++] = 0x5b;
  for (let index = 0; index < list.length; index++) {
    if (index > 0) text[to++] = COMMA;
    to = writeValue(list[index] ?? null, to, levels);
    if (to < 0) return to;
  }
  text[to] = 0x5d;
  return to + 1;
}

/**
 * @param {object} object
 * @param {number} at
 * @param {number} levels
 */
function writeObject(object, at, levels) {
  if (!hasNoClass(object)) return NOT_PLAIN;
  let to = at;
  text[to++] = 0x7b;
  // biome-ignore lint/suspicious/useGuardForIn: no class adds members
  for (const key in object) {
    const value = /** @type {Record<string, unknown>} */ (object)[key];
    if (value === undefined) continue;
    if (to > at + 1) text[to++] = COMMA;
    to = writeMember(key, value, to, levels);
    if (to < 0) return to;
  }
  text[to] = 0x7d;
  return to + 1;
}

/**
 * @param {string} key
 * @param {unknown} value
 * @param {number} at
 * @param {number} levels
 */
function writeMember(key, value, at, levels) {
  const place = met++;
  let member = members[place];
  if (member?.key !== key) member = members[place] = { key, name: nameOf(key), start: NOT_PLAIN, value: undefined, end: 0 };
  const valueAt = at + member.name.length;
  if (valueAt > MAX_BYTES) return TOO_LONG;
  if (place >= kept || member.start + moved !== at) {
    copy(member.name, at);
  } else if (member.value !== undefined) {
    member.end += moved;
    if (value === member.value) {
      member.start = at;
      return member.end;
    }
    moveRest(member.end, valueAt + lengthOf(value));
  }
  member.start = at;
  member.value = undefined;
  const valueEnd = writeValue(value, valueAt, levels);
  if (typeof value !== "object" || value === null) {
    member.value = value;
    member.end = valueEnd;
  }
  return valueEnd;
}

/**
 * Moves what is left of the last text, as a value ends elsewhere. If it ends there after all is seen from where the next
 * member is.
 *
 * @param {number} from
 * @param {number} to
 */
function moveRest(from, to) {
  if (from === to) return;
  text.copyWithin(to, from, end + moved);
  moved += to - from;
}
