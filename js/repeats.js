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

/**
 * Names that chunks have, each read by a function of its own: engines remember for each place in a program where the
 * objects that come there have their members, which a place that reads members of all names cannot have.
 */
const READERS = {
  choices: (object) => object.choices,
  content: (object) => object.content,
  content_index: (object) => object.content_index,
  created: (object) => object.created,
  delta: (object) => object.delta,
  finish_reason: (object) => object.finish_reason,
  id: (object) => object.id,
  index: (object) => object.index,
  item_id: (object) => object.item_id,
  logprobs: (object) => object.logprobs,
  model: (object) => object.model,
  object: (object) => object.object,
  obfuscation: (object) => object.obfuscation,
  output_index: (object) => object.output_index,
  sequence_number: (object) => object.sequence_number,
  service_tier: (object) => object.service_tier,
  system_fingerprint: (object) => object.system_fingerprint,
  text: (object) => object.text,
  type: (object) => object.type,
  usage: (object) => object.usage,
};

const CONSTANT = 0;
const OBJECT = 1;
const LIST = 2;
const TEXT = 3;
const IGNORED = 4;

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

/** The pattern of a value; `path` leads to the text from here, if it is in it. */
function nodeOf(value, path, ignored, state) {
  const node = { kind: CONSTANT, value, length: -1, keys: undefined, nodes: undefined, readers: undefined };
  if (path?.length === 0) {
    state.hasText = typeof value === "string";
    node.kind = TEXT;
  } else if (typeof value === "object" && value !== null) {
    const isList = Array.isArray(value);
    const isPlain = isList || Object.getPrototypeOf(Object.getPrototypeOf(value) ?? {}) === null;
    if (!isPlain) state.left = -1; // it may have members that cannot be seen
    Object.assign(node, { kind: isList ? LIST : OBJECT, value: value.constructor, keys: [], nodes: [], readers: [] });
    for (const key of isList ? value.keys() : enumerable(value)) {
      if (--state.left < 0) break;
      const isOnPath = path !== undefined && (path[0] === "" ? key === 0 : path[0] === key);
      const type = typeof value[key];
      const isIgnored = ignored.includes(key) && (type === "string" || type === "number");
      const member = nodeOf(isIgnored ? type : value[key], isOnPath ? path.slice(1) : undefined, [], state);
      if (isIgnored) member.kind = IGNORED;
      node.keys.push(key);
      node.nodes.push(member);
      node.readers.push(Object.hasOwn(READERS, key) ? READERS[key] : (object) => object[key]);
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

/** Whether a text has no half of a surrogate pair without the other: only the module knows what becomes of it. */
const isWhole = String.prototype.isWellFormed ? (text) => text.isWellFormed() : (text) => !/\p{Surrogate}/u.test(text);

/** The text of a chunk that fits a pattern; undefined of any other. */
export function fit(pattern, chunk) {
  const before = found; // a getter may push to another accumulator meanwhile
  try {
    return fits(pattern, chunk) && isWhole(found) ? found : undefined;
  } catch {
    return undefined;
  } finally {
    found = before;
  }
}

/** Whether a value fits a node. */
function fits(node, value) {
  switch (node.kind) {
    case CONSTANT:
      return value === node.value;
    case OBJECT:
      return fitsObject(node, value);
    case LIST:
      return fitsList(node, value);
    case IGNORED:
      return typeof value === node.value;
    default:
      found = value;
      return typeof value === "string" && value !== "";
  }
}

/** Whether an object has the members of another one, no others, and in this order. */
function fitsObject({ value: constructor, keys, nodes, readers }, object) {
  if (typeof object !== "object" || object === null || object.constructor !== constructor) return false;
  let at = 0;
  for (const key in object) {
    if (key !== keys[at]) return false;
    const node = nodes[at];
    const value = readers[at++](object);
    // Most are constant.
    if (node.kind === CONSTANT ? value !== node.value : !fits(node, value)) return false;
  }
  return at === keys.length;
}

function fitsList({ nodes }, list) {
  if (!Array.isArray(list) || list.length !== nodes.length) return false;
  for (let at = 0; at < nodes.length; at++) if (!fits(nodes[at], list[at])) return false;
  return true;
}
