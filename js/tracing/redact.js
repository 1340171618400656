/** What backends get to see: copies, without secrets. */

import { put } from "../own_member.js";

const NAMES = "secret|password|api[-_]?key|auth|credential|cookie|token";
const SECRET = new RegExp(NAMES, "i");

/** Names of what is counted, which say "token" too. */
const COUNT = /tokens|token[-_]?(?:count|usage|limit|budget)/i;

const REDACTED = "[redacted]";
const UNREADABLE = "[unreadable]";

/** What becomes of a member: it is shown, hidden, or shown where it is a number. */
const SHOW = 0;
const HIDE = 1;
const COUNTS = 2;

function ruleOf(key, inherited) {
  if (!SECRET.test(key)) return inherited;
  return COUNT.test(key) && !SECRET.test(key.replace(/tokens?/gi, "")) ? COUNTS : HIDE;
}

/**
 * A deep copy of a value in which everything under a key that names a secret is replaced, also in JSON text. A cycle, and
 * what throws when it is read, become words in brackets. It never calls itself: values may be nested as deep as they like.
 */
export function redact(value) {
  const whole = {};
  const open = new Set();
  const frames = [{ members: { value }, copy: whole, keys: ["value"], rule: SHOW }];
  while (frames.length > 0) {
    const { of, members, copy, keys, rule: inherited } = frames.at(-1);
    const key = keys.pop();
    if (key === undefined) {
      open.delete(of);
      frames.pop();
      continue;
    }
    const rule = ruleOf(key, inherited);
    const member = rule === HIDE ? REDACTED : read(members, key);
    const frame = frameOf(member, rule);
    if (frame === undefined) put(copy, key, leafOf(member, rule));
    else if (open.has(member)) put(copy, key, "[circular]");
    else {
      put(copy, key, frame.copy);
      open.add(member);
      frames.push(frame);
    }
  }
  return whole.value;
}

function read(members, key) {
  try {
    return members[key];
  } catch {
    return UNREADABLE;
  }
}

/** What is to be copied of an object, the last key first; undefined for what has no members to show. */
function frameOf(of, rule) {
  if (typeof of !== "object" || of === null) return undefined;
  try {
    if (ArrayBuffer.isView(of) || of instanceof ArrayBuffer || of instanceof Date) return undefined;
    const members = of instanceof Map ? Object.fromEntries(of) : of instanceof Set ? [...of] : of;
    const keys = Object.keys(members).reverse();
    if (of instanceof Error)
      keys.push(...["cause", "stack", "message", "name"].filter((key) => key in of && !keys.includes(key)));
    return { of, members, copy: Array.isArray(members) ? [] : {}, keys, rule };
  } catch {
    return undefined;
  }
}

function leafOf(value, rule) {
  if (rule === COUNTS) return typeof value === "number" || typeof value === "bigint" || value == null ? value : REDACTED;
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  try {
    return value instanceof Date ? new Date(value) : `[${value.constructor.name} of ${value.byteLength} bytes]`;
  } catch {
    return UNREADABLE;
  }
}

/** In text that is no JSON, or not all of it: a quoted key that names a secret, and what stands for it. */
const PAIR = new RegExp(
  `(["'][^"'\n]{0,64}?(?:${NAMES})[^"'\n]{0,64}["']\\s{0,8}[:=]\\s{0,8})` +
    `("[^"\\\\]*(?:\\\\[^][^"\\\\]*)*"?|'[^'\\\\]*(?:\\\\[^][^'\\\\]*)*'?|[[{][^]*|[^\\s,}\\]]+)`,
  "gi",
);

function redactText(text) {
  if (!SECRET.test(text)) return text;
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.stringify(redact(JSON.parse(text)));
    } catch {
      // It is no JSON, or only the beginning of it.
    }
  }
  return text.replace(PAIR, (pair, key, value) => (COUNT.test(key) && /^\d/.test(value) ? pair : `${key}"${REDACTED}"`));
}
