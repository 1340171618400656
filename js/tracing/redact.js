/** Copies values without their secrets, for tracing backends. */

import { isBytes } from "../input.js";
import { isSet } from "../read_option.js";
import { setOwn } from "../own_property.js";

const NAMES = "secret|password|api[-_]?key|auth|credential|cookie|token";
const SECRET = new RegExp(NAMES, "i");

/** Matches names of counts, which also contain "token". */
const COUNT = /tokens|token[-_]?(?:count|usage|limit|budget)/i;

const REDACTED = "[redacted]";
const UNREADABLE = "[unreadable]";

/** Whether a member is shown, hidden, or shown only if it is a number. */
const SHOW = 0;
const HIDE = 1;
const SHOW_COUNT = 2;

/** @typedef {typeof SHOW | typeof HIDE | typeof SHOW_COUNT} Rule */

/**
 * @param {string} key
 * @param {Rule} inherited
 * @returns {Rule}
 */
function ruleOf(key, inherited) {
  if (!SECRET.test(key)) return inherited;
  return COUNT.test(key) && !SECRET.test(key.replace(/tokens?/gi, "")) ? SHOW_COUNT : HIDE;
}

/**
 * An object being copied.
 *
 * @typedef {object} Frame
 * @property {unknown} [source]
 * @property {object} members the source, or an object or array in place of a Map or a Set
 * @property {object} copy
 * @property {string[]} keys the remaining keys, the next one last
 * @property {Rule} rule the rule for the source
 */

/**
 * Copies a value deeply, replacing everything under a key that names a secret, even in JSON text. Cycles and unreadable
 * members become words in brackets. It doesn't recurse, because values may be nested arbitrarily deep.
 *
 * @param {unknown} value
 * @returns {unknown}
 */
export function redact(value) {
  /** @type {{ value?: unknown }} */
  const root = {};
  /** The sources of all frames, to detect cycles. */
  const open = new Set();
  /** @type {Frame[]} */
  const frames = [{ members: { value }, copy: root, keys: ["value"], rule: SHOW }];
  for (let top = frames.at(-1); top !== undefined; top = frames.at(-1)) {
    const { source, members, copy, keys, rule: inherited } = top;
    const key = keys.pop();
    if (key === undefined) {
      open.delete(source);
      frames.pop();
      continue;
    }
    const rule = ruleOf(key, inherited);
    const member = rule === HIDE ? REDACTED : read(members, key);
    const frame = frameOf(member, rule);
    if (frame === undefined) setOwn(copy, key, leafOf(member, rule));
    else if (open.has(member)) setOwn(copy, key, "[circular]");
    else {
      setOwn(copy, key, frame.copy);
      open.add(member);
      frames.push(frame);
    }
  }
  return root.value;
}

/**
 * @param {object} members
 * @param {string} key
 * @returns {unknown}
 */
function read(members, key) {
  try {
    return /** @type {Record<string, unknown>} */ (members)[key];
  } catch {
    return UNREADABLE;
  }
}

/**
 * Returns the frame of an object; undefined for a value without members.
 *
 * @param {unknown} source
 * @param {Rule} rule
 * @returns {Frame | undefined}
 */
function frameOf(source, rule) {
  if (typeof source !== "object" || source === null) return undefined;
  try {
    if (isBytes(source) || source instanceof Date) return undefined;
    const members = source instanceof Map ? Object.fromEntries(source) : source instanceof Set ? [...source] : source;
    const keys = Object.keys(members).reverse();
    if (source instanceof Error)
      keys.push(...["cause", "stack", "message", "name"].filter((key) => key in source && !keys.includes(key)));
    return { source, members, copy: Array.isArray(members) ? [] : {}, keys, rule };
  } catch {
    return undefined;
  }
}

/**
 * @param {unknown} value
 * @param {Rule} rule
 */
function leafOf(value, rule) {
  if (rule === SHOW_COUNT) return typeof value === "number" || typeof value === "bigint" || !isSet(value) ? value : REDACTED;
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  try {
    if (value instanceof Date) return new Date(value);
    return `[${value.constructor.name} of ${/** @type {ArrayBuffer} */ (value).byteLength} bytes]`;
  } catch {
    return UNREADABLE;
  }
}

/** Matches a quoted key that names a secret, and its value, in text that isn't valid JSON as a whole. */
const PAIR = new RegExp(
  `(["'][^"'\n]{0,64}?(?:${NAMES})[^"'\n]{0,64}["']\\s{0,8}[:=]\\s{0,8})` +
    `("[^"\\\\]*(?:\\\\[^][^"\\\\]*)*"?|'[^'\\\\]*(?:\\\\[^][^'\\\\]*)*'?|[[{][^]*|[^\\s,}\\]]+)`,
  "gi",
);

/** Matches letters, `-` and `_` that are escaped in JSON text, which may be nested in other JSON text. */
const ESCAPED = /\\{1,16}u00(2d|5f|[46][1-9a-f]|[57][0-9a])/gi;

/** @param {string} text */
function redactText(text) {
  const plain = text.replace(ESCAPED, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  if (!SECRET.test(plain)) return text;
  if (/^\s*[[{"]/.test(text)) {
    try {
      return JSON.stringify(redact(JSON.parse(text)));
    } catch {
      // The text isn't valid JSON, or is cut off.
    }
  }
  return plain.replace(PAIR, (pair, key, value) => (COUNT.test(key) && /^\d/.test(value) ? pair : `${key}"${REDACTED}"`));
}
