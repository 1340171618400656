/** The ids of calls in messages, in the form of any interface. */

import { isObject } from "./response.js";

/** Members that contain calls or results. */
const INSIDE = new Set(["tool_calls", "content", "parts", "toolUse", "toolResult", "functionCall", "functionResponse"]);

/** Members with the id of a call. Items and steps have others, too, which are never those of calls. */
const IDS = new Set(["id", "call_id", "tool_call_id", "tool_use_id", "toolUseId"]);

/**
 * A message with other ids of calls. Arguments and results aren't searched: their members are the tool's.
 *
 * @template T
 * @param {T} value
 * @param {(id: string) => string} rename
 * @returns {T}
 */
export function withCallIds(value, rename) {
  return /** @type {T} */ (renamed(value, rename));
}

/**
 * @param {unknown} value
 * @param {(id: string) => string} rename
 * @returns {unknown}
 */
function renamed(value, rename) {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (!isObject(value)) return value;
  const isResult = Object.keys(value).some((name) => IDS.has(name) && name !== "id");
  const entries = Object.entries(value).map(([name, member]) => {
    if (IDS.has(name) && typeof member === "string") return [name, rename(member)];
    const isSearched = INSIDE.has(name) && !(isResult && name === "content");
    return [name, isSearched ? renamed(member, rename) : member];
  });
  return Object.fromEntries(entries);
}

/**
 * The ids of calls in a message of the caller, which may be anything.
 *
 * @param {unknown} message
 */
export function callIdsIn(message) {
  /** @type {string[]} */
  const ids = [];
  try {
    withCallIds(message, (id) => {
      ids.push(id);
      return id;
    });
  } catch {
    // A proxy, or a getter that throws.
  }
  return ids;
}
