/**
 * Writes the JSON text of objects that are plain JSON, such as the ones that a parser returns. The module reads text
 * several times faster than single values of an object.
 *
 * Consecutive chunks differ in little. So the text of the last object is kept, and only the differences of the next one
 * are written: the rest of the text is moved at once.
 */

import { hasNoClass, withoutAccessors } from "./classes.js";
import { decodeText } from "./encoding.js";
import { writeBytes, writeText } from "./inbox.js";
import { COMMA, copy, lengthOf, MAX_BYTES, nameOf, NOT_PLAIN, text, TOO_LONG, writeScalar } from "./json_bytes.js";

/** Maximum length of a text. Larger objects are read value by value: their text would take as much memory again. */
const MAX_LARGE = 1 << 18;

/** Maximum depth. The module accepts twice as many levels, unless a limit says otherwise. */
const MAX_DEPTH = 32;

/**
 * A member in the text.
 *
 * @typedef {object} Member
 * @property {string} key
 * @property {Uint8Array} name the key as JSON with a colon
 * @property {number} start start offset of the member
 * @property {unknown} value undefined if it is an object or a list
 * @property {number} end end offset of the value
 */

/** The members in the text, in order. @type {Member[]} */
const members = [];
/** Number of members, from the first, that are still in the text. */
let kept = 0;
/** End offset of the text. */
let end = 0;
/** Number of members of the current object that were reached so far. */
let reached = 0;
/** Offset by which the members not yet reached have been moved. */
let moved = 0;
/** Whether an object is being written. A getter may ask for the text of another object meanwhile. */
let isWriting = false;

/**
 * Writes the JSON text of an object into the inbox, if it is plain JSON and not huge. Returns the length in bytes, or
 * -1 for any other value.
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
 * Returns the JSON text of such an object; undefined for any other value.
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
 * Returns the JSON text of an object that is too long for writing by hand.
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
 * Whether a value is plain JSON.
 *
 * @param {unknown} value
 * @param {number} levels maximum number of nested levels
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
 * Writes the text of an object, and returns its length.
 *
 * @param {unknown} object
 */
function write(object) {
  if (typeof object !== "object" || object === null || isWriting) return NOT_PLAIN;
  isWriting = true;
  reached = 0;
  moved = 0;
  try {
    end = Symbol.asyncIterator in object ? NOT_PLAIN : writeValue(withoutAccessors(object), 0, MAX_DEPTH);
  } catch {
    end = NOT_PLAIN; // a getter that throws
  }
  isWriting = false;
  kept = end < 0 ? 0 : reached;
  return end;
}

/**
 * Writes a value, and returns its end offset.
 *
 * @param {unknown} value
 * @param {number} at
 * @param {number} levels maximum number of nested levels
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
  const place = reached++;
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
 * Moves the rest of the last text to the estimated end of a value. If the value ends elsewhere, the offset of the next
 * member shows it.
 *
 * @param {number} from
 * @param {number} to
 */
function moveRest(from, to) {
  if (from === to) return;
  text.copyWithin(to, from, end + moved);
  moved += to - from;
}
