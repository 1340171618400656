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

const CONSTANT = 0;
const TEXT = 1;
const IGNORED = 2;
const OBJECT = 3;

/** The text of the chunk that was compared last. */
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
  if (path?.length === 0) {
    state.hasText = typeof value === "string";
    return { kind: TEXT };
  }
  if (typeof value !== "object" || value === null) return { kind: CONSTANT, value };
  const proto = Object.getPrototypeOf(value);
  const isPlain = proto === null || Object.getPrototypeOf(proto) === null || Array.isArray(value);
  const keys = [];
  const nodes = [];
  if (!isPlain) state.left = -1; // members that cannot be seen
  for (const key in value) {
    if (--state.left < 0) break;
    const isOnPath = path !== undefined && (path[0] === "" ? key === "0" : path[0] === key);
    const type = typeof value[key];
    keys.push(key);
    if (ignored.includes(key) && (type === "string" || type === "number")) nodes.push({ kind: IGNORED, type });
    else nodes.push(nodeOf(value[key], isOnPath ? path.slice(1) : undefined, [], state));
  }
  return { kind: OBJECT, proto, keys, nodes };
}

/** The text of a chunk that fits a pattern; undefined of any other. */
export function fit(pattern, chunk) {
  try {
    if (!fits(pattern, chunk)) return undefined;
  } catch {
    return undefined;
  }
  const last = found.charCodeAt(found.length - 1);
  const first = found.charCodeAt(0);
  const isCut = (first >= 0xdc00 && first < 0xe000) || (last >= 0xd800 && last < 0xdc00);
  return isCut ? undefined : found;
}

function fits(node, value) {
  switch (node.kind) {
    case CONSTANT:
      return value === node.value;
    case TEXT:
      found = value;
      return typeof value === "string" && value !== "";
    case IGNORED:
      return typeof value === node.type;
  }
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== node.proto) return false;
  const { keys, nodes } = node;
  let at = 0;
  for (const key in value) {
    if (key !== keys[at] || !fits(nodes[at], value[key])) return false;
    at++;
  }
  return at === keys.length;
}
