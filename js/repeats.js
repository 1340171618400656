/**
 * Chunk objects that repeat the one before but for their text: most do. The module says of a chunk that it has read
 * where its text is, and what may differ besides; a chunk that is the same in all else is told to it as that text
 * alone. What a chunk means is not known here, and nothing but the time depends on it.
 */

import { shapeOf } from "../pkg/wasm/respool.js";

/** The shapes that the module has named, by number. */
const shapes = [];

/** A chunk with more values than this is read by the module each time. */
const MAX_NODES = 100;

/**
 * Names that chunks have, each read by a function of its own: engines remember for each place in a program where the
 * objects that come there have their members, which a place that reads members of all names cannot have.
 */
const READERS = {
  "0": (object) => object[0],
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
const TEXT = 2;
const IGNORED = 3;

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
    const isPlain = Array.isArray(value) || Object.getPrototypeOf(Object.getPrototypeOf(value) ?? {}) === null;
    if (!isPlain) state.left = -1; // it may have members that cannot be seen
    const length = Array.isArray(value) ? value.length : -1;
    Object.assign(node, { kind: OBJECT, value: value.constructor, length, keys: [], nodes: [], readers: [] });
    for (const key in value) {
      if (--state.left < 0) break;
      const isOnPath = path !== undefined && (path[0] === "" ? key === "0" : path[0] === key);
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

/** Whether an object has the members of another one, no others, and in this order. */
function fits({ value: constructor, length, keys, nodes, readers }, object) {
  if (typeof object !== "object" || object === null || object.constructor !== constructor) return false;
  let at = 0;
  for (const key in object) {
    if (key !== keys[at]) return false;
    const node = nodes[at];
    const value = readers[at++](object);
    if (node.kind === CONSTANT) {
      if (value !== node.value) return false;
    } else if (node.kind === OBJECT) {
      if (!fits(node, value)) return false;
    } else if (node.kind === IGNORED) {
      if (typeof value !== node.value) return false;
    } else {
      if (typeof value !== "string" || value === "") return false;
      found = value;
    }
  }
  return at === keys.length && (length < 0 || object.length === length); // an array may have holes
}
