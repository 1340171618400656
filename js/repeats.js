/**
 * Chunk objects that repeat the one before but for their text: most do. The module says of a chunk that it has read
 * where its text is, and what may differ besides; a chunk that is the same in all else is told to it as that text
 * alone. What a chunk means is not known here, and nothing but the time depends on it.
 */

import { shapeOf } from "../pkg/wasm/respool.js";
import { onFailure } from "./guard.js";

/** The shapes that the module has named, by number. */
const shapes = [];

onFailure(() => (shapes.length = 0));

/** A chunk with more values than this is read by the module each time. */
const MAX_NODES = 100;

/** What a value is compared as. Of one known kind, engines compare two in a fraction of the time of any two. */
const OBJECT = 0;
const LIST = 1;
const TEXT = 2;
const IGNORED = 3;
const STRING = 4;
const NUMBER = 5;
const NULL = 6;
const OTHER = 7;

/** The text of the chunk that is compared. */
let found = "";

/** What is known of a chunk: to be compared with those that follow it. */
export function patternOf(chunk, shapeNumber) {
  const [path, ignored] = (shapes[shapeNumber] ??= JSON.parse(shapeOf(shapeNumber)));
  const state = { left: MAX_NODES, hasText: false };
  try {
    const pattern = nodeOf(chunk, path, ignored, state);
    return state.hasText && state.left >= 0 ? pattern : undefined;
  } catch {
    return undefined; // a getter that throws
  }
}

/** The pattern of a value; `path` leads to the text from here, if it is in it. `key`: of which member it is the value. */
function nodeOf(value, path, ignored, state, key = "") {
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
    if (!isPlain) state.left = -1; // it may have members that cannot be seen
    node.kind = isList ? LIST : OBJECT;
    node.value = value.constructor;
    node.nodes = [];
    for (const key of isList ? value.keys() : enumerable(value)) {
      if (--state.left < 0) break;
      const isOnPath = path !== undefined && (path[0] === "" ? key === 0 : path[0] === key);
      const type = typeof value[key];
      const isIgnored = ignored.includes(key) && (type === "string" || type === "number");
      const member = nodeOf(isIgnored ? type : value[key], isOnPath ? path.slice(1) : undefined, [], state, key);
      if (isIgnored) member.kind = IGNORED;
      node.nodes.push(member);
    }
  }
  return node;
}

/** The names of what `for in` finds in an object. */
function enumerable(object) {
  const keys = [];
  for (const key in object) keys.push(key);
  return keys;
}

/** Up to so many code units, looking at each is faster than a call. */
const SHORT = 32;

/** Whether a text has no half of a surrogate pair without the other: only the module knows what becomes of it. */
function isWhole(text) {
  let at = text.length <= SHORT ? 0 : text.length + 1;
  while (at < text.length && text.charCodeAt(at) < 0xd800) at++;
  return at === text.length || isWellFormed(text);
}

const isWellFormed = String.prototype.isWellFormed ? (text) => text.isWellFormed() : (text) => !/\p{Surrogate}/u.test(text);

/** The text of a chunk that fits a pattern; undefined of any other. */
export function fit(pattern, chunk) {
  const before = found; // a getter may push to another accumulator meanwhile
  try {
    return fitsObject(pattern, chunk) && isWhole(found) ? found : undefined;
  } catch {
    return undefined;
  } finally {
    found = before;
  }
}

/** Whether a value fits a node that is none of the most frequent ones. */
function fits(node, value) {
  switch (node.kind) {
    case OBJECT:
      return fitsObject(node, value);
    case LIST:
      return fitsList(node, value);
    case TEXT:
      found = value;
      return typeof value === "string" && value !== "";
    case IGNORED:
      return typeof value === node.value;
    default:
      return value === node.value;
  }
}

/** Whether an object has the members of another one, no others, and in this order. */
function fitsObject({ value: constructor, nodes }, object) {
  if (typeof object !== "object" || object === null || object.constructor !== constructor) return false;
  let at = 0;
  for (const key in object) {
    if (at === nodes.length) return false;
    const node = nodes[at++];
    if (key !== node.key) return false;
    // A member that the loop has just named is read without looking for its name.
    const value = object[key];
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

function fitsList({ nodes }, list) {
  if (!Array.isArray(list) || list.length !== nodes.length) return false;
  for (let at = 0; at < nodes.length; at++) if (!fits(nodes[at], list[at])) return false;
  return true;
}
